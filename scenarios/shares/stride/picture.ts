/** Who had the processor, as text. */
import type { Time } from '../../../lib/actor.ts'
import type { Course, Stretch } from './course.ts'

const WIDTH = 72

/** A name for each stay on the processor; letters stand together. */
export const orderOf = (ran: readonly Stretch[]): string => {
  const names = ran.map(({ job }) => job)
  return names.join(names.every((name) => name.length === 1) ? '' : ' ')
}

/** So many lines are shown of an order. */
const LINES = 10

/** In lines of at most 72 characters that end with a name; what is beyond ten lines is left out. */
export function wrapped(order: string): string[] {
  const step = order.includes(' ') ? /.{1,72}(?:\s|$)/g : /.{1,72}/g
  const lines = (order.match(step) ?? []).map((line) => line.trimEnd())
  return lines.length <= LINES ? lines : [...lines.slice(0, LINES), `... and ${lines.length - LINES} lines more`]
}

/** How long each cell is taken by some stretches. */
function cells(stretches: readonly Stretch[], count: number, width: Time): number[] {
  const taken = Array.from({ length: count }, () => 0)
  for (const { from, until } of stretches) {
    for (let cell = Math.floor(from / width); cell < count && cell * width < until; cell++) {
      taken[cell] = (taken[cell] ?? 0) + Math.min(until, (cell + 1) * width) - Math.max(from, cell * width)
    }
  }
  return taken
}

function mark(ran: number, slept: number, width: Time): string {
  if (ran >= width / 2) return '#'
  if (ran > 0) return '+'
  return slept >= width / 2 ? '~' : '.'
}

const LEGEND = '# runs half of the time or more, + less, ~ sleeps, . waits'

/** A line for each job: what it does, cell by cell, of which each is one or more quanta. */
export function gantt(jobs: readonly string[], { ran, slept }: Course, quanta: number, quantum: Time): string[] {
  const perCell = Math.ceil(quanta / WIDTH)
  const width = perCell * quantum
  const count = Math.ceil(quanta / perCell)
  const indent = Math.max(...jobs.map((job) => job.length))
  const lines = jobs.map((job) => {
    const own = (stretches: readonly Stretch[]) =>
      cells(
        stretches.filter((one) => one.job === job),
        count,
        width,
      )
    const sleeps = own(slept)
    const marks = own(ran).map((used, i) => mark(used, sleeps[i] ?? 0, width))
    return `${job.padEnd(indent)}  ${marks.join('')}`
  })
  return [...lines, `${''.padEnd(indent)}  ${LEGEND}; a column is ${perCell > 1 ? `${perCell} quanta` : 'a quantum'}`]
}

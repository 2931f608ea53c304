/** What the page of one shared machine tells: the time that each job had, and was due. */
import { processorTimeline } from '../../../actors/processor/timeline.ts'
import { type Message, type Time, toUnits } from '../../../lib/actor.ts'
import { figure } from '../../../lib/core/table.ts'
import { sum } from '../../../lib/core/tally.ts'
import { UNIT } from '../../../lib/core/time.ts'
import { few, type PageReader, type Picture, type Sentence } from '../../../lib/scenario/page.ts'
import { Windows } from '../../../lib/scenario/windows.ts'
import type { Cluster } from '../model.ts'
import { stayOf } from '../usage.ts'
import { Schedule } from './schedule.ts'

/** The most clients that are told one by one, and that the picture shows. */
const TOLD_MAX = 5
const DRAWN_MAX = 7

interface Client {
  readonly name: string
  readonly had: Time
  readonly due: Time
}

const percent = (part: Time, all: Time): number => (all > 0 ? (100 * part) / all : 0)

/** What a client had beyond its due, in quanta. */
const ahead = ({ had, due }: Client, quantum: Time): number => (had - due) / quantum

export function stridePage(machine?: Cluster): PageReader {
  const quantum = machine?.sharing.quantum
  const names = new Set<string>()
  const had = new Windows()
  const due = new Windows()
  const schedule = new Schedule((job, from, until, part) => due.span(job, from, until, part))

  function clients(): Client[] {
    schedule.close()
    const used = new Map<string, Time>()
    for (const { job, from, until } of schedule.ran) used.set(job, (used.get(job) ?? 0) + until - from)
    return [...names].map((name) => ({ name, had: used.get(name) ?? 0, due: schedule.dueTo(name) }))
  }

  function story(): Sentence[] {
    const all = clients()
    const time = sum(all, (one) => one.had)
    const dueTime = sum(all, (one) => one.due)
    const told = all.map(
      (one) =>
        `job ${one.name} had ${figure(percent(one.had, time), 1)} % (due ${figure(percent(one.due, dueTime), 1)} %)`,
    )
    const distanceOf = (one: Client): number => Math.round(100 * ahead(one, quantum ?? UNIT)) / 100
    const [farthest] = all.toSorted((one, other) => Math.abs(distanceOf(other)) - Math.abs(distanceOf(one)))
    const distance = farthest && quantum ? distanceOf(farthest) : 0
    return [
      `Of ${figure(toUnits(time))} units of processor time, ${few(told, TOLD_MAX)}.`,
      ...(farthest && distance !== 0
        ? [
            `At the end job ${farthest.name} was farthest from its due: ${figure(Math.abs(distance))} quanta ${distance > 0 ? 'ahead' : 'behind'}.`,
          ]
        : ['At the end every job had exactly what it was due.']),
    ]
  }

  function pictures(now: Time): Picture[] {
    const shown = [...names].slice(0, DRAWN_MAX)
    return [
      {
        title: `Processor time that each job had so far, and was due${names.size > DRAWN_MAX ? ` (the first ${DRAWN_MAX} of ${names.size} jobs)` : ''}`,
        y: { label: 'processor time', unit: 'units', min: 0 },
        series: [
          ...shown.map((name) => ({ name, shape: 'line' as const, points: sumsOf(had, name, now) })),
          ...shown.map((name) => ({ name: 'due', shape: 'reference' as const, points: sumsOf(due, name, now) })),
        ],
      },
    ]
  }

  return {
    ...processorTimeline()(),
    fold(fact: Message, who, at) {
      const stay = stayOf(fact, who, at)
      if (typeof fact['job'] === 'string' && (stay || fact.type === 'joined')) names.add(fact['job'])
      if (stay) had.span(stay.job, stay.from, stay.until)
      schedule.fold(fact, who, at)
    },
    story,
    tiles: () => {
      const all = clients()
      const time = sum(all, (one) => one.had)
      const dueTime = sum(all, (one) => one.due)
      return all.slice(0, TOLD_MAX).map((one) => ({
        label: `job ${one.name}, due ${figure(percent(one.due, dueTime), 1)} %`,
        value: percent(one.had, time),
        unit: '% of the time',
        digits: 1,
      }))
    },
    pictures,
    objects: () => [
      {
        name: 'job',
        columns: [
          ...['had', 'due'].map((name) => ({ name, unit: 'units', digits: 2 })),
          { name: 'ahead', unit: 'quanta', digits: 2 },
        ],
        rows: clients().map((one) => ({
          id: one.name,
          values: [toUnits(one.had), toUnits(one.due), quantum ? ahead(one, quantum) : null],
        })),
      },
    ],
  }
}

/** The sums from the beginning on, in units, as points of a line. */
function sumsOf(windows: Windows, name: string, now: Time): Picture['series'][number]['points'] {
  const rates = windows.rates(name, now)
  let total = 0
  return rates.map(({ x }, i) => {
    const before = rates[i - 1]
    if (before) total += before.y * (x - before.x)
    return { x, y: toUnits(total) }
  })
}

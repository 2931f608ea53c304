/** A run as a Mermaid sequence diagram, for a text such as a README or an issue. */
import { atName, remarksOf, stateName } from '../names.ts'
import { eventOf, incarnationName, type Run, type Step, type SystemEvent } from '../run.ts'
import type { Limit } from './limit.ts'

/** The first events of a run; the last line of a longer one says how many are left out. */
export function toMermaid(run: Run, { most }: Limit): string {
  const drawn = eventsOf(run).sort((one, other) => one.line - other.line)
  const cut = drawn.length - most
  const ids = new Map(['system', ...run.incarnations.map(incarnationName)].map((name, i) => [name, `a${i}`]))
  const idOf = (name: string) => ids.get(name) ?? 'a0'
  return [
    'sequenceDiagram',
    ...[...ids].map(([name, id]) => `  participant ${id} as ${escaped(name)}`),
    ...drawn.slice(0, most).map(({ from, arrow, to, text }) => {
      const where = from === null ? `Note over ${idOf(to)}` : `${idOf(from)}${arrow}${idOf(to)}`
      return `  ${where}: ${escaped(text)}`
    }),
    ...(cut > 0 ? [`  Note over a0: ${cut} more events are not shown (--most ${most})`] : []),
    '',
  ].join('\n')
}

/** A note over `to`, or an arrow from one incarnation to another. */
interface Drawn {
  readonly line: number
  readonly from: string | null
  readonly arrow: '->>' | '-x'
  readonly to: string
  readonly text: string
}

function eventsOf(run: Run): Drawn[] {
  const senders = new Map<string, string>()
  const steps = run.steps.map((step): Drawn => {
    const to = incarnationName(step)
    for (const { id } of step.sends) senders.set(id, to)
    const state = stateName(step.state)
    const entered = stateName(step.before) === state ? [] : [`[${state}]`]
    const text = [`${eventName(step)} at ${atName(step)}`, ...entered, ...remarksOf(step)].join(' ')
    const from = step.on.what === 'mail' ? (senders.get(step.on.id) ?? 'system') : null
    return { line: step.line, from, arrow: '->>', to, text }
  })
  const lost = run.deadLetters.map(({ line, id, from, to, type, reason }): Drawn => {
    const incarnations = run.incarnations.filter((incarnation) => incarnation.who === to && incarnation.line < line)
    const last = incarnations[incarnations.length - 1]
    const name = senders.get(id) ?? from
    return { line, from: name, arrow: '-x', to: last ? incarnationName(last) : 'system', text: `${type} (${reason})` }
  })
  return [...steps, ...lost, ...run.system.flatMap(noteOf)]
}

const eventName = (step: Step): string => (step.on.what === 'start' ? 'start' : eventOf(step))

/** Deaths and faults are shown; spawns are the participants. */
function noteOf(event: SystemEvent): Drawn[] {
  const note = (to: string, text: string): Drawn[] => [{ line: event.line, from: null, arrow: '->>', to, text }]
  if (event.type === 'died')
    return note(incarnationName(event.incarnation), `died at ${atName(event)} (${event.cause})`)
  if (event.type === 'ended') return note(incarnationName(event.incarnation), `ended at ${atName(event)}`)
  return event.type === 'fault' ? note('system', `${event.fault} at ${atName(event)}`) : []
}

/** Mermaid ends a statement at `;` and reads `#` as the begin of a code. */
const escaped = (text: string): string =>
  text.replace(/[#;]/g, (sign) => (sign === '#' ? '#35;' : '#59;')).replace(/\s+/g, ' ')

/**
 * A run for ShiViz (bestchai.net/apps/shiviz): one line says what happened, the next where, with its vector clock.
 * Every event of every host is there, since its clock has to rise by one from event to event: a long run is refused
 * and never cut. An incarnation is a host of its own; `system` is the host of spawns, deaths and faults.
 */
import { UsageError } from '../../core/usage-error.ts'
import { Causality } from '../causality.ts'
import { atName, handledName, remarksOf, sentNames, stateName, systemEventName } from '../names.ts'
import { type Incarnation, incarnationName, type Run, type Step, thingOf } from '../run.ts'
import type { Limit } from './limit.ts'

/** The fields of an event, as ShiViz is told by the first line; the second tells executions apart. */
const EXPRESSION = '(?<event>.*)\\n(?<host>\\S+) (?<clock>\\{.*\\}) (?<at>\\S+) (?<kind>\\S+) (?<thing>\\S+)'
const DELIMITER = '^=== (?<trace>.*) ===$'

export interface ShivizExecution {
  /** The name of the execution, unique in its file. */
  readonly name: string
  readonly run: Run
}

/**
 * Exports several executions as one file: ShiViz shows two of them side by side, with their differences.
 *
 * @throws UsageError for one with more events than the limit allows
 */
export function toShiviz(executions: readonly ShivizExecution[], { most }: Limit): string {
  const parts = executions.flatMap(({ name, run }) => [`=== ${oneLine(name)} ===`, ...eventsOf(run, most)])
  return [EXPRESSION, DELIMITER, ...parts, ''].join('\n')
}

function eventsOf(run: Run, most: number): string[] {
  const { steps, system, incarnations, where } = run
  const size = steps.length + system.length
  if (size > most) throw UsageError.tooMany(where, `${most} events (--most), since ShiViz needs all of them`, `${size}`)
  const causality = new Causality(run)
  const lines: string[] = []
  let next = 0
  const act = () => {
    const event = system[next]
    if (!event) return
    const clock = { system: next + 1, ...others(incarnations, (incarnation) => causality.known(event, incarnation)) }
    const at = `${atName(event)} ${event.type.replaceAll(' ', '-')} -`
    lines.push(oneLine(systemEventName(event)), `system ${JSON.stringify(clock)} ${at}`)
    next++
  }
  for (const step of steps) {
    while ((system[next]?.line ?? Number.POSITIVE_INFINITY) < step.line) act()
    const known = causality.systemKnown(step)
    const clock = {
      ...(known > 0 && { system: known }),
      ...others(incarnations, (incarnation) => causality.known(step, incarnation)),
    }
    lines.push(
      oneLine(textOf(step)),
      `${incarnationName(step)} ${JSON.stringify(clock)} ${atName(step)} ${step.on.what} ${thingOf(step)}`,
    )
  }
  while (next < system.length) act()
  return lines
}

function others(
  incarnations: readonly Incarnation[],
  known: (incarnation: Incarnation) => number,
): Record<string, number> {
  const clock: Record<string, number> = {}
  for (const incarnation of incarnations) {
    const count = known(incarnation)
    if (count > 0) clock[incarnationName(incarnation)] = count
  }
  return clock
}

function textOf(step: Step): string {
  const more = [...sentNames(step), ...remarksOf(step)]
  const said = more.length > 0 ? `: ${more.join(', ')}` : ''
  return `${handledName(step)}${said} [${stateName(step.state)}]`
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

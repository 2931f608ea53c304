/**
 * The layout of steps on a time line. Model time stands still within a step, so steps get a length to be visible. The steps
 * of one instant are laid out in generations: each step comes after its cause.
 */
import type { Run, Step } from '../run.ts'

/** A place on the time line in nanoseconds; a unit of model time has 10^9. */
export interface GridPlace {
  readonly start: number
  readonly length: number
}

/** Nanoseconds in a millionth of a unit. */
export const NS = 1000

/** The length of a step, a thousandth of a unit, where there is room for it before the next instant. */
const STEP_NS = 1000 * NS

/** The place of each step, by its index. */
export function placesOf({ steps, sends }: Run): readonly GridPlace[] {
  const places: GridPlace[] = new Array(steps.length)
  // in real time the lines of two actors may be out of order
  const ordered = [...steps].sort((one, other) => one.at - other.at)
  for (let first = 0; first < ordered.length; ) {
    const at = ordered[first]?.at ?? 0
    const instant: Step[] = []
    for (let step = ordered[first]; step?.at === at; step = ordered[first + instant.length]) instant.push(step)
    first += instant.length
    const generations = generationsOf(instant, sends)
    const room = ((ordered[first]?.at ?? Number.POSITIVE_INFINITY) - at) * NS
    const length = Math.min(STEP_NS, Math.floor(room / generations.reduce((most, one) => Math.max(most, one), 1)))
    for (const [i, { index }] of instant.entries()) {
      places[index] = { start: at * NS + ((generations[i] ?? 1) - 1) * length, length }
    }
  }
  return places
}

/** The generation of a step, from 1: after the step before at its actor, and after the step that sent its message. */
function generationsOf(instant: readonly Step[], sends: Run['sends']): number[] {
  const byActor = new Map<string, number>()
  const byStep = new Map<number, number>()
  return instant.map(({ index, who, on }) => {
    const sender = on.what === 'mail' ? (sends.get(on.id)?.step ?? -1) : -1
    const generation = 1 + Math.max(byActor.get(who) ?? 0, byStep.get(sender) ?? 0)
    byActor.set(who, generation)
    byStep.set(index, generation)
    return generation
  })
}

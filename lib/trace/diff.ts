/** The first step where two runs diverge. */
import type { Address } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import { eventOf, type Run, type Step, thingOf } from './run.ts'

export interface TraceDivergence {
  /** `handled`: the actor handled another event, or none. `outcome`: it reacted differently to the same event. */
  readonly of: 'handled' | 'outcome'
  readonly who: Address
  /** The number of identical steps of this actor before. */
  readonly alike: number
  /** The step of each run; null if the actor takes none there any more. */
  readonly steps: readonly [Step | null, Step | null]
}

/**
 * The earliest step, in the order of either trace, where an actor handles another event in one run than in the other.
 * If there is none, the earliest step with another outcome; null for two identical runs. Times do not count, as two runs
 * in real time differ in all of them.
 */
export function divergenceOf(one: Run, other: Run): TraceDivergence | null {
  const [ones, others] = [byActor(one), byActor(other)]
  const whos = [...new Set([...ones.keys(), ...others.keys()])]
  const find = (of: TraceDivergence['of'], isAlike: (a: Step, b: Step) => boolean): TraceDivergence | null =>
    whos
      .flatMap((who) => divergenceOfActor(of, who, ones.get(who) ?? [], others.get(who) ?? [], isAlike))
      .reduce<TraceDivergence | null>((first, next) => (first && place(first) <= place(next) ? first : next), null)
  return find('handled', handlesTheSame) ?? find('outcome', endsTheSame)
}

function byActor({ steps }: Run): Map<Address, Step[]> {
  const found = new Map<Address, Step[]>()
  for (const step of steps) {
    const own = found.get(step.who)
    if (own) own.push(step)
    else found.set(step.who, [step])
  }
  return found
}

function divergenceOfActor(
  of: TraceDivergence['of'],
  who: Address,
  ones: readonly Step[],
  others: readonly Step[],
  isAlike: (a: Step, b: Step) => boolean,
): TraceDivergence[] {
  for (let alike = 0; alike < Math.max(ones.length, others.length); alike++) {
    const [a, b] = [ones[alike] ?? null, others[alike] ?? null]
    if (!a || !b || !isAlike(a, b)) return [{ of, who, alike, steps: [a, b] }]
  }
  return []
}

const place = ({ steps }: TraceDivergence): number =>
  steps.reduce((least, step) => Math.min(least, step?.index ?? Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY)

const handlesTheSame = (a: Step, b: Step): boolean => thingOf(a) === thingOf(b) && eventOf(a) === eventOf(b)

const endsTheSame = (a: Step, b: Step): boolean => JSON.stringify(outcome(a)) === JSON.stringify(outcome(b))

/** The outcome of a step without the contents of its messages, which may have times in them. */
const outcome = ({ state, sends, stopped, crash }: Step): Plain => [
  state,
  sends.map(({ id, to, message }) => [id, to, message.type]),
  stopped,
  crash?.message ?? null,
]

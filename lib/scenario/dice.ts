/** The random draws for fault plans, and the drawn faults as lines of text. */

import type { NetworkOptions } from '../actor/network.ts'
import { keyed } from '../core/random.ts'
import { type Time, units } from '../core/time.ts'
import { type Fault, parseFault } from './faults.ts'

/** Draws for one part of a plan. Parts with different purposes draw independently of each other. */
export class Dice {
  readonly #seed: number
  readonly #purpose: string
  readonly #span: Time | readonly Time[]
  #draws = 0

  /**
   * `seed` is the seed of the plan. Instants are drawn between 0 and `span`; of several instants in their order, between one
   * of them and the next one.
   */
  constructor(seed: number, purpose: string, span: Time | readonly Time[] = 0) {
    this.#seed = seed
    this.#purpose = purpose
    this.#span = span
  }

  below(limit: number): number {
    return Math.floor(keyed(this.#seed, this.#purpose, this.#draws++) * limit)
  }

  oneOf<const T, const U = T>(first: T, ...others: readonly U[]): T | U {
    return others[this.below(others.length + 1) - 1] ?? first
  }

  /** Each of the items with a probability of one half. */
  someOf<T>(items: readonly T[]): T[] {
    return items.filter(() => this.below(2) === 0)
  }

  /** An instant in the span, in tenths of a unit. */
  instant(): number {
    if (typeof this.#span === 'number') return this.below(this.#span / 1e5) / 10
    const place = this.below(this.#span.length)
    const from = Math.floor((this.#span[place] ?? 0) / 1e5)
    const next = Math.floor((this.#span[place + 1] ?? 0) / 1e5)
    return (from + this.below(Math.max(1, next - from))) / 10
  }

  /** Draws a time of up to `longest` units, in tenths of a unit. */
  span(longest: number): number {
    return (1 + this.below(10 * longest)) / 10
  }
}

/** The number of machines of a plan: 2 to 12. */
export const machinesIn = (dice: Dice): number => 2 + dice.below(11)

/** The speed of a machine: 0.1 to 10, as often below 1 as above. */
export const speedIn = (dice: Dice): number => (1 + dice.below(10)) / dice.oneOf(10, 1)

/** The delays of a network: none, a short one or up to 11 units, and in half of all plans a jitter of up to as much. */
export function delaysIn(dice: Dice): Pick<NetworkOptions, 'latency' | 'jitter'> {
  const latency = units(dice.oneOf(0, 0.5, dice.span(11), dice.span(11)))
  return { latency, jitter: dice.below(2) === 0 ? 0 : (latency * (1 + dice.below(10))) / 10 }
}

/** The losses of a network: up to 20 % of the messages are lost, and up to 40 % are duplicated. */
export const lossesIn = (dice: Dice): Pick<NetworkOptions, 'loss' | 'duplicate'> => ({
  loss: (1 + dice.below(20)) / 100,
  duplicate: dice.below(41) / 100,
})

type Spare = (i: number) => boolean

/** Draws one or more machines that are not spared; `part` names the machine or an actor of it. */
export function victims(
  dice: Dice,
  machines: readonly string[],
  isSpared: Spare,
  part: (machine: string) => string,
): string[] {
  const open = machines.filter((_, i) => !isSpared(i))
  const first = dice.below(open.length)
  return open.filter((_, i) => i === first || dice.below(3) > 0).map(part)
}

const time = (instant: number): string => instant.toFixed(1)

export const kills = (dice: Dice, who: string): string[] => [`kill ${who} at ${time(dice.instant())}`]

/** A death with a restart after up to `longest` units, or the restart of a living actor. */
export function restarts(dice: Dice, who: string, longest: number): string[] {
  const at = dice.instant()
  const again = `restart ${who} at ${time(at + dice.span(longest))}`
  return dice.below(5) === 0 ? [again] : [`kill ${who} at ${time(at)}`, again]
}

export function pauses(dice: Dice, who: string, longest: number): string[] {
  return [`pause ${who} for ${time(dice.span(longest))} at ${time(dice.instant())}`]
}

/** A slow disk for a while of up to `longest` units, with writes of up to as long. */
export function slowDisks(dice: Dice, who: string, longest: number): string[] {
  const at = dice.instant()
  const until = at + dice.span(longest)
  return [`slow ${who} by ${time(dice.span(longest))} at ${time(at)} until ${time(until)}`]
}

/** Partitions: some machines are each cut off from all others for a while. */
export function partitions(dice: Dice, machines: readonly string[], longest: number): string[] {
  return dice.someOf(machines).map((machine) => {
    const at = dice.instant()
    const others = machines.filter((other) => other !== machine).join()
    return `partition ${machine} | ${others} at ${time(at)} until ${time(at + dice.span(longest))}`
  })
}

/** Slow links: mail between some machines and all others takes up to `longest` units longer for a while. */
export function delays(dice: Dice, machines: readonly string[], longest: number): string[] {
  return dice.someOf(machines).map((machine) => {
    const at = dice.instant()
    const until = at + dice.span(longest)
    return `slow ${machine} | * by ${time(dice.span(longest))} at ${time(at)} until ${time(until)}`
  })
}

/** Parses the lines of faults; equal lines count once. */
export const faultsIn = (lines: readonly string[]): Fault[] => [...new Set(lines)].map((line) => parseFault(line))

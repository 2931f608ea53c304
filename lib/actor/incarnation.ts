/** What the machine of one incarnation is given. A cell and a replay give it the same. */
import type { Address } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import { idFrom, keyed, keyedDraws } from '../core/random.ts'
import { TIME_MAX, type Time } from '../core/time.ts'
import type { StepContext } from './step-context.ts'

/** An incarnation of an actor. */
interface Life {
  readonly address: Address
  readonly incarnation: number
}

/**
 * The context of its steps; `now` is called at each step, and so is `skew`: how far the clock of its machine is ahead, or behind
 * if it is negative. `run` is the number of runs on the same log before this one.
 */
export const stepContextOf = (
  seed: number,
  { address, incarnation }: Life,
  now: () => Time,
  run = 0,
  skew: () => Time = () => 0,
): StepContext => ({
  self: address,
  get now() {
    return now()
  },
  get clock() {
    return Math.min(Math.max(now() + skew(), 0), TIME_MAX)
  },
  draw: (purpose, key) => keyed(seed, purpose, key),
  newId: (key) => idFrom(keyedDraws(seed, `id of ${address} in life ${incarnation}${ofRun(run)}`, key)),
})

const ofRun = (run: number): string => (run === 0 ? '' : ` of run ${run}`)

/** The input of its first step: the input of `spawn`, and the records that earlier incarnations persisted. */
export const inputOf = (input: Plain, records: readonly Plain[]): Plain =>
  records.length > 0 ? { ...asRecord(input), records } : input

const asRecord = (input: Plain) =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input }

/** The error of a step that asks for a computation in virtual time. */
export const NEEDS_REAL_TIME =
  'a computation takes real time, and this run is in virtual time: it needs the option time: real (--time real)'

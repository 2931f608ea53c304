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

/** The present of an actor. */
export interface Moment {
  readonly now: Time
  /** How far the clock of its machine is ahead; negative if it is behind, 0 by default. */
  readonly skew?: Time | undefined
}

/** The context of its steps. `moment` is read in each step. `run` is the number of runs on the same log before this one. */
export const stepContextOf = (seed: number, { address, incarnation }: Life, moment: Moment, run = 0): StepContext => ({
  self: address,
  get now() {
    return moment.now
  },
  get clock() {
    return Math.min(Math.max(moment.now + (moment.skew ?? 0), 0), TIME_MAX)
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

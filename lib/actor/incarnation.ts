/** What the machine of one incarnation is given, the same in its cell and when it is replayed. */
import type { Address } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import { idFrom, keyed, keyedDraws } from '../core/random.ts'
import type { Time } from '../core/time.ts'
import type { StepContext } from './step-context.ts'

/** What its steps may read; `now` is asked at each step. */
export const stepContextOf = (
  seed: number,
  { address, incarnation }: { readonly address: Address; readonly incarnation: number },
  now: () => Time,
): StepContext => ({
  self: address,
  get now() {
    return now()
  },
  draw: (purpose, key) => keyed(seed, purpose, key),
  newId: (key) => idFrom(keyedDraws(seed, `id of ${address} in life ${incarnation}`, key)),
})

/** The input of its first step: what the actor was spawned with, and what earlier incarnations of it wrote down. */
export const inputOf = (input: Plain, records: readonly Plain[]): Plain =>
  records.length > 0 ? { ...asRecord(input), records } : input

const asRecord = (input: Plain) =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input }

/** Adds the sender to a message just decoded, which nobody else holds: a copy would take longer than the decoding. */
export function withSender(message: { -readonly [K in keyof Message]: Message[K] }, from: Address): Message {
  message['from'] = from
  return message
}

/** Why a step fails that asks for a computation in virtual time. */
export const NEEDS_REAL_TIME =
  'a computation takes real time, and this run is in virtual time: it needs the option time: real (--time real)'

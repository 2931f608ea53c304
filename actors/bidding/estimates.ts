/** What a client has learnt of the functions it has had called: what they took on average is its next estimate. */
import type { Call, Time } from '../../lib/actor.ts'
import type { Work } from '../processor/messages.ts'

/** By function. */
export type Measured = Readonly<Record<string, { readonly calls: number; readonly work: Time }>>

const nameOf = ({ module, export: name }: Call): string => `${name} of ${module}`

/** Adds one call; `work` is its work at speed 1. */
export function learn(measured: Measured, call: Call, work: Time): Measured {
  const name = nameOf(call)
  const known = measured[name] ?? { calls: 0, work: 0 }
  return { ...measured, [name]: { calls: known.calls + 1, work: known.work + work } }
}

/** A call of a function that is known, with what it is known for; all else with the estimate that it came with. */
export function estimated<J extends { readonly work: Work; readonly estimate: Time }>(measured: Measured, job: J): J {
  const known = typeof job.work === 'number' ? undefined : measured[nameOf(job.work)]
  return known ? { ...job, estimate: Math.round(known.work / known.calls) } : job
}

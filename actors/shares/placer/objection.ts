/** Why a placer does not take a job; what is wrong with its program, or with its currency, its processors will say. */
import type { Address } from '../../../lib/actor.ts'
import { ofAmount } from '../../processor/refusal.ts'
import { MAX_JOBS, type Request, sizeOf } from './book.ts'

/** Null: it can be taken, beside `known` jobs. */
export function objectionTo(processors: readonly Address[], known: number, request: Request): string | null {
  if (known >= MAX_JOBS) return `${MAX_JOBS} jobs (MAX_JOBS) have been placed already`
  const { amount, on } = request
  const size = sizeOf(request)
  if (!(Number.isSafeInteger(size) && size > 0)) return `a parallel job needs processes, not ${size}`
  if (size > processors.length) return `${size} processes need as many machines, and there are ${processors.length}`
  return ofAmount(amount) ?? (on ? ofProcessors(processors, on, size) : null)
}

function ofProcessors(processors: readonly Address[], on: readonly Address[], size: number): string | null {
  if (on.length !== size) return `${size} machines have to be named, not ${on.length}`
  if (new Set(on).size < size) return 'a machine is named twice'
  const unknown = on.find((processor) => !processors.includes(processor))
  return unknown === undefined ? null : `there is no ${unknown}`
}

/**
 * Values of the models of chapter 5 on 16x16 with the baseline parameters, calculated by an independent implementation.
 */
import * as v from 'valibot'
import { decoderOf } from '../../../lib/core/decode.ts'
import { tableOf } from '../../study/paper.ts'
import converged from './converged.json' with { type: 'json' }

/** A number. The text "Infinity" stands for that number, which JSON does not have. */
const NUMBER = v.union([
  v.number(),
  v.pipe(
    v.literal('Infinity'),
    v.transform(() => Number.POSITIVE_INFINITY),
  ),
])

const numbersIn = decoderOf(tableOf(v.record(v.string(), NUMBER)))

/** A row by the names of its columns. */
export type Row = ReturnType<typeof numbersIn>[number]

/**
 * Efficiency preservation of identical threads, to 6 digits; `overhead20` is the share of the time that rotation takes.
 */
export const EFFICIENCY = numbersIn(converged.efficiency)

/**
 * Efficiency preservation of threads with uniform times, up to `delta` ms to either side of the mean, from random
 * draws.
 */
export const UNEVEN = numbersIn(converged.uneven)

/**
 * The load of the fullest processor over the mean load, to 5 digits: the least (lower case) and the largest (upper
 * case). In `fold8/15` and `fold4/15` the fraction is the interval over the execution time.
 */
export const FAIRNESS = numbersIn(converged.fairness)

/** Blow-up by the birth-death model, to 5 digits. */
export const BLOW_UPS = numbersIn(converged.blowUps)

/** Blow-up by the birth-death model with a multiprogramming limit, to 5 digits. */
export const LIMITED = numbersIn(converged.limited)

/**
 * Values of the models of chapter 5 on 16x16 with the baseline parameters, calculated by an independent implementation.
 */
import converged from './converged.json' with { type: 'json' }
import { numbersIn } from './table.ts'

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

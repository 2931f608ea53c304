/**
 * Exact fractions, for shares of a period. Numerators and denominators stay far below 2^53: there are thousands of jobs
 * at most.
 */

/** A fraction in lowest terms; the denominator is positive. */
export type Fraction = { readonly numerator: number; readonly denominator: number }

/** The greatest common divisor of two whole numbers. */
export const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other)

/** The fraction of two integers; the denominator is not 0. */
export function fraction(numerator: number, denominator = 1): Fraction {
  const divisor = greatestDivisor(Math.abs(numerator), Math.abs(denominator)) * Math.sign(denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

export const ZERO = fraction(0)
export const ONE = fraction(1)

export const sum = (one: Fraction, other: Fraction): Fraction =>
  fraction(one.numerator * other.denominator + other.numerator * one.denominator, one.denominator * other.denominator)

export const product = (one: Fraction, other: Fraction): Fraction =>
  fraction(one.numerator * other.numerator, one.denominator * other.denominator)

/** Negative, 0 or positive, for sorting. */
export const compare = (one: Fraction, other: Fraction): number =>
  one.numerator * other.denominator - other.numerator * one.denominator

export const equal = (one: Fraction, other: Fraction): boolean => compare(one, other) === 0

export const least = (one: Fraction, other: Fraction): Fraction => (compare(one, other) <= 0 ? one : other)

export const toNumber = ({ numerator, denominator }: Fraction): number => numerator / denominator

/** The fraction as text: `3/8`, `1`. */
export const fractionText = ({ numerator, denominator }: Fraction): string =>
  denominator === 1 ? `${numerator}` : `${numerator}/${denominator}`

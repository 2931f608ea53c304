/** Comparison of tickets, totals and passes, which are doubles that are kept by adding and subtracting. */

const ROUNDING = 1e-9

/** The rounding error allowed for numbers of this size. */
export const slack = (one: number, other: number): number => ROUNDING * Math.max(1, Math.abs(one), Math.abs(other))

export const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= slack(one, other)

/**
 * A running sum of any number of terms. The part lost to rounding is kept separately (Knuth's
 * TwoSum).
 */
export class Sum {
  #high = 0
  #low = 0

  get value(): number {
    return this.#high + this.#low
  }

  add(term: number): void {
    const high = this.#high + term
    const part = high - this.#high
    this.#low += this.#high - (high - part) + (term - part)
    this.#high = high
  }
}

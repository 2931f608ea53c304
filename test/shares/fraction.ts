/** Exact fractions, which tests compare doubles with. */
export class Fraction {
  readonly n: bigint
  /** > 0; in lowest terms. */
  readonly d: bigint

  constructor(n: bigint, d = 1n) {
    if (d === 0n) throw new RangeError('a fraction over zero')
    const by = gcd(abs(n), abs(d)) * (d < 0n ? -1n : 1n)
    this.n = n / by
    this.d = d / by
  }

  plus = ({ n, d }: Fraction): Fraction => new Fraction(this.n * d + n * this.d, this.d * d)
  minus = ({ n, d }: Fraction): Fraction => new Fraction(this.n * d - n * this.d, this.d * d)
  times = ({ n, d }: Fraction): Fraction => new Fraction(this.n * n, this.d * d)
  over = ({ n, d }: Fraction): Fraction => new Fraction(this.n * d, this.d * n)
  /** < 0, 0 or > 0. */
  compare = ({ n, d }: Fraction): number => sign(this.n * d - n * this.d)

  /** The nearest double, while both parts are safe integers. */
  toNumber(): number {
    const [n, d] = [Number(this.n), Number(this.d)]
    if (!Number.isSafeInteger(n) || !Number.isSafeInteger(d)) throw new RangeError(`${this.n}/${this.d} is too long`)
    return n / d
  }
}

export const whole = (n: number): Fraction => new Fraction(BigInt(n))

const abs = (n: bigint): bigint => (n < 0n ? -n : n)
const sign = (n: bigint): number => (n < 0n ? -1 : n > 0n ? 1 : 0)

function gcd(a: bigint, b: bigint): bigint {
  let [one, other] = [a, b]
  while (other > 0n) [one, other] = [other, one % other]
  return one
}

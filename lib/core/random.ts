/**
 * Seeded randomness. Three sources, none with hidden state:
 *
 * - `keyed`: a draw is a function of what it is drawn for. Protocols use this, so that one that draws more does not
 *   shift the draws of another, and so that two deliveries that commute still commute when they draw.
 * - `mix`: the same hash of integers alone, for the order of messages.
 * - `stream`: one number after another, for what is sequential by nature.
 *
 * Distributions take one uniform number each (inverse transform): with common random numbers two runs stay in step.
 */

import { customRandom, urlAlphabet } from 'nanoid'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import { OutOfRange } from './error.ts'
import { normalQuantile } from './normal-quantile.ts'

/** A source of numbers in [0, 1). */
export type Uniform = () => number

const WORD = 4_294_967_296
const TWO_21 = 2_097_152
const TWO_53 = 9_007_199_254_740_992

const TEXT = 0x74657874

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by))

/** The finalizer of MurmurHash3: every bit of the input changes every bit of the output with probability near 1/2. */
const avalanche = (word: number): number => {
  let h = word ^ (word >>> 16)
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/**
 * 64 bits in two lanes, fed word by word: the first two lanes of MurmurHash3_x86_128, where each step is a bijection
 * of the state. So two hashes that differ in one word only never collide.
 */
class Hash {
  private a = 0x2f0b4c47
  private b = 0x6a09e667

  word(word: number): void {
    const k = Math.imul(rotate(Math.imul(word, 0x239b961b), 15), 0xab0e9789)
    const l = Math.imul(rotate(Math.imul(word, 0x38b34ae5), 16), 0xa1e38b93)
    this.a = (Math.imul(rotate(this.a ^ k, 19) + this.b, 5) + 0x561ccd1b) | 0
    this.b = (Math.imul(rotate(this.b ^ l, 17) + this.a, 5) + 0x0bcaa747) | 0
  }

  /** Any number: safe integers as two words (times do not fit one), all others as they print. */
  number(n: number): void {
    if (Number.isSafeInteger(n)) {
      this.word(n | 0)
      this.word(Math.floor(n / WORD) | 0)
    } else this.text(String(n))
  }

  /** Length and mark go first, so that no two sequences of texts and numbers read alike: no safe integer has this high word. */
  text(text: string): void {
    this.word(text.length)
    this.word(TEXT)
    for (let i = 0; i < text.length; i++) this.word(text.charCodeAt(i))
  }

  key(key: string | number): void {
    if (typeof key === 'number') this.number(key)
    else this.text(key)
  }

  /** Two words of the result. */
  finish(): readonly [high: number, low: number] {
    const a = (this.a + this.b) | 0
    const b = (this.b + a) | 0
    const high = avalanche(a)
    const low = avalanche(b)
    const sum = (high + low) | 0
    return [sum >>> 0, (low + sum) >>> 0]
  }
}

/**
 * A number in [0, 1) with 53 bits that depends on the arguments alone: what is drawn (`purpose`, e.g. `'work'`), for
 * whom (`key`, e.g. a job's number; 1 and '1' are two keys) and, where one key needs several draws, which (`ordinal`).
 */
export function keyed(seed: number, purpose: string, key: string | number, ordinal = 0): number {
  const hash = new Hash()
  hash.number(seed)
  hash.text(purpose)
  hash.key(key)
  hash.number(ordinal)
  const [high, low] = hash.finish()
  return (high * TWO_21 + (low >>> 11)) / TWO_53
}

/** The draws of one key, ordinal 0 first. */
export function keyedDraws(seed: number, purpose: string, key: string | number): Uniform {
  let ordinal = 0
  return () => keyed(seed, purpose, key, ordinal++)
}

/** A hash of integers (each a safe integer, such as a time) to an integer in [0, 2^32). The order of arguments counts. */
export function mix(...integers: readonly number[]): number {
  const hash = new Hash()
  for (const n of integers) hash.number(n)
  return hash.finish()[0]
}

/** SplitMix64 (Steele, Lea, Flood 2014): 64-bit integers from a 64-bit seed. For seeding: BigInt is slow. */
export function splitMix64(seed: bigint): () => bigint {
  let state = BigInt.asUintN(64, seed)
  return () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
    let z = state
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n)
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn)
    return z ^ (z >> 31n)
  }
}

/**
 * A sequential generator (xoroshiro128+), one per purpose. Its state comes from SplitMix64 over the hash of both
 * arguments, since pure-rand's own seeding leaves the first numbers of neighbouring seeds nearly equal.
 */
export function stream(seed: number, purpose: string): Uniform {
  const hash = new Hash()
  hash.number(seed)
  hash.text(purpose)
  const [high, low] = hash.finish()
  const next = splitMix64((BigInt(high) << 32n) | BigInt(low))
  const halves = (word: bigint): [number, number] => [Number(word >> 32n) | 0, Number(word & 0xffffffffn) | 0]
  const generator = xoroshiro128plusFromState([...halves(next()), ...halves(next())])
  return () => uniformFloat64(generator)
}

const ID_LENGTH = 10

/** An id of 10 characters of nanoid's URL alphabet (60 bits), made of 10 draws. */
export function idFrom(next: Uniform): string {
  return customRandom(urlAlphabet, ID_LENGTH, (size) => Uint8Array.from({ length: size }, () => next() * 256))()
}

/**
 * Exponential with the given mean. `Math.log` is allowed in reproducible code: V8 carries its own port of fdlibm's
 * (unlike `Math.pow`), and 3 million values were equal on Node 20, 22, 24 and 26.
 */
export const exponential = (u: number, mean: number): number => -mean * Math.log(1 - u)

/** Uniform in [low, high). */
export const uniform = (u: number, low: number, high: number): number => low + u * (high - low)

/** Half the least number above 0 that is drawn: so that 0 does not give -Infinity. */
const LEAST = 1 / (2 * TWO_53)

/** Normal with the given mean and standard deviation; within 8.3 deviations, for no draw lies nearer to 0 or 1. */
export const normal = (u: number, mean: number, deviation: number): number =>
  mean + deviation * normalQuantile(Math.max(u, LEAST))

/**
 * Hyperexponential of two phases with balanced means, squared coefficient of variation `cv2` >= 1 (4 in Malone et
 * al. 1986). One number serves for the phase and, stretched, for the value in it.
 */
export function hyperexponential(u: number, mean: number, cv2 = 4): number {
  if (!(cv2 >= 1)) throw new OutOfRange(`hyperexponential: cv2 must be >= 1, not ${cv2}`)
  const p = (1 + Math.sqrt((cv2 - 1) / (cv2 + 1))) / 2
  return u < p ? exponential(u / p, mean / (2 * p)) : exponential((u - p) / (1 - p), mean / (2 * (1 - p)))
}

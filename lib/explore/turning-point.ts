/**
 * Finds the turning point of a failing run: the moment after which every continuation fails. Each moment is judged by a
 * sample of continuations, and only some moments are sampled.
 *
 * A continuation that passes shows that neither its moment nor any earlier one is the turning point, as long as later moments
 * continue earlier ones. So the point is found by bisection, although the shares before it need not rise steadily. A few later
 * moments are sampled as well: if a continuation passes there, the sample was too small, and the search goes on from there.
 */
import { requireCount } from '../core/check-options.ts'

export interface Sampling {
  /** The number of the last moment, at which the run has failed. The first one is 0. */
  readonly last: number
  /** The number of continuations of each moment. */
  readonly runs: number
  /** Says whether a continuation of a moment fails; undefined if the time was up before its end. It must always say the same. */
  readonly fails: (moment: number, run: number) => Promise<boolean | undefined>
  /** Aborted when the time is up. */
  readonly late?: AbortSignal | undefined
}

/** The number of continuations of a moment that fail. */
export interface FailingShare {
  readonly moment: number
  readonly failed: number
  readonly runs: number
}

export interface TurningPoint {
  /** The first moment at which all continuations fail, as far as is known; null if some pass even at the last one. */
  readonly moment: number | null
  /** The last moment at which a continuation passes; null if there is none. */
  readonly passing: number | null
  /** The shares of failing continuations at the sampled moments, in their order. */
  readonly curve: readonly FailingShare[]
  /** Whether the time was up before all was sampled; then the turning point may come before `moment`. */
  readonly isCut: boolean
}

/** How many moments after the turning point are sampled to confirm it, and how many before it for the curve. */
const CONFIRMING = 3
const SHOWN = 6

/**
 * Finds the turning point of a run.
 *
 * @throws OutOfRange for less than one run
 */
export async function turningPointOf(sampling: Sampling): Promise<TurningPoint> {
  requireCount('turning point: option last', sampling.last)
  requireCount('turning point: option runs', sampling.runs, 1)
  const { last } = sampling
  const samples = new Samples(sampling)
  const isInevitable = await samples.allFail(last)
  const found = (passing: number, moment: number | null): TurningPoint => ({
    moment,
    passing: passing < 0 ? null : passing,
    curve: samples.curve,
    isCut: samples.isCut,
  })
  if (!isInevitable) return found(samples.isCut ? -1 : last, null)
  let [passing, failing] = [-1, last]
  for (let isConfirmed = false; !isConfirmed && !samples.isCut; ) {
    ;[passing, failing] = await samples.bisect(passing, failing)
    const later = await samples.passingOf(spread(failing, last, CONFIRMING).filter((moment) => moment > failing))
    if (later === undefined) isConfirmed = true
    else [passing, failing] = [later, last]
  }
  if (passing >= 0) await samples.complete(passing)
  for (const moment of spread(0, failing, SHOWN)) await samples.complete(moment)
  return found(passing, failing)
}

/** Some moments from `first` on, evenly spaced, without `last`. */
const spread = (first: number, last: number, count: number): number[] => [
  ...new Set(Array.from({ length: count }, (_, i) => first + Math.floor(((last - first) * i) / count))),
]

/** The continuations that have been run. */
class Samples {
  readonly #sampling: Sampling
  readonly #known = new Map<number, FailingShare>()
  isCut = false

  constructor(sampling: Sampling) {
    this.#sampling = sampling
  }

  /** The moments whose continuations have all been run. Others would tell a wrong share, since they ended at one that passes. */
  get curve(): readonly FailingShare[] {
    const { runs } = this.#sampling
    const whole = [...this.#known.values()].filter((one) => one.runs === runs)
    return whole.sort((one, other) => one.moment - other.moment)
  }

  /** Says whether all continuations of a moment fail, and stops at the first that passes. False if the time is up before. */
  async allFail(moment: number): Promise<boolean> {
    const { failed, runs } = await this.#sample(moment, (one) => one.failed < one.runs)
    return failed === runs && runs === this.#sampling.runs
  }

  async complete(moment: number): Promise<void> {
    await this.#sample(moment, () => false)
  }

  /** Narrows the moments between one with a continuation that passes and one at which all fail, until they are neighbours. */
  async bisect(first: number, last: number): Promise<[passing: number, failing: number]> {
    let [passing, failing] = [first, last]
    while (failing - passing > 1) {
      const middle = Math.floor((passing + failing) / 2)
      const fails = await this.allFail(middle)
      if (this.isCut) break
      if (fails) failing = middle
      else passing = middle
    }
    return [passing, failing]
  }

  /** The last of some moments at which a continuation passes. */
  async passingOf(moments: readonly number[]): Promise<number | undefined> {
    for (const moment of moments.toReversed()) {
      const fails = await this.allFail(moment)
      if (this.isCut) return undefined
      if (!fails) return moment
    }
    return undefined
  }

  async #sample(moment: number, isEnough: (share: FailingShare) => boolean): Promise<FailingShare> {
    const { runs, fails, late } = this.#sampling
    let share = this.#known.get(moment) ?? { moment, failed: 0, runs: 0 }
    while (share.runs < runs && !isEnough(share)) {
      const isFailing = late?.aborted ? undefined : await fails(moment, share.runs)
      if (isFailing === undefined) {
        this.isCut = true
        break
      }
      share = { moment, failed: share.failed + (isFailing ? 1 : 0), runs: share.runs + 1 }
      this.#known.set(moment, share)
    }
    return share
  }
}

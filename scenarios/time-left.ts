/** The remaining time of a sweep, for its progress line. */
import { sum } from 'simple-statistics'

/**
 * Estimates the remaining time from the time that the first `done` of `costs` took; the first `from` were kept results.
 */
export function remainingMs(costs: readonly number[], from: number, done: number, elapsedMs: number): number | null {
  const spent = sum(costs.slice(from, done))
  return spent > 0 ? (elapsedMs * sum(costs.slice(done))) / spent : null
}

const spoken = (ms: number): string =>
  ms < 90_000 ? `${Math.ceil(ms / 1000)} s left` : `${Math.round(ms / 60_000)} min left`

/** Makes a function for `onDone` that gives the remaining time as text; `costs` are those of the points, in order. */
export function timeLeft(costs: readonly number[]): (done: number) => string[] {
  const started = performance.now()
  let kept: number | undefined
  return (done) => {
    kept ??= done
    const left = remainingMs(costs, kept, done, performance.now() - started)
    return left === null ? [] : [spoken(left)]
  }
}

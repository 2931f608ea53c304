/** How long a sweep still takes, said beside its progress. */

/** How long the rest takes, from how long the first `done` of `costs` took, of which `from` were there at once. */
export function remainingMs(costs: readonly number[], from: number, done: number, elapsedMs: number): number | null {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const spent = sum(costs.slice(from, done))
  return spent > 0 ? (elapsedMs * sum(costs.slice(done))) / spent : null
}

const spoken = (ms: number): string =>
  ms < 90_000 ? `${Math.ceil(ms / 1000)} s left` : `${Math.round(ms / 60_000)} min left`

/** For `onDone` of a sweep whose points cost so much, in their order: what to add to its progress, if anything. */
export function timeLeft(costs: readonly number[]): (done: number) => string[] {
  const started = performance.now()
  let kept: number | undefined
  return (done) => {
    kept ??= done
    const left = remainingMs(costs, kept, done, performance.now() - started)
    return left === null ? [] : [spoken(left)]
  }
}

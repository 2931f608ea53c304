/** Calls `act` once after so many real milliseconds, unless the process ends before; returns what cancels it. */
export function later(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms).unref()
  return () => clearTimeout(timer)
}

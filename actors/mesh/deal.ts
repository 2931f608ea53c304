/** Which job gets which of the partitions of EQUI: the thesis does not say. */

/** By arrival: the newest have the last partitions, which are the remainder's. By chance: anew at every change. */
export const DEALS = ['arrival', 'random'] as const
export type Deal = (typeof DEALS)[number]

/** Jobs in the order of the partitions they get; `jobs`: in the order of their arrival. `draw`: numbers in [0, 1). */
export function dealt<Job>(jobs: readonly Job[], deal: Deal, draw: () => number): readonly Job[] {
  if (deal === 'arrival') return jobs
  const left = [...jobs]
  return jobs.flatMap(() => left.splice(Math.floor(draw() * left.length), 1))
}

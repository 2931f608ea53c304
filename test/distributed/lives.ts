/** Nobody is in two places: what the lines of a run say of its actors, and what hosts say of themselves. */
import type { Line } from '../../lib/trace/lines.ts'

/** Of an actor nothing is told that it sent in an earlier incarnation than its present one. */
export class Lives {
  readonly broken: string[] = []
  /** By slot. */
  readonly #present = new Map<number, number>()

  hear({ t, who, from, slot, life, id }: Line): void {
    if (t === 'spawn') this.#begin(String(who), Number(slot), Number(life))
    if (t !== 'send' || from === 'system') return
    const [sender = 0, of = 0] = String(id).split('.').map(Number)
    const present = this.#present.get(sender)
    if (of !== present) this.broken.push(`${from} sent ${id} in incarnation ${of}, and is in incarnation ${present}`)
  }

  #begin(who: string, slot: number, incarnation: number): void {
    const before = this.#present.get(slot) ?? -1
    if (incarnation <= before)
      this.broken.push(`incarnation ${incarnation} of ${who} begins after incarnation ${before}`)
    this.#present.set(slot, incarnation)
  }
}

/** A host has let go of a run before it is given up, and its actors are others': by what was `said`, in its order. */
export function brokenBy(said: readonly string[]): string[] {
  const having = new Set<string>()
  return said.flatMap((line) => {
    const [, taker] = /(\S+) has actors of the run/.exec(line) ?? []
    if (taker !== undefined) having.add(taker)
    const [, leaver] = /(\S+) lets go of the run/.exec(line) ?? []
    if (leaver !== undefined) having.delete(leaver)
    const [, silent] = /^host (\S+) is silent$/.exec(line) ?? []
    return silent !== undefined && having.has(silent) ? [`${silent} is given up while it has its actors`] : []
  })
}

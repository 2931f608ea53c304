/** Checks that no actor runs in two places, from the lines of a run and the notes of its hosts. */
import type { Line } from '../../lib/trace/lines.ts'

/** Checks that no line after the start of an incarnation is from an earlier one of the same actor. */
export class Lives {
  readonly broken: string[] = []
  /** The current incarnation by slot. */
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

/** The hosts that a run gave up before they had left it, from the notes `said` in their order. */
export function brokenBy(said: readonly string[]): string[] {
  const having = new Set<string>()
  return said.flatMap((line) => {
    const [, taker] = /(\S+) has actors of the run/.exec(line) ?? []
    if (taker !== undefined) having.add(taker)
    const [, leaver] = /(\S+) leaves the run/.exec(line) ?? []
    if (leaver !== undefined) having.delete(leaver)
    const [, silent] = /^host (\S+) is silent$/.exec(line) ?? []
    return silent !== undefined && having.has(silent) ? [`${silent} is given up while it runs its actors`] : []
  })
}

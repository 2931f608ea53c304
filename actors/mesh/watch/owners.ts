/** Whose cells are whose in rings at every moment, as jobs have said it: a cell passes when the neighbour takes it that it was offered to. */
import type { Address } from '../../../lib/actor.ts'
import type { JobFact } from '../job/book.ts'
import type { Cells } from '../messages.ts'
import { areEqual, overlap, type Rectangle, textOf } from '../rectangle.ts'

type Own = Extract<JobFact, { type: 'owns' }>

/** Called with the property that is broken, and by what. */
type Broke = (property: string, text: string) => void

export class Owners {
  readonly #own = new Map<Address, Own>()
  readonly #broke: Broke

  constructor(broke: Broke) {
    this.#broke = broke
  }

  cellsOf(job: Address): Cells {
    return this.#own.get(job)?.cells ?? []
  }

  owns(job: Address, said: Own): void {
    const before = this.#own.get(job)
    const own = before ? withoutTaken(said, before) : said
    for (const [other, theirs] of this.#own) {
      const cell = other !== job && own.cells.find((cell) => theirs.cells.some((one) => overlap(cell, one)))
      if (cell) this.#passes(cell, { job, own: before }, { job: other, own: theirs })
    }
    this.#own.set(job, own)
  }

  /** From one ring neighbour to the other, or not at all. */
  #passes(cell: Rectangle, to: { job: Address; own: Own | undefined }, from: { job: Address; own: Own }): void {
    const { cells, offered } = from.own
    if (!offered || !areEqual(offered, cell)) {
      const text = `${to.job} has ${textOf(cell)}, and ${from.job} has ${cells.map(textOf).join(' and ')}`
      return this.#broke('a cell has one owner', text)
    }
    const isForward = to.own?.next === from.job && from.own.prev === to.job
    const isBack = to.own?.prev === from.job && from.own.next === to.job
    if (!isForward && !isBack)
      this.#broke('cells pass between neighbours', `${textOf(cell)} passes from ${from.job} to ${to.job}`)
    this.#own.set(from.job, { ...from.own, cells: cells.filter((one) => !areEqual(one, cell)), offered: null })
  }

  /** What it had is nobody's. */
  leaves(job: Address): void {
    this.#own.delete(job)
  }
}

/** Who offered a cell does not know yet that it has been taken. */
function withoutTaken(own: Own, { cells }: Own): Own {
  const { offered } = own
  if (!offered || cells.some((cell) => areEqual(cell, offered))) return own
  return { ...own, offered: null, cells: own.cells.filter((cell) => !areEqual(cell, offered)) }
}

/** Texts by number: each stands once. */
export class Texts {
  readonly all: string[] = []
  readonly #places = new Map<string, number>()

  constructor() {
    this.of('')
  }

  of(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.all.length)
    return this.all.push(text) - 1
  }
}

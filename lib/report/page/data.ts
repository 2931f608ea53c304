/** The runs that a page carries, as its script reads them. */
import type { Runs } from '../types.ts'

export async function dataOf(element: HTMLElement | null): Promise<Runs> {
  const bytes = Uint8Array.from(atob(element?.textContent ?? ''), (letter) => letter.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(plain).text())
}

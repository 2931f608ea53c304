/** Prepares the page for paper: pictures in light colours and at the width of a sheet, whole tables, and nothing folded. */

/** The width of a picture on paper, in pixels: it fits between the margins of A4 and of Letter. */
export const PAPER = 700

const [begins, ends]: [(() => void)[], (() => void)[]] = [[], []]
let isOnPaper = false

/** Says whether the page is laid out for paper. */
export const isPrinting = (): boolean => isOnPaper

/** Calls `begin` before the page is printed, when the colours are light already, and `end` afterwards. */
export function onPrint(begin: () => void, end: () => void = begin): void {
  begins.push(begin)
  ends.push(end)
}

/** The parts that were folded before printing. */
let folded: readonly HTMLDetailsElement[] = []

function prepare(): void {
  if (isOnPaper) return
  isOnPaper = true
  // the media of the page are still those of the screen
  document.documentElement.classList.add('paper')
  folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')]
  for (const one of folded) {
    one.open = true
    // what is made when a part is opened is needed at once
    one.dispatchEvent(new Event('toggle'))
  }
  for (const begin of begins) begin()
}

function restore(): void {
  if (!isOnPaper) return
  isOnPaper = false
  document.documentElement.classList.remove('paper')
  for (const one of folded) one.open = false
  folded = []
  for (const end of ends) end()
}

addEventListener('beforeprint', prepare)
addEventListener('afterprint', restore)

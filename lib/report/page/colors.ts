/** The colours of the page as its style sheet has them. */
import type { Ink } from '../inks.ts'

export { type Ink, nth, sharedInks, toneInks } from '../inks.ts'

export function inks(): (ink: Ink) => string {
  const style = getComputedStyle(document.documentElement)
  const known = new Map<Ink, string>()
  return (ink) => {
    const color = known.get(ink) ?? style.getPropertyValue(`--${ink}`)
    known.set(ink, color)
    return color
  }
}

/** Calls `act` when the reader's system turns dark or light, and when the page is printed, which is always light. */
export function onScheme(act: () => void): void {
  for (const query of ['(prefers-color-scheme: dark)', 'print']) matchMedia(query).addEventListener('change', act)
}

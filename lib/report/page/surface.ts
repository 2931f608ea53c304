/** A canvas that redraws when needed, and reports the pointer. */
import type { Sight } from '../sight.ts'
import { type Bounds, panned, type Viewport, zoomed } from '../viewport.ts'
import { onScheme } from './colors.ts'
import { el } from './dom.ts'
import { isPrinting, onPrint, PAPER } from './print.ts'

export interface Painter {
  /** The height of the canvas in pixels of the page. */
  readonly height: () => number
  readonly paint: (context: CanvasRenderingContext2D, width: number, height: number) => void
  /** Called at a click; `onHover` is called where the pointer rests, and with null when it has left. */
  readonly onClick: (x: number, y: number) => void
  readonly onHover: (x: number, y: number) => string | null
  readonly onKey: (key: string) => boolean
  readonly id: string
}

export interface Surface {
  readonly element: HTMLElement
  readonly canvas: HTMLCanvasElement
  /** Requests a redraw. */
  draw(): void
  /** The width in pixels. */
  width(): number
  /** Draws a vertical line at a place, in pixels; null for none. */
  hairline(x: number | null): void
  /** Sets the description of the picture for screen readers. */
  label(text: string): void
}

/** The most pixels that a pointer moves in a click; more is a drag. */
export const CLICK = 4

export function surface(painter: Painter): Surface {
  const canvas = el('canvas', { role: 'img', tabindex: 0, id: painter.id })
  const tip = el('div', { class: 'tip', hidden: true, role: 'tooltip' })
  const hair = el('div', { class: 'hairline', hidden: true })
  const element = el('div', { class: 'surface' }, canvas, hair, tip)
  let isAsked = false
  const width = (): number => (isPrinting() ? PAPER : element.clientWidth)
  const paint = (): void => {
    isAsked = false
    const [wide, height] = [width(), painter.height()]
    // paper shows more than a screen
    const scale = isPrinting() ? 2 : devicePixelRatio || 1
    if (wide === 0) return
    const [w, h] = [Math.round(wide * scale), Math.round(height * scale)]
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h]
    // a narrow sheet keeps the proportions
    canvas.style.height = isPrinting() ? 'auto' : `${height}px`
    const context = canvas.getContext('2d')
    if (!context) return
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, wide, height)
    painter.paint(context, wide, height)
  }
  const draw = (): void => {
    if (!isAsked) requestAnimationFrame(paint)
    isAsked = true
  }
  new ResizeObserver(draw).observe(element)
  onScheme(draw)
  onPrint(paint)
  let [downX, downY] = [0, 0]
  canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) => {
    ;[downX, downY] = [offsetX, offsetY]
  })
  canvas.addEventListener('click', ({ offsetX, offsetY }) => {
    // the end of a drag is no click
    if (Math.hypot(offsetX - downX, offsetY - downY) < CLICK) painter.onClick(offsetX, offsetY)
  })
  canvas.addEventListener('pointermove', ({ offsetX, offsetY, buttons }) => {
    const text = buttons === 0 ? painter.onHover(offsetX, offsetY) : null
    tip.hidden = text === null
    tip.textContent = text
    tip.style.left = `${Math.min(offsetX + 14, Math.max(0, element.clientWidth - 280))}px`
    tip.style.top = `${offsetY + 14}px`
  })
  canvas.addEventListener('pointerleave', () => {
    tip.hidden = true
  })
  canvas.addEventListener('keydown', (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && painter.onKey(event.key)) event.preventDefault()
  })
  const label = (text: string): void => canvas.setAttribute('aria-label', text)
  const hairline = (x: number | null): void => {
    hair.hidden = x === null
    if (x !== null) hair.style.transform = `translateX(${x}px)`
  }
  return { element, canvas, draw, label, hairline, width }
}

/** The conversion of an axis between times and pixels from the left side of its picture. */
export interface TimeAxis {
  readonly left: () => number
  readonly timeAt: (x: number) => number
  readonly placeOf: (time: number) => number
  /** The times that the picture shows (default: the window). */
  readonly shown?: () => Viewport
}

/** Tells the other pictures the instant under the pointer, and draws a line at the one that the reader points at in any of them. */
export function pointing(
  view: Surface,
  sight: Sight,
  { left, timeAt, placeOf, shown = () => sight.window }: TimeAxis,
): void {
  const show = (): void => {
    const { pointed } = sight
    const isIn = pointed !== null && pointed >= shown().from && pointed <= shown().to
    const x = isIn ? Math.round(placeOf(pointed)) : -1
    view.hairline(x >= left() && x <= view.width() ? x : null)
  }
  view.element.addEventListener('pointermove', ({ clientX }) => {
    const x = clientX - view.element.getBoundingClientRect().left
    sight.point(x < left() ? null : timeAt(x))
  })
  view.element.addEventListener('pointerleave', () => sight.point(null))
  sight.onPoint(show)
  sight.onWindow(show)
}

/** An axis that wheel, pointer and keys move along; it begins `left()` pixels from the side. */
export interface Axis {
  readonly left: () => number
  readonly bounds: () => Bounds
  readonly get: () => Viewport
  readonly set: (viewport: Viewport) => void
}

export function moving({ canvas, width }: Surface, { left, bounds, get, set }: Axis): (key: string) => boolean {
  const perPixel = (): number => (get().to - get().from) / Math.max(1, width() - left())
  const zoom = (factor: number, around: number): void => set(zoomed(get(), factor, around, bounds()))
  canvas.addEventListener(
    'wheel',
    (event) => {
      // the wheel scrolls the page unless a modifier key is held
      if (!event.ctrlKey && !event.shiftKey && event.deltaX === 0) return
      event.preventDefault()
      const around = get().from + (event.offsetX - left()) * perPixel()
      if (event.ctrlKey) zoom(Math.exp(event.deltaY / 300), around)
      else set(panned(get(), (event.deltaX || event.deltaY) * perPixel(), bounds()))
    },
    { passive: false },
  )
  let from: number | undefined
  /** The places of the fingers on the picture. */
  const fingers = new Map<number, number>()
  /** Zooms by what two fingers have moved apart, around the point between them. */
  const pinch = (id: number, x: number): void => {
    const [other = x] = [...fingers].flatMap(([one, place]) => (one === id ? [] : [place]))
    const [before, after] = [Math.abs((fingers.get(id) ?? x) - other), Math.abs(x - other)]
    fingers.set(id, x)
    if (before > 0 && after > 0) zoom(before / after, get().from + ((x + other) / 2 - left()) * perPixel())
  }
  canvas.addEventListener('pointerdown', ({ offsetX, pointerId, pointerType }) => {
    if (pointerType === 'touch') fingers.set(pointerId, offsetX)
    from = fingers.size > 1 ? undefined : offsetX
    canvas.setPointerCapture(pointerId)
  })
  canvas.addEventListener('pointermove', ({ offsetX, buttons, pointerId }) => {
    if (fingers.size === 2 && fingers.has(pointerId)) return pinch(pointerId, offsetX)
    if (from === undefined || buttons !== 1 || offsetX === from) return
    set(panned(get(), (from - offsetX) * perPixel(), bounds()))
    from = offsetX
  })
  for (const end of ['pointerup', 'pointercancel'] as const) {
    canvas.addEventListener(end, ({ pointerId }) => {
      fingers.delete(pointerId)
      from = undefined
    })
  }
  return (key) => {
    const { from: low, to: high } = get()
    const middle = (low + high) / 2
    if (key === '+' || key === '=') zoom(0.5, middle)
    else if (key === '-') zoom(2, middle)
    else if (key === 'PageUp') set(panned(get(), (low - high) / 2, bounds()))
    else if (key === 'PageDown') set(panned(get(), (high - low) / 2, bounds()))
    else if (key === '0') set({ from: bounds().from, to: bounds().to })
    else return false
    return true
  }
}

/** The strip above the pictures of a run: the whole run, and the window of time that they show. */
import { shortUnits } from '../../core/format.ts'
import { dragged, type Grip, keyed } from '../brush.ts'
import { binsOf } from '../density.ts'
import type { Graph } from '../graph.ts'
import { timeMarks } from '../marks.ts'
import { axisTitle, timeTicks } from '../time-ticks.ts'
import { isWhole } from '../viewport.ts'
import { type Ink, inks } from './colors.ts'
import { button, el } from './dom.ts'
import { NAMES, paintMarks, paintSpans } from './fault-bands.ts'
import { hatch } from './hatch.ts'
import { openHelp } from './keys.ts'
import { onPrint } from './print.ts'
import { leftOf } from './scene.ts'
import type { Store } from './store.ts'
import { CLICK, pointing, surface } from './surface.ts'

/** The heights of the density of messages and of the ticks, in pixels. */
const DENSITY = 26
const TICKS = 14
/** The width of a part whose messages are counted, in pixels. */
const PART = 2

interface Plan {
  readonly marks: ReturnType<typeof timeMarks>
  /** The number of messages that each event sent. */
  readonly sent: Int32Array
}

const planOf = (graph: Graph): Plan => ({
  marks: timeMarks(graph),
  sent: Int32Array.from(
    { length: graph.count },
    (_, event) => (graph.sends[event + 1] ?? 0) - (graph.sends[event] ?? 0),
  ),
})

export function overview(store: Store): HTMLElement {
  const { sight } = store
  const plan = store.of(planOf)
  const top = (): number => (plan().marks.length > 0 ? NAMES : 2)
  const view = surface({
    id: 'overview',
    height: () => top() + DENSITY + TICKS,
    paint,
    onClick: () => {},
    onHover: () => null,
    onKey: () => false,
  })
  // the brush above it takes the keys
  view.canvas.removeAttribute('tabindex')
  const left = (): number => leftOf(view.width())
  const scale = (): number => Math.max(1, view.width() - left()) / (sight.bounds.to - sight.bounds.from)
  const timeAt = (x: number): number => sight.bounds.from + (x - left()) / scale()
  const xOf = (time: number): number => left() + (time - sight.bounds.from) * scale()

  function paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const ink = inks()
    const { marks } = plan()
    context.font = '11px system-ui, sans-serif'
    context.textBaseline = 'middle'
    context.fillStyle = ink('faint')
    context.fillText('messages', 4, top() + DENSITY / 2, left() - 8)
    context.fillText(axisTitle(store.graph.run.unit), 4, height - TICKS / 2, left() - 8)
    context.save()
    context.beginPath()
    context.rect(left(), 0, width - left(), height)
    context.clip()
    const area = { xOf, from: 0, to: top() + DENSITY, width }
    paintUnknown(context, ink)
    if (marks.length > 0) paintSpans(context, ink, marks, area)
    paintDensity(context, ink, width)
    const { values, labels } = timeTicks(sight.bounds, width - left())
    context.fillStyle = ink('faint')
    for (const [i, value] of values.entries()) {
      context.fillRect(xOf(value), top() + DENSITY, 1, 4)
      context.fillText(labels[i] ?? '', xOf(value) + 3, height - TICKS / 2 + 1)
    }
    if (marks.length > 0) paintMarks(context, ink, marks, area)
    const { event } = store.choice
    if (event >= 0) {
      context.fillStyle = ink('text')
      context.fillRect(xOf(store.graph.at[event] ?? 0) - 1, top(), 2, DENSITY)
    }
    context.restore()
  }

  /** Marks the times whose events the page does not have. */
  function paintUnknown(context: CanvasRenderingContext2D, ink: (ink: Ink) => string): void {
    const { run, at, count } = store.graph
    const standing = run.window?.standing ?? 0
    const begin = standing > 0 ? (at[Math.min(standing, count - 1)] ?? 0) : 0
    for (const [from, to] of [
      [0, begin],
      [run.seen, run.until],
    ] as const) {
      const wide = xOf(to) - xOf(from)
      if (wide < 1) continue
      hatch(context, { x: xOf(from), y: top(), width: wide, height: DENSITY }, ink('line'))
      context.fillStyle = ink('text')
      if (wide > 160) context.fillText('events not on this page', xOf(from) + 6, top() + DENSITY / 2)
    }
  }

  function paintDensity(context: CanvasRenderingContext2D, ink: (ink: Ink) => string, width: number): void {
    const { sent } = plan()
    const parts = Math.floor((width - left()) / PART)
    const bins = binsOf(store.graph.at, (event) => sent[event] ?? 0, sight.bounds, parts)
    const most = bins.reduce((high, count) => Math.max(high, count), 1)
    context.fillStyle = ink('blue')
    for (const [part, count] of bins.entries()) {
      // the root shows the few beside the many
      const high = count === 0 ? 0 : Math.max(1.5, DENSITY * Math.sqrt(count / most))
      context.fillRect(left() + part * PART, top() + DENSITY - high, PART, high)
    }
  }

  pointing(view, sight, { left, timeAt, placeOf: xOf, shown: () => sight.bounds })

  const grips = {
    window: slider('Window of time', 'brush'),
    from: slider('Beginning of the window', 'end'),
    to: slider('End of the window', 'end'),
  }
  view.element.append(grips.window, grips.from, grips.to)
  const text = el('span', { class: 'faint', id: 'window' })
  const show = (): void => {
    const { window, bounds } = sight
    const [from, to] = [xOf(window.from), xOf(window.to)]
    grips.window.style.left = `${from}px`
    grips.window.style.width = `${Math.max(2, to - from)}px`
    grips.from.style.left = `${from}px`
    grips.to.style.left = `${to}px`
    const { unit } = store.graph.run
    const said = `${shortUnits(window.from)} to ${shortUnits(window.to)}`
    const values = { window: (window.from + window.to) / 2, from: window.from, to: window.to }
    for (const name of ['window', 'from', 'to'] as const) {
      const grip = grips[name]
      grip.setAttribute('aria-valuemin', shortUnits(bounds.from))
      grip.setAttribute('aria-valuemax', shortUnits(bounds.to))
      grip.setAttribute('aria-valuenow', shortUnits(values[name]))
      grip.setAttribute('aria-valuetext', `${name === 'window' ? said : shortUnits(values[name])} ${unit}`)
      grip.style.top = `${top()}px`
      grip.style.height = `${DENSITY}px`
    }
    text.textContent = isWhole(window, bounds)
      ? `all ${shortUnits(bounds.to)} ${unit}`
      : `${said} of ${shortUnits(bounds.to)} ${unit}`
  }
  for (const grip of ['window', 'from', 'to'] as const) {
    grips[grip].addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const next = keyed(sight.window, grip, event.key, sight.bounds)
      if (!next) return
      event.preventDefault()
      event.stopPropagation()
      sight.look(next)
    })
  }
  dragging()

  /** Makes the pointer move the window and its ends, or draw a new window. */
  function dragging(): void {
    const placeOf = ({ clientX }: PointerEvent): number => clientX - view.element.getBoundingClientRect().left
    const gripAt = ({ target }: PointerEvent): Grip => {
      if (target === grips.from) return 'from'
      if (target === grips.to) return 'to'
      return target === grips.window && !isWhole(sight.window, sight.bounds) ? 'window' : 'new'
    }
    let drag: { readonly grip: Grip; readonly x: number; readonly window: { from: number; to: number } } | undefined
    let isMoved = false
    view.element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return
      drag = { grip: gripAt(event), x: placeOf(event), window: { ...sight.window } }
      isMoved = false
      view.element.setPointerCapture(event.pointerId)
    })
    view.element.addEventListener('pointermove', (event) => {
      if (!drag || event.buttons !== 1) return
      const x = placeOf(event)
      isMoved ||= Math.abs(x - drag.x) >= CLICK
      if (isMoved) sight.look(dragged(drag.window, drag.grip, timeAt(drag.x), timeAt(x), sight.bounds))
    })
    view.element.addEventListener('pointerup', (event) => {
      // a click beside the window moves its middle there
      if (drag?.grip === 'new' && !isMoved) {
        const { from, to } = sight.window
        sight.look(dragged({ from, to }, 'window', (from + to) / 2, timeAt(placeOf(event)), sight.bounds))
      }
      drag = undefined
    })
  }

  const part = el(
    'div',
    { class: 'overview', role: 'group', 'aria-label': 'The whole run, and the window of time that the pictures show' },
    el(
      'div',
      { class: 'tools' },
      button('+', () => store.act('zoom in'), { 'aria-label': 'Zoom in' }),
      button('−', () => store.act('zoom out'), { 'aria-label': 'Zoom out' }),
      button('Whole run', () => sight.lookAtAll()),
      button('?', openHelp, { 'aria-label': 'Keys of this page' }),
      text,
    ),
    view.element,
  )
  sight.onWindow(show)
  new ResizeObserver(show).observe(view.element)
  onPrint(show)
  store.listen((_, graph) => {
    part.hidden = graph.count === 0
    view.label(`The whole run, ${shortUnits(graph.run.until)} ${graph.run.unit}: messages over time, and faults`)
    view.draw()
    show()
  })
  return part
}

const slider = (label: string, name: string): HTMLElement =>
  el('div', { class: name, role: 'slider', tabindex: 0, 'aria-label': label, 'aria-orientation': 'horizontal' })

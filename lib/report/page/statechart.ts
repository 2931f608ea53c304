/** Statecharts, drawn from the definitions of machines, with the run's counts and the present states of its actors. */
import { shortUnits } from '../../core/format.ts'
import { type Arrow, type Box, type Drawing, drawingOf, LINE } from '../boxes.ts'
import type { Graph } from '../graph.ts'
import type { ShownMachine, ShownTransition } from '../types.ts'
import { el, svg } from './dom.ts'
import { laneOf } from './scene.ts'
import type { Store } from './store.ts'

export function statecharts(store: Store): HTMLElement {
  const choice = el('select', { id: 'actor', 'aria-label': 'Statechart of' })
  const conversation = el('select', { id: 'conversation', 'aria-label': 'Conversation' })
  const place = el('div', { class: 'scroll', id: 'statechart' })
  const pictures = store.of(() => new Map<ShownMachine, ChartPicture>())
  const says = el('p', { 'aria-live': 'polite', id: 'state' })
  let isOpen = false
  const show = (): void => {
    const {
      graph,
      choice: { event },
    } = store
    const lane = Number(choice.value)
    const actor = graph.run.machines[graph.run.lanes[lane]?.machine ?? -1]
    if (!actor) return
    const conversations = graph.conversations(lane, event < 0 ? graph.count - 1 : event)
    offer(conversation, [...conversations.keys()])
    const shown = conversations.get(conversation.value)
    const machine = actor.charts.find(({ module }) => module === shown?.chart) ?? actor
    const picture = pictures().get(machine) ?? pictureOf(machine, drawingOf(machine))
    pictures().set(machine, picture)
    const last = graph.lastOf(lane, event < 0 ? graph.count - 1 : event)
    const state = last < 0 ? '' : (shown?.state ?? graph.state(last))
    picture.mark(state.split(' '))
    const isDead = graph.isDead(lane, event < 0 ? graph.count - 1 : event)
    const when = event < 0 ? (store.isRunning ? 'now' : endOf(graph)) : `at ${shortUnits(graph.at[event] ?? 0)}`
    const text = `${[graph.laneName(lane), ...(shown ? [shown.name] : [])].join(', ')} ${when}: ${isDead ? 'dead, and was in ' : ''}${state || 'not there yet'}`
    // an unchanged text is not set again, so that screen readers do not repeat it
    if (says.textContent !== text) says.textContent = text
    const list = coverage(machine)
    list.open = isOpen
    list.addEventListener('toggle', () => {
      isOpen = list.open
    })
    place.replaceChildren(picture.element, list)
  }
  choice.addEventListener('input', show)
  conversation.addEventListener('input', show)
  const part = el(
    'div',
    {},
    el('h3', {}, 'Statechart'),
    el(
      'p',
      { class: 'faint' },
      'How often each event came in the whole run to all actors of the kind, and what never did.',
    ),
    el('div', { class: 'tools' }, el('label', {}, 'of ', choice), el('label', {}, ' ', conversation)),
    ...[says, place],
  )
  store.listen(({ event }, graph) => {
    const actors = actorsOf(graph)
    part.hidden = actors.length === 0
    const isFirst = choice.length === 0
    for (const lane of actors.slice(choice.length)) choice.append(el('option', { value: lane }, graph.laneName(lane)))
    if (isFirst) choice.value = String(largestOf(graph, actors))
    const lane = event < 0 ? 0 : laneOf(graph, event)
    if (lane > 0 && actors.includes(lane)) choice.value = String(lane)
    const [entered] = event < 0 ? [] : graph.enteredIn(event)
    if (entered) {
      offer(conversation, [entered.name])
      conversation.value = entered.name
    }
    show()
  })
  return part
}

/** The end of the events that the page has. */
const endOf = ({ run: { beyond, seen, isUnfinished } }: Graph): string =>
  isUnfinished
    ? 'when this page was saved'
    : beyond > 0
      ? `at ${shortUnits(seen)}, where the events of this page end`
      : 'at the end'

/** The choice of the actor's own statechart, which stands before its conversations. */
const ITSELF = 'the actor itself'

/** Offers an actor's conversations, and keeps the one that is chosen if it is still there. */
function offer(conversation: HTMLSelectElement, names: readonly string[]): void {
  const { value } = conversation
  conversation.hidden = names.length === 0
  conversation.replaceChildren(
    el('option', { value: '' }, ITSELF),
    ...names.map((name) => el('option', { value: name }, name)),
  )
  conversation.value = names.includes(value) ? value : ''
}

const actorsOf = ({ run: { lanes } }: Graph): number[] =>
  lanes.flatMap(({ machine }, lane) => (machine === null ? [] : [lane]))

/** The machine with the most states, which is shown first. */
function largestOf({ run: { machines, lanes } }: Graph, actors: readonly number[]): number {
  const size = (lane: number): number => machines[lanes[lane]?.machine ?? -1]?.states.length ?? 0
  return actors.reduce((best, lane) => (size(lane) > size(best) ? lane : best), actors[0] ?? 0)
}

interface ChartPicture {
  readonly element: SVGElement
  /** Marks the states with these paths, and the states around them. */
  mark(paths: readonly string[]): void
}

function pictureOf(machine: ShownMachine, drawing: Drawing): ChartPicture {
  const { width, height, boxes, arrows } = drawing
  const groups = boxes.map((box) => ({ path: machine.states[box.state]?.path ?? '', element: boxOf(machine, box) }))
  const element = svg(
    'svg',
    { viewBox: `-1 -1 ${width + 2} ${height + 2}`, width, height, role: 'img', 'aria-label': inWords(machine) },
    ...groups.map((group) => group.element),
    ...arrows.map((arrow) => arrowOf(arrow, drawing)),
  )
  return {
    element,
    mark(paths) {
      for (const { path, element: group } of groups) {
        const isIn = paths.some((one) => one === path || (path !== '' && one.startsWith(`${path}.`)))
        group.classList.toggle('now', isIn && path !== '')
      }
    },
  }
}

function boxOf(machine: ShownMachine, { state, x, y, width, height, lines }: Box): SVGElement {
  const { path = '', isInitial = false, isFinal = false, transitions = [] } = machine.states[state] ?? {}
  const name = path === '' ? machine.module.replace(/^.*actors\//, '') : (path.split('.').at(-1) ?? '')
  const marks = `${isInitial ? '● ' : ''}${name}${isFinal ? ' ◎' : ''}`
  return svg(
    'g',
    { class: `state${path === '' ? ' root' : ''}` },
    svg('rect', { x, y, width, height, rx: 6 }),
    svg('text', { x: x + 10, y: y + 16, class: 'name' }, marks),
    ...transitions.flatMap((transition, i) => lineOf(machine, transition, x, width, lines[i] ?? 0)),
  )
}

function lineOf(
  machine: ShownMachine,
  { event, targets, visits }: ShownTransition,
  x: number,
  width: number,
  y: number,
) {
  const names = targets.map((target) => machine.states[target]?.path.split('.').at(-1) ?? '')
  const to = names.length > 0 ? ` → ${names.join(', ')}` : ''
  const seen = visits === null ? '' : visits === 0 ? 'never' : `× ${visits.toLocaleString('en')}`
  const style = visits === 0 ? 'never' : ''
  return [
    svg('text', { x: x + 16, y: y + LINE / 4, class: style }, `${event === '' ? 'at once' : event}${to}`),
    svg('text', { x: x + width - 8, y: y + LINE / 4, 'text-anchor': 'end', class: style }, seen),
  ]
}

function arrowOf(
  { from, to, events, count, fromY, toY, reach, labelY }: Arrow,
  { boxes, arrows }: Drawing,
): SVGElement {
  const right = arrows.reduce((most, arrow) => Math.max(most, arrow.reach), 0) + 10
  const leadY = Math.min(Math.max(labelY, Math.min(fromY, toY) + 6), Math.max(fromY, toY) - 6)
  const rightOf = (state: number): number => {
    const box = boxes.find((one) => one.state === state)
    return box ? box.x + box.width : 0
  }
  const [startX, endX] = [rightOf(from), rightOf(to)]
  const label = `${events
    .slice(0, 2)
    .map((event) => event || 'at once')
    .join(', ')}${events.length > 2 ? ', …' : ''}`
  return svg(
    'g',
    { class: count > 0 ? 'arrow' : 'arrow never' },
    svg(
      'title',
      {},
      `${events.map((event) => event || 'at once').join(', ')}: ${count > 0 ? `${count} times` : 'never'}`,
    ),
    svg('path', {
      d: `M${startX} ${fromY}H${reach - 6}Q${reach} ${fromY} ${reach} ${fromY + (toY > fromY ? 6 : -6)}V${toY + (toY > fromY ? -6 : 6)}Q${reach} ${toY} ${reach - 6} ${toY}H${endX + 3}`,
    }),
    svg('path', { d: `M${reach} ${leadY}L${right} ${labelY}`, class: 'lead' }),
    svg('path', { d: `M${endX + 1} ${toY}l8 -4v8z`, class: 'head' }),
    svg('text', { x: right + 4, y: labelY + 4 }, `${label}${count > 0 ? ` × ${count.toLocaleString('en')}` : ''}`),
  )
}

const inWords = ({ module, states }: ShownMachine): string =>
  `Statechart of ${module}: ${
    states
      .slice(1)
      .map(({ path }) => path)
      .join(', ') || 'without states'
  }`

function coverage({ missing, unhandled }: ShownMachine): HTMLDetailsElement {
  const list = (pairs: readonly string[]) => el('ul', {}, ...pairs.map((pair) => el('li', {}, pair)))
  return el(
    'details',
    {},
    el(
      'summary',
      {},
      `Never met: ${missing.length} pairs of state and event; met and not handled: ${unhandled.length}`,
    ),
    ...(missing.length > 0 ? [el('h5', {}, 'Never met'), list(missing)] : []),
    ...(unhandled.length > 0 ? [el('h5', {}, 'Not handled'), list(unhandled)] : []),
  )
}

/** The panel about the selected event: what it handled, its effects and its cause. */
import { shortUnits } from '../../core/format.ts'
import type { Twins } from '../counterpart.ts'
import type { Graph } from '../graph.ts'
import { idOf, isAbout } from '../moments.ts'
import { button, el, tableOf } from './dom.ts'
import type { Store } from './store.ts'
import { eventText, exactText, fieldsOf, remarksOf, sendText } from './words.ts'

/** The most sends that are listed; more are only counted. */
const SENDS_MAX = 12
/** The most events of a chain of causes that are listed: the last ones. */
const CHAIN_MAX = 10

export function details(store: Store): HTMLElement {
  const panel = el('div', { id: 'details', 'aria-live': 'polite' })
  let shown = Number.NaN
  let about = ''
  store.listen(({ event, object }, graph) => {
    // while the run goes on, a panel that the reader uses or that has the focus is not redrawn
    if (event === shown && (event < 0 || (object === about && panel.contains(document.activeElement)))) return
    shown = event
    about = object
    panel.replaceChildren(...(event < 0 ? hint() : told(graph, store, event)))
  })
  return panel
}

const hint = (): Node[] => [
  el(
    'p',
    { class: 'faint hint' },
    'Click an event of the diagram, or a bar of the timeline, or step with the arrow keys. In messages times are millionths of a unit.',
  ),
]

function told(graph: Graph, store: Store, event: number): Node[] {
  const { run } = graph
  const go = (to: number | undefined, label: string): HTMLElement =>
    to === undefined || to < 0
      ? el('span', {}, label)
      : button(label, () => store.choose({ event: to }), { class: 'link' })
  const mail = graph.mail[event] ?? -1
  const [before, after] = [graph.stateBefore(event), graph.state(event)]
  const sender = mail < 0 ? -1 : (graph.sender[mail] ?? -1)
  const sent = graph.sentBy(event)
  const facts = run.events.facts.flatMap((one, i, all) => (i % 2 === 0 && one === event ? [all[i + 1] ?? -1] : []))
  const count = (marks: Uint8Array): number => marks.reduce((sum, mark) => sum + mark, 0) - 1
  const lane = graph.lane(event)
  const next = graph.lanes[lane]?.find((one) => one > event)
  return [
    el('h4', {}, eventText(graph, event)),
    tableOf(
      ['', ''],
      [
        ['time', exactText(graph.at[event] ?? 0)],
        ['event', `${event + 1} of ${graph.count}`],
        ['kind', graph.kind(event)],
        ...(sender >= 0
          ? [['sent by', go(sender, `${eventText(graph, sender)} at ${shortUnits(graph.at[sender] ?? 0)}`)]]
          : []),
        ...(lane > 0 ? [['state', before === after ? after : el('strong', {}, `${before || 'none'} → ${after}`)]] : []),
        ...graph.enteredIn(event).map(({ name, state }) => [name, el('strong', {}, `→ ${state}`)]),
        ...inTheOther(store.twins, event),
        ...remarksOf(graph, event).map((remark) => ['remark', el('span', { class: 'bad' }, remark)]),
        ['past, future', `${count(graph.past(event))} events before it, ${count(graph.future(event))} after`],
      ],
      { class: 'facts' },
    ),
    ...ledTo(graph, store.choice.object, event, go),
    el('p', {}, go(graph.before[event], '◀ before, same actor'), ' ', go(next, 'after, same actor ▶')),
    ...(mail >= 0 ? message(graph, 'It handled', run.sends.content[mail] ?? -1) : []),
    ...facts.flatMap((fact) => message(graph, 'It observed', fact)),
    ...(sent.length > 0 ? [el('h5', {}, `It sent ${sent.length}`)] : []),
    el(
      'ul',
      {},
      ...sent.slice(0, SENDS_MAX).map((send) => el('li', {}, go(graph.handler[send], sendText(graph, send)))),
      ...(sent.length > SENDS_MAX ? [el('li', {}, `and ${sent.length - SENDS_MAX} more`)] : []),
    ),
  ]
}

/** Says of an event that only this one of two runs has it. */
const inTheOther = (twins: Twins | null, event: number): (readonly [string, HTMLElement])[] =>
  twins && (twins.of[event] ?? -1) < 0 ? [['other run', el('strong', {}, 'does not have this event')]] : []

/** The chain of causes that led to an event, from its beginning. Of an object in hand only the causes about it are listed. */
function ledTo(graph: Graph, object: string, event: number, go: (to: number, label: string) => HTMLElement): Node[] {
  const all = graph.chain(event).slice(1)
  if (all.length === 0) return []
  const own = object === '' ? [] : all.filter((one) => isAbout(graph, one, idOf(object)))
  const chain = own.length > 0 ? own : all
  const [rest, others] = [chain.length - CHAIN_MAX, all.length - chain.length]
  const counted = chain.length === 1 ? '1 event' : `${chain.length} events`
  const items = chain
    .slice(0, CHAIN_MAX)
    .reverse()
    .map((one) => el('li', {}, go(one, eventText(graph, one)), ` at ${shortUnits(graph.at[one] ?? 0)}`))
  return [
    el('h5', {}, `What led to it: ${counted}${own.length > 0 ? ` about ${object}` : ''}`),
    ...(others > 0
      ? [el('p', { class: 'faint' }, `The chain has ${others} more, which are not about ${object} and not listed.`)]
      : []),
    ...(rest > 0 ? [el('p', { class: 'faint' }, `The first ${rest} are not listed.`)] : []),
    el('ol', { class: 'chain' }, ...items),
  ]
}

function message(graph: Graph, says: string, content: number): Node[] {
  const fields = fieldsOf(graph, content)
  return [
    el('h5', {}, says),
    fields
      ? tableOf(['', ''], fields, { class: 'facts' })
      : el('p', { class: 'faint' }, 'What it says is left out of this page.'),
  ]
}

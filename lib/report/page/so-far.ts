/** What a live page tells of its run so far: its numbers, its story, what came of each fault, and how the promises stand. */
import { type ComponentChildren, h, type JSX, render } from 'preact'
import { clockUnits } from '../../core/format.ts'
import { fragmentOf } from '../links.ts'
import type { LiveStatus, ShownPromise } from '../live-messages.ts'
import type { ShownPicture, ShownRun, ShownTile } from '../types.ts'
import { pictureList, tileList } from '../view/front.ts'
import { sentence, sentences } from '../view/parts.ts'

/** Renders all of it into a place. Once the run is over its answer tells the story, the promises and the protocol's numbers. */
export function showSoFar(
  place: HTMLElement,
  run: ShownRun,
  status: LiveStatus,
  pictures: readonly ShownPicture[],
  isOver: boolean,
): void {
  const { aftermath = [] } = run
  const told = [
    tileList(isOver ? totalsOf(status) : [...paceOf(status), ...run.tiles]),
    !isOver && run.story.length > 0 && h('p', {}, sentences(run.story)),
    !isOver && pictures.length > 0 && pictureList(pictures),
    aftermath.length > 0 && [
      h('h3', {}, 'What came of it'),
      h(
        'ul',
        { class: 'aftermath' },
        aftermath.map((one) => h('li', {}, sentences(one))),
      ),
    ],
    !isOver && status.promises.length > 0 && promisesOf(status.promises),
  ]
  render(h('section', { 'aria-label': 'So far' }, told), place)
}

const tileOf = (label: string, value: string): ShownTile => ({
  label,
  value,
  unit: '',
  amount: null,
  better: null,
  without: '',
  change: 'same',
})

const aliveTile = ({ alive, dead }: LiveStatus['totals']): ShownTile =>
  tileOf('actors alive', dead === 0 ? `all ${alive}` : `${alive} of ${alive + dead}`)

/** The numbers of a run that is over. */
const totalsOf = ({ now, messages, steps, totals }: LiveStatus): ShownTile[] => [
  tileOf('ended at', clockUnits(now)),
  tileOf('messages sent', messages.toLocaleString('en')),
  tileOf('steps taken', steps.toLocaleString('en')),
  ...(totals.alive + totals.dead > 0 ? [aliveTile(totals)] : []),
]

/** The numbers that every run has. */
function paceOf({ totals, messageRate, stepRate }: LiveStatus): ShownTile[] {
  return [
    tileOf('messages per second', messageRate.toFixed(1)),
    tileOf('steps per second', stepRate.toFixed(1)),
    aliveTile(totals),
    tileOf('messages waiting', String(totals.waiting)),
  ]
}

function promisesOf(promises: readonly ShownPromise[]): ComponentChildren {
  const failed = promises.find(({ standing }) => standing === 'cannot be asked')
  const broken = promises.filter(({ standing }) => standing === 'broken')
  const bad = [...(failed ? [failed] : []), ...broken]
  const countOf = (of: ShownPromise['standing']): number => promises.filter(({ standing }) => standing === of).length
  const parts = [
    ...(broken.length > 0 ? [`✗ ${broken.length} broken`] : []),
    ...(failed ? ['✗ cannot be asked'] : [`✓ ${countOf('kept')} kept so far`]),
    ...(countOf('asked at the end') > 0 ? [`${countOf('asked at the end')} asked at the end`] : []),
  ]
  return [
    h('h3', {}, 'Promises: ', h('span', { class: bad.length > 0 ? 'bad' : 'good' }, parts.join(', '))),
    bad.length > 0 && h('ul', { class: 'failures' }, bad.map(badItem)),
    h(
      'details',
      {},
      h('summary', {}, 'All promises'),
      h(
        'ul',
        {},
        promises.map(({ name, standing }) =>
          h('li', {}, `${name}: `, h('span', { class: CLASSES[standing] }, standing)),
        ),
      ),
    ),
  ]
}

const CLASSES = { kept: 'good', broken: 'bad', 'asked at the end': 'faint', 'cannot be asked': 'bad' } as const

function badItem({ name, standing, broken, since }: ShownPromise): JSX.Element {
  const at = since ?? 0
  return h(
    'li',
    {},
    h('strong', { class: 'bad' }, '✗ ', name),
    standing === 'broken' ? ', found at ' : ' cannot be asked: the oracle failed at ',
    h('a', { href: fragmentOf({ at }) }, clockUnits(at)),
    h(
      'ul',
      {},
      broken.map((one) => h('li', {}, sentence(one))),
    ),
  )
}

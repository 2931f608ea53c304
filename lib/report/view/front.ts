/** The front of a page: the answer, what failed and the numbers that matter, and below the runs the results. It needs no script. */
import { h, type JSX } from 'preact'
import type { Tones } from '../../core/table.ts'
import { shortSentence } from '../links.ts'
import type {
  Front,
  RunStory,
  ShownChart,
  ShownCheck,
  ShownImage,
  ShownLoad,
  ShownPicture,
  ShownPlot,
  ShownTable,
  ShownTile,
} from '../types.ts'
import { claimsIn, headline } from './claims.ts'
import { copyable, sentence, sentences, table } from './parts.ts'

/** The most checks that are listed at once. */
const CHECKS_OPEN = 5

/** The answer, above the runs. */
export function answer(front: Front): JSX.Element {
  const { checks, askedAtEnd, claims, values, story, stories = [], beside, tiles, pictures, load } = front
  const failed = checks.filter(({ ok }) => !ok)
  return h(
    'div',
    { id: 'answer' },
    header(
      front,
      ...headline(claims, values),
      ...(failed.length > 0 || claims.length === 0 ? [outcome(checks, askedAtEnd)] : []),
    ),
    failed.length > 0 &&
      h('ul', { class: 'failures', id: 'failures', 'aria-label': 'What failed' }, failed.map(failure)),
    story.length > 0 && h('p', { id: 'story' }, sentences(story)),
    stories.length > 0 && h('dl', { class: 'stories' }, stories.map(runStory)),
    claims.length > 0 && claimsIn(claims),
    tileList(tiles),
    beside && resultTable(beside),
    pictures.length > 0 && pictureList(pictures),
    load && loadOverTime(load),
    again(front),
  )
}

/** The numbers at the top of a page. */
export const tileList = (tiles: readonly ShownTile[]): JSX.Element | null =>
  tiles.length > 0 ? h('dl', { class: 'tiles' }, tiles.map(tile)) : null

/** The results and checks, below the runs. */
export const results = (front: Front): JSX.Element =>
  h('div', { id: 'results' }, found(front), front.checks.length > 0 && checkList(front))

/** The verdict in words. A run that goes on has kept promises so far, and others are `askedAtEnd`. */
export function verdict(checks: readonly ShownCheck[], askedAtEnd?: Front['askedAtEnd']): string {
  const failed = checks.filter(({ ok }) => !ok).length
  if (askedAtEnd && checks.length + askedAtEnd.length > 0) return soFar(checks.length, failed, askedAtEnd.length)
  const count = checks.length === 1 ? '1 check' : `${checks.length} checks`
  if (checks.length === 0) return 'nothing to check'
  if (failed === 0) return `✓ ${count} held`
  return failed === checks.length ? `✗ ${count} failed` : `✗ ${failed} of ${count} failed`
}

function soFar(count: number, failed: number, later: number): string {
  const promises = count === 1 ? '1 promise' : `${count} promises`
  const asked = later === 0 ? '' : `, ${later} ${later === 1 ? 'is' : 'are'} asked at the end`
  return `${failed > 0 ? `✗ ${failed} of ${promises} broken` : `✓ ${promises} kept so far`}${asked}`
}

const verdictClass = (checks: readonly ShownCheck[]): string =>
  checks.length === 0 ? 'faint' : checks.every(({ ok }) => ok) ? 'good' : 'bad'

const outcome = (checks: readonly ShownCheck[], askedAtEnd: Front['askedAtEnd']): JSX.Element =>
  h('p', { class: `verdict ${verdictClass(checks)}`, id: 'verdict' }, verdict(checks, askedAtEnd))

/** The head of a page with its verdicts. */
export const header = (
  { scenario, summary }: Pick<Front, 'scenario' | 'summary'>,
  ...verdicts: readonly JSX.Element[]
): JSX.Element => h('header', {}, h('h1', {}, scenario), verdicts, h('p', { class: 'summary' }, summary))

/** The most characters of what a failed check measured, before its evidence. The list of all checks has the whole. */
const MEASURED_MAX = 240

const failure = ({ name, measured, expected, evidence, repeat }: ShownCheck): JSX.Element =>
  h(
    'li',
    {},
    h('strong', { class: 'bad' }, '✗ ', name),
    ': ',
    sentence(evidence.length > 0 ? shortSentence(measured, MEASURED_MAX) : measured),
    expected === '' || expected === 'none' ? null : `, expected ${expected}`,
    evidence.length > 0 &&
      h(
        'ul',
        {},
        evidence.map((one) => h('li', {}, sentence(one))),
      ),
    repeat !== '' && copyable(repeat),
  )

const tile = ({ label, value, unit, without, change }: ShownTile): JSX.Element =>
  h(
    'div',
    {},
    h('dt', {}, label),
    h('dd', {}, value, unit === '' ? null : h('span', { class: 'unit' }, ` ${unit}`)),
    without === ''
      ? null
      : h('dd', { class: `without ${CHANGES[change]}` }, `${change === 'same' ? 'the same' : without} without faults`),
  )

const runStory = ({ name, story, repeat }: RunStory): JSX.Element =>
  h(
    'div',
    {},
    h('dt', {}, name),
    h('dd', {}, sentences(story)),
    repeat === undefined ? null : h('dd', {}, copyable(repeat)),
  )

export const pictureList = (pictures: readonly ShownPicture[]): JSX.Element =>
  h('div', { class: 'pictures' }, pictures.map(picture))

const loadOverTime = ({ pictures, isOpen, notes }: ShownLoad): JSX.Element =>
  h(
    'details',
    { open: isOpen, id: 'load' },
    h('summary', {}, 'Load over time'),
    pictureList(pictures),
    notes.length > 0 && h('p', { class: 'faint' }, notes.join(' ')),
  )

/** A picture of the runs. Its SVG is made by `drawing`, which escapes all texts. */
const picture = ({ title, legend, panels, notes }: ShownPicture): JSX.Element =>
  h(
    'figure',
    { class: panels.length > 1 ? 'picture several' : 'picture' },
    h('figcaption', {}, title),
    legend.length > 0 &&
      h(
        'ul',
        { class: 'legend' },
        legend.map(({ name, ink }) => h('li', {}, h('span', { class: `swatch ink-${ink}` }), name)),
      ),
    h(
      'div',
      { class: `panels of${Math.min(4, panels.length)}` },
      panels.map(({ name, svg }) =>
        h('div', {}, name === '' ? null : h('p', {}, name), h('div', { dangerouslySetInnerHTML: { __html: svg } })),
      ),
    ),
    notes.length > 0 && h('p', { class: 'faint' }, notes.join(' ')),
  )

const CHANGES = { better: 'good', worse: 'bad', other: 'faint', same: 'faint' } as const

function found({ text, tables, charts }: Front): JSX.Element | null {
  if (text.trim() === '' && tables.length + charts.length === 0) return null
  return h(
    'section',
    { 'aria-label': 'Results' },
    h('h2', {}, 'Results'),
    charts.length > 0 && h('div', { class: 'charts' }, charts.map(chart)),
    tables.map(resultTable),
    text.trim() === '' ? null : lines(text),
  )
}

const isCommand = (line: string): boolean => /^\s*(?:npx|node) \S/.test(line)

/** What a command prints besides its tables: a paragraph for each block of lines, with its commands below it. */
const lines = (text: string): JSX.Element =>
  h(
    'div',
    { id: 'text' },
    text.split(/\n(?:\s*\n)+/).map((block) => {
      const all = block.split('\n')
      const said = all.filter((line) => !isCommand(line)).join('\n')
      return [
        said.trim() !== '' && h('p', { class: 'lines' }, said.trimEnd()),
        all.filter(isCommand).map((line) => copyable(line.trim())),
      ]
    }),
  )

const chart = (shown: ShownChart): JSX.Element => ('svg' in shown ? image(shown) : plot(shown))

const image = ({ title, says, svg }: ShownImage): JSX.Element =>
  // as an image it can run and load nothing
  h(
    'figure',
    {},
    h('img', { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: `${title}. ${says}` }),
  )

const plot = ({ title, wide, narrow, values }: ShownPlot): JSX.Element =>
  h(
    'figure',
    { class: 'chart' },
    h('figcaption', {}, title),
    // the drawing escapes all texts
    h('div', { class: 'wide', dangerouslySetInnerHTML: { __html: wide } }),
    h('div', { class: 'narrow', dangerouslySetInnerHTML: { __html: narrow } }),
    h('details', {}, h('summary', {}, 'Values'), resultTable(values)),
  )

/** A table with more columns is printed on a page across. */
const WIDE = 8

export const resultTable = ({ title, head, rows, left, tones, notes }: ShownTable): JSX.Element =>
  h(
    'div',
    { class: head.length > WIDE ? 'results across' : 'results' },
    table({
      head,
      rows: tones ? rows.map((row) => row.map((cell, c) => toned(cell, tones[c] ?? {}))) : rows,
      left,
      ...(title !== '' && { caption: title }),
    }),
    notes.length > 0 && h('p', { class: 'faint' }, notes.join(' ')),
  )

function toned(cell: string, tones: Tones): JSX.Element | string {
  const [word = ''] = cell.split(':')
  return Object.hasOwn(tones, word) ? h('span', { class: tones[word] }, cell) : cell
}

function checkList({ checks, askedAtEnd }: Front): JSX.Element {
  const rows = checks.map(({ ok, name, measured, expected }) => [
    name,
    h(
      'span',
      { class: ok ? 'good' : 'bad' },
      askedAtEnd ? (ok ? '✓ kept so far' : '✗ broken') : ok ? '✓ held' : '✗ failed',
    ),
    sentence(measured),
    expected,
  ])
  const later = (askedAtEnd ?? []).map((name) => [name, h('span', { class: 'faint' }, 'asked at the end'), '', ''])
  return h(
    'details',
    { open: checks.length <= CHECKS_OPEN, id: 'checks' },
    h('summary', {}, `${askedAtEnd ? 'Promises' : 'Checks'} (${checks.length + later.length})`),
    table({ head: ['what must hold', 'verdict', 'measured', 'expected'], rows: [...rows, ...later] }),
  )
}

/** How to make the page again. */
function again({ command, version, options }: Front): JSX.Element {
  const given = options.filter(([, text]) => text !== '' && text !== 'false')
  const seed = options.find(([name]) => name === '--seed')?.[1]
  return h(
    'section',
    { class: 'again', 'aria-label': 'How to repeat it' },
    copyable(command, 'command'),
    given.length > 0 &&
      h(
        'details',
        {},
        h('summary', {}, seed === undefined ? 'Options' : `Options, with seed ${seed}`),
        table({ head: ['flag', 'value'], rows: given, id: 'options' }),
        h('p', { class: 'faint' }, `bourse ${version}`),
      ),
  )
}

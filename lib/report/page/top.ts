/** The top of the page: the command, the verdict of its checks, and the results. */
import type { Report, ShownTable } from '../types.ts'
import { button, el, tableOf } from './dom.ts'

export function top(report: Report): HTMLElement[] {
  const { checks } = report
  const broken = checks.filter(({ ok }) => !ok)
  const verdict =
    checks.length === 0
      ? 'nothing to check'
      : broken.length > 0
        ? `✗ ${broken.length} of ${checks.length} checks failed`
        : `✓ ${checks.length} ${checks.length === 1 ? 'check' : 'checks'} held`
  const says = el(
    'p',
    { class: `verdict ${checks.length === 0 ? 'faint' : broken.length > 0 ? 'bad' : 'good'}`, id: 'verdict' },
    verdict,
  )
  return [
    header(report, says),
    el('section', { 'aria-label': 'Results', id: 'results' }, ...results(report), checkTable(report)),
  ]
}

/** The header of the page, with the verdict. */
export function header({ scenario, summary, command, version, options }: Report, verdict: HTMLElement): HTMLElement {
  const given = options.filter(([, text]) => text !== '' && text !== 'false')
  const seed = options.find(([name]) => name === '--seed')?.[1]
  return el(
    'header',
    {},
    el('h1', {}, scenario),
    verdict,
    el('p', { class: 'summary' }, summary),
    el('div', { class: 'command' }, el('code', { id: 'command' }, command), copier(command)),
    el(
      'details',
      {},
      el('summary', {}, seed === undefined ? 'Options' : `Options, with seed ${seed}`),
      tableOf(['flag', 'value'], given, { id: 'options' }),
      el('p', { class: 'faint' }, `bourse ${version}`),
    ),
  )
}

function copier(text: string): HTMLButtonElement {
  const made = button('Copy', () => {
    // a page from a file may not be allowed to write to the clipboard
    navigator.clipboard?.writeText(text).then(
      () => made.replaceChildren('Copied'),
      () => made.replaceChildren('Select it'),
    )
  })
  made.setAttribute('aria-label', 'Copy the command')
  return made
}

function results({ text, tables, charts }: Report): HTMLElement[] {
  const printed = el('pre', { tabindex: 0, id: 'text' }, text.trimEnd())
  return [
    el('h2', {}, 'Results'),
    el(
      'div',
      { class: 'charts' },
      ...charts.map(({ title, says, svg }) => {
        // as an image it can run and load nothing
        const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
        return el('figure', {}, el('img', { src: source, alt: `${title}. ${says}` }))
      }),
    ),
    ...tables.map(resultTable),
    ...(tables.length > 0 ? [el('details', {}, el('summary', {}, 'As printed'), printed)] : [printed]),
  ]
}

function resultTable({ title, head, rows, left, notes }: ShownTable): HTMLElement {
  const table = tableOf(head, rows)
  for (const row of table.rows)
    for (const [i, cell] of [...row.cells].entries()) if (!left[i]) cell.classList.add('number')
  return el(
    'div',
    { class: 'results', tabindex: 0 },
    ...(title === '' ? [] : [el('h3', {}, title)]),
    table,
    ...notes.map((note) => el('p', { class: 'faint' }, note)),
  )
}

function checkTable({ checks }: Report): HTMLElement {
  const rows = checks.map(({ ok, name, measured, expected }) => [
    el('span', { class: ok ? 'good' : 'bad' }, ok ? '✓ held' : '✗ failed'),
    ...[name, measured, expected],
  ])
  const broken = checks.some(({ ok }) => !ok)
  return el(
    'details',
    { open: broken, id: 'checks' },
    el('summary', {}, 'Checks'),
    tableOf(['', 'what must hold', 'measured', 'expected'], rows),
  )
}

/** The races of a run as text. */

import { printUnits } from '../../../lib/core/format.ts'
import { type Column, type ResultTable, textOf as tableText, textColumn } from '../../../lib/core/table.ts'
import { countsOf, tallyText } from '../../../lib/core/tally.ts'
import { type Race, timeBetween } from '../../../lib/explore/races.ts'
import { atName, handledName } from '../../../lib/trace/names.ts'
import { incarnationName, thingOf } from '../../../lib/trace/run.ts'
import type { Kind, RaceStudy, Tried } from './study.ts'

export const textOf = (study: RaceStudy, tries: number): string =>
  [tableText(kindTable(study)).trimEnd(), detailText(study, tries)].filter((text) => text !== '').join('\n\n')

export const detailText = (study: RaceStudy, tries: number): string => details(study, tries).join('\n\n')

/** The kinds of races, a row each. */
export function kindTable({ kinds, recorded }: RaceStudy): ResultTable {
  const columns: readonly Column[] = [
    ...['actor', 'state', 'pair'].map(textColumn),
    ...['pairs', 'races', 'closest'].map((name) => ({ name })),
    ...(recorded ? [{ name: 'tried' }, textColumn('result of the other order')] : []),
  ]
  const rows = kinds.map((kind) => {
    const { role, state, types, pairs, races, tried } = kind
    const [closest] = races
    const counts = [`${pairs}`, `${races.length}`, closest ? printUnits(timeBetween(closest)) : '']
    return [role, state, types.join(' / '), ...counts, ...(recorded ? [`${tried.length}`, consequences(kind)] : [])]
  })
  return { columns, rows }
}

/** The results of a kind's other orders, such as `2 benign, 1 visible by outcome`. */
function consequences({ tried, races }: Kind): string {
  if (races.length === 0) return 'they commute'
  return tallyText(countsOf(tried.map(nameOf)))
}

export function nameOf({ isSwapped, effect }: Tried): string {
  if (!isSwapped) return 'another event came first'
  return effect ? `visible by ${effect.by}` : 'benign'
}

function details({ kinds, recorded }: RaceStudy, tries: number): string[] {
  if (!recorded) return kinds.flatMap(({ races }) => races.map((race) => raceText(race)))
  return kinds.flatMap(({ tried, races }) => [
    ...tried.map(triedText),
    ...(races.length > tried.length
      ? [`${races.length - tried.length} more of this kind were not tried (--tries ${tries})`]
      : []),
  ])
}

const triedText = (tried: Tried): string => {
  const { race, number, effect, command } = tried
  return [
    `${number}. ${raceText(race)}`,
    `   ${nameOf(tried)}${effect ? `: ${effect.text}` : ''}`,
    `   the other order, inline or with --runtime threads:`,
    `   ${command} --runtime inline`,
  ].join('\n')
}

export const swapText = ({ step, rival }: Race): string =>
  `${incarnationName(step)} handled ${handledName(step)} (${thingOf(step)}) at ${atName(step)} before ` +
  `${rival.text} (${rival.thing})${rival.isCancelled ? `, which it cancelled; it was due at ${printUnits(rival.at)}` : ` at ${printUnits(rival.at)}`}`

function raceText(race: Race): string {
  const { difference, hold } = race
  const { what, values } = difference
  return [
    swapText(race),
    `   the orders diverge in ${what}: ${values.join(' | ')}`,
    `   hold ${hold.thing} until step ${hold.until}`,
  ].join('\n')
}

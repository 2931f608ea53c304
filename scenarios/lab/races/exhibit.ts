/** The races of a run on a page: some of them with both orders side by side, and a table of all that were tried. */
import { counted, shortTimes } from '../../../lib/core/format.ts'
import { type ResultTable, textColumn } from '../../../lib/core/table.ts'
import { sum } from '../../../lib/core/tally.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import type { Traced } from '../../../lib/explore/execution.ts'
import { RUNS_MAX } from '../../../lib/report/command.ts'
import type { ComparedRuns, Exhibits } from '../../../lib/report/exhibits.ts'
import type { Recorded } from '../../../lib/report/model.ts'
import { type Sentence, say, time } from '../../../lib/scenario/page.ts'
import { handledName } from '../../../lib/trace/names.ts'
import { pageOf } from '../reading.ts'
import type { RaceStudy, Tried } from './study.ts'
import { detailText, kindTable } from './text.ts'

/** The most races that a page shows with their runs; the recorded run is in all of them. */
const SHOWN_MAX = RUNS_MAX - 1

/**
 * What a page shows of the races of a run. `first` is the number of the race that it shows first.
 *
 * @throws UsageError for a number that no race has whose other order was run
 */
export function raceExhibits(study: RaceStudy, tries: number, first: number | undefined): Exhibits {
  const all = study.kinds.flatMap(({ tried }) => tried)
  const chosen = all.find(({ number }) => number === first)
  if (first !== undefined && !chosen) {
    const known = all.length > 0 ? `one of the ${all.length} races whose other order was run` : 'given with a scenario'
    throw UsageError.invalid('--race', known, String(first))
  }
  const inOrder = [...all.filter(isVisible), ...all.filter((one) => !isVisible(one))]
  const shown = (chosen ? [chosen, ...inOrder.filter((one) => one !== chosen)] : inOrder).slice(0, SHOWN_MAX)
  const { recorded } = study
  return {
    ...(recorded && shown.length > 0 && comparisons(recorded, shown)),
    story: storyOf(study, all, shown),
    tables: [...(all.length > 0 ? [raceTable(study, all, shown)] : []), kindTable(study)],
    text: detailText(study, tries),
  }
}

const isVisible = ({ effect }: Tried): boolean => effect !== null

/** The recorded run next to each shown race in the other order, both at the first event of its pair. */
function comparisons(recorded: Traced, shown: readonly Tried[]): Pick<Exhibits, 'runs' | 'pairs'> {
  const page = pageOf(recorded.trace.head)
  const [race] = shown
  const others = shown.map(({ number, run, trace, race: { step } }): Recorded => {
    const { who, incarnation, n } = step
    const first = run.incarnations.find((one) => one.who === who && one.incarnation === incarnation)?.steps[n]
    return { name: `Race ${number}, the other order`, lines: trace.lines, focus: first?.line, page }
  })
  return {
    runs: [{ name: 'As recorded', lines: recorded.trace.lines, focus: race?.race.step.line, page }, ...others],
    pairs: shown.map(
      (tried, i): ComparedRuns => ({
        name: `${tried.number}. ${titleOf(tried)}`,
        story: pairStory(tried, recorded),
        runs: [0, i + 1],
        about: i + 1,
      }),
    ),
  }
}

/** How many races there are, what the other orders change, and which of them the page shows. */
function storyOf({ recorded, kinds }: RaceStudy, all: readonly Tried[], shown: readonly Tried[]): Sentence[] {
  const pairs = sum(kinds, (kind) => kind.pairs)
  const races = sum(kinds, (kind) => kind.races.length)
  const begin = `${counted(pairs, 'pair')} of events could have come in the other order: ${pairs - races} commute, ${races} race.`
  const [first] = shown
  if (!recorded || !first) return [begin]
  const visible = all.filter(isVisible).length
  const effect = visible === 0 ? 'none has' : `${visible} ${visible === 1 ? 'has' : 'have'}`
  const rest = all.length - shown.length
  return [
    begin,
    `The other order of ${counted(all.length, 'race')} was run to completion: ${effect} a visible effect.`,
    ...(shown.length > 1 ? [] : pairStory(first, recorded)),
    ...(rest > 0
      ? [`${shown.length} of them are shown below; --race K shows race K of the table in the results.`]
      : []),
    ...(rest === 0 && shown.length > 1 ? ['Each of them is shown below.'] : []),
  ]
}

/** One race in sentences: what was handled first, and what the other order changes. */
const pairStory = (tried: Tried, recorded: Traced): Sentence[] => [
  say`As recorded, ${titleOf(tried)}, at ${time(tried.race.step.at)}.`,
  'In the run next to it the order is the other one.',
  `${changeOf(tried, recorded)}.`,
]

const titleOf = ({ race: { step, rival } }: Tried): string =>
  `${step.who} handled ${eventIn(handledName(step))} before ${eventIn(rival.text)}`

/** An event in plain words: `the bid of contractor@m3`, or `its timer evaluate`. */
function eventIn(name: string): string {
  const [, event] = /^timer \S+ \((.+?)\)/.exec(name) ?? []
  if (event !== undefined) return `its timer ${event}`
  const [, type, from] = /^(\S+) from (\S+)$/.exec(name) ?? []
  return type === undefined ? name : `the ${type} of ${from}`
}

/** What the other order changes, in words. */
function changeOf({ effect, isSwapped }: Tried, { ends }: Traced): string {
  if (!isSwapped) return 'Another event came first in the other run'
  if (!effect) return 'It changes nothing that can be seen from outside'
  const [one = '', other] = effect.text.split(' | ')
  if (other === undefined) return `It changes this: ${effect.text}`
  if (effect.by === 'promise')
    return `It changes which promises are broken: ${one} as recorded, ${other} in the other order`
  if (effect.by === 'time')
    return `It changes only times: ${shortTimes(one)} as recorded, ${shortTimes(other)} in the other order`
  // facts as JSON say little to a reader who does not know the protocol
  if (/[{[]/.test(effect.text)) return 'It changes what the actors report'
  const [noun = ''] = [...ends.keys()].flatMap((name) => /^(\w+) \d+$/.exec(name)?.[1] ?? [])
  return `It changes what comes out: ${outcomeIn(one, noun)} as recorded, ${outcomeIn(other, noun)} in the other order`
}

/** The outcome of objects in words: `4.1 on m3` is attempt 1 of task 4. */
const outcomeIn = (text: string, noun: string): string =>
  noun === ''
    ? text
    : text
        .split(', ')
        .map((part) => part.replace(/^(\d+)\.(\d+) /, `${noun} $1 at attempt $2 `).replace(/^(\d+) /, `${noun} $1 `))
        .join(' and ')

/** All races whose other order was run, a row each. */
function raceTable({ recorded }: RaceStudy, all: readonly Tried[], shown: readonly Tried[]): ResultTable {
  const rows = all.map((tried) => [
    String(tried.number),
    titleOf(tried),
    recorded ? changeOf(tried, recorded) : '',
    shown.includes(tried) ? 'shown above' : `--race ${tried.number}`,
  ])
  const columns = ['race', 'as recorded', 'the other order', 'on this page'].map(textColumn)
  return { title: 'Races that were run in the other order', columns, rows }
}

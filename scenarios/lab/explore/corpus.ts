/** The corpus of the explorer: a folder of failing runs. They are run again before a search, and those that it finds are added. */

import { type Check, is, noneViolated, type Outcome } from '../../../lib/cli/index.ts'
import { type KeptRun, keep, type Replayed, replayKept } from '../../../lib/explore/corpus.ts'
import {
  type Case,
  type Circumstances,
  commandFor,
  type Explored,
  type PlainFailure,
  repeatOf,
} from '../../../lib/explore/counterexample.ts'
import { brokenName, inSentence } from '../../../lib/scenario/oracle.ts'
import type { ExploreOptions } from './flags.ts'

/** Runs the kept runs of a scenario again. If they are all that is asked for (`isAll`), there has to be one. */
export async function replayCorpus(explored: Explored, folder: string, isAll: boolean): Promise<Outcome> {
  const all = await replayKept(explored.scenario, folder, '--corpus')
  const broken = all.filter(({ violations }) => violations.length > 0)
  const refused = all.filter(({ refusal }) => refusal !== undefined)
  const kept = all.length - broken.length - refused.length
  const { name } = explored.scenario
  const counts =
    all.length > 0
      ? keptLine(folder, { broken: broken.length, refused: refused.length, kept })
      : `${folder} has no kept runs of ${name}`
  const properties = broken.flatMap(({ violations: [first] }) => (first ? brokenName(first) : []))
  const run = all.length - refused.length
  const checks: Check[] = [
    ...(run > 0 ? [noneViolated(properties, `in ${run} kept runs`)] : []),
    ...(isAll && all.length === 0 ? [is(`kept runs of ${name} in ${folder}`, 0, 'at least 1')] : []),
    ...(refused.length > 0 ? [is('kept runs that could be run', kept + broken.length, all.length)] : []),
  ]
  return {
    results: { corpus: all.map(resultOf) },
    checks,
    messages: 0,
    text: [counts, ...[...broken, ...refused].map((one) => lineOf(explored, one))].join('\n'),
  }
}

/** What became of the kept runs of a folder, of which there is at least one. */
export function keptLine(
  folder: string,
  { broken, refused, kept }: { readonly broken: number; readonly refused: number; readonly kept: number },
): string {
  const all = broken + refused + kept
  const parts = [
    { runs: broken, one: 'still breaks a promise', more: 'still break a promise' },
    { runs: refused, one: 'is refused', more: 'are refused' },
    { runs: kept, one: 'keeps every promise now', more: 'keep every promise now' },
  ].filter(({ runs }) => runs > 0)
  const [part] = parts
  if (part?.runs === 1 && all === 1) return `the only kept run of ${folder} ${part.one}`
  if (part?.runs === all) return `${all === 2 ? 'both' : `all ${all}`} kept runs of ${folder} ${part.more}`
  const texts = parts.map(({ runs, one, more }) => `${runs} ${runs === 1 ? one : more}`)
  return `${all} kept runs of ${folder}: ${texts.join(', ')}`
}

const resultOf = ({ file, kept, refusal, violations }: Replayed) => ({
  file,
  ...(kept && { property: kept.property }),
  broken: violations.map(({ property }) => property),
  ...(refusal !== undefined && { refusal }),
})

/** What became of a kept run, with the command that repeats it if it still fails. */
function lineOf(explored: Explored, { file, kept, violations: [first], refusal }: Replayed): string {
  if (!first || !kept) return `${file} cannot be run: ${refusal}`
  const command = commandFor(explored, new Map(Object.entries(kept.flags)), kept.schedule)
  return `${file}: ${inSentence(first)}\n  to repeat it, inline or with --runtime threads:\n  ${command} --runtime inline`
}

/** Keeps failing runs in the folder of a search; without a folder it does nothing. Each function returns what it did, in lines. */
export interface Keeper {
  /** Keeps a run that was shrunk. */
  keepCase(found: Case): readonly string[]
  /** Keeps a run as it was found, unless it has been shrunk and kept. */
  keepFound(found: PlainFailure): readonly string[]
}

export function keeperOf(
  explored: Explored,
  circumstances: Circumstances,
  { corpus, livelock }: ExploreOptions,
): Keeper {
  if (corpus === undefined) return { keepCase: () => [], keepFound: () => [] }
  const scenario = explored.scenario.name
  const shrunk = new Set<number>()
  const kept = (run: number, about: Pick<KeptRun, 'property' | 'text' | 'flags' | 'schedule'>): readonly string[] => {
    const { property, text, flags, schedule } = about
    return [
      `run ${run} is kept in ${keep(corpus, { scenario, property, text, flags, schedule, livelock }, '--corpus')}`,
    ]
  }
  return {
    keepCase: (found) => {
      shrunk.add(found.run)
      return kept(found.run, found)
    },
    keepFound: (found) => {
      const [first] = found.violations
      if (!first || shrunk.has(found.run)) return []
      const { given, schedule } = repeatOf(explored, circumstances, found)
      return kept(found.run, { ...first, flags: Object.fromEntries(given), schedule })
    },
  }
}

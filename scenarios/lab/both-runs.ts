/** Two runs side by side on a page, each at the place where they diverge. */

import { counted, shortTimes } from '../../lib/core/format.ts'
import { breakingIn } from '../../lib/explore/causal-slice.ts'
import type { Counterexample } from '../../lib/explore/counterexample.ts'
import { causeOf, fewOf, type Passing, type ShrunkRun, type Told } from '../../lib/explore/shrunk-run.ts'
import { RUNS_MAX } from '../../lib/report/command.ts'
import type { ComparedRuns, Exhibits } from '../../lib/report/exhibits.ts'
import type { Recorded } from '../../lib/report/model.ts'
import type { Check } from '../../lib/scenario/checks.ts'
import { brokenName, inSentence } from '../../lib/scenario/oracle.ts'
import { type Noun, type Sentence, say, textOf, time } from '../../lib/scenario/page.ts'
import { divergenceOf } from '../../lib/trace/diff.ts'
import { handledName } from '../../lib/trace/names.ts'
import { incarnationName, type Run, type Step, thingOf } from '../../lib/trace/run.ts'
import { curvePicture } from './curve.ts'
import { pageOf } from './reading.ts'

/**
 * The lines where two runs diverge, one of each. Where the actor takes no further step in a run, it is the line of its last
 * step there. Undefined if the runs do not diverge, or if the actor took no step.
 */
export function divergingLines(one: Run, other: Run): readonly (number | undefined)[] {
  const divergence = divergenceOf(one, other)
  if (!divergence) return []
  const { who, steps } = divergence
  return [one, other].map((run, i) => (steps[i] ?? run.steps.findLast((step) => step.who === who))?.line)
}

/** A failing run on a page, with its nearest passing run. */
export interface FailureExhibit {
  /** Which promise broke, when and by what, and what the passing run lacks. */
  readonly story: readonly Sentence[]
  readonly runs: readonly Recorded[]
}

/**
 * A shrunk failing run and its nearest passing run: at the step that broke the promise, or else at the fault that only the first one
 * has, or where they diverge. Default of `page`: the reader of the scenario that the trace names.
 */
export async function failureExhibit(
  { told, failing, nearest }: ShrunkRun,
  page = pageOf(failing.trace.head),
): Promise<FailureExhibit> {
  const passing = await nearest()
  const breaking = breakingIn(failing.run, told)
  const [bad = breaking?.line, good] = passing ? focusOf(failing.run, passing, breaking) : []
  return {
    story: storyOf(told, failing.run, breaking, passing),
    runs: [
      {
        name: `Fails: ${brokenName(told)}`,
        lines: failing.trace.lines,
        focus: bad,
        page,
        pictures: curvePicture(told),
      },
      ...(passing
        ? [
            {
              name: `Holds without: ${textOf(inWords(shortTimes(passing.without), failing.run, breaking))}`,
              lines: passing.run.trace.lines,
              focus: good,
              page,
            },
          ]
        : []),
    ],
  }
}

/** The most failures that a page shows with their runs. */
const SHOWN_MAX = RUNS_MAX / 2

/** The counterexamples of a search on one page: the runs of the first ones, and what is told of each. */
export async function failureExhibits(found: readonly Counterexample[]): Promise<Exhibits> {
  const shown = found.slice(0, SHOWN_MAX)
  const runs: Recorded[] = []
  const pairs: ComparedRuns[] = []
  for (const one of shown) {
    const exhibit = await failureExhibit(one)
    const about = runs.length
    runs.push(...exhibit.runs)
    const { property, command } = one.told
    const places = exhibit.runs.map((_, i) => about + i)
    pairs.push({ name: property, story: exhibit.story, repeat: `${command} --runtime inline`, runs: places, about })
  }
  const [first] = pairs
  if (found.length === 1) return { runs, pairs, story: first?.story }
  const left = found.length - shown.length
  return {
    runs,
    pairs,
    story: [
      `${found.length} promises are broken.`,
      'For each of them the shrunk failing run is shown below, next to the nearest run that keeps all promises.',
      ...(left > 0
        ? [`The page has room for the first ${shown.length}; the commands in the results repeat the others.`]
        : []),
    ],
  }
}

/** The lines to look at first: of the step that broke the promise, or of the fault that the passing run lacks, in both runs. */
function focusOf(
  failing: Run,
  { without, run: { run: passing } }: Passing,
  breaking: Step | undefined,
): readonly (number | undefined)[] {
  if (breaking) {
    const own = passing.steps.filter(({ who }) => who === breaking.who)
    const same = own.find((step) => thingOf(step) === thingOf(breaking) && handledName(step) === handledName(breaking))
    return [breaking.line, (same ?? own.findLast(({ at }) => at <= breaking.at))?.line]
  }
  const fault = failing.system.find((event) => event.type === 'fault' && event.fault === without)
  if (!fault) return divergingLines(failing, passing)
  return [fault.line, passing.steps.findLast(({ at }) => at <= fault.at)?.line]
}

function storyOf(told: Told, run: Run, breaking: Step | undefined, passing: Passing | null): Sentence[] {
  const { property, text, faults, deviations } = told
  const when = breaking
    ? say`breaks at ${time(breaking.at)}, when ${takes(breaking)}`
    : 'is broken at the end of the run'
  const linked = (sentence: string): Sentence => inWords(shortTimes(sentence), run, breaking)
  return [
    say`The promise "${property}" ${when}: ${text}.`,
    leftText(told, linked),
    ...(passing
      ? [say`The run next to it keeps all promises. It is the same run without this: ${linked(passing.without)}.`]
      : []),
    ...(!passing && faults + deviations > 0
      ? ['There is no passing run to compare it with: without any one of these it still breaks a promise.']
      : []),
  ]
}

const takes = (step: Step): Sentence =>
  say`${{ text: incarnationName(step), to: { actor: step.who, at: step.at, handles: handledName(step) } }} handles ${handledName(step)}`

/**
 * A sentence about a run in words for people. A message that the schedule names by its id (`write 2.0.1 of client@c1`) becomes "the write
 * of client@c1", which leads to the step that handles it. Actors lead to what they do at that moment, or when the promise breaks.
 */
export function inWords(sentence: string, { steps }: Run, breaking: Step | undefined): Sentence {
  const named = steps.flatMap((step) => {
    const { on, who, at } = step
    const name = on.what === 'mail' ? `${on.type} ${on.id} of ${on.from}` : ''
    const text = on.what === 'mail' ? `the ${on.type} of ${on.from}` : ''
    return name !== '' && sentence.includes(name)
      ? [{ name, noun: { text, to: { actor: who, at, handles: handledName(step) } } }]
      : []
  })
  const at = named[0]?.noun.to.at ?? breaking?.at
  const actors = [...new Set(steps.map(({ who }) => who))].map((who) => ({
    name: who,
    noun: { text: who, to: at === undefined ? { actor: who } : { actor: who, at } },
  }))
  // of two names at one place the longer one is meant
  const names = [...named, ...actors].sort((one, other) => other.name.length - one.name.length)
  const parts: (string | Noun)[] = []
  for (let rest = sentence; rest !== ''; ) {
    const places = names.map(({ name }) => rest.indexOf(name))
    const first = Math.min(...places.map((place) => (place < 0 ? rest.length : place)))
    const { name = '', noun } = names[places.indexOf(first)] ?? {}
    parts.push(rest.slice(0, first), ...(noun ? [noun] : []))
    rest = rest.slice(first + name.length)
  }
  return parts.filter((part) => part !== '')
}

/** What is left of the faults and the schedule after shrinking. */
function leftText({ faults, deviations, tasks, sentences }: Told, linked: (sentence: string) => Sentence): Sentence {
  const left = [
    ...(faults > 0 ? [counted(faults, 'fault')] : []),
    ...(deviations > 0 ? [counted(deviations, 'deviation')] : []),
  ]
  const among = tasks > 0 ? ` in a run of ${counted(tasks, 'task')}` : ''
  if (left.length === 0) return `It needs no fault and no other order than that of sending${among}.`
  const all = fewOf(sentences).flatMap((one, i): Sentence[] => (i === 0 ? [linked(one)] : ['; ', linked(one)]))
  return say`It takes ${left.join(' and ')}${among}: ${all.reduce((before, one) => say`${before}${one}`, '')}.`
}

/** What the evidence of a failed check says of its failing run. Its moments are links. */
export function evidenceOf({ told, failing }: Pick<ShrunkRun, 'told' | 'failing'>): Sentence[] {
  const breaking = breakingIn(failing.run, told)
  return [
    ...fewOf(told.sentences).map((sentence) => inWords(sentence, failing.run, breaking)),
    ...(breaking
      ? [
          breaking.crash
            ? say`the actor dies at ${time(breaking.at)}, when ${takes(breaking)} (${thingOf(breaking)})`
            : say`the promise breaks at ${time(breaking.at)}, when ${takes(breaking)} (${thingOf(breaking)})`,
        ]
      : []),
    ...causeOf({ ...told, brokenBy: null }),
  ]
}

/** A failed check with a counterexample: what happens in it, and the command that repeats it. */
export const withEvidence = (check: Check, found: Counterexample): Check => ({
  ...check,
  evidence: [inSentence(found.told), ...evidenceOf(found)],
  repeat: `${found.told.command} --runtime inline`,
})

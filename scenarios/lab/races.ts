/** The command that lists the races of a run by kind, and says whether the other order of each has a visible effect. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Arguments,
  type Invocation,
  loadRegistered,
  makeFolder,
  noneViolated,
  type Outcome,
  runMain,
  UsageError,
  writeResult,
} from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { sum } from '../../lib/core/tally.ts'
import { flagName } from '../../lib/scenario/flags.ts'
import { MOST } from '../../lib/trace/export/limit.ts'
import { toMermaid } from '../../lib/trace/export/mermaid.ts'
import type { Trace } from '../../lib/trace/read.ts'
import type { Run } from '../../lib/trace/run.ts'
import '../registered.ts'
import { raceExhibits } from './races/exhibit.ts'
import { type RacesOptions, racesFlags } from './races/flags.ts'
import { type Kind, type RaceStudy, sceneOf, studyScene, studyTrace, type Tried } from './races/study.ts'
import { nameOf, swapText, textOf } from './races/text.ts'
import { readRecording } from './recording.ts'
import {
  beside,
  type Found,
  foundIn,
  inSmall,
  isNearName,
  otherWords,
  SCENARIO_FORM,
  type Subject,
  seeFlags,
  smallOf,
  subjectOf,
  titleOf,
} from './subject.ts'

const FILE: Arguments = {
  usage: '[SCENARIO|FILE]',
  least: 0,
  forms: [
    SCENARIO_FORM,
    ['FILE', 'list the races of the run in a trace, also in real time; their other orders are not run'],
  ],
}

/** The number of events to draw after a race. */
const AFTERWARDS = 50

const args = process.argv.slice(2)

async function main(found: Found, { options, words, progress, note }: Invocation<RacesOptions>): Promise<Outcome> {
  const { tries, within, pictures, race } = options
  await loadRegistered(options.register)
  const [file, ...more] = otherWords(found, words)
  const subject = subjectOf(found, args, racesFlags, FILE)
  if (more.length > 0) throw new UsageError(`this command takes at most one file, not ${words.length}`)
  const trace = file === undefined ? null : recordingAt(file, subject, note)
  const study = trace ? await studyTrace(trace, within) : await studied()
  if (pictures !== undefined) draw(study, pictures, '--pictures')
  const tried = study.kinds.flatMap((kind) => kind.tried)
  const broken = tried.flatMap(({ effect, number }) =>
    effect?.by === 'promise' ? [`race ${number}: ${effect.text}`] : [],
  )
  return {
    results: {
      pairs: sum(study.kinds, ({ pairs }) => pairs),
      races: sum(study.kinds, ({ races }) => races.length),
      kinds: study.kinds.map(plain),
      ...(trace?.cutOff && { cutOff: { ...trace.cutOff } }),
    },
    // without another order nothing is known of promises
    checks: tried.length > 0 ? [noneViolated(broken, `by ${tried.length} other orders`)] : [],
    messages: study.recorded?.result.messages ?? 0,
    text: [[summary(study), ...untried(study, tries)].join('\n'), textOf(study, tries)].join('\n\n'),
    exhibits: raceExhibits(study, tries, race),
  }

  function studied(): Promise<RaceStudy> {
    const small = inSmall(subject)
    const scene = sceneOf(small)
    note(`${titleOf(small)}, seed ${options.seed}: its races, ${tries} of each kind tried`)
    return studyScene(scene, { tries, within, onTried: (done, all) => progress(done, all, `${done} other orders`) })
  }
}

function recordingAt(file: string, { given }: Subject, note: (text: string) => void): Trace {
  const [key] = given.keys()
  if (key !== undefined) throw UsageError.conflicts(flagName(key), 'a trace', 'the trace says how its run was made')
  return readRecording(file, { note })
}

function summary({ kinds }: RaceStudy): string {
  const pairs = sum(kinds, (kind) => kind.pairs)
  const races = sum(kinds, (kind) => kind.races.length)
  return `pairs that could have come in the other order ${pairs}: ${pairs - races} commute, ${races} race`
}

/** Why no race was run in its other order; nothing if one was, or if there is no race. */
function untried({ recorded, kinds }: RaceStudy, tries: number): string[] {
  const isUntried = kinds.some(({ races }) => races.length > 0) && kinds.every(({ tried }) => tried.length === 0)
  if (!isUntried) return []
  const why = recorded ? `--tries ${tries}` : 'a trace has only the run itself'
  return [`no race was run in its other order (${why}), so nothing is known of the promises there`]
}

const plain = ({ role, state, types, pairs, races, tried }: Kind): Plain => ({
  role,
  state,
  types,
  pairs,
  races: races.length,
  tried: tried.map((one) => ({
    number: one.number,
    who: one.race.step.who,
    hold: one.race.hold,
    differs: one.race.difference.what,
    result: nameOf(one),
    effect: one.effect ? { ...one.effect } : null,
    command: one.command,
  })),
})

/**
 * Draws space-time diagrams (Mermaid) of each race that was tried, one for each order. The files have names such as
 * `race-1-recorded.mmd` and `race-1-other.mmd`.
 */
function draw({ recorded, kinds }: RaceStudy, folder: string, flag: string): void {
  makeFolder(folder, flag)
  for (const tried of kinds.flatMap((kind) => kind.tried)) {
    if (recorded) drawOrder(tried, recorded.run, 'recorded', folder, flag)
    drawOrder(tried, tried.run, 'other', folder, flag)
  }
}

function drawOrder({ number, race }: Tried, run: Run, which: 'recorded' | 'other', folder: string, flag: string): void {
  const most = Math.max(MOST.mermaid, race.step.index + AFTERWARDS)
  const title = `Race ${number}, ${which} order. As recorded ${swapText(race)}`
  const picture = `---\ntitle: ${JSON.stringify(title)}\n---\n${toMermaid(run, { most })}`
  writeResult(join(folder, `race-${number}-${which}.mmd`), picture, flag)
}

await runMain(async () => {
  const found = await foundIn(args, (word) => existsSync(word) || !isNearName(word))
  return {
    name: 'lab/races',
    summary:
      'Lists pairs of events that an actor handled in an order decided only by the schedule, where that order matters, and runs the other order to completion.',
    usage: `Without FILE the scenario runs inline. ${seeFlags('lab/races')}`,
    args: FILE,
    ...beside(found, racesFlags, smallOf(found, args, racesFlags, FILE)),
    main: (invocation: Invocation<RacesOptions>) => main(found, invocation),
  }
})

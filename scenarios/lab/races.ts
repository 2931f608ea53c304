/** The command that lists the races of a run by kind, and says whether the other order of each has a visible effect. */
import { flagName } from '../../lib/cli/flags.ts'
import {
  type Arguments,
  type Invocation,
  loadRegistered,
  noneViolated,
  type Outcome,
  runMain,
  UsageError,
} from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import type { Trace } from '../../lib/trace/read.ts'
import '../registered.ts'
import { type RacesOptions, racesFlags } from './races/flags.ts'
import { bothOrders } from './races/orders.ts'
import { draw } from './races/pictures.ts'
import { type Kind, type RaceStudy, sceneOf, studyScene, studyTrace } from './races/study.ts'
import { nameOf, textOf } from './races/text.ts'
import { readRecording } from './recording.ts'
import { beside, type Subject, subjectOf } from './subject.ts'

const FILE: Arguments = {
  usage: '[FILE]',
  least: 0,
  forms: [['FILE', 'list the races of the run in a trace, also in real time; their other orders are not run']],
}

const args = process.argv.slice(2)

async function main({ options, words, progress, note }: Invocation<RacesOptions>): Promise<Outcome> {
  const { tries, pictures } = options
  await loadRegistered(options.register)
  const [file, ...more] = words
  const subject = subjectOf(args, racesFlags, FILE)
  if (more.length > 0) throw new UsageError(`this command takes at most one file, not ${words.length}`)
  const trace = file === undefined ? null : recordingAt(file, subject, note)
  const study = trace ? await studyTrace(trace) : await studied()
  if (pictures !== undefined) draw(study, pictures, '--pictures')
  const tried = study.kinds.flatMap((kind) => kind.tried)
  const broken = tried.flatMap(({ effect, number }) =>
    effect?.by === 'promise' ? [`race ${number}: ${effect.text}`] : [],
  )
  return {
    results: {
      pairs: sum(study, ({ pairs }) => pairs),
      races: sum(study, ({ races }) => races.length),
      kinds: study.kinds.map(plain),
      ...(trace?.cutOff && { cutOff: { ...trace.cutOff } }),
    },
    checks: [noneViolated(broken, 'by another order')],
    messages: study.recorded?.result.messages ?? 0,
    text: [summary(study), textOf(study, tries)].join('\n\n'),
    exhibits: { runs: bothOrders(study) },
  }

  function studied(): Promise<RaceStudy> {
    const scene = sceneOf(subject)
    note(`${subject.name}, seed ${options.seed}: its races, ${tries} of each kind tried`)
    return studyScene(scene, { tries, onTried: (done, all) => progress(done, all, `${done} other orders`) })
  }
}

function recordingAt(file: string, { given }: Subject, note: (text: string) => void): Trace {
  const [key] = given.keys()
  if (key !== undefined) throw UsageError.conflicts(flagName(key), 'a trace', 'the trace says how its run was made')
  return readRecording(file, { note })
}

const sum = ({ kinds }: RaceStudy, count: (kind: Kind) => number): number =>
  kinds.reduce((total, kind) => total + count(kind), 0)

function summary(study: RaceStudy): string {
  const pairs = sum(study, (kind) => kind.pairs)
  const races = sum(study, (kind) => kind.races.length)
  return `pairs that could have come in the other order ${pairs}: ${pairs - races} commute, ${races} race`
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

await runMain({
  name: 'lab/races',
  summary:
    'Lists pairs of events that an actor handled in an order decided only by the schedule, where that order matters, and runs the other order to completion.',
  usage: 'Without FILE the scenario runs inline. Its own flags are allowed; --help lists them too.',
  args: FILE,
  ...beside(args, racesFlags),
  main,
})

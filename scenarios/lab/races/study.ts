/** The races of a run, and the result of the other order for some races of each kind. */
import { setImmediate } from 'node:timers/promises'
import { DeviationScheduler, type Deviations, isDeviations, NO_DEVIATIONS } from '../../../lib/actor/schedule.ts'
import { commandOf } from '../../../lib/core/command-name.ts'
import { sum } from '../../../lib/core/tally.ts'
import type { Time } from '../../../lib/core/time.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import { type Counterfactual, tryOther } from '../../../lib/explore/counterfactual.ts'
import { type Traced, traced } from '../../../lib/explore/execution.ts'
import { type RaceGroup, racesIn } from '../../../lib/explore/races.ts'
import { Replay } from '../../../lib/replay/replay.ts'
import { wordsOf } from '../../../lib/scenario/flags.ts'
import { printSchedule, settingsDigest } from '../../../lib/scenario/schedule-string.ts'
import type { Specification } from '../../../lib/scenario/specification.ts'
import type { Trace } from '../../../lib/trace/read.ts'
import type { Subject } from '../subject.ts'

/** A kind of race, with its races. */
export interface Kind extends RaceGroup {
  /** The first races of the kind, which were also run in the other order. */
  readonly tried: readonly Tried[]
}

export interface Tried extends Counterfactual {
  /** The number of the race in the whole list, from 1. */
  readonly number: number
  /** The command that repeats the other order, inline or on threads. */
  readonly command: string
}

export interface RaceStudy {
  /** The run itself; null if only its trace is known. */
  readonly recorded: Traced | null
  readonly kinds: readonly Kind[]
}

/** @throws UsageError for a trace that cannot be replayed */
export async function studyTrace(trace: Trace, within: Time | undefined): Promise<RaceStudy> {
  const kinds = await racesIn(await Replay.open(trace), within)
  return { recorded: null, kinds: kinds.map((kind) => ({ ...kind, tried: [] })) }
}

export interface Bounds {
  /** The number of races of each kind to run in the other order. */
  readonly tries: number
  /** The longest time between the events of a pair; undefined: no limit. */
  readonly within?: Time | undefined
  readonly onTried: (done: number, all: number) => void
}

/** A scenario that can be run again under other schedules and faults. */
export interface Scene {
  readonly subject: Subject
  readonly specification: Specification
  /** The deviations of the run itself. */
  readonly deviations: Deviations
}

/** @throws UsageError for flags that the scenario refuses, and for a schedule without deviations */
export function sceneOf(subject: Subject): Scene {
  const specification = subject.scenario.specification(subject.given)
  return { subject, specification, deviations: deviationsOf(specification) }
}

export async function studyScene(
  { subject, specification, deviations }: Scene,
  { tries, within, onTried }: Bounds,
): Promise<RaceStudy> {
  const recorded = await traced(specification, new DeviationScheduler(deviations))
  const groups = await racesIn(await Replay.open(recorded.trace), within)
  const all = sum(groups, ({ races }) => Math.min(tries, races.length))
  let number = 0
  const kinds: Kind[] = []
  for (const group of groups) {
    const tried: Tried[] = []
    for (const race of group.races.slice(0, tries)) {
      await setImmediate() // lets an interrupt be handled, as in racesIn
      const trial = await tryOther(specification, recorded, deviations, race)
      tried.push({ ...trial, number: ++number, command: commandFor(subject, specification, trial.deviations) })
      onTried(number, all)
    }
    kinds.push({ ...group, tried })
  }
  return { recorded, kinds }
}

function deviationsOf({ options: { schedule = 'fifo' } }: Specification): Deviations {
  if (isDeviations(schedule)) return schedule
  if (schedule === 'fifo') return NO_DEVIATIONS
  throw UsageError.invalid('--schedule', 'fifo or a schedule that the explorer printed (b1:...)', `${schedule}`)
}

function commandFor(
  { scenario, given, ...program }: Subject,
  { options }: Specification,
  deviations: Deviations,
): string {
  const { seed = 1 } = options
  const others = new Map([...given].filter(([key]) => key !== 'schedule' && key !== 'runtime'))
  const schedule = printSchedule({ deviations, seed, digest: settingsDigest(options) })
  return [commandOf(program), ...wordsOf(scenario.flags, others), '--schedule', schedule].join(' ')
}

/** One run of a stage under a schedule and a plan of faults. */
import { type Played, play } from '../play.ts'
import type { Deviations, Scheduler } from '../schedule.ts'
import type { Time } from '../time.ts'
import { Recorder } from './recorder.ts'
import type { Sight, Stage, Violation } from './stage.ts'

export interface Attempt {
  readonly outcome: string
  readonly ends: ReadonlyMap<string, Time>
  readonly violations: readonly Violation[]
  /** Where it deviated from fifo: with these it can be had again, on threads too. */
  readonly deviations: Deviations
  readonly decisions: number
  readonly played: Played
}

/** A run that takes more is taken for one that never ends. */
const ROUNDS_MAX = 1_000_000

/** Runs a stage inline, as `scheduler` decides. */
export async function attempt(stage: Stage, scheduler: Scheduler, faults = stage.faults): Promise<Attempt> {
  const recorder = new Recorder(scheduler)
  let sight: Sight | undefined
  const actors = stage.addresses.length
  // Small, since thousands of runs follow each other; what outgrows it says so.
  const limits = { actors, rounds: ROUNDS_MAX, memoryMB: Math.max(1, actors / 8) }
  const played = await play({
    ...{ faults, ...(stage.until !== undefined && { until: stage.until }) },
    options: { ...limits, ...stage.options, runtime: 'inline', scheduler: recorder },
    open: async (system) => {
      sight = await stage.open(system)
    },
  })
  const violations = [...(sight?.violations() ?? []), ...failuresOf(played)]
  return {
    ...{ outcome: sight?.outcome() ?? '', ends: sight?.ends?.() ?? new Map(), violations, played },
    ...{ deviations: recorder.deviations, decisions: recorder.decisions },
  }
}

/** What is wrong whatever the scenario. */
function failuresOf({ crashes, end }: Played): Violation[] {
  const found = crashes.map((text) => ({ property: `no actor crashes: ${text.replace(/\d+/g, '#')}`, text }))
  if (end.ended !== 'rounds') return found
  const text = `it did not end within the limit of rounds; ${end.waiting.slice(0, 3).join('; ')}`
  return [...found, { property: 'every run comes to rest', text }]
}

/** Looks for a bug with a strategy, schedule after schedule. */
import { collect } from '../../lib/cli/flags.ts'
import { baselineOf, explore, type Failure } from '../../lib/explore/explore.ts'
import type { Stage } from '../../lib/explore/stage.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { explorableOf } from '../../scenarios/lab/stages.ts'
import type { Bug } from './bug.ts'
import { SCENES } from './scenes.ts'

export function stageOf({ scenario, args }: Pick<Bug, 'scenario' | 'args'>, actors?: URL): Stage {
  const scene = SCENES[scenario]
  if (scene) return scene(actors)
  const { flags, stage } = explorableOf(scenario)
  return stage(collect(flags, args.split(' ')), actors)
}

export interface Hunt {
  /** Schedules until it was found, that one included, or all of them. */
  readonly schedules: number
  readonly seconds: number
  /** Undefined: it was not found. */
  readonly failure: Failure | undefined
  /** Properties that were broken, whichever. */
  readonly broken: readonly string[]
}

/** Up to `most` schedules of a stage under the bug's faults, until its promise is broken. */
export async function hunt(stage: Stage, { allowed, property }: Bug, strategy: string, most: number): Promise<Hunt> {
  const began = performance.now()
  const isEnough = ({ violations }: Failure) => violations.some((violation) => violation.property === property)
  const { schedules, failures } = await explore(
    { stage, strategy: strategyOf(strategy, '--strategy'), seed: 1, allowed, from: 0, until: most, isEnough },
    await baselineOf(stage),
  )
  return {
    schedules,
    seconds: (performance.now() - began) / 1000,
    failure: failures.find(isEnough),
    broken: [...new Set(failures.flatMap(({ violations }) => violations.map((violation) => violation.property)))],
  }
}

/** Searches for a bug with a strategy, one schedule after another. */

import { type Baseline, baselineOf, explore, type Failure } from '../../lib/explore/explore.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { collect } from '../../lib/scenario/flags.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import type { Bug } from './bug.ts'
import { SCENES } from './scenes.ts'

export function stageOf({ scenario, args }: Pick<Bug, 'scenario' | 'args'>, actors?: URL): Specification {
  const scene = SCENES[scenario]
  if (scene) return scene(actors)
  const { flags, specification } = scenarioNamed(scenario)
  return specification(collect(flags, args.split(' ')).given, actors)
}

export interface Hunt {
  /** The number of schedules, up to the failing one or to the limit. */
  readonly schedules: number
  readonly seconds: number
  /** The failing run; undefined if the bug was not found. */
  readonly failure: Failure | undefined
  /** All properties that were broken. */
  readonly broken: readonly string[]
}

/** Runs up to `most` schedules of a specification under the faults of the bug, until its promise is broken. */
export async function hunt(
  specification: Specification,
  { allowed, property }: Pick<Bug, 'allowed' | 'property'>,
  strategy: string,
  most: number,
  seed = 1,
  known?: Baseline,
): Promise<Hunt> {
  const began = performance.now()
  const isEnough = ({ violations }: Failure) => violations.some((violation) => violation.property === property)
  const search = { specification, strategy: strategyOf(strategy, '--strategy'), seed, allowed, isEnough }
  const baseline = known ?? (await baselineOf(specification))
  const { schedules, failures } = await explore({ ...search, from: 0, until: most }, baseline)
  const broken = new Set(failures.flatMap(({ violations }) => violations.map(({ property: one }) => one)))
  return {
    schedules,
    seconds: (performance.now() - began) / 1000,
    failure: failures.find(isEnough),
    broken: [...broken],
  }
}

/** Parallel jobs as the explorer sees them: nobody gives up a job that has lost nobody, and all of them go on. */
import { toUnits } from '../../../lib/actor.ts'
import type { Stage, Violation } from '../../../lib/explore/stage.ts'
import type { Fault } from '../../../lib/faults/faults.ts'
import type { GivenOptions } from '../../../lib/system.ts'
import { clusterStage, type Seen } from '../stage.ts'
import type { Options } from './options.ts'
import { clusterOf, type Mix } from './run.ts'

export interface Setup {
  readonly mix: Mix
  readonly faults: readonly Fault[]
  readonly options: Options
}

export function stageOf({ mix, faults, options }: Setup, how: GivenOptions, actors?: URL): Stage {
  const { seed, warmUp, measure, loss } = options
  const isCalm = faults.length === 0 && loss === 0
  const promises = (seen: Seen): Violation[] =>
    isCalm && seen.lost + seen.deaths.length === 0 ? [...givenUp(seen), ...stuck(seen)] : []
  return clusterStage({
    cluster: { ...clusterOf(mix, seed), ...(actors && { actors }) },
    ...{ faults, options: how, until: warmUp + measure, promises },
  })
}

const givenUp = ({ facts }: Seen): Violation[] =>
  facts.flatMap(({ fact }) =>
    fact.type === 'aborted'
      ? [{ property: 'no job is given up that has lost nobody', text: `${fact['job']}, for ${fact['lost']}` }]
      : [],
  )

/** They never end, so there is always something left to do. */
const stuck = ({ jobs, idleSince }: Seen): Violation[] =>
  idleSince === null
    ? []
    : [
        {
          property: 'parallel jobs go on for ever',
          text: `${jobs.join(' and ')} have stopped at ${toUnits(idleSince)}`,
        },
      ]

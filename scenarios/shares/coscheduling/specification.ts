/** Parallel jobs as the explorer checks them: their barriers open round after round. */

import type { Fault } from '../../../lib/scenario/faults.ts'
import { type Specification, sometime } from '../../../lib/scenario/specification.ts'
import type { SystemInit } from '../../../lib/system.ts'
import { clusterSpecification, roundsSkipped } from '../specification.ts'
import type { Options } from './flags.ts'
import { clusterOf, type Mix } from './one-run.ts'

export interface Setup {
  readonly mix: Mix
  readonly faults: readonly Fault[]
  readonly options: Options
}

export const specificationOf = ({ mix, faults, options }: Setup, how: SystemInit, actors?: URL): Specification =>
  clusterSpecification({
    cluster: { ...clusterOf(mix, options.seed), actors },
    faults,
    options: how,
    until: options.warmUp + options.measure,
    promises: roundsSkipped,
    sometimes: SOMETIMES,
  })

const SOMETIMES = [
  sometime('barrier opened', 'barrier', 'opened'),
  sometime('parallel job given up', 'barrier', 'aborted'),
]

/** The fault plans of a cluster: how they are run, judged and measured. */
import { toUnits } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import { type Cost, type FaultPlans, type PlanRun, percent, ratio } from '../../lib/scenario/fault-plans.ts'
import { Observations } from './faults/observations.ts'
import { KINDS, type Plan, planOf } from './faults/plans.ts'
import { Promises } from './faults/promises.ts'
import type { Cluster } from './model.ts'
import type { ClusterOracle } from './oracle.ts'

type Run = PlanRun<ClusterOracle, Plan, Observations>

const promisesOf = (run: Run): Promises => new Promises(run.plan, run.seen, run)

const roundsOf = ({ opened }: Observations) => sum(opened.values(), ({ length }) => length)
const cpuOf = ({ usage }: ClusterOracle) => sum(usage.totals, ({ cpu }) => toUnits(cpu))

function costs(run: Run, calm: Run): Cost[] {
  const { detections, wronged, stale } = promisesOf(run)
  const jobs = run.plan.gangs.length
  const givenUp = new Set(run.seen.givenUp.map(({ job }) => job)).size
  const detection = sum(detections, (time) => toUnits(time))
  return [
    percent('processor time lost', cpuOf(calm.oracle) - cpuOf(run.oracle), cpuOf(calm.oracle)),
    percent('barriers lost', roundsOf(calm.seen) - roundsOf(run.seen), roundsOf(calm.seen)),
    percent('given up', givenUp, jobs, '/100 jobs'),
    percent('wronged', wronged, jobs, '/100 jobs'),
    ratio('after', detection, detections.length, 'ms', 0),
    ratio('stale', toUnits(stale), stale > 0 ? 1 : 0, 'ms', 0),
  ]
}

export const FAULT_PLANS: FaultPlans<Cluster, ClusterOracle, Plan, Observations> = {
  kinds: new Map(KINDS.map((kind) => [kind, (seed) => planOf(kind, seed)])),
  watch: (system) => new Observations(system),
  violations: (run) => promisesOf(run).violations,
  costs,
  notes: [
    'Lost, and times: compared with the same plan without faults. Wronged: given up though all members lived, because one could not be',
    'reached, or four questions to it or their answers were lost. After: from the loss of a member until its job was given up; barriers are patient for 250 ms. Stale: from the',
    'end of all faults until shares were exact, where they were not; ticket servers report every 200 ms.',
  ],
}

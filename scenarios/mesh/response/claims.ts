/** The statements of section 5.4 of the thesis about response times, judged by our numbers. */
import { EQUI_RULES } from '../../../actors/mesh/equi.ts'
import { BASELINE } from '../../../actors/mesh/model.ts'
import type { Claim } from '../../../lib/experiment/claim.ts'
import { type Find, holdsOf, listedNumbers, over, type Verdict } from '../../study/figure.ts'
import { blowUp } from '../formulas/birth-death.ts'
import { efficiencyOf, type PolicyName, policiesOf } from '../formulas/policies.ts'
import { LOAD } from './cases.ts'
import { DELTA, MESH } from './point.ts'

export const CLAIMS: readonly Claim[] = [
  {
    where: '5.3',
    says: 'the birth-death model agrees with the simulation',
    remark: 'a million jobs came within 2 % of it',
  },
  {
    where: '5.4.1',
    says: 'folding without rotations responds about 10 % sooner than EQUI+',
    remark: '8 to 9 % over all jobs; 0.5 to 9 % for short ones, rising with their share',
  },
  {
    where: '5.4.1',
    says: 'folding without rotations is the best kind of folding',
    remark: 'for long jobs, by less than 1 %; short ones gain up to 10 % from rotations',
  },
  { where: '5.4.1', says: 'sharing space varies blow-ups like processor sharing, FCFS far more' },
  { where: '5.4.2', says: 'a small limit delays jobs that fold, and may help EQUI+' },
]

const says = (index: number): string => CLAIMS[index]?.says ?? ''

/** The most jobs at once that matter; more are too rare. */
const MOST = 64

/** The blow-up by the birth-death model: mean response over mean time alone. */
export function modelled(policy: PolicyName): number {
  const efficiency = efficiencyOf({ ...BASELINE, mesh: MESH, delta: DELTA }, policiesOf(EQUI_RULES.standard)[policy])
  return blowUp(LOAD, efficiency, MOST)
}

const P = 0.5

const shown = (...values: readonly (number | null)[]) => listedNumbers(values, 3)

export function verdicts(find: Find): Verdict[] {
  const of = (what: string, policy: string, limit: number | 'none' = 'none', overhead = '-') =>
    find(what, policy, P, limit, overhead, 'free')
  const loads = (['FOLD', 'EQUI+ random', 'EQUI random'] as const).map((policy) => of('all / alone', policy))
  const models = loads.includes(null) ? [] : [modelled('FOLD'), modelled('EQUI+'), modelled('EQUI')]
  const far = Math.max(...models.map((one, i) => Math.abs((loads[i] ?? 0) / one - 1)))
  const ahead = over(of('all', 'FOLD'), of('all', 'EQUI+ random'))
  const short = over(of('short', 'FOLD 15J'), of('short', 'FOLD'))
  const long = over(of('long', 'FOLD 15J'), of('long', 'FOLD'))
  const variations = (['FOLD', 'EQUI+ random', 'FCFS'] as const).map((policy) =>
    of('variation', policy, policy === 'FCFS' ? 1 : 'none'),
  )
  const [ofFold, ofEqui, ofFcfs] = variations.map((one) => one ?? Number.NaN)
  const one = over(of('all', 'FOLD', 1, '1 %'), of('all', 'FOLD'))
  const two = over(of('all', 'EQUI+ random', 2, '1 %'), of('all', 'EQUI+ random'))
  return [
    {
      says: says(0),
      ours: `response over time alone of FOLD, EQUI+, EQUI ${shown(...loads)}; the model ${shown(...models)}`,
      // the load of 20,000 random jobs differs slightly from that of the model
      holds: holdsOf(loads, far < 0.08),
    },
    {
      says: says(1),
      ours: `all jobs: ${shown(ahead)} of EQUI+`,
      holds: holdsOf([ahead], Math.abs((ahead ?? 0) - 0.9) < 0.03),
    },
    {
      says: says(2),
      ours: `rotating every 15 J s over not at all: short ${shown(short)}, long ${shown(long)}`,
      holds: holdsOf([short, long], (short ?? 0) >= 1 && (long ?? 0) >= 1),
    },
    {
      says: says(3),
      ours: `FOLD, EQUI+, FCFS ${shown(...variations)}`,
      holds: holdsOf(variations, (ofFcfs ?? 0) > 5 * Math.max(ofFold ?? 0, ofEqui ?? 0)),
    },
    {
      says: says(4),
      ours: `over no limit: FOLD with one at once ${shown(one)}, EQUI+ with two ${shown(two)}`,
      holds: holdsOf([one, two], (one ?? 0) > 1 && (two ?? 2) < 1),
    },
  ]
}

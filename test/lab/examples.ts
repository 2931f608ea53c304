/** A small run of every scenario that can be explored. Tests about each of them go over these. */
import { collect } from '../../lib/scenario/flags.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'

/** The flags of each, by the name of the scenario. */
export const EXAMPLES = {
  'bidding/market': '--tasks 4 --speeds 1,1,2 --clients 2 --load 2 --latency 1',
  'shares/cluster': '--machines 2 --period 100 --until 500 --latency 1',
  'shares/coscheduling': '--machines 2 --tickets 1,2 --granularity 20 --warm-up 200 --measure 300',
  'shares/placer': '--machines 3 --jobs a:1:30 --jobs b:2:20 --jobs c@m2:1:10 --apart 2 --timeout 3 --latency 1',
  'shares/stride': '--quanta 20 --latency 1',
  'economy/run': '--processors 4 --users 2 --load 2 --span 300 --jobs 6',
  'contracts/run': '--sites 2 --processors 1 --tasks 6 --batch 2 --load 2 --latency 1',
  'mesh/run': '--mesh 4x4 --jobs 6 --leaders 4 --load 4 --short 1 --short-mean 10 --latency 0.1',
}

/** The flags of the example of a scenario. Throws if it has none. */
export function lineOf(name: string): string {
  const found = Object.entries(EXAMPLES).find(([scenario]) => scenario === name)
  if (!found) throw new RangeError(`${name} has no example in test/lab/examples.ts`)
  return found[1]
}

/** The specification of a scenario with these flags. */
export function specificationOf(name: string, line: string): Specification {
  const { flags, specification } = scenarioNamed(name)
  return specification(collect(flags, line.split(' ')).given)
}

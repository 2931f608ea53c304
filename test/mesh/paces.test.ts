/** Efficiency preservation of runs by messages: the sum of the paces of all jobs (golden G9), on 16x16. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JobFact } from '../../actors/mesh/job/book.ts'
import type { MappingName } from '../../actors/mesh/job/pace.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import { type Address, type Message, roleOf } from '../../lib/actor.ts'
import { type Multicomputer, OPERATOR } from '../../scenarios/mesh/model.ts'
import { EFFICIENCY } from '../../scenarios/mesh/paper/converged.ts'
import { runMesh } from '../../scenarios/mesh/run.ts'
import { sampled } from '../repeats.ts'

const MESH = { m: 4, n: 4 }
const JOBS = 32

/** The sums of all paces with 1, 2, ... jobs. */
async function pacesOf(policy: 'equi' | 'fold', mapping: MappingName, runtime: 'inline' | 'threads', jobs: number) {
  const multicomputer: Multicomputer = {
    allocator: policy === 'fold' ? { policy, mesh: MESH, divides: true } : { policy, mesh: MESH, deal: 'arrival' },
    job: { model: { ...BASELINE, mesh: MESH }, mapping },
    leaders: jobs,
    work: { script: Array.from({ length: jobs }, (_, i): Step => ({ type: 'arrive', job: i + 1 })) },
  }
  const paces = new Map<Address, number>()
  const sums: number[] = []
  const { crashes, oracle: watch } = await runMesh(multicomputer, { runtime }, [], {
    onSystem: (system) =>
      system.onFact((fact, { who }) => {
        if (isJob(fact, who) && fact.type === 'resumed') paces.set(who, fact.pace)
        if (who === OPERATOR) sums.push([...paces.values()].reduce((sum, pace) => sum + pace, 0))
      }),
  })
  assert.equal([crashes, watch.broken], [[], []])
  return sums
}

const isJob = (_: Message, who: Address): _ is JobFact => roleOf(who) === 'job'

const CASES = [
  ['EQUI', 'equi', 'simple', 'equi'],
  ['EQUI+', 'equi', 'snake', 'equiPlus'],
  ['FOLD', 'fold', 'simple', 'fold'],
] as const

for (const [runtime, jobs, cases] of [
  ['inline', JOBS, CASES],
  ['threads', 8, sampled(CASES)],
] as const) {
  for (const [name, policy, mapping, column] of cases) {
    test(`${name}, ${runtime}: up to ${jobs} jobs have the efficiency of the specification, to 6 digits`, async () => {
      const sums = await pacesOf(policy, mapping, runtime, jobs)
      assert.equal(
        sums.map((sum) => sum.toFixed(6)),
        EFFICIENCY.slice(0, jobs).map((row) => row[column]?.toFixed(6)),
      )
    })
  }
}

test.run()

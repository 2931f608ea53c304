/** The strength of the differential test: the machines that the suite draws find every mutant of one line. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EnginesDiffer } from '../../lib/engine/shadow.ts'
import { sampled } from '../repeats.ts'
import { MUTANTS } from './mutants.ts'
import { mutated } from './mutated.ts'
import { compareRandom } from './rounds.ts'

/** The number of machines that machines.test.ts draws. */
const MACHINES = 150

for (const mutant of sampled(MUTANTS)) {
  test(`the differential test finds a mutant of the compiler: ${mutant.what}`, async () => {
    const compile = await mutated(mutant)
    try {
      compareRandom(1, MACHINES, compile)
    } catch (error) {
      assert.instance(error, EnginesDiffer)
      return
    }
    assert.unreachable(`not found by ${MACHINES} machines`)
  })
}

test.run()

/** Is the differential test strong enough? Every mistake of one line is found by the machines that the suite draws. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EnginesDiffer } from '../../lib/engine/shadow.ts'
import { MUTANTS } from './mutants.ts'
import { mutated } from './mutated.ts'
import { compareRandom } from './rounds.ts'

/** As many as machines.test.ts draws. */
const MACHINES = 150

for (const mutant of MUTANTS) {
  test(`a compiler with a mistake is found out: ${mutant.what}`, async () => {
    const compile = await mutated(mutant)
    try {
      compareRandom(1, MACHINES, compile)
    } catch (error) {
      assert.instance(error, EnginesDiffer)
      return
    }
    assert.unreachable(`not by ${MACHINES} machines`)
  })
}

test.run()

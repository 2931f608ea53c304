import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { execute } from '../../lib/explore/execution.ts'
import { fifo } from '../../lib/explore/strategies/fifo.ts'
import { DEFAULT_STRATEGY } from '../../lib/explore/strategies/strategies.ts'
import { brokenActors, forget } from '../bugs/broken.ts'
import { BUGS } from '../bugs/bugs.ts'
import { hunt, stageOf } from '../bugs/hunt.ts'

const test = suite('a bug of one line')
const plain = fifo({ seed: 1, run: 0, decisions: 0 })

for (const bug of BUGS) {
  test(`is found by the default strategy within ${bug.within} schedules, and not by the undisturbed run: ${bug.name}`, async () => {
    const actors = brokenActors(bug)
    const specification = stageOf(bug, actors)
    assert.equal((await execute(specification, plain)).violations, [])
    const { failure } = await hunt(specification, bug, DEFAULT_STRATEGY, bug.within)
    forget(actors)
    assert.ok(failure, `${bug.what}: not found`)
    const { broken } = await hunt(stageOf(bug), bug, DEFAULT_STRATEGY, bug.within)
    assert.equal(broken, [], 'the protocol without it')
  })
}

test.run()

/** The ledger's rule on aborts: which executions a contractor may stop. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { Ledger } from '../../scenarios/bidding/oracle/ledger.ts'

const ATTEMPT = { task: 1, attempt: 1 }

const PLACED_WITH_IT = ['m1 aborted task 1, which its client has placed there']

/** The violations of a task that m1 is awarded at 0, starts at 1 and aborts at 9, after the given events in between. */
function storyOf(...between: readonly ('stopped' | 'm1' | 'm2')[]): readonly string[] {
  const ledger = new Ledger()
  const place = (type: string, at: number, machine: string) =>
    ledger.fold({ type, ...ATTEMPT, contractor: `contractor@${machine}` }, 'client@c1', units(at))
  place('awarded', 0, 'm1')
  ledger.fold({ type: 'started', ...ATTEMPT, work: units(20) }, 'processor@m1', units(1))
  for (const [i, next] of between.entries()) {
    if (next !== 'stopped') {
      ledger.fold({ type: 'bumped', ...ATTEMPT, contractor: 'contractor@m1' }, 'client@c1', units(2 + i))
      place('replaced', 2 + i, next)
    } else ledger.fold({ type: 'stopped', ...ATTEMPT, heard: units(1) }, 'contractor@m1', units(2 + i))
  }
  ledger.fold({ type: 'aborted', ...ATTEMPT, busy: units(8) }, 'processor@m1', units(9))
  return ledger.violations
}

test('an execution may not be stopped while its client has placed the task there', () => {
  assert.equal(storyOf('stopped'), PLACED_WITH_IT)
  assert.equal(storyOf('m1', 'stopped'), PLACED_WITH_IT)
})

test('an execution may be stopped after its task has moved away, even if the task has come back since', () => {
  assert.equal(storyOf('m2', 'stopped'), [])
  assert.equal(storyOf('m2', 'm1', 'stopped'), [])
})

test('an execution that was stopped while its task was elsewhere may end after the task has come back', () => {
  assert.equal(storyOf('m2', 'stopped', 'm1'), [])
})

test('an execution of an old award may be stopped, though the task has been awarded there again', () => {
  const storyHeard = (heard: number) => {
    const ledger = new Ledger()
    for (const [at, machine] of ['m1', 'm2', 'm1'].entries()) {
      const type = at === 0 ? 'awarded' : 'moved'
      ledger.fold({ type, ...ATTEMPT, contractor: `contractor@${machine}` }, 'client@c1', units(at))
    }
    ledger.fold({ type: 'started', ...ATTEMPT, work: units(20) }, 'processor@m1', units(4))
    ledger.fold({ type: 'stopped', ...ATTEMPT, heard: units(heard) }, 'contractor@m1', units(5))
    ledger.fold({ type: 'aborted', ...ATTEMPT, busy: units(1) }, 'processor@m1', units(5))
    return ledger.violations
  }
  assert.equal(storyHeard(1), [])
  assert.equal(storyHeard(3), PLACED_WITH_IT)
})

test('a contractor whose processor or client is silent stops an execution, wherever the task is placed', () => {
  const story = (...end: readonly string[]) => {
    const ledger = new Ledger()
    const place = (type: string) =>
      ledger.fold({ type, ...ATTEMPT, contractor: 'contractor@m1' }, 'client@c1', units(4))
    place('awarded')
    ledger.fold({ type: 'stopped', ...ATTEMPT, heard: units(4) }, 'contractor@m1', units(4))
    for (const type of end) ledger.fold({ type, ...ATTEMPT }, 'contractor@m1', units(4))
    // the client has not heard of it yet, and the abort comes behind the order to run
    ledger.fold({ type: 'bumped', ...ATTEMPT, contractor: 'contractor@m1' }, 'client@c1', units(4))
    place('replaced')
    ledger.fold({ type: 'started', ...ATTEMPT, work: units(20) }, 'processor@m1', units(4))
    ledger.fold({ type: 'aborted', ...ATTEMPT, busy: 0 }, 'processor@m1', units(4))
    return ledger.violations
  }
  assert.equal(story(), PLACED_WITH_IT)
  assert.equal(story('stranded'), [])
  assert.equal(story('stranded', 'recovered'), [])
  assert.equal(story('abandoned'), [])
})

test.run()

/** What may be stopped of what clients have placed, as the ledger of a market sees it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Ledger } from '../../actors/bidding/ledger.ts'
import { units } from '../../lib/actor.ts'

const ATTEMPT = { task: 1, incarnation: 1 }

/** Awarded to m1 at 0 and begun there at 1; stopped at 9, after what happened to it at clients in between. */
function storyOf(places: readonly (readonly [at: number, machine: string])[]): readonly string[] {
  const ledger = new Ledger()
  const place = (type: string, at: number, machine: string) =>
    ledger.fold({ type, ...ATTEMPT, contractor: `contractor@${machine}` }, 'client@c1', units(at))
  place('awarded', 0, 'm1')
  ledger.fold({ type: 'started', ...ATTEMPT, work: units(20) }, 'processor@m1', units(1))
  for (const [at, machine] of places) place('replaced', at, machine)
  ledger.fold({ type: 'aborted', ...ATTEMPT, busy: units(8) }, 'processor@m1', units(9))
  return ledger.violations
}

test('what runs where its client has it is not stopped', () => {
  const broken = ['m1 aborted task 1, which is with it for its client']
  assert.equal(storyOf([]), broken)
  assert.equal(storyOf([[5, 'm1']]), broken)
})

test('what was taken away may be stopped, even if the task has come back meanwhile', () => {
  assert.equal(storyOf([[5, 'm2']]), [])
  assert.equal(
    storyOf([
      [5, 'm2'],
      [7, 'm1'],
    ]),
    [],
  )
})

test.run()

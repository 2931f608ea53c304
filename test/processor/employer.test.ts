/** What employers have in common: how they probe their processors, and take back those that were lost. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Employer, fromProcessor, idleOf, probe, toProcessor } from '../../actors/processor/employer.ts'
import type { ToProcessor } from '../../actors/processor/messages.ts'
import { type Draft, type Effect, idleDetector, ref, type Turn, tell } from '../../lib/actor.ts'

const test = suite('employers')

const PROCESSORS = ['m0', 'm1', 'm2', 'm3'].map((machine) => ref<ToProcessor>(`processor@${machine}`))

/** A turn of an employer with four processors, of which those of `down` are lost, and the effects of the turn. */
function turnWith(down: readonly number[], silent: readonly number[] = []) {
  const context: Draft<Employer> = {
    terms: { processors: PROCESSORS },
    book: { down },
    detector: { ...idleDetector<number>(), silent },
  }
  const effects: Effect[] = []
  const it: Turn<Employer> = {
    context,
    do(...more) {
      effects.push(...more)
    },
  }
  return { it, context, effects }
}

const to = (place: number, message: ToProcessor): Effect => tell(ref<ToProcessor>(`processor@m${place}`), message)
const probeOf = (task: number, attempt: number): ToProcessor => ({ type: 'probe', task, attempt })

test('a message goes to the processor with the number, if there is one', () => {
  const { it, effects } = turnWith([])
  toProcessor(it, 3, { type: 'reset' })
  toProcessor(it, 4, { type: 'reset' })
  assert.equal(effects, [to(3, { type: 'reset' })])
})

test('a processor is idle unless it is taken or lost', () => {
  const { context } = turnWith([2])
  assert.equal(idleOf(context, [0]), [1, 3])
  assert.equal(idleOf(context, []), [0, 1, 3])
  assert.equal(idleOf(context, [0, 1, 3]), [])
})

test('those at work are probed about their attempts and the lost ones about none, and only the first are awaited', () => {
  const { it, context, effects } = turnWith([2], [3])
  probe(it, [
    [1, { task: 7, attempt: 2 }],
    [0, { task: 8, attempt: 1 }],
  ])
  assert.equal(effects, [to(1, probeOf(7, 2)), to(0, probeOf(8, 1)), to(2, probeOf(-1, 0))])
  assert.equal(context.detector.silent, [1, 0])
})

/** What a message of an address leads to. */
function heard(from: string, down: readonly number[]) {
  const { it, context, effects } = turnWith(down, [0, 2])
  const calls: string[] = []
  fromProcessor(
    it,
    from,
    (place) => calls.push(`found ${place}`),
    (place) => calls.push(`happens ${place}`),
  )
  return { calls, effects, silent: context.detector.silent }
}

test('a message shows that its processor is alive', () => {
  assert.equal(heard('processor@m0', [1]), { calls: ['happens 0'], effects: [], silent: [2] })
})

test('a processor that was lost is found and reset before its message is handled', () => {
  const found = { calls: ['found 2', 'happens 2'], effects: [to(2, { type: 'reset' })], silent: [0] }
  assert.equal(heard('processor@m2', [1, 2]), found)
})

test('a message of another address is ignored', () => {
  assert.equal(heard('processor@m9', [1]), { calls: [], effects: [], silent: [0, 2] })
})

test.run()

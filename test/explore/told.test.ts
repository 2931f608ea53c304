/** What is told of a failing run: its deviations in sentences, and its causal slice. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DeviationScheduler, type Deviations } from '../../lib/actor/schedule.ts'
import { breakingIn, CAUSES_MAX, type Cause, causesOf } from '../../lib/explore/causal-slice.ts'
import { type Traced, traced } from '../../lib/explore/execution.ts'
import { sentencesOf } from '../../lib/explore/explain.ts'
import { explore, PromiseBroken, replay } from '../../lib/explore/laboratory.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { inWords } from '../../lib/scenario/oracle.ts'
import { thingOf } from '../../lib/trace/run.ts'
import { brokenActors, forget } from '../bugs/broken.ts'
import { BUGS } from '../bugs/bugs.ts'
import { stageOf } from '../bugs/hunt.ts'
import adding from '../fixtures/adding/adding.ts'
import crashing from '../fixtures/crashing/crashing.ts'

const test = suite('a failing run')

const LOST = { property: 'no addition is lost', text: 'the register has 1 after 2 additions' }
const deviating = (deviations: Partial<Deviations>): Deviations => ({ holds: [], lost: [], doubled: [], ...deviations })
/** The register handles the write of the first client only after the read of the second. */
const HELD = deviating({ holds: [{ thing: '2.0.1', until: 3 }] })

const additions = (deviations: Deviations) =>
  traced(adding.specification(new Map()), new DeviationScheduler(deviations))

/** What is told of the deviations of a run of the two clients. */
const toldOf = async (given: Partial<Deviations>): Promise<string[]> =>
  sentencesOf(deviating(given), await additions(deviating(given)))

const inLines = (causes: readonly Cause[]): string[] =>
  causes.map(({ text, isDecision }) => `${isDecision ? '*' : ' '} ${text}`)

test('says when a held event was due, when it was handled, and what overtook it', async () => {
  assert.equal(await toldOf(HELD), [
    'register@r handles write 2.0.1 of client@c1 at 8 instead of 4, after read 3.0.0 of client@c2',
  ])
  assert.equal(await toldOf({ holds: [{ thing: '2.0.1', until: 4 }] }), [
    'register@r handles write 2.0.1 of client@c1 at 8 instead of 4, after 1 other event and write 3.0.1 of client@c2',
  ])
})

test('says how late an event was handled that nothing overtook', async () => {
  assert.equal(await toldOf({ holds: [{ thing: '2.0.t0', until: 2 }] }), [
    "client@c1 handles its timer 'begin' at 8 instead of 4",
  ])
})

test('says which events were held back to the end, or do not come', async () => {
  const { run, heldSince } = await additions(HELD)
  const steps = run.steps.filter((step) => thingOf(step) !== '2.0.1')
  assert.equal(sentencesOf(HELD, { run: { ...run, steps }, heldSince }), [
    'write 2.0.1 of client@c1 to register@r is held back from 4 on, and never handled',
  ])
  assert.equal(await toldOf({ holds: [{ thing: '9.0.7', until: 2 }] }), [
    'the event 9.0.7, which would be held back, does not come',
  ])
})

test('names the messages that are lost or doubled', async () => {
  assert.equal(await toldOf({ lost: ['2.0>1.1'] }), ['write 2.0.1 of client@c1 to register@r is lost'])
  assert.equal(await toldOf({ doubled: ['2.0>1.1'] }), ['write 2.0.1 of client@c1 to register@r arrives twice'])
})

test('is told with the events that led to its end, and which of them the schedule decided', async () => {
  assert.equal(inLines(causesOf(await additions(HELD), HELD, LOST)), [
    '  at 4 client@c1 handles timer begin (begin), sends read to register@r',
    '  at 4 register@r handles read from client@c1, sends number to client@c1',
    '  at 4 client@c1 handles number from register@r, sends write to register@r',
    '  at 8 client@c2 handles timer begin (begin), sends read to register@r',
    '  at 8 register@r handles read from client@c2, sends number to client@c2',
    '* at 8 register@r handles write from client@c1, which was held back from 4, tells written',
    '  at 8 client@c2 handles number from register@r, sends write to register@r',
    '  at 8 register@r handles write from client@c2, tells written',
  ])
})

test('that lacks something ends in the last fact which its violation names, or else in the last fact', async () => {
  const plain = deviating({})
  const scheduled = await additions(plain)
  const last = (text: string) => inLines(causesOf(scheduled, plain, { property: '', text })).at(-1)
  assert.is(last('n 1 is wrong'), '  at 4 register@r handles write from client@c1, tells written')
  assert.is(last('n 10 is no number'), '  at 8 register@r handles write from client@c2, tells written')
})

for (const at of ['a step', 'the end']) {
  test(`whose promise breaks at ${at} is told with the last fact of each name in its violation`, async () => {
    const plain = deviating({})
    const { run, heldSince } = await additions(plain)
    const last = run.steps.findLast(({ facts }) => facts.length > 0)
    const steps = run.steps.map((step) => (at === 'a step' && step === last ? { ...step, broken: ['order'] } : step))
    const violation = { property: 'order', text: 'n 2 follows n 1' }
    const lines = inLines(causesOf({ run: { ...run, steps }, heldSince }, plain, violation))
    assert.equal(
      lines.filter((line) => line.includes('tells')).map((line) => line.slice(line.indexOf('write'))),
      ['write from client@c1, tells written', 'write from client@c2, tells written'],
    )
  })
}

test('whose promise breaks at a step is told with the events that happened before it', async () => {
  const { run, heldSince } = await additions(HELD)
  const steps = run.steps.map((step) => (step.index === 4 ? { ...step, broken: [LOST.property] } : step))
  const scheduled = { run: { ...run, steps }, heldSince }
  assert.is(breakingIn(scheduled.run, LOST)?.index, 4)
  assert.equal(inLines(causesOf(scheduled, HELD, LOST)), [
    '  at 4 client@c1 handles timer begin (begin), sends read to register@r',
    '  at 4 register@r handles read from client@c1',
  ])
})

test('marks a message that arrives twice among what led to it', async () => {
  const doubled = deviating({ doubled: ['2.0>1.1'] })
  const lines = inLines(causesOf(await additions(doubled), doubled, LOST))
  assert.ok(lines.includes('* at 4 client@c1 handles number from register@r, sends write to register@r twice'))
})

/** A run whose client is restarted after three bids, and forgets its award. */
async function forgetful(): Promise<Traced> {
  const bug = BUGS.find(({ name }) => name === 'award not written down')
  assert.ok(bug)
  const actors = brokenActors(bug)
  try {
    const faults = [parseFault('restart client@c1 after 3 bid')]
    return await traced(stageOf(bug, actors), new DeviationScheduler(deviating({})), faults)
  } finally {
    forget(actors)
  }
}

test('marks a fault among what led to it', async () => {
  const run = await forgetful()
  const [broken] = run.violations
  assert.ok(broken)
  assert.is(broken.property, 'a task that may not be begun twice is begun once')
  const causes = causesOf(run, deviating({}), broken)
  const decided = causes.findIndex(({ isDecision }) => isDecision)
  assert.match(causes[decided]?.text ?? '', 'the fault "restart client@c1 after 3 bid" strikes')
  assert.match(causes[decided - 1]?.text ?? '', 'at 3 client@c1 handles bid from contractor@m2')
})

test('of which a violation names many facts is still told with its decisions', async () => {
  const { run, heldSince, violations } = await forgetful()
  const steps = run.steps.map((step) => ({ ...step, facts: [{ type: 'told', n: step.index }], broken: [] }))
  const text = steps.map(({ index }) => `n ${index}`).join(', ')
  const holds = steps.slice(-3).map((step) => ({ thing: thingOf(step), until: step.index }))
  const causes = causesOf({ run: { ...run, steps }, heldSince }, deviating({ holds }), { property: '', text })
  assert.ok(violations.length > 0 && steps.length > 2 * CAUSES_MAX)
  assert.is(causes.filter(({ isDecision }) => isDecision).length, 1 + holds.length, 'a fault and three held events')
  const events = causes.filter(({ text: line }) => line.startsWith('at '))
  assert.is(events.length, CAUSES_MAX, 'a decision that is also an end takes one place')
})

test('that lacks something is told with the states in which its actors are at the end', async () => {
  const lines = inLines(causesOf(await forgetful(), deviating({}), { property: '', text: 'processor@m2 never works' }))
  assert.is(
    lines.at(-1),
    '  in the end processor@m2 is in state idle, since 10, when it handled timer slice (completed)',
  )
})

test('of a crash is told with the event that the actor died of, and once', async () => {
  const thrown: unknown = await explore(crashing, { schedules: 200 }).catch((error: unknown) => error)
  assert.ok(thrown instanceof PromiseBroken, String(thrown))
  assert.match(
    thrown.message,
    /^no actor crashes: register@r died of Error: 2 came first\n.*\n.*\n {2}the actor dies at 2, when register@r handles put /,
  )
  const { case: found } = thrown
  assert.is(found.property, 'no actor crashes: register@r died of Error: # came first')
  assert.equal(await replay(crashing, found.schedule), ['no actor crashes: register@r died of Error: 2 came first'])
  const held = deviating({ holds: [{ thing: '2.0.0', until: 2 }] })
  const run = await traced(crashing.specification(new Map()), new DeviationScheduler(held))
  assert.equal(inLines(causesOf(run, held, found)), [
    '* at 1 client@c1 handles timer go (go), sends put to register@r, which is held back until register@r has died',
    '  at 2 client@c2 handles timer go (go), sends put to register@r',
    '  at 2 register@r handles put from client@c2, dies of Error: 2 came first',
  ])
  assert.equal(inWords([found]), ['no actor crashes: register@r died of Error: 2 came first'])
})

test.run()

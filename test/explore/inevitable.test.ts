/** The step from which on a failing run fails whatever comes next, where it is known from the construction of the bug. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Deviations, NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { Continuations } from '../../lib/explore/continuations.ts'
import { inevitableOf } from '../../lib/explore/inevitable.ts'
import { shrunkRun } from '../../lib/explore/shrunk-run.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { curvePicture } from '../../scenarios/lab/curve.ts'
import { brokenActors, forget } from '../bugs/broken.ts'
import { BUGS } from '../bugs/bugs.ts'
import { stageOf } from '../bugs/hunt.ts'
import adding from '../fixtures/adding/adding.ts'

const test = suite('the step from which on a run fails whatever comes next')

const LOST = 'no addition is lost'
/** The register handles the write of the first client only after the read of the second. */
const HELD: Deviations = { holds: [{ thing: '2.0.1', until: 3 }], lost: [], doubled: [] }
const additions = (seed = '1'): Specification => adding.specification(new Map([['seed', [seed]]]))

test('is the one that reads a number which is about to change', async () => {
  const { step, sentences, curve, isCut } = await inevitableOf(additions(), HELD, LOST, { runs: 20 })
  assert.equal([step, isCut], [7, false])
  assert.is(
    sentences[0],
    'the failure is inevitable from step 7 on: at 8 register@r handles read from client@c2 (3.0.0)',
  )
  const [before, there] = [6, 7].map((n) => curve.find((share) => share.step === n))
  // a held write may come as well as the read, although the run holds it until then
  assert.ok(before && before.failed > 5 && before.failed < 15, `${before?.failed} of 20`)
  assert.is(there?.failed, 20)
  assert.match(
    sentences[1] ?? '',
    `from there all 20 random continuations fail, and just before ${before.failed} of 20 do (95 % confidence: 84 to 100 % and `,
  )
  assert.match(sentences[2] ?? '', /^continuations that fail, by step: at first: \d+ %, .*, 7: 100 %, /)
})

test('is found the same for the same seed, from other continuations for another', async () => {
  const found = await inevitableOf(additions(), HELD, LOST, { runs: 20 })
  assert.equal(await inevitableOf(additions(), HELD, LOST, { runs: 20 }), found)
  const other = await inevitableOf(additions('2'), HELD, LOST, { runs: 20 })
  assert.is(other.step, found.step)
  assert.not.equal(other.curve, found.curve)
})

/** A market with a bug of one line, whose promise it breaks under a plan of faults and a schedule. */
async function inevitableIn(
  name: string,
  change: (whole: Specification) => Specification,
  deviations: Deviations,
  runs: number,
) {
  const bug = BUGS.find((one) => one.name === name)
  assert.ok(bug)
  const actors = brokenActors(bug)
  try {
    return await inevitableOf(change(stageOf(bug, actors)), deviations, bug.property, { runs })
  } finally {
    forget(actors)
  }
}

test('is the one that takes the wrong decision: a client moves a task to a late bidder', async () => {
  const held: Deviations = { holds: [{ thing: '4.0.1', until: 4 }], lost: [], doubled: [] }
  const { sentences } = await inevitableIn('single task moved to a late bid', (whole) => whole.only([2]), held, 50)
  assert.match(
    sentences[0] ?? '',
    /^the failure is inevitable from step \d+ on: at 3 client@c1 handles bid from contractor@m2 \(4\.0\.1\)$/,
  )
})

test('may be a fault, without which no continuation fails', async () => {
  const fault = parseFault('restart client@c1 after 3 bid')
  const faulty = (whole: Specification): Specification => ({ ...whole, faults: [fault] })
  const { sentences, curve } = await inevitableIn('award not written down', faulty, NO_DEVIATIONS, 5)
  assert.is(sentences[0], 'the failure is inevitable after step 29: the fault "restart client@c1 after 3 bid" strikes')
  assert.match(sentences[1] ?? '', 'and just before 0 of 5 do')
  const shares = curve.map(({ failed }) => failed)
  assert.equal(
    shares,
    shares.toSorted((one, other) => one - other),
  )
})

test('is not sought in a run that breaks no promise', async () => {
  const refusal = await inevitableOf(additions(), NO_DEVIATIONS, LOST, { runs: 1 }).then(() => '', String)
  assert.match(refusal, 'a repetition of the run kept this promise')
})

test('is told as not found if the time is up', async () => {
  const { step, sentences, isCut } = await inevitableOf(additions(), HELD, LOST, {
    runs: 20,
    late: AbortSignal.abort(),
  })
  assert.equal([step, isCut], [null, true])
  assert.equal(sentences, ['the time was up before a step was found after which all continuations fail'])
})

/** A failing run that breaks its promise only the first time. */
async function failingOnce() {
  let isFirst = true
  const whole = additions()
  const open: Specification['open'] = async (system) => {
    const oracle = await whole.open(system)
    if (!isFirst) return { ...oracle, violations: () => [] }
    isFirst = false
    return oracle
  }
  const violation = { property: LOST, text: 'the register has 1 after 2 additions' }
  const small = { deviations: HELD, faults: [], tasks: [], violation, runs: 0, isCut: false }
  return await shrunkRun({ ...whole, open }, small)
}

test('is not told of a run whose repetition does not fail, and a sentence says why', async () => {
  const run = await failingOnce()
  const inevitable = await run.inevitable({ runs: 2 })
  assert.equal(inevitable?.sentences, [
    `when the failure became inevitable is not known: ${LOST}: a repetition of the run kept this promise`,
  ])
  assert.equal(curvePicture({ inevitable }), [])
  assert.is(await run.inevitable({ runs: 0 }), undefined)
})

test('comes from continuations that repeat the run up to their moment', async () => {
  const continuations = await Continuations.of(additions(), HELD, LOST)
  const { moments, run } = continuations
  // each step of an actor after its start is a moment, and nothing else is
  assert.equal(
    moments.flatMap(({ events }) => events),
    run.steps.filter(({ on }) => on.what !== 'start'),
  )
  assert.ok(await continuations.fails(moments.length - 1, 0))
})

test.run()

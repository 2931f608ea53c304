/** Steps of processors by messages, compared with the calculated times. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { equi } from '../../actors/mesh/equi.ts'
import type { JobFact } from '../../actors/mesh/job/book.ts'
import { MAPPINGS, type MappingName, meanStepTime } from '../../actors/mesh/job/pace.ts'
import { placesOf, type Shape } from '../../actors/mesh/mapping.ts'
import { columnsOf, isPowerOfTwo, type Mesh, processorsOf, rowsOf } from '../../actors/mesh/mesh.ts'
import { BASELINE, type Model, stepAlone, stepTime } from '../../actors/mesh/model.ts'
import { processorAt } from '../../actors/mesh/threads/crew.ts'
import {
  computingTime,
  foldLines,
  numberOf,
  type Placement,
  placementAfter,
  sidesOf,
  threadsOf,
} from '../../actors/mesh/threads/placement.ts'
import { type Address, type Message, roleOf, type Time, units } from '../../lib/actor.ts'
import { keyed } from '../../lib/core/random.ts'
import { System } from '../../lib/system.ts'

const ACTORS = new URL('../../actors/mesh/', import.meta.url)
const mesh: Mesh = { m: 3, n: 3 }
const baseline: Model = { ...BASELINE, mesh }

const nameOf = ({ rows, columns }: Shape) => `${rows}x${columns}`

/** The shapes of all partitions that EQUI and FOLD make of 8x8, for any number of jobs. */
const SHAPES: readonly Shape[] = [
  ...new Map(
    [
      ...Array.from({ length: processorsOf(mesh) }, (_, i) => equi(mesh, i + 1)).flat(),
      ...[1, 2, 4, 8].flatMap((rows) => [1, 2, 4, 8].map((columns) => ({ rows, columns }))),
    ].map((shape) => [nameOf(shape), { rows: shape.rows, columns: shape.columns }]),
  ).values(),
]

/**
 * The time of a step of a job with this placement, once all have begun. A processor waits for its partners only, and
 * never longer than the slowest processor takes for itself.
 */
const placedStepTime = (model: Model, placement: Placement): Time =>
  Math.max(
    ...sidesOf(model.mesh, placement).map(
      ({ load, vertical, horizontal }) =>
        computingTime(model, load) + (vertical.threads + horizontal.threads) * model.message,
    ),
  )

const placed = (of: Mesh, mapping: MappingName, { rows, columns }: Shape): Placement =>
  placesOf(MAPPINGS[mapping].mapping, of, { row: 0, column: 0, rows, columns }).map((place) => numberOf(of, place))

const calculated = (mapping: MappingName, shape: Shape): Time =>
  stepTime(baseline, shape, MAPPINGS[mapping].load(mesh, shape))

/**
 * The time of the messages that are not sent: a partition of one row or column has no neighbours in one dimension.
 */
const unsent = ({ rows, columns }: Shape): Time =>
  (rows === 1 ? Math.ceil(columnsOf(mesh) / columns) * baseline.message : 0) +
  (columns === 1 ? Math.ceil(rowsOf(mesh) / rows) * baseline.message : 0)

/**
 * The two times agree to the last millionth, from the first step on. A processor continues when its own exchange is over
 * and its partners have sent their data. Partner q sends its data of a step no later than its own step ends. So no wait is
 * longer than the longest step of a processor, and the fullest processor never waits: each step takes the time of the
 * fullest processor alone. That is the calculated time if the partition has neighbours in both dimensions.
 */
test('simple mapping: a step lasts as calculated for every shape of EQUI and FOLD, except for messages without a recipient', () => {
  assert.ok(SHAPES.length > 20)
  for (const shape of SHAPES) {
    const time = placedStepTime(baseline, placed(mesh, 'simple', shape))
    assert.is(time, calculated('simple', shape) - unsent(shape), nameOf(shape))
  }
})

/**
 * The calculation uses the sides of a block. A piece of a snake is no block: if the pieces are not whole columns of
 * threads, a side may have one thread more. On 8x8 this happens for three processors in a row, and costs a message of 1112
 * ms.
 */
test('snake mapping: a step lasts as calculated, or one message longer', () => {
  const longer = new Map<string, Time>()
  for (const shape of SHAPES) {
    if (!isPowerOfTwo(shape.rows) && !isPowerOfTwo(shape.columns)) continue
    const time = placedStepTime(baseline, placed(mesh, 'snake', shape))
    const more = time - calculated('snake', shape) + unsent(shape)
    if (more !== 0) longer.set(nameOf(shape), more)
  }
  const one = baseline.message
  assert.equal(longer, new Map(['2x3', '3x2', '1x3', '3x1'].map((shape) => [shape, one])))
})

/** Folded threads lie on each other like sheets: there are as many sides, but each is as long as the whole edge. */
test('repeated folding makes a step at most 1 % longer than calculated', () => {
  let [partition, placement] = [
    { row: 0, column: 0, rows: 8, columns: 8 },
    placed(mesh, 'simple', { rows: 8, columns: 8 }),
  ]
  const more = (['rows', 'columns', 'rows', 'columns', 'rows', 'columns'] as const).map((axis) => {
    const half = { ...partition, [axis]: partition[axis] / 2 }
    placement = placementAfter(placement, foldLines(mesh, placement, partition, half))
    partition = half
    return (placedStepTime(baseline, placement) - calculated('simple', half) + unsent(half)) / baseline.message
  })
  assert.equal(more, [1, 4, 6, 8, 8, 0])
})

/** The times of a job for a number of steps in each of these partitions, as its processors report them. */
async function measured(model: Model, mapping: MappingName, shapes: readonly Shape[], steps: number, seed = 1) {
  const system = new System({ runtime: 'inline', seed })
  for (let number = 0; number < processorsOf(model.mesh); number++)
    await system.spawn(processorAt(model.mesh, number), new URL('processor.ts', ACTORS), { model })
  let [since, took] = [0, 0]
  const isOfJob = (_: Message, who: Address): _ is JobFact => roleOf(who) === 'job'
  system.onFact((fact: Message, { who, at }) => {
    if (!isOfJob(fact, who)) return
    if (fact.type === 'resumed') since = at
    if (fact.type === 'ended') took = at - since
  })
  const times: Time[] = []
  try {
    for (const [i, { rows, columns }] of shapes.entries()) {
      const leader = `job@j${i + 1}`
      await system.spawn(leader, new URL('job.ts', ACTORS), {
        model,
        mapping,
        detail: 'fine',
        allocator: 'system',
        patience: null,
      })
      const partition = { row: 0, column: 0, rows, columns }
      const of = { job: i + 1, attempt: 1 }
      for (const message of [
        { type: 'begin', ...of, work: steps * stepAlone(model), minimum: 1 },
        { type: 'remap', change: 1, ...of, partition },
        { type: 'resume', change: 2 },
      ]) {
        await system.tell(leader, message)
        await system.run()
      }
      times.push(took)
    }
  } finally {
    await system.stop()
  }
  return times
}

for (const mapping of ['simple', 'snake'] as const) {
  test(`${mapping} mapping: processors that exchange messages take exactly that long, in every shape`, async () => {
    const shapes = SHAPES.filter(
      ({ rows, columns }) => mapping === 'simple' || isPowerOfTwo(rows) || isPowerOfTwo(columns),
    )
    const times = await measured(baseline, mapping, shapes, 7)
    const expected = shapes.map((shape) => 7 * placedStepTime(baseline, placed(mesh, mapping, shape)))
    assert.equal(times, expected)
  })
}

/**
 * In the calculation all processors wait for the slowest one in each step. Here each waits for its neighbours, and a
 * processor that is late in one step may be early in the next. So a run is shorter than the sum of the slowest times, and
 * longer than the sum of any processor's own times, for the same draws. The first sum agrees with the calculation within
 * its sampling error.
 */
test('if thread times vary, waiting for neighbours only is faster than waiting for all', async () => {
  const small: Mesh = { m: 2, n: 2 }
  const model = { ...BASELINE, mesh: small, delta: units(0.05) }
  const steps = 400
  for (const shape of [
    { rows: 4, columns: 4 },
    { rows: 2, columns: 4 },
  ]) {
    const [time = 0] = await measured(model, 'simple', [shape], steps)
    const threads = threadsOf(placed(small, 'simple', shape))
    const sides = sidesOf(small, placed(small, 'simple', shape))
    const own = (step: number) =>
      sides.map(({ processor, load, vertical, horizontal }) => {
        const drawn = (threads.get(processor) ?? []).map((one) => keyed(1, 'step', `1 ${step} ${one}`))
        const computing = load * model.compute + (load - 1) * model.switching
        const late = drawn.reduce((sum, u) => sum + (2 * u - 1) * model.delta, 0)
        return Math.round(computing + late) + (vertical.threads + horizontal.threads) * model.message
      })
    const all = Array.from({ length: steps }, (_, i) => own(i + 1))
    const slowest = all.map((times) => Math.max(...times))
    const sum = slowest.reduce((one, other) => one + other, 0)
    const longest = Math.max(...sides.map((_, i) => all.reduce((total, times) => total + (times[i] ?? 0), 0)))
    assert.ok(longest < time && time < sum, `${nameOf(shape)}: ${longest} < ${time} < ${sum}`)
    const mean = sum / steps
    const deviation = Math.sqrt(slowest.reduce((total, one) => total + (one - mean) * (one - mean), 0) / (steps - 1))
    const expected = meanStepTime(model, MAPPINGS.simple.mapping, shape)
    assert.ok(Math.abs(mean - expected) <= (3 * deviation) / Math.sqrt(steps), `${mean} and ${expected}`)
  }
})

test.run()

/** Threads of jobs on processors: their places and their transfers. */

import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JobFact } from '../../actors/mesh/job/book.ts'
import { placesOf, simple } from '../../actors/mesh/mapping.ts'
import { type Dimension, halvesOf, type Mesh, meshText, processorsOf, wholeOf } from '../../actors/mesh/mesh.ts'
import type { ToJob } from '../../actors/mesh/messages.ts'
import { BASELINE, movingTime } from '../../actors/mesh/model.ts'
import type { ProcessorFact } from '../../actors/mesh/processor/book.ts'
import { areaOf, areEqual, type Rectangle, textOf } from '../../actors/mesh/rectangle.ts'
import { processorAt } from '../../actors/mesh/threads/crew.ts'
import { foldLines, numberOf, type Placement, placementAfter, threadsOf } from '../../actors/mesh/threads/placement.ts'
import { type Address, type Message, roleOf, type Time } from '../../lib/actor.ts'
import { System } from '../../lib/system.ts'
import { repeats, sampled } from '../repeats.ts'
import { throwsSaying } from '../throws.ts'

const ACTORS = new URL('../../actors/mesh/', import.meta.url)
const MESHES: readonly Mesh[] = [
  { m: 3, n: 3 },
  { m: 4, n: 4 },
]

const isOfJob = (_: Message, who: Address): _ is JobFact => roleOf(who) === 'job'
const isOfProcessor = (_: Message, who: Address): _ is ProcessorFact => roleOf(who) === 'processor'

type Case = { readonly whole: Rectangle; readonly first: Rectangle; readonly second: Rectangle }

/** Every shape with sides that are powers of two, in the last corner of the mesh, and its halves. */
function casesOf({ m, n }: Mesh): readonly Case[] {
  const cases: Case[] = []
  for (let rows = 1; rows <= 1 << m; rows *= 2) {
    for (let columns = 1; columns <= 1 << n; columns *= 2) {
      const whole = { row: (1 << m) - rows, column: (1 << n) - columns, rows, columns }
      for (const axis of ['rows', 'columns'] satisfies Dimension[]) {
        if (whole[axis] === 1) continue
        const [first, second] = halvesOf(whole, axis)
        cases.push({ whole, first, second })
      }
    }
  }
  return cases
}

const simply = (mesh: Mesh, partition: Rectangle): Placement =>
  placesOf(simple, mesh, partition).map((place) => numberOf(mesh, place))

const loadsIn = (placement: Placement) => new Set([...threadsOf(placement).values()].map((threads) => threads.length))

for (const mesh of MESHES) {
  test(`${meshText(mesh)}: folding moves half of the threads, evenly over lines, and unfolding over the same edge moves them back`, () => {
    for (const { whole, first, second } of casesOf(mesh)) {
      for (const half of [first, second]) {
        const before = simply(mesh, whole)
        const there = foldLines(mesh, before, whole, half)
        const folded = placementAfter(before, there)
        const back = foldLines(mesh, folded, half, whole)
        assert.equal([...loadsIn(folded)], [processorsOf(mesh) / areaOf(half)])
        for (const lines of [there, back]) {
          assert.is(lines.flat().length, processorsOf(mesh) / 2, textOf(whole))
          assert.is(new Set(lines.map((line) => line.length)).size, 1)
        }
        const after = placementAfter(folded, back)
        assert.equal([...loadsIn(after)], [processorsOf(mesh) / areaOf(whole)])
        assert.equal(after, before, `${textOf(whole)} from ${textOf(half)}`)
      }
    }
  })
}

test('two partitions do not fold if neither is half of the other', () => {
  const mesh = { m: 3, n: 3 }
  const quarter = { row: 0, column: 0, rows: 4, columns: 4 }
  const whole = { row: 0, column: 0, rows: 8, columns: 8 }
  throwsSaying(
    () => foldLines(mesh, simply(mesh, whole), whole, quarter),
    'one partition must be half of the other, but they are 8x8 and 4x4',
  )
})

/** Starts processors, and then leaders one after the other. The test is their allocator and their neighbour. */
async function opened(mesh: Mesh, runtime: 'inline' | 'threads' = 'inline') {
  const system = new System({ runtime })
  const model = { ...BASELINE, mesh }
  for (let number = 0; number < processorsOf(mesh); number++)
    await system.spawn(processorAt(mesh, number), new URL('processor.ts', ACTORS), { model })
  return { system, model }
}

for (const mesh of sampled(MESHES)) {
  test(`${meshText(mesh)}: thread by thread a fold or an unfold takes exactly as long as the formula says`, async () => {
    const { system, model } = await opened(mesh)
    const moves: { readonly partition: Rectangle; readonly took: Time }[] = []
    let setOut = { at: 0, partition: wholeOf(mesh) }
    system.onFact((fact: Message, { who, at }) => {
      if (!isOfJob(fact, who)) return
      if (fact.type === 'moved') setOut = { at, partition: fact.partition }
      if (fact.type === 'resumed') moves.push({ partition: setOut.partition, took: at - setOut.at })
    })
    let job = 0
    const brought = async (cells: readonly Rectangle[], ...orders: ToJob[]): Promise<Time> => {
      const leader = `job@j${++job}`
      const input = { model, mapping: 'simple', detail: 'moves', allocator: 'system', patience: null }
      await system.spawn(leader, new URL('job.ts', ACTORS), input)
      const neighbours = { prev: 'system', next: 'system' }
      const begin: ToJob[] = [
        { type: 'begin', job, attempt: 1, work: null, minimum: 1 },
        { type: 'start', change: 1, job, attempt: 1, cells, ...neighbours },
      ]
      for (const message of [...begin, ...orders]) {
        await system.tell(leader, message)
        await system.run()
      }
      return moves.at(-1)?.took ?? Number.NaN
    }
    try {
      for (const { whole, first, second } of casesOf(mesh)) {
        for (const [kept, given] of [
          [first, second],
          [second, first],
        ] as const) {
          const folding = await brought([kept, given], { type: 'split', change: 2, newcomer: 'system' })
          assert.ok(areEqual(moves.at(-1)?.partition ?? whole, kept))
          assert.is(folding, movingTime(model, whole, kept), `fold ${textOf(whole)} onto ${textOf(kept)}`)
          const unfolding = await brought(
            [kept],
            { type: 'tick', change: 2 },
            { type: 'size', change: 2, size: 'b' },
            { type: 'cell', change: 2, cell: given },
          )
          assert.ok(areEqual(moves.at(-1)?.partition ?? kept, whole))
          assert.is(unfolding, movingTime(model, kept, whole), `unfold ${textOf(kept)} onto ${textOf(whole)}`)
        }
      }
    } finally {
      await system.stop()
    }
  })
}

test('in any pattern of transfers each transfer has both ends to itself, and all threads arrive', async () => {
  const mesh = { m: 1, n: 2 }
  const one = fc.record({ from: fc.integer({ min: 0, max: 7 }), to: fc.integer({ min: 0, max: 7 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 30 }), async (wanted) => {
      const { system, model } = await opened(mesh)
      const busy = new Map<string, Time>()
      let arrived = 0
      system.onFact((fact: Message, { who, at }) => {
        if (!isOfProcessor(fact, who)) return
        if (fact.type === 'placed') arrived++
        if (fact.type !== 'sent') return
        assert.is(fact.takes, model.data + model.code)
        for (const end of [who, fact.to]) {
          assert.ok((busy.get(end) ?? 0) <= at, `${end} at ${at}`)
          busy.set(end, at + fact.takes)
        }
      })
      const orders = wanted.filter(({ from, to }) => from !== to)
      try {
        for (const [thread, { from, to }] of orders.entries()) {
          const order = { type: 'move', job: 1, thread, to: processorAt(mesh, to), withCode: true } as const
          await system.tell(processorAt(mesh, from), order)
        }
        await system.run()
      } finally {
        await system.stop()
      }
      assert.is(arrived, orders.length)
    }),
    { numRuns: repeats(40) },
  )
})

test.run()

/** EQUI+ by actors: processors have the threads that the snake gives them, whatever jobs came before. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { placesOf, snake } from '../../actors/mesh/mapping.ts'
import type { Mesh } from '../../actors/mesh/mesh.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import type { ProcessorFact } from '../../actors/mesh/processor/book.ts'
import { type Address, type Message, roleOf } from '../../lib/actor.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import { runMesh } from '../../scenarios/mesh/run.ts'
import { PROTOCOL_RUNTIMES } from '../system/harness.ts'
import { SNAKE_PLACES_ON_4X5 } from './golden/maps.ts'

type Runtime = (typeof PROTOCOL_RUNTIMES)[number]

const isFull = process.env['BOURSE_FULL'] !== undefined

const isOfProcessor = (_: Message, who: Address): _ is ProcessorFact => roleOf(who) === 'processor'

/**
 * Runs a number of jobs after one more has arrived and departed. Returns their partitions, and the processor of each thread.
 */
async function settled(mesh: Mesh, jobs: number, runtime: Runtime) {
  const script: Step[] = [
    ...Array.from({ length: jobs + 1 }, (_, i): Step => ({ type: 'arrive', job: i + 1 })),
    { type: 'depart', job: jobs + 1 },
  ]
  const multicomputer: Multicomputer = {
    allocator: { policy: 'equi', mesh, deal: 'arrival' },
    job: { model: { ...BASELINE, mesh }, mapping: 'snake' },
    detail: 'moves',
    leaders: jobs + 1,
    work: { script },
  }
  const places = new Map<number, Address[]>()
  const { oracle: watch, crashes } = await runMesh(multicomputer, { runtime }, [], {
    onSystem: (system) =>
      system.onFact((fact, { who }) => {
        if (!isOfProcessor(fact, who) || fact.type !== 'placed') return
        const own = places.get(fact.job) ?? []
        for (const thread of fact.threads) own[thread] = who
        places.set(fact.job, own)
      }),
  })
  assert.equal([crashes, watch.broken], [[], []])
  const partitions = [...(watch.steps.at(-1)?.partitions ?? [])]
  assert.is(partitions.length, jobs)
  return partitions.map(([job, partition]) => ({ partition, places: places.get(job) ?? [] }))
}

for (const runtime of PROTOCOL_RUNTIMES) {
  test(`8x8, ${runtime}: the threads of three jobs, two of them on 4x5, are in the places of the rule`, async () => {
    const mesh = { m: 3, n: 3 }
    for (const { partition, places } of await settled(mesh, 3, runtime)) {
      const expected = placesOf(snake, mesh, partition).map(({ row, column }) => `processor@r${row}c${column}`)
      assert.equal(places, expected)
    }
  })
}

const large: readonly Runtime[] = isFull ? ['inline', 'threads'] : ['inline']

for (const runtime of large) {
  test(`16x16, ${runtime}: of 12 jobs, those on 4x5 have their threads in the places of the specification`, async () => {
    const rows = SNAKE_PLACES_ON_4X5.map((row) => row.split(' ').map((place) => place.split(',').map(Number)))
    const all = await settled({ m: 4, n: 4 }, 12, runtime)
    const those = all.filter(({ partition }) => partition.rows === 4 && partition.columns === 5)
    assert.is(those.length, 8)
    for (const { partition, places } of those) {
      const at = ([row = 0, column = 0]: readonly number[]) =>
        `processor@r${partition.row + row}c${partition.column + column}`
      assert.equal(places.slice(0, 8 * 16), rows.flat().map(at))
    }
  })
}

test.run()

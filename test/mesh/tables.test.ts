/** BUDDY and EQUI-EPOCH by messages, on threads and inline: the places and times of computing jobs. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fraction, fractionText } from '../../actors/mesh/fraction.ts'
import { floorLog2, type Mesh, processorsOf } from '../../actors/mesh/mesh.ts'
import { BASELINE, type Detail } from '../../actors/mesh/model.ts'
import { textOf } from '../../actors/mesh/rectangle.ts'
import { blockOn, type Table } from '../../actors/mesh/timetable.ts'
import { type Time, units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { Stretch } from '../../scenarios/mesh/oracle/places.ts'
import { runMesh } from '../../scenarios/mesh/run.ts'
import { PROTOCOL_RUNTIMES } from '../system/harness.ts'
import { EPOCHS, ON_4X4, PACKED } from './golden/schedules.ts'

const PERIOD = units(42)
const MESH = { m: 2, n: 2 }

type How = {
  readonly runtime?: (typeof PROTOCOL_RUNTIMES)[number]
  readonly detail?: Detail
  readonly works?: readonly Time[]
  /** How long messages take; 0 by default. */
  readonly latency?: Time
  readonly faults?: readonly string[]
}

/** Runs a table for a little more than two periods. All jobs are there from the beginning unless they have `arrivals`. */
async function played(
  table: Pick<Table, 'rule' | 'mesh' | 'line'>,
  minima: readonly number[],
  { runtime = 'inline', detail = 'coarse', works = [], latency = 0, faults = [] }: How = {},
  arrivals: readonly Time[] = [],
) {
  const jobs = minima.map((minimum, i) => ({
    job: i,
    arrival: arrivals[i] ?? 0,
    work: works[i] ?? units(100_000),
    minimum,
  }))
  const multicomputer = {
    allocator: { policy: 'table', period: PERIOD, ...table },
    job: { model: { ...BASELINE, mesh: table.mesh }, mapping: 'simple' },
    detail,
    leaders: jobs.length,
    work: { jobs },
    until: 3 * PERIOD + units(1),
  } as const
  const options = { runtime, network: { latency }, count: ['stop', 'remap'] }
  const planned = faults.map((fault) => parseFault(fault))
  const run = await runMesh(multicomputer, options, planned)
  assert.equal(run.crashes, [])
  assert.equal(run.oracle.broken, [])
  return run
}

const partText = (time: Time) => fractionText(fraction(time, PERIOD))

/** The stretches that began in a period, in the order of their jobs. */
const inPeriod = (stretches: readonly Stretch[], period: number) =>
  stretches.filter(({ from }) => Math.floor(from / PERIOD) === period).sort((one, other) => other.job - one.job)

/** A stretch as `job(minimum) rectangle from+duration`. A job that continues into the next period has not ended. */
const textIn = (minima: readonly number[], period: number) => (stretch: Stretch) => {
  const { job, partition, from, to } = stretch
  return `${job}(${minima[job]}) ${textOf(partition)} ${partText(from - period * PERIOD)}+${partText(to - from)}`
}

/** A block `job(minimum) x+width y+height` as the text of a stretch on a mesh, for a job that does not run all the time. */
const onMesh = (mesh: Mesh) => (block: string) => {
  const [who = '', place = '', when = ''] = block.split(' ')
  const [x = 0, width = 0] = place.split('+').map(Number)
  return `${who} ${textOf(blockOn(mesh, { x, width }))} ${when}`
}

const isPart = (text: string) => !text.endsWith('+1')

for (const runtime of PROTOCOL_RUNTIMES) {
  for (const { processors, minima, buddy } of PACKED) {
    test(`BUDDY, ${runtime}, ${minima.join(' ')} on ${processors}: every job has its block in each period (6.3)`, async () => {
      const { oracle: watch, messagesByType } = await played({ rule: 'buddy', mesh: MESH, line: null }, minima, {
        runtime,
      })
      const expected = buddy.map(onMesh(MESH)).filter(isPart)
      for (const period of [0, 1])
        assert.equal(inPeriod(watch.stretches, period).map(textIn(minima, period)), expected, `period ${period}`)
      if (minima === PACKED.at(-1)?.minima) assert.equal(expected, ON_4X4.filter(isPart))
      // a job that runs all the time is told once, and has not ended
      const always = buddy.length - expected.length
      const remaps = messagesByType.get('remap') ?? 0
      assert.is(watch.stretches.length, messagesByType.get('stop'))
      assert.ok(remaps >= always + watch.stretches.length && remaps <= always + watch.stretches.length + 2, `${remaps}`)
    })
  }

  for (const { processors, minima, epochs } of EPOCHS) {
    test(`EQUI-EPOCH, ${runtime}, ${minima.join(' ')} on ${processors}: every job has its epoch in each period (6.5)`, async () => {
      const isMesh = processors === processorsOf(MESH)
      const line = { mesh: { m: 0, n: floorLog2(processors) + 1 }, line: processors }
      const { oracle: watch } = await played(
        { rule: 'epoch', ...(isMesh ? { mesh: MESH, line: null } : line) },
        minima,
        {
          runtime,
        },
      )
      for (const period of [0, 1]) {
        const began = [...new Set(inPeriod(watch.stretches, period).map(({ from }) => from))].sort((a, b) => a - b)
        const ours = began.map((from) => {
          const those = inPeriod(watch.stretches, period).filter((one) => one.from === from)
          const areas = new Set(those.map(({ partition }) => partition.rows * partition.columns))
          const lengths = new Set(those.map(({ to }) => partText(to - from)))
          const wants = those.map(({ job }) => minima[job] ?? 0).sort((a, b) => a - b)
          return `${wants.join(' ')}: ${[...areas].join()} for ${[...lengths].join()}`
        })
        assert.equal(ours, epochs, `period ${period}`)
      }
    })
  }
}

test('a job that has a block all the time is told once, and computes without a break', async () => {
  const minima = [2, 2, 4, 4, 8, 8, 8, 8]
  const works = minima.map((_, job) => units(job < 2 ? 10 : 100_000))
  const { oracle: watch } = await played({ rule: 'buddy', mesh: MESH, line: null }, minima, { works })
  for (const job of [0, 1]) {
    const own = watch.stretches.filter((one) => one.job === job)
    assert.equal(
      own.map(({ from, to }) => [from, to]),
      [[0, watch.jobs.get(job)?.ended]],
    )
    assert.ok((own[0]?.to ?? 0) > PERIOD)
  }
})

test('a job that arrives during a period begins with the next one, and the time of a departed job stays unused until then', async () => {
  const table = { rule: 'buddy', mesh: MESH, line: null } as const
  const works = [units(100_000), units(1), units(1)]
  const { oracle: watch } = await played(table, [8, 8, 8], { works }, [0, 0, PERIOD / 2])
  const text = watch.stretches.map(({ job, partition, from }) => `${job} ${textOf(partition)} ${partText(from)}`)
  assert.equal(text, ['1 0,0 2x4 0', '2 0,0 2x4 1', '0 2,0 2x4 0'])
})

test('a third job that needs the whole machine shortens the time of two others from the next period on', async () => {
  const table = { rule: 'buddy', mesh: MESH, line: null } as const
  const { oracle: watch } = await played(table, [16, 16, 16], {}, [0, 0, PERIOD / 4])
  const text = watch.stretches.map(({ job, from, to }) => `${job} ${partText(from)} to ${partText(to)}`)
  assert.equal(text.slice(0, 5), ['1 0 to 1/2', '0 1/2 to 1', '2 1 to 4/3', '1 4/3 to 5/3', '0 5/3 to 2'])
})

for (const detail of ['moves', 'fine'] as const) {
  test(`BUDDY with threads on processors (${detail}): each job computes only in its own blocks`, async () => {
    const { minima, buddy } = PACKED[2] ?? { minima: [], buddy: [] }
    const { oracle: watch } = await played({ rule: 'buddy', mesh: MESH, line: null }, minima, { detail })
    const ours = inPeriod(watch.stretches, 1).map(({ job, partition }) => `${job}(${minima[job]}) ${textOf(partition)}`)
    const expected = buddy.map(onMesh(MESH)).filter(isPart)
    assert.equal(
      ours,
      expected.map((text) => text.split(' ').slice(0, -1).join(' ')),
    )
  })
}

test('a boundary that passes while jobs answer gives no processor to two jobs', async () => {
  const minima = PACKED.at(-1)?.minima ?? []
  const { oracle: watch } = await played({ rule: 'buddy', mesh: MESH, line: null }, minima, { latency: units(8) })
  assert.ok(watch.stretches.length > 0)
})

test('a job that ends while it is told to stop makes room when its processors have forgotten it', async () => {
  const { oracle: watch } = await played({ rule: 'buddy', mesh: MESH, line: null }, [16, 16], {
    detail: 'moves',
    works: [units(16), units(16)],
    latency: units(1),
    faults: ['slow j2 | r0c0 by 12 at 22 until 26'],
  })
  assert.equal(watch.stretches.length, 2)
})

test('a job that needs more processors than there are is refused', async () => {
  const { oracle: watch } = await played({ rule: 'buddy', mesh: MESH, line: null }, [17, 1])
  assert.is(watch.most, 1)
})

test.run()

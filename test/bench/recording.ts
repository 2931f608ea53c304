/**
 * The cost of recording a DSP market in memory, of checking its promises, and of measuring its actors, compared with the
 * same market without them, in turns, inline and on threads. The floor of checking is a listener that does nothing with the facts, that
 * of recording a market without it and one encoding of each line of its trace.
 */

import { blockOf } from '../../lib/memory/block.ts'
import { Codec } from '../../lib/memory/codec.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { complete } from '../../lib/system/options.ts'
import { System } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { type Market, open, termsOf } from '../../scenarios/bidding/model.ts'
import { Watch } from '../../scenarios/bidding/oracle.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio, type Row } from './measure.ts'

const CLIENTS = ['c1']
const SPEEDS = [4, 1, 1, 1, 1]

const SIZES = {
  inline: { warm: 2_000, block: 500 },
  threads: { warm: 1_500, block: 200 },
}

/** The size of the definitions of shapes, in words. */
const DEFINITIONS = 2 ** 17

/** The CPU time in milliseconds that it takes to encode each line of a recording once, and to do nothing else with it. */
async function encodingOf(system: System): Promise<number> {
  const lines = [...system.recorded()]
  const block = blockOf(new ArrayBuffer(8 * DEFINITIONS))
  block.i32[0] = 1
  const codec = new Codec(block, { pointer: 0, start: 1, end: DEFINITIONS })
  const [samples = []] = await inTurns(3, () =>
    costOf(() => {
      for (const line of lines) codec.encode(line)
    }),
  )
  return median(samples.map(({ cpuMs }) => cpuMs))
}

async function rowsOf(runtime: keyof typeof SIZES, repeats: number, quick: boolean): Promise<Row[]> {
  const size = SIZES[runtime]
  const [warm, block] = quick ? [size.warm / 10, size.block / 5] : [size.warm, size.block]
  const tasks = warm + block * (2 * repeats + 2)
  const generated = generateJobs({ seed: 1, tasks, load: 0.5, speeds: SPEEDS, errors: 'perfect' })
  const jobs = withClients(generated, CLIENTS, 1)
  const bidding: Market = { protocol: 'dsp', speeds: SPEEDS, clients: CLIENTS, jobs, terms: termsOf('dsp', 0) }
  const arrivalOf = (task: number) => jobs[Math.min(task, tasks - 1)]?.arrival ?? 0
  const bare = new System({ runtime, actors: 31 })
  const recorded = new System({ runtime, actors: 31, record: true })
  const checked = new System({ runtime, actors: 31 })
  const measured = new System({ runtime, actors: 31, metrics: true })
  const oracle = new Watch(bidding, { options: complete({ runtime }), faults: [] })
  listen(checked, oracle)
  const heard = new System({ runtime, actors: 31 })
  listen(heard, { fold: () => {} })
  const systems = [bare, recorded, checked, heard, measured]
  try {
    const sides = systems.map((system) => {
      let task = warm
      return async (): Promise<Cost> => {
        task += block
        return costOf(async () => {
          await system.run({ until: arrivalOf(task) })
        })
      }
    })
    for (const system of systems) {
      await open(system, bidding)
      await system.run({ until: arrivalOf(warm) })
    }
    const costs = await inTurns(2 * repeats, ...sides)
    const [plain = [], ...others] = costs.map((side) => side.map(({ cpuMs }) => cpuMs))
    const perTask = (cpu: readonly number[]) => `${digits((median(cpu) / block) * 1000)} us CPU`
    const row = (what: string, other: string, cpu: readonly number[] = [], most?: number): Row => ({
      name: `DSP task ${what}, ${runtime} (other: not ${other})`,
      ours: perTask(cpu),
      other: perTask(plain),
      ratio: medianRatio(cpu, plain),
      ...(most !== undefined && { target: { most } }),
    })
    const encoding = ((await encodingOf(recorded)) / tasks) * block
    const floor = plain.map((cpu) => cpu + encoding)
    return [
      row('recorded in memory', 'recorded', others[0], 1.15),
      row('not recorded, and its trace encoded once', 'encoded', floor),
      row('with its promises checked', 'checked', others[1], 1.05),
      row('whose facts are heard and not judged', 'heard', others[2]),
      row('with metrics', 'measured', others[3], 1.02),
    ]
  } finally {
    for (const system of systems) await system.stop()
  }
}

export const recording: readonly Measure[] = [
  {
    name: 'recording',
    run: async ({ repeats, quick }) => [
      ...(await rowsOf('inline', repeats, quick)),
      ...(await rowsOf('threads', repeats, quick)),
    ],
  },
]

/** Fault plans that found violations, which have been fixed since. */
import { BASELINE } from '../../actors/mesh/model.ts'
import { type Time, units } from '../../lib/core/time.ts'
import type { FaultPlan } from '../../lib/scenario/fault-plans.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { type MeshModel, plainModel } from '../../scenarios/mesh/model.ts'

interface Given {
  /** The seed of the run, which also decides the order of messages. */
  readonly seed: number
  readonly clock: { readonly interval: Time; readonly isPerJob: boolean }
  readonly limit: number
  /** The arrival and the work of each job, in units. */
  readonly jobs: readonly (readonly [arrival: number, work: number])[]
  readonly outages: readonly (readonly [at: Time, row: number, column: number])[]
  readonly faults: readonly string[]
}

const MESH = { m: 3, n: 3 }

const planOf = ({ seed, clock, limit, jobs, outages, faults }: Given): FaultPlan<MeshModel> => ({
  model: plainModel({
    allocator: { policy: 'fold', mesh: MESH, divides: true, limit },
    clock,
    job: { model: { ...BASELINE, mesh: MESH, delta: 0 }, mapping: 'simple' },
    leaders: 8,
    work: {
      jobs: jobs.map(([arrival, work], i) => {
        return { job: i + 1, arrival: units(arrival), work: units(work), minimum: 1 }
      }),
    },
    attempts: 3,
    patience: units(3),
    outages: outages.map(([at, row, column]) => ({ at, row, column })),
  }),
  faults: faults.map((line) => parseFault(line)),
  options: { seed, schedule: seed, network: { latency: units(0.5), jitter: units(0.5) }, memoryMB: 16 },
})

export const BROKE_ONCE: readonly FaultPlan<MeshModel>[] = [
  planOf({
    seed: 74,
    clock: { interval: units(4), isPerJob: true },
    limit: 64,
    jobs: [
      [0, 5],
      [0, 8],
      [5, 6],
      [8, 9],
      [12, 2],
      [17, 1],
      [20, 10],
      [20, 7],
      [27, 2],
      [27, 1],
      [33, 9],
      [33, 9],
      [33, 9],
      [33, 10],
    ],
    outages: [
      [37704893, 0, 5],
      [52652753, 3, 0],
      [92888541, 5, 4],
    ],
    faults: [
      'kill job@j4 after 6 begin',
      'kill job@j5 at 9.4',
      'restart job@j5 at 22.5',
      'restart job@j6 after 1 size',
      'restart job@j7 at 97.7',
      'kill allocator@a at 76.6',
      'restart allocator@a at 78.4',
      'kill allocator@a at 23.4',
      'restart allocator@a at 39.7',
      'restart allocator@a after 29 depart',
    ],
  }),
  planOf({
    seed: 211,
    clock: { interval: units(1), isPerJob: false },
    limit: 5,
    jobs: [
      [1, 6],
      [7, 7],
      [13, 7],
      [13, 3],
      [15, 9],
      [21, 8],
      [27, 3],
      [29, 3],
      [29, 5],
      [30, 5],
      [30, 7],
      [31, 4],
      [38, 3],
      [38, 10],
    ],
    outages: [
      [52257015, 4, 6],
      [60035844, 4, 6],
      [73258714, 4, 1],
    ],
    faults: [
      'restart job@j3 after 7 moved',
      'kill job@j4 after 3 split',
      'kill job@j5 at 62.6',
      'kill job@j6 at 26.8',
      'restart job@j7 after 6 link',
      'restart job@j8 after 8 link',
    ],
  }),
]

/** Tables of efficiency preservation. */
import { isPowerOfTwo, meshText } from '../../../actors/mesh/mesh.ts'
import { BASELINE, stepTime } from '../../../actors/mesh/model.ts'
import { units } from '../../../lib/actor.ts'
import type { ResultTable } from '../../../lib/core/table.ts'
import type { Drawing } from '../../study/figure.ts'
import { OVERHEADS } from '../formulas/overhead.ts'
import { cellShape, sizesOf } from '../formulas/policies.ts'
import { COMPUTE_MS, from1To, type Options, POLICIES, type Values } from './values.ts'

const column = (name: string) => ({ name, digits: 4 })

export function byJobs(options: Options, { still, rotating }: Values): ResultTable {
  const { mesh, jobs: most, deltas, intervals } = options
  const [delta = 0] = deltas
  return {
    title: `Efficiency preservation on ${meshText(mesh)} by number of jobs; threads differ by up to ${delta} ms`,
    columns: [
      { name: 'jobs', align: 'right' },
      ...[...POLICIES, ...intervals.map((interval) => `FOLD ${interval} s`)].map(column),
      ...intervals.map((interval) => column(`${interval} s as printed`)),
    ],
    rows: from1To(most).map((jobs) => [
      jobs,
      ...POLICIES.map((policy) => still(policy, jobs, delta)),
      ...OVERHEADS.flatMap((overhead) => intervals.map((interval) => rotating(jobs, { interval, overhead }))),
    ]),
    notes: ['FOLD without an interval never rotates. As printed: by equation 5.4 as it stands.'],
  }
}

export const byDelta = ({ mesh, jobs: most, deltas }: Options, { still }: Values): ResultTable => ({
  title: `The same with thread times that vary by up to this many ms to either side, ${meshText(mesh)}`,
  columns: [
    { name: 'jobs', align: 'right' },
    ...deltas.flatMap((delta) => POLICIES.map((policy) => column(`${policy} ${delta}`))),
  ],
  rows: from1To(most).map((jobs) => [
    jobs,
    ...deltas.flatMap((delta) => POLICIES.map((policy) => still(policy, jobs, delta))),
  ]),
})

/**
 * The idea of figure 3.2: on fewer processors a job communicates less per thread, and waits less for its slowest processor.
 */
export const byShare = ({ mesh, jobs: most, deltas }: Options, { still }: Values): ResultTable => ({
  title: `Why: a step on one J-th of ${meshText(mesh)}, for each thread of a processor`,
  columns: [
    { name: 'J', align: 'right' },
    { name: 'partition', align: 'right' },
    { name: 'compute', unit: 'ms', digits: 2 },
    { name: 'messages and switches', unit: 'ms', digits: 2 },
    ...deltas.map((delta) => column(`efficiency, ${delta} ms`)),
  ],
  rows: from1To(most)
    .filter(isPowerOfTwo)
    .map((jobs) => {
      const shape = cellShape(mesh, sizesOf(jobs).level)
      const perThread = stepTime({ ...BASELINE, mesh }, shape, jobs) / jobs
      return [
        ...[jobs, `${shape.rows}x${shape.columns}`, COMPUTE_MS, (perThread - BASELINE.compute) / units(0.001)],
        ...deltas.map((delta) => still('FOLD', jobs, delta)),
      ]
    }),
})

export function chartsOf(options: Options, { still, rotating }: Values): readonly Drawing[] {
  const { jobs: most, deltas, intervals } = options
  const [delta = 0] = deltas
  const axes = { x: { label: 'jobs', min: 0 }, y: { label: 'efficiency preservation' } }
  const line = (name: string, of: (jobs: number) => number) => ({
    name,
    points: from1To(most).map((x) => ({ x, y: of(x) })),
  })
  return [
    {
      name: 'efficiency',
      chart: {
        title: `Efficiency preservation, threads differ by up to ${delta} ms`,
        ...axes,
        series: POLICIES.map((policy) => line(policy, (jobs) => still(policy, jobs, delta))),
      },
    },
    {
      name: 'efficiency-rotating',
      chart: {
        title: 'Efficiency preservation of folding by seconds between rotations',
        ...axes,
        series: [
          line('never', (jobs) => still('FOLD', jobs, delta)),
          ...intervals.map((interval) =>
            line(`${interval} s`, (jobs) => rotating(jobs, { interval, overhead: 'derived' })),
          ),
        ],
      },
    },
    {
      name: 'efficiency-uneven',
      chart: {
        title: 'Efficiency preservation by spread of thread times',
        ...axes,
        series: deltas.flatMap((one) =>
          (['EQUI+', 'FOLD'] as const).map((policy) =>
            line(`${policy}, ${one} ms`, (jobs) => still(policy, jobs, one)),
          ),
        ),
      },
    },
  ]
}

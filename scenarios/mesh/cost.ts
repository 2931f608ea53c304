/** The cost of an arrival, a departure and a rotation: messages by number of jobs. */
import type { Mesh } from '../../actors/mesh/mesh.ts'
import { meshText, processorsOf } from '../../actors/mesh/mesh.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import { integer, none, runMain, seedFlags, UsageError, value } from '../../lib/cli/index.ts'
import { keyed } from '../../lib/core/random.ts'
import { plainOf, type ResultTable, textOf } from '../../lib/core/table.ts'
import { inWords } from '../../lib/scenario/oracle.ts'
import { meshParser } from './model-flags.ts'
import { type Policy, runScript } from './scripted.ts'

/** The number of rotations after each arrival. */
const ROTATIONS = 8

const arrive = (job: number): Step => ({ type: 'arrive', job })
const rotate: Step = { type: 'rotate' }

/** A script: all jobs arrive, with rotations after each under folding, and then depart in a random order. */
function scriptOf(seed: number, policy: Policy, most: number): Step[] {
  const jobs = Array.from({ length: most }, (_, i) => i + 1)
  const order = jobs.toSorted((one, other) => keyed(seed, 'goes', one) - keyed(seed, 'goes', other))
  const rotations = Array.from({ length: policy === 'fold' ? ROTATIONS : 0 }, () => rotate)
  return [...jobs.flatMap((job) => [arrive(job), ...rotations]), ...order.map((job): Step => ({ type: 'depart', job }))]
}

interface Costs {
  /** Messages by number of jobs: after an arrival, or before a departure. */
  readonly arrival: ReadonlyMap<number, number>
  readonly departure: ReadonlyMap<number, number>
  readonly rotation: ReadonlyMap<number, number>
  readonly broken: readonly string[]
  readonly messages: number
}

async function costsOf(seed: number, policy: Policy, mesh: Mesh, most: number): Promise<Costs> {
  const script = scriptOf(seed, policy, most)
  const { messagesOf, watch } = await runScript(policy, mesh, script, { seed, runtime: 'inline', rounds: 10_000_000 })
  const [arrival, departure, rotation] = [
    new Map<number, number>(),
    new Map<number, number>(),
    new Map<number, number>(),
  ]
  let jobs = 0
  for (const [i, { type }] of script.entries()) {
    const count = messagesOf[i] ?? Number.NaN
    if (type === 'arrive') arrival.set(++jobs, count)
    else if (type === 'depart') departure.set(jobs--, count)
    else rotation.set(jobs, (rotation.get(jobs) ?? 0) + count / ROTATIONS)
  }
  const broken = inWords(watch.broken)
  return { arrival, departure, rotation, broken, messages: messagesOf.reduce((sum, count) => sum + count, 0) }
}

await runMain({
  name: 'mesh/cost',
  summary: 'Messages between jobs and the allocator, and among jobs, for an arrival, a departure and a rotation.',
  flags: {
    ...seedFlags,
    mesh: value({
      metavar: 'RxC',
      fallback: '16x16',
      parse: meshParser,
      help: 'rows and columns of processors, powers of two',
    }),
    jobs: value({
      metavar: 'N',
      fallback: '32',
      parse: integer({ min: 1, max: 256 }),
      help: 'numbers of jobs from 1 to N',
    }),
  },
  main: async ({ options: { seed, mesh, jobs } }) => {
    if (jobs > processorsOf(mesh))
      throw UsageError.invalid('--jobs', `at most ${processorsOf(mesh)} on ${meshText(mesh)}`, `${jobs}`)
    const equi = await costsOf(seed, 'equi', mesh, jobs)
    const fold = await costsOf(seed, 'fold', mesh, jobs)
    const at = (of: ReadonlyMap<number, number>, count: number) => of.get(count) ?? null
    const table: ResultTable = {
      title: `Messages on ${meshText(mesh)}`,
      columns: [
        { name: 'jobs', align: 'right' },
        ...['EQUI arrival', 'EQUI departure', 'FOLD arrival', 'FOLD departure'].map((name) => ({ name, digits: 0 })),
        { name: 'FOLD rotation', digits: 1 },
      ],
      rows: Array.from({ length: jobs }, (_, i) => [
        i + 1,
        ...[at(equi.arrival, i + 1), at(equi.departure, i + 1)],
        ...[at(fold.arrival, i + 1), at(fold.departure, i + 1), at(fold.rotation, i + 1)],
      ]),
      notes: [
        'Jobs: those on the mesh after an arrival or before a departure. Answers are counted. Under folding each arrival was',
        `followed by ${ROTATIONS} rotations, whose mean is shown. A departure includes its ticks.`,
      ],
    }
    return {
      results: { table: plainOf(table) },
      checks: [none('broken promises', [...equi.broken, ...fold.broken])],
      messages: equi.messages + fold.messages,
      text: textOf(table),
      exhibits: { tables: [table] },
    }
  },
})

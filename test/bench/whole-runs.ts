/** The CPU time of whole commands, one of each family, against the size of their workload. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TYPESCRIPT } from '../typescript.ts'
import { cpuSeconds } from './processes.ts'

interface WholeRun {
  /** The program of the scenario, below `scenarios` and without `.ts`. */
  readonly scenario: string
  /** What the size counts. */
  readonly of: string
  readonly flags: (size: number) => readonly string[]
}

/** The quantum of the cluster and the most time between two jobs of the economy, in their units. */
const [QUANTUM, GAP] = [20, 20]

/** test/families.test.ts compares these names with those of all families. */
export const WHOLE_RUNS: Readonly<Record<string, WholeRun>> = {
  bidding: { scenario: 'bidding/market', of: 'tasks', flags: (size) => ['--tasks', `${size}`] },
  shares: { scenario: 'shares/cluster', of: 'quanta', flags: (size) => ['--until', `${QUANTUM * size}`] },
  economy: {
    scenario: 'economy/run',
    of: 'jobs',
    flags: (size) => ['--span', `${GAP * size}`, '--jobs', `${size}`],
  },
  contracts: { scenario: 'contracts/run', of: 'tasks', flags: (size) => ['--tasks', `${size}`] },
  mesh: { scenario: 'mesh/run', of: 'jobs', flags: (size) => ['--jobs', `${size}`] },
}

/** A run of this size takes the time of the start of its process, and hardly more. The cluster refuses shorter ones. */
const START = 150

/** Measures the CPU time of a run in seconds, without that of its start. */
export async function cpuOfRun(run: WholeRun, size: number): Promise<number> {
  return (await cpuOfProcess(run, size)) - (await cpuOfProcess(run, START))
}

async function cpuOfProcess({ scenario, flags }: WholeRun, size: number): Promise<number> {
  const program = fileURLToPath(new URL(`../../scenarios/${scenario}.ts`, import.meta.url))
  const before = cpuSeconds() ?? 0
  await promisify(execFile)(
    process.execPath,
    [...TYPESCRIPT, program, '--runtime', 'inline', '--quiet', ...flags(size)],
    { maxBuffer: 2 ** 26 },
  )
  return (cpuSeconds() ?? 0) - before
}

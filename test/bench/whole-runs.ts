/** The CPU time of whole commands against the size of their workload. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TYPESCRIPT } from '../typescript.ts'
import { cpuSeconds } from './processes.ts'

/** A command and its workload. */
export interface WholeRun {
  /** The program of the scenario, below `scenarios` and without `.ts`. */
  readonly scenario: string
  /** What the size counts. */
  readonly of: string
  readonly flags: (size: number) => readonly string[]
}

/** A run of this size takes the time of the start of its process, and hardly more. The cluster refuses shorter ones. */
const START = 150

/** Measures the CPU time of a run in seconds, without that of its start. */
export async function cpuOfRun(run: WholeRun, size: number): Promise<number> {
  return (await cpuOfProcess(run, size)) - (await cpuOfProcess(run, START))
}

async function cpuOfProcess({ scenario, flags }: WholeRun, size: number): Promise<number> {
  const program = fileURLToPath(new URL(`../../scenarios/${scenario}.ts`, import.meta.url))
  const before = secondsSoFar()
  await promisify(execFile)(
    process.execPath,
    [...TYPESCRIPT, program, '--runtime', 'inline', '--quiet', ...flags(size)],
    { maxBuffer: 2 ** 26 },
  )
  return secondsSoFar() - before
}

function secondsSoFar(): number {
  const seconds = cpuSeconds()
  if (seconds === undefined)
    throw new Error('whole runs are measured on Linux only, which counts the CPU time of processes')
  return seconds
}

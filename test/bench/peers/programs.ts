/** Programs of other systems, if they are on this machine: SimPy 2.3 and Erlang/OTP, as Debian has them. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Timed } from '../loops.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const run = promisify(execFile)

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const NO_SIMPY = 'needs python3-simpy (apt-get install python3-simpy)'
export const NO_ERLANG = 'needs erlang-base (apt-get install erlang-base)'

/** What a simulation took: of the process alone, without its start. */
export interface Simulated {
  readonly ms: number
  readonly cpuMs: number
  readonly mean: number
}

export class SimPy {
  readonly #python: string

  private constructor(python: string) {
    this.#python = python
  }

  /** Debian's Python has Debian's packages; another one may come first in the path. */
  static find(): SimPy | undefined {
    const python = ['/usr/bin/python3', 'python3'].find((path) => succeeds(path, ['-c', 'import SimPy.Simulation']))
    return python === undefined ? undefined : new SimPy(python)
  }

  /** Simulates all of these jobs. */
  async simulate(program: string, jobs: readonly Timed[], ...args: readonly string[]): Promise<Simulated> {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'))
    try {
      const path = join(folder, 'jobs')
      writeFileSync(path, jobs.map(({ arrival, work }) => `${arrival} ${work}\n`).join(''))
      const { stdout } = await run(this.#python, ['-B', join(FOLDER, program), path, ...args])
      const simulated: Simulated = JSON.parse(stdout)
      return simulated
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

export class Erlang {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  static find(): Erlang | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'))
    if (succeeds('erlc', ['-o', folder, join(FOLDER, 'messages.erl')])) return new Erlang(folder)
    rmSync(folder, { recursive: true })
    return undefined
  }

  async play(...args: readonly (string | number)[]): Promise<number> {
    const { stdout } = await run('erl', [
      '-noshell',
      '-pa',
      this.#folder,
      '-run',
      'messages',
      'main',
      ...args.map(String),
    ])
    const { ms }: { ms: number } = JSON.parse(stdout)
    return ms
  }

  close(): void {
    rmSync(this.#folder, { recursive: true })
  }
}

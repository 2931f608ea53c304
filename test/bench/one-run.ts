/** A run in a process of its own: how long it takes to start, to run and to stop, and its memory. Inline beside threads. */
import { execFile } from 'node:child_process'
import { resourceUsage } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { System } from '../../lib/system.ts'
import { digits, type Measure } from './measure.ts'

export interface OneRun {
  readonly jobs: number
  /** Between machines. */
  readonly messages: number
  readonly steps: number
  readonly startMs: number
  readonly runMs: number
  readonly stopMs: number
  /** Of the process, at most. */
  readonly memoryMB: number
}

interface Scene {
  readonly jobs: number
  /** Spawns everybody. */
  readonly open: () => Promise<void>
  /** Promises, once nothing is left to do. */
  readonly broken: () => readonly { readonly text: string }[]
}

/** @throws Error if a promise was broken */
export async function timed(system: System, { jobs, open, broken }: Scene): Promise<OneRun> {
  const began = performance.now()
  await open()
  const started = performance.now()
  await system.run()
  const ran = performance.now()
  const { messages, steps } = system
  const violations = broken()
  await system.stop()
  const stopped = performance.now()
  if (violations.length > 0) throw new Error(violations.map(({ text }) => text).join('; '))
  return {
    ...{ jobs, messages, steps },
    ...{ startMs: started - began, runMs: ran - started, stopMs: stopped - ran },
    memoryMB: resourceUsage().maxRSS / 1024,
  }
}

interface Beside {
  readonly name: string
  /** Of a program that prints the JSON of what it took. */
  readonly program: URL
  readonly args: (quick: boolean) => readonly string[]
  /** Such as `a day`. */
  readonly runs: string
}

/** Threads, and the same inline. */
export function threadsBesideInline({ name, program, args, runs }: Beside): Measure {
  const played = async (runtime: string, quick: boolean): Promise<OneRun> => {
    const all = [...process.execArgv, fileURLToPath(program), '--runtime', runtime, ...args(quick)]
    const { stdout } = await promisify(execFile)(process.execPath, all)
    const result: OneRun = JSON.parse(stdout)
    return result
  }
  return {
    name,
    async run({ quick }) {
      const [ours, other] = [await played('threads', quick), await played('inline', quick)]
      const row = (what: string, unit: string, of: (one: OneRun) => number) => ({
        ...{ name: what, ours: `${digits(of(ours))} ${unit}`, other: `${digits(of(other))} ${unit}` },
      })
      return [
        row(`${name}: threads start (other: inline)`, 's', ({ startMs }) => startMs / 1000),
        row(`  ${runs}: ${ours.jobs} jobs, ${ours.messages} messages`, 's', ({ runMs }) => runMs / 1000),
        row('  jobs in a second', '', ({ runMs }) => (1000 * ours.jobs) / runMs),
        row('  stop', 's', ({ stopMs }) => stopMs / 1000),
        row('  memory at most', 'GB', ({ memoryMB }) => memoryMB / 1024),
      ]
    },
  }
}

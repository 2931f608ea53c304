/** A run in a process of its own, on threads and inline: the time of each phase (start, run, stop), and the memory. */
import { execFile } from 'node:child_process'
import { hrtime, resourceUsage } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Time } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import { type Cost, costOf, digits, type Measure } from './measure.ts'
import { placeSymbols } from './symbols.ts'

export interface Phase extends Cost {
  /** The start on the computer's monotonic clock, in seconds. */
  readonly began: number
  /** The number of times that a thread, or a helper of V8, went to sleep. */
  readonly sleeps: number
  /** The number of messages between machines. */
  readonly messages: number
  readonly steps: number
  readonly rounds: number
}

export const PHASES = ['start', 'early', 'late', 'stop'] as const

export interface OneRun {
  readonly actors: number
  readonly jobs: number
  /** The phases. The run has two: up to the middle of model time, with much cold code, and from there. */
  readonly phases: Readonly<Record<(typeof PHASES)[number], Phase>>
  /** The peak memory of the process. */
  readonly memoryMB: number
}

interface Scene {
  readonly jobs: number
  /** The length of the run, in model time. */
  readonly middle: Time
  /** The end of the run; by default when nothing is left to do. */
  readonly end?: Time
  /** Spawns all actors. */
  readonly open: () => Promise<void>
  /** The broken promises, once nothing is left to do. */
  readonly broken: () => readonly { readonly text: string }[]
}

async function phaseOf(system: System, act: () => Promise<unknown>): Promise<Phase> {
  const began = Number(hrtime.bigint()) / 1e9
  const counts = () => [resourceUsage().voluntaryContextSwitches, system.messages, system.steps, system.rounds] as const
  const before = counts()
  const cost = await costOf(async () => {
    await act()
  })
  const [sleeps = 0, messages = 0, steps = 0, rounds = 0] = counts().map((count, i) => count - (before[i] ?? 0))
  return { began, ...cost, sleeps, messages, steps, rounds }
}

/** @throws Error if a promise was broken */
export async function timed(system: System, { jobs, middle, end, open, broken }: Scene): Promise<OneRun> {
  const start = await phaseOf(system, open)
  const early = await phaseOf(system, () => system.run({ until: middle }))
  const late = await phaseOf(system, () => system.run(end === undefined ? {} : { until: end }))
  const violations = broken()
  const stop = await phaseOf(system, () => system.stop())
  if (violations.length > 0) throw new Error(violations.map(({ text }) => text).join('; '))
  placeSymbols()
  const memoryMB = resourceUsage().maxRSS / 1024
  return { actors: system.actors.length, jobs, phases: { start, early, late, stop }, memoryMB }
}

/** Runs a program that prints its measurements as JSON. */
export async function played(program: URL, args: readonly string[]): Promise<OneRun> {
  const all = [...process.execArgv, fileURLToPath(program), ...args]
  const { stdout } = await promisify(execFile)(process.execPath, all)
  const result: OneRun = JSON.parse(stdout)
  return result
}

interface Beside {
  readonly name: string
  readonly program: URL
  readonly args: (quick: boolean) => readonly string[]
  /** The name of the run, such as `a day`. */
  readonly runs: string
}

const perMessage = ({ cpuMs, messages }: Phase): string => digits((1000 * cpuMs) / messages)

/** Compares a run on threads with the same inline. */
export function threadsBesideInline({ name, program, args, runs }: Beside): Measure {
  return {
    name,
    async run({ quick }) {
      const ours = await played(program, ['--runtime', 'threads', ...args(quick)])
      const other = await played(program, ['--runtime', 'inline', ...args(quick)])
      const row = (what: string, unit: string, of: (one: OneRun) => number | string) => {
        const shown = (one: OneRun) => `${[of(one)].map((it) => (typeof it === 'number' ? digits(it) : it))} ${unit}`
        return { name: what, ours: shown(ours), other: shown(other) }
      }
      const runMs = ({ phases }: OneRun) => phases.early.ms + phases.late.ms
      const { early, late } = ours.phases
      const [messages, rounds] = [early.messages + late.messages, early.rounds + late.rounds]
      return [
        row(`${name}: ${ours.actors} threads start (other: inline)`, 's', ({ phases }) => phases.start.ms / 1000),
        row('  an actor', 'ms CPU', ({ actors, phases }) => phases.start.cpuMs / actors),
        row(`  ${runs}: ${ours.jobs} jobs, ${messages} messages, ${rounds} rounds`, 's', (one) => runMs(one) / 1000),
        row('  jobs in a second', '', (one) => (1000 * one.jobs) / runMs(one)),
        row('  a message, in the first half and in the second', 'us CPU', ({ phases }) =>
          [phases.early, phases.late].map(perMessage).join(', '),
        ),
        row('  a round: how often a thread went to sleep', '', ({ phases }) => phases.late.sleeps / phases.late.rounds),
        row('  stop', 's', ({ phases }) => phases.stop.ms / 1000),
        row('  memory at most', 'GB', ({ memoryMB }) => memoryMB / 1024),
      ]
    },
  }
}

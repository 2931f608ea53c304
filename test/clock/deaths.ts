/**
 * Random deaths at any point of the protocol between threads. A village runs on threads. Some of its actors die from a
 * bomb at one of their atomic operations, or their threads are terminated at a random time. The run is then compared with
 * an inline run that kills each of these actors after the steps that it had committed. Survivors and dead actors must
 * have acted alike in both.
 */
import { Worker } from 'node:worker_threads'
import { stream } from '../../lib/core/random.ts'
import type { Cause } from '../../lib/runtime/runtime.ts'
import { planFaults } from '../../lib/scenario/fault-injector.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { System, type SystemOptions } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import type { How } from '../fixtures/actors/mortal.ts'

const MORTAL = new URL('../fixtures/actors/mortal.ts', import.meta.url)
const ACTORS = 6
const HOWS: readonly How[] = ['throw', 'exit', 'loop', 'memory']
/** The watchdog's limit: longer than any step, even on a busy machine. A shorter limit serves plans with endless loops. */
const WATCHDOG_MS = { loops: 400, none: 10_000 }
/** The time after which a run counts as hanging. */
const LIMIT_MS = 30_000

export interface DeathPlan {
  readonly seed: number
  readonly names: readonly string[]
  readonly faults: readonly string[]
  /** For each thread that is terminated from outside, the number of turns of main's event loop before that. */
  readonly terminate: readonly number[]
  readonly loops: boolean
}

export interface Deaths {
  readonly causes: ReadonlyMap<string, readonly Cause[]>
  /** The differences from the inline run, and unexpected deaths; empty if all is well. */
  readonly faults: readonly string[]
}

/** Draws the plan of one run, whose actors may die in the ways `hows`. */
export function planDeaths(seed: number, hows: readonly How[] = HOWS): DeathPlan {
  const next = stream(seed, 'deaths')
  const upTo = (n: number) => Math.floor(next() * n)
  const role = (i: number) => (i % 2 === 0 ? 'uncle' : 'aunt')
  const names = Array.from({ length: ACTORS }, (_, i) => {
    const how = hows[upTo(hows.length)]
    const isMortal = how !== undefined && next() < 0.6
    const bomb = isMortal ? `-${how}-${1 + upTo(12)}-${1 + upTo(next() < 0.5 ? 40 : 250)}` : ''
    return `${role(i)}${bomb}@m${i >> 1}`
  })
  const terminate = next() < 0.5 ? [] : Array.from({ length: 1 + upTo(2) }, () => upTo(60))
  // Pauses only: a kill or a restart sends orders to living actors, and on threads a death is noticed a little later.
  const faults = names.slice(0, 2).map((name) => `pause ${name} for 1.5 at ${1 + upTo(4)}`)
  return { seed, names, faults, terminate, loops: names.some((name) => name.includes('-loop-')) }
}

const isStep = ({ t }: Line) => t === 'start' || t === 'deliver' || t === 'timer'
const STEP_LINES = new Set(['start', 'deliver', 'timer', 'send', 'state', 'fact', 'persist', 'unhandled', 'stopped'])
const isDone = ({ t, who, from }: Line): boolean => STEP_LINES.has(t) && who !== 'system' && from !== 'system'

async function village(
  plan: DeathPlan,
  runtime: SystemOptions['runtime'],
  use: (system: System) => Promise<void>,
): Promise<void> {
  const system = new System({
    seed: plan.seed,
    runtime,
    ...(runtime === 'pool' && { poolThreads: 3 }),
    trace: true,
    memoryMB: 16,
    actors: 15,
    watchdogMs: plan.loops ? WATCHDOG_MS.loops : WATCHDOG_MS.none,
    network: {
      latency: plan.seed % 3 === 0 ? 0 : 250_000,
      jitter: plan.seed % 2 === 0 ? 0 : 400_000,
      loss: 0,
      duplicate: 0,
    },
  })
  try {
    const input = { peers: plan.names, rumors: 3, depth: 9, fragility: 0 }
    await Promise.all(
      plan.names.map((name) => {
        const resourceLimits = name.includes('-memory-') ? { maxOldGenerationSizeMb: 20 } : undefined
        return system.spawn(name, MORTAL, input, resourceLimits && { resourceLimits })
      }),
    )
    planFaults(
      system,
      plan.faults.map((fault) => parseFault(fault)),
    )
    await use(system)
  } finally {
    await system.stop()
  }
}

/** Collects the workers that are started while `use` runs. Only so can a test terminate one from outside. */
async function withWorkers(use: (workers: readonly Worker[]) => Promise<void>): Promise<void> {
  const workers: Worker[] = []
  const once = Worker.prototype.once
  Worker.prototype.once = function (this: Worker, ...args: Parameters<typeof once>) {
    if (!workers.includes(this)) workers.push(this)
    return Reflect.apply(once, this, args)
  }
  try {
    await use(workers)
  } finally {
    Worker.prototype.once = once
  }
}

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** Runs a plan on threads, or in a pool, where an actor dies with those that share its thread. */
export async function runDeaths(plan: DeathPlan, runtime: 'threads' | 'pool' = 'threads'): Promise<Deaths> {
  const lines: Line[] = []
  const causes = new Map<string, Cause[]>()
  const faults: string[] = []
  await withWorkers(async (workers) =>
    village(plan, runtime, async (system) => {
      system.onLine((line) => lines.push(line))
      system.onDeath(({ address, cause }) => {
        causes.set(address, [...(causes.get(address) ?? []), cause])
      })
      const strikes = plan.terminate.map(async (count, i) => {
        await turns(count)
        await workers[(plan.seed + i) % workers.length]?.terminate()
      })
      const hang = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error(`it hangs at ${system.now}`)), LIMIT_MS).unref()
      })
      await Promise.race([system.run(), hang])
      await Promise.all(strikes)
      await system.run() // handles the death of a thread that was terminated after the end
    }),
  ).catch((error: unknown) => {
    faults.push(String(error))
  })
  for (const [address, all] of causes) {
    if (all.length > 1) faults.push(`${address} died ${all.length} times`)
    const [cause] = all
    const how = /-(throw|exit|loop|memory)-/.exec(address)?.[1]
    if (cause && !isExpected(cause, how, plan.terminate.length > 0 || plan.loops)) {
      faults.push(`${address} died of ${cause.name}: ${cause.message}`)
    }
  }
  if (faults.length === 0) faults.push(...(await compare(plan, lines, [...causes.keys()])))
  return { causes, faults }
}

function isExpected({ name, message }: Cause, how: string | undefined, byOthers: boolean): boolean {
  if (message.endsWith('it shared its thread with other actors (runtime pool)')) return true
  if (byOthers && (message === 'the thread called process.exit(1)' || name === 'Hung')) return true
  switch (how) {
    case 'throw':
      return name === 'Bombed'
    case 'exit':
      return message === 'the thread called process.exit(7)'
    case 'loop':
      return name === 'Hung'
    case 'memory':
      return message.includes('memory limit')
    default:
      return false
  }
}

/** Runs the plan inline, kills each dead actor after as many steps as on threads, and returns the first difference. */
async function compare(plan: DeathPlan, lines: readonly Line[], dead: readonly string[]): Promise<string[]> {
  const committed = new Map(
    dead.map((who) => [who, lines.filter((line) => isStep(line) && line['who'] === who).length]),
  )
  const expected: Line[] = []
  await village(plan, 'inline', async (system) => {
    for (const [who, count] of committed) if (count === 0) system.at(0, () => system.kill(who))
    system.onLine((line) => {
      expected.push(line)
      const who = String(line['who'])
      const left = committed.get(who)
      if (left === undefined || !isStep(line)) return
      committed.set(who, left - 1)
      if (left === 1) void system.kill(who)
    })
    system.onDelivery(() => {}) // a turn after each round, so that the kill strikes at its end
    await system.run()
  })
  const [ours, theirs] = [lines, expected].map((all) => all.filter(isDone).map((line) => JSON.stringify(line)))
  if (!ours || !theirs) return []
  const at = ours.findIndex((line, i) => line !== theirs[i])
  if (at < 0 && ours.length === theirs.length) return []
  const where = at < 0 ? ours.length : at
  return [`line ${where} of ${ours.length} and ${theirs.length}: ${ours[where]} where inline has ${theirs[where]}`]
}

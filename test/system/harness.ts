/** What the tests of the runtime share: small systems, run by threads and inline. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PERFECT_NETWORK } from '../../lib/actor/network.ts'
import type { Address, Message, Plain } from '../../lib/actor.ts'
import { type Time, units } from '../../lib/core/time.ts'
import { type FactAbout, System, type SystemInit } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import type { Act } from '../fixtures/actors/puppet.ts'

export const fixture = (name: string): URL => new URL(`../fixtures/actors/${name}`, import.meta.url)
export const PUPPET = fixture('puppet.ts')

export type Options = SystemInit
export const RUNTIMES = ['threads', 'inline'] as const

const SMALL: Options = { memoryMB: 8, actors: 31 }

/** Runs `use` on a system that is stopped afterwards, whatever happens. */
export async function withSystem<T>(options: Options, use: (system: System) => Promise<T>): Promise<T> {
  const system = new System({ ...SMALL, ...options })
  try {
    return await use(system)
  } finally {
    await system.stop()
  }
}

/** One test for each way to run in virtual time. */
export function both(title: string, use: (system: System, options: Options) => Promise<void>, options: Options = {}) {
  for (const runtime of RUNTIMES) {
    test(`${title} (${runtime})`, () => {
      const own = { ...options, runtime }
      return withSystem(own, (system) => use(system, own))
    })
  }
}

export const spawnPuppets = async (system: System, ...addresses: readonly Address[]): Promise<void> => {
  for (const address of addresses) await system.spawn(address, PUPPET)
}

export const tellTo = (to: Address, message: Message): Act => ({ act: 'tell', to, message })
export const note = (to: Address, n: number): Act => tellTo(to, { type: 'note', n })
export const notes = (to: Address, count: number, first = 1): Act[] =>
  Array.from({ length: count }, (_, i) => note(to, first + i))
export const later = (delay: Time, event: Message, more: Partial<Extract<Act, { act: 'timer' }>> = {}): Act => ({
  act: 'timer',
  id: event.type,
  delay,
  event,
  ...more,
})
export const does = (...acts: readonly Act[]): Message => ({ type: 'do', acts })

export type Fact = Message & FactAbout
/** Everything the actors observe from now on. */
export function factsOf(system: System): Fact[] {
  const facts: Fact[] = []
  system.onFact((fact, about) => facts.push({ ...fact, ...about }))
  return facts
}

/** What the puppets noted: `who n`, in order. */
export function notesOf(facts: readonly Fact[], who?: Address): Plain[] {
  return facts
    .filter((fact) => fact.type === 'noted' && (who === undefined || fact.who === who))
    .map((fact) => fact['n'] ?? null)
}

export function linesOf(system: System, ...types: readonly string[]): Line[] {
  const lines: Line[] = []
  system.onLine((line) => {
    if (types.length === 0 || types.includes(line.t)) lines.push(line)
  })
  return lines
}

export const network = (latency: number, jitter = 0) => ({
  ...PERFECT_NETWORK,
  latency: units(latency),
  jitter: units(jitter),
})

/** The error that `act` must end in. */
export async function errorOf(act: Promise<unknown>): Promise<Error> {
  try {
    await act
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
  throw new Error('no error came')
}

/** Waits for a condition; one that does not come within a minute has failed. */
export async function until(holds: () => boolean): Promise<void> {
  const late = performance.now() + 60_000
  while (!holds()) {
    assert.ok(performance.now() < late, 'it did not come')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** What this process keeps open: a thread is two ports. */
export const openHandles = (): string => process.getActiveResourcesInfo().sort().join()

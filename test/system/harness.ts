/** Helpers that the tests of the runtime share: small systems, on threads and inline. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PERFECT_NETWORK } from '../../lib/actor/network.ts'
import type { Address, Message, Plain } from '../../lib/actor.ts'
import { messageIn } from '../../lib/core/decode.ts'
import { type Time, units } from '../../lib/core/time.ts'
import { type FactAbout, System, type SystemInit } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import { isSampled, sampled } from '../repeats.ts'

export const fixture = (name: string): URL => new URL(`../fixtures/actors/${name}`, import.meta.url)
export const PUPPET = fixture('puppet.ts')

export type Options = SystemInit
/** The runtimes that a test of determinism compares. With BOURSE_POOL=1 the pool takes the place of threads, also in real time. */
export const RUNTIMES = [process.env['BOURSE_POOL'] ? 'pool' : 'threads', 'inline'] as const

/** How often each file has asked for runtimes. */
const asked = new Map<unknown, number>()

/**
 * The runtimes of the next tests of a file: all, but inline alone for three of every four calls in the usual run, since most of
 * the time of a short run on threads is their start. The first tests of a file are always on threads too.
 */
export function nextRuntimes() {
  // uvu counts the files of a process here.
  const file: unknown = Reflect.get(globalThis, 'UVU_INDEX')
  const index = asked.get(file) ?? 0
  asked.set(file, index + 1)
  return RUNTIMES.slice(isSampled(index) ? 0 : 1)
}

/** The runtimes of the tests of one protocol: inline alone in the usual run. */
export const PROTOCOL_RUNTIMES = sampled(['inline', RUNTIMES[0]] as const)

const SMALL: Options = { memoryMB: 8, actors: 31 }

/** The runtime of tests that name none: threads, or the pool with BOURSE_POOL=1. */
const [OTHERWISE] = RUNTIMES

/** Runs `use` on a system, and stops the system afterwards in any case. */
export async function withSystem<T>(options: Options, use: (system: System) => Promise<T>): Promise<T> {
  const system = new System({ ...SMALL, runtime: OTHERWISE, ...options })
  try {
    return await use(system)
  } finally {
    await system.stop()
  }
}

/** Declares a test for threads and one for inline, both in virtual time, on the runtimes that `nextRuntimes` gives. */
export function both(title: string, use: (system: System, options: Options) => Promise<void>, options: Options = {}) {
  for (const runtime of nextRuntimes()) {
    test(`${title} (${runtime})`, () => {
      const own = { ...options, runtime }
      return withSystem(own, (system) => use(system, own))
    })
  }
}

/** Declares a test of actors whose partners are puppets. It is traced, so that the test sees all messages. */
export const amongPuppets = (title: string, use: (system: System) => Promise<void>): void =>
  test(title, () => withSystem({ runtime: 'inline', trace: true }, use))

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
/** Collects all facts of the actors from now on. */
export function factsOf(system: System): Fact[] {
  const facts: Fact[] = []
  system.onFact((fact, about) => facts.push({ ...fact, ...about }))
  return facts
}

/** The numbers that the puppets noted, in order; with `who`, those of one puppet. */
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

export interface Mail {
  readonly at: Time
  readonly to: string
  readonly message: Message
}
/** Collects the messages that an actor of a traced system sends from now on. */
export function mailOf(system: System, from: Address): Mail[] {
  const mail: Mail[] = []
  system.onLine((line) => {
    if (line.t !== 'send' || line['from'] !== from) return
    mail.push({ at: Number(line['at']), to: String(line['to']), message: messageIn(line, 'message') })
  })
  return mail
}

export const network = (latency: number, jitter = 0) => ({
  ...PERFECT_NETWORK,
  latency: units(latency),
  jitter: units(jitter),
})

/** Awaits `act`, which must fail, and returns its error. */
export async function errorOf(act: Promise<unknown>): Promise<Error> {
  try {
    await act
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
  throw new Error('expected an error')
}

/** Waits until a condition holds, and fails after a minute with the lines of `said`. */
export async function until(holds: () => boolean, said: readonly string[] = []): Promise<void> {
  const late = performance.now() + 60_000
  while (!holds()) {
    assert.ok(performance.now() < late, ['the condition did not hold within a minute', ...said].join('\n'))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The open resources of this process; each thread has two ports. */
export const openHandles = (): string => process.getActiveResourcesInfo().sort().join()

/**
 * Children: actors that an actor spawns on its machine, and the news that it gets of their lives and of other actors'. Each
 * of these effects is an order to the system, which carries it out before anything else happens at that instant.
 */
import { type Address, childOf, isChildName, parentOf } from '../core/address.ts'
import { requireTime } from '../core/check-options.ts'
import { type Message, type Plain, requirePlain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { quoted } from '../core/format.ts'
import { urlOfFile } from '../core/module-file.ts'
import { ref } from '../core/ref.ts'
import type { Time } from '../core/time.ts'
import type { ActorModule, InputOf, RefOf } from './actor.ts'
import type { Effect, SystemOrder } from './effect.ts'
import type { ModuleUrl, PlainUrl } from './module-url.ts'
import { self } from './step-context.ts'
import { type ChildOptions, supervisionOf } from './supervision.ts'

/** Sent to the parent when a child has started, or was restarted. It comes before any mail of the child. */
export type Started = { readonly type: 'started'; readonly address: Address }

/** Sent to the parent when a child could not be started: its module failed to load, or its address or an option is wrong. */
export type StartFailed = { readonly type: 'failed'; readonly address: Address; readonly error: string }

/** Why an actor is gone, in `Terminated`. */
export type TerminationReason = 'died' | 'stopped' | 'ended' | 'unknown'

/**
 * Sent when an incarnation of an actor is over: to its parent, and to whoever watches it. It comes after all mail of that
 * incarnation to the recipient.
 */
export type Terminated = {
  readonly type: 'terminated'
  readonly address: Address
  /**
   * `died`: a crash or a kill. `stopped`: its machine reached a final state. `ended`: its parent stopped it, or its parent
   * ended. `unknown`: no actor has had this address.
   */
  readonly reason: TerminationReason
  /** The error of a death: its name and message; null otherwise. */
  readonly error: { readonly name: string; readonly message: string } | null
  /** The event whose handling crashed; null for another end, and for a crash at the start. */
  readonly on: Message | null
  /** Whether its supervision restarts it. */
  readonly restarts: boolean
}

/** The types of the news that come to a parent or a watcher, whether or not its machine handles them. */
export const NEWS_TYPES: ReadonlySet<string> = new Set<(Started | StartFailed | Terminated)['type']>([
  'started',
  'failed',
  'terminated',
])

/**
 * The address of a child of this actor: `child('3')` in `worker@m2` is `worker.3@m2`. With the type of its module,
 * `child<typeof import('./worker.ts')>('3')`, it is a reference that knows what the child takes.
 *
 * @throws BourseError for a name with anything but letters, digits, - and _
 */
export function child(name: string): Address
export function child<Module extends ActorModule>(name: string): RefOf<Module>
export function child(name: string): Address {
  if (!isChildName(name)) {
    throw new BourseError('BOURSE_ADDRESS', `the name of a child must be letters, digits, - and _, not ${quoted(name)}`)
  }
  return ref(childOf(self(), name))
}

/**
 * Spawns a child of this actor on its machine, in a thread of its own. `started` or `failed` comes back as a message. The
 * address of a child that is over may be used again: the new child is its next incarnation, and gets its records.
 *
 * @param address made by `child`
 * @param module the `file:` URL of its module, such as `new URL('./worker.ts', import.meta.url)`
 * @throws BourseError for an address that `child` did not make, OutOfRange for an option out of its range
 */
export function spawn(address: Address, module: PlainUrl | string, input?: Plain, options?: ChildOptions): Effect
export function spawn<Module extends ActorModule>(
  address: Address,
  module: ModuleUrl<Module>,
  ...rest: null extends InputOf<Module>
    ? [input?: InputOf<Module>, options?: ChildOptions]
    : [input: InputOf<Module>, options?: ChildOptions]
): Effect
export function spawn<Module extends ActorModule = never>(
  address: Address,
  module: URL | string,
  ...rest: null extends InputOf<Module>
    ? [input?: InputOf<Module>, options?: ChildOptions]
    : [input: InputOf<Module>, options?: ChildOptions]
): Effect
export function spawn(address: Address, module: URL | string, ...rest: readonly unknown[]): Effect {
  const [input = null, options = {}] = rest
  requireOwn('spawn', address)
  requirePlain('spawn: the input', input)
  requirePlain('spawn: the options', options)
  supervisionOf('spawn', options)
  return { type: 'spawn', params: { address, module: urlOfFile(module), input, options } }
}

/**
 * Ends a child of this actor and the child's own children. They take no further step, and `terminated` comes back.
 *
 * @throws BourseError for an address that is no child's
 */
export const stop = (address: Address): Effect => about('stop', address)

/**
 * Begins a new incarnation of a child of this actor, whether it is alive or dead. `started` or `failed` comes back.
 *
 * @throws BourseError for an address that is no child's
 */
export const restart = (address: Address): Effect => about('restart', address)

/**
 * Watches an actor: `terminated` comes once, when its present incarnation is over, or at once if it is over already. This
 * is a perfect failure detector, which no network has. A protocol that should run on one asks and waits (`failureDetector`).
 * A parent is told of the ends of its children without a watch, and at once; its watch on a living child adds nothing.
 *
 * @param delay how long after the end the news comes at the earliest, >= 0 (default 0)
 */
export function watch(address: Address, delay: Time = 0): Effect {
  requireTime('watch: the delay', delay)
  return { type: 'watch', params: { address, delay } }
}

/** Ends a watch. News that is on its way still comes. */
export const unwatch = (address: Address): Effect => ({ type: 'unwatch', params: { address } })

function about(type: 'stop' | 'restart', address: Address): SystemOrder {
  requireOwn(type, address)
  return { type, params: { address } }
}

function requireOwn(where: string, address: Address): void {
  if (parentOf(address) === self()) return
  throw new BourseError(
    'BOURSE_ADDRESS',
    `${where} needs the address of a child of ${self()}, not ${quoted(address)}: make it with child('name')`,
  )
}

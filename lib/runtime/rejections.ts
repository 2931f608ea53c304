/**
 * Unhandled rejections of actors. A step is over before a promise can be rejected, so no actor dies of it: it is reported
 * on stderr, on threads (lib/runtime/threads.ts) as inline.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Address } from '../core/address.ts'

export function reportRejection(who: Address, reason: string): void {
  process.stderr.write(
    `bourse: unhandled rejection in ${who} (a machine is synchronous; compute is for what takes time): ${reason}\n`,
  )
}

/** The actor that started the code that runs now; only inline. */
const acting = new AsyncLocalStorage<Address | undefined>()
let systems = 0

/**
 * Attributes the rejections of promises that are made from now on, until the next call, to an actor, or to none.
 * It is called before each actor's part of a round, so there is no callback, which would have to be made each time.
 */
export const actAs = (who: Address | undefined): void => acting.enterWith(who)

/** Keeps rejections of actors from ending the process, from now on; only inline. */
export function beginReporting(): void {
  if (systems++ === 0) process.on('unhandledRejection', hear)
}

/** Ends the reporting; called once for each `beginReporting`. */
export function endReporting(): void {
  if (--systems === 0) process.off('unhandledRejection', hear)
}

function hear(reason: unknown): void {
  const who = acting.getStore()
  if (who !== undefined)
    reportRejection(who, reason instanceof Error ? (reason.stack ?? String(reason)) : String(reason))
  // Behaves like Node without this listener.
  else if (process.listenerCount('unhandledRejection') === 1) throw reason
}

/**
 * Refuses the clocks, timers and random numbers of the process inside a step in virtual time: a run that used them could
 * not be repeated. The functions are replaced once, while systems run in this thread; outside of steps they do what they
 * always do. Code that goes on after its step, such as the continuation of a promise, is not seen.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { isPureStep } from '../actor/step-context.ts'
import { isObject } from '../core/data.ts'
import { BourseError } from '../core/error.ts'

/** Thrown in a step that reads a clock of the process, sets a timer of Node or draws a random number; says what to use. */
export class ImpureStep extends BourseError {
  override readonly name = 'ImpureStep'

  constructor(what: string, mend: string) {
    super(
      'BOURSE_IMPURE_STEP',
      `${what} in a step: in virtual time use ${mend}, so that the run can be repeated (option impure lets it pass)`,
    )
  }
}

const NOW = 'now()'
const TIMER = 'timer(id, delay, event)'
const DRAW = 'draw(purpose, key)'
const NEW_ID = 'newId(key)'

const require = createRequire(import.meta.url)

/** A module of Node as an object whose functions can be replaced. */
function moduleOf(name: string): object {
  const module: unknown = require(name)
  return isObject(module) ? module : {}
}

/** The owner of some functions, the prefix of their names in errors, and what to use instead of each. */
const places = (): readonly (readonly [
  owner: object,
  prefix: string,
  mends: { readonly [name: string]: string },
])[] => {
  const timers = { setTimeout: TIMER, setInterval: TIMER, setImmediate: TIMER }
  const names = ['node:crypto', 'node:timers', 'node:timers/promises']
  const [nodeCrypto = {}, nodeTimers = {}, promises = {}] = names.map(moduleOf)
  return [
    [Date, 'Date.', { now: NOW }],
    [performance, 'performance.', { now: NOW }],
    [process, 'process.', { hrtime: NOW, uptime: NOW }],
    [process.hrtime, 'process.hrtime.', { bigint: NOW }],
    [Math, 'Math.', { random: DRAW }],
    [globalThis.crypto, 'crypto.', { randomUUID: NEW_ID, getRandomValues: DRAW }],
    [
      nodeCrypto,
      'crypto.',
      { randomUUID: NEW_ID, randomBytes: DRAW, randomInt: DRAW, randomFill: DRAW, randomFillSync: DRAW },
    ],
    [globalThis, '', timers],
    [nodeTimers, '', timers],
    [promises, 'timers/promises.', timers],
  ]
}

/** Puts back what was replaced; empty while nothing is. */
let restore: (() => void)[] = []
let users = 0

/**
 * Refuses impure calls in steps of this thread from now on.
 *
 * @returns the function that ends this; the last of them to be called restores everything
 */
export function requirePurity(): () => void {
  if (users++ === 0) replaceAll()
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    if (--users > 0) return
    for (const undo of restore.toReversed()) undo()
    restore = []
    syncBuiltinESMExports()
  }
}

/** Runs a series of systems, and replaces the functions of the process once for all of them: that takes a tenth of a short run. */
export async function replacedOnce<T>(series: () => Promise<T>): Promise<T> {
  const restore = requirePurity()
  try {
    return await series()
  } finally {
    restore()
  }
}

let isForTurn = false

/** Refuses impure calls in steps until the next turn of the event loop: for replays and worlds, which nobody stops. */
export function requirePurityForTurn(): void {
  if (isForTurn) return
  isForTurn = true
  const end = requirePurity()
  setImmediate(() => {
    isForTurn = false
    end()
  })
}

function replaceAll(): void {
  for (const [owner, prefix, mends] of places()) {
    for (const [name, mend] of Object.entries(mends)) {
      const original: unknown = Reflect.get(owner, name)
      if (typeof original === 'function') replace(owner, name, guarded(original, `${prefix}${name}()`, mend))
    }
  }
  replaceDate()
  syncBuiltinESMExports()
}

/** Replaces a property, which may be inherited. */
function replace(owner: object, name: string, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  const enumerable = before?.enumerable ?? false
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable })
  restore.push(() => {
    if (before) Object.defineProperty(owner, name, before)
    else Reflect.deleteProperty(owner, name)
  })
}

/** A function like this one that throws inside a step. It has the same properties: `promisify` needs one of them. */
function guarded(original: object, what: string, mend: string): unknown {
  return new Proxy(original, {
    apply(target, receiver, args) {
      if (isPureStep()) throw new ImpureStep(what, mend)
      return typeof target === 'function' ? Reflect.apply(target, receiver, args) : undefined
    },
  })
}

/** Replaces the class of dates by one that refuses the present; all dates stay dates of both. */
function replaceDate(): void {
  const Original = Date
  const Guarded = new Proxy(Original, {
    construct(target, args, newTarget) {
      if (args.length === 0 && isPureStep()) throw new ImpureStep('new Date()', NOW)
      return Reflect.construct(target, args, newTarget)
    },
    apply(target, receiver, args) {
      if (isPureStep()) throw new ImpureStep('Date()', NOW)
      return Reflect.apply(target, receiver, args)
    },
  })
  replace(globalThis, 'Date', Guarded)
  replace(Original.prototype, 'constructor', Guarded)
}

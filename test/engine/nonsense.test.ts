/** Rules that return or throw anything: on all engines, on threads and inline, their actor dies with a clear cause. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMachine } from 'xstate'
import { actor, cancel, compute, type Effect, type Message, observe, persist, tell, timer } from '../../lib/actor.ts'
import { ENGINES, type Engine, type EngineName } from '../../lib/engine/engine.ts'
import { engineFor } from '../../lib/engine/select.ts'
import type { Death } from '../../lib/system.ts'
import nonsense, { CARRIED, type Cases, RETURNED, THROWN } from '../fixtures/actors/nonsense.ts'
import { errorOf, factsOf, fixture, PUPPET, RUNTIMES, withSystem } from '../system/harness.ts'
import { throwsSaying } from '../throws.ts'
import { inStep } from './in-step.ts'

const NONSENSE = fixture('nonsense.ts')
const WHO = "the handler for 'return' of machine 'nonsense' "
const WHO_ENTERS = "the onEntry handler of machine 'nonsense' at event "

/** Runs one actor for each case, all at once, and returns the causes of their deaths. */
async function play(
  engine: EngineName,
  runtime: (typeof RUNTIMES)[number],
  cases: Cases,
  messageFor: (what: string) => Message,
) {
  const whats = Object.keys(cases)
  return withSystem({ engine, runtime, trace: true, actors: 63, memoryMB: 16 }, async (system) => {
    const deaths: Death[] = []
    system.onDeath((death) => deaths.push(death))
    const facts = factsOf(system)
    await system.spawn('r@m9', PUPPET)
    const addresses = whats.map((_, i) => `a${i}@m1`)
    for (const address of addresses) await system.spawn(address, NONSENSE)
    for (const [i, address] of addresses.entries()) {
      await system.tell(address, { type: 'note' })
      await system.tell(address, messageFor(whats[i] ?? ''))
      await system.tell(address, { type: 'note' })
    }
    await system.run()
    assert.is(system.messages, 0)
    return new Map(
      whats.map((what, i) => {
        const isOwn = ({ who, address }: { who?: string; address?: string }) => (who ?? address) === addresses[i]
        const causes = deaths.filter(isOwn).map(({ cause: { name, message } }) => `${name}: ${message}`)
        const told = facts.filter(isOwn).map(({ type }) => type)
        return [what, told.join() === 'noted' ? causes.join('; ') : `it told ${told}, and died of: ${causes}`]
      }),
    )
  })
}

/** All causes at once, so that a failure shows all that is wrong. */
function expectAll(causes: ReadonlyMap<string, string>, cases: Cases, opening: string): void {
  const wrong = [...causes].filter(([what, cause]) => {
    const { said } = cases[what] ?? { said: '' }
    return !cause.startsWith(opening) || !cause.includes(said)
  })
  assert.equal(Object.fromEntries(wrong), {})
}

for (const [doing, type, cases, opening] of [
  ['returns nonsense', 'return', RETURNED, `NotADecision: ${WHO}returned `],
  ['sends data that is not plain', 'return', CARRIED, 'NotPlainError: '],
  ['throws anything', 'throw', THROWN, ''],
] as const) {
  const found: ReadonlyMap<string, string>[] = []
  for (const engine of ENGINES) {
    for (const runtime of RUNTIMES) {
      test(`a handler that ${doing} kills its actor with a clear cause, and no effect leaves (${engine}, ${runtime})`, async () => {
        const causes = await play(engine, runtime, cases, (what) => ({ type, what }))
        found.push(causes)
        expectAll(causes, cases, opening)
      })
    }
  }
  test(`a handler that ${doing} kills its actor with the same cause on all engines, on threads and inline`, () => {
    assert.is(found.length, ENGINES.length * RUNTIMES.length)
    for (const causes of found) assert.equal(causes, found[0])
  })
}

const engines = ENGINES.map((name) => engineFor(name, nonsense, 'a module'))
/** Expects that all engines fail with the same error, and that it contains a text. */
function eachSays(run: (engine: Engine) => unknown, ...parts: readonly string[]): void {
  for (const engine of engines) for (const part of parts) throwsSaying(() => inStep(() => run(engine)), part)
}

for (const [what, { said }] of Object.entries(RETURNED)) {
  test(`an onEntry handler that returns ${what} kills its actor, also at the start`, () => {
    eachSays((engine) => engine.initial({ start: what }), `${WHO_ENTERS}'xstate.init' returned `, said)
    const enter = { type: 'enter', what }
    eachSays((engine) => engine.step(engine.initial(null)[0], enter), `${WHO_ENTERS}'enter' returned `, said)
  })
}

for (const [what, { said }] of Object.entries(THROWN)) {
  test(`the error of a guard that throws is a text on each engine: ${what}`, () => {
    const event = { type: 'guard', what }
    const message = said.slice(said.indexOf(': ') + 2)
    const where = "Unable to evaluate guard in transition for event 'guard' in state node 'nonsense.up':\n"
    eachSays((engine) => engine.step(engine.initial(null)[0], event), where, message)
  })
}

test('an effect whose fields are getters that change their values is the same effect on each engine', () => {
  /** An object whose fields have their values at the first read only. */
  const changing = <T extends object>(fields: T): T => {
    const copy = { ...fields }
    for (const [name, value] of Object.entries(fields)) {
      let reads = 0
      Object.defineProperty(copy, name, { enumerable: true, get: () => (reads++ === 0 ? value : null) })
    }
    return copy
  }
  const { createMachine: createActor, onEntry } = actor<{ input: null; context: object; event: { type: 'go' } }>()
  const machine = createActor({
    id: 'changing',
    context: {},
    entry: onEntry(() => {
      const message = { type: 'note', n: 1 }
      const effects = [
        tell('r@m9', message),
        timer('t', 5, message),
        compute('c', changing({ module: 'm', export: 'e', args: [1] })),
        cancel('t'),
        observe(message),
        persist([1]),
      ]
      // The params of these two are plain data.
      const isData = ({ type }: Effect) => type === 'observe' || type === 'persist'
      const changed = effects.map((effect) =>
        changing(isData(effect) ? effect : { ...effect, params: changing(Object(effect.params)) }),
      )
      return Reflect.apply(() => [{}, ...changed], undefined, [])
    }),
  })
  const found = ENGINES.map((name) => {
    const engine = engineFor(name, machine, 'a module')
    assert.is(engine.name, name === 'shadow' ? 'compiled beside xstate' : name)
    return inStep(() => engine.initial(null)[1])
  })
  assert.equal(found[0], [
    tell('r@m9', { type: 'note', n: 1 }),
    timer('t', 5, { type: 'note', n: 1 }),
    compute('c', { module: 'm', export: 'e', args: [1] }),
    cancel('t'),
    observe({ type: 'note', n: 1 }),
    persist([1]),
  ])
  for (const effects of found) assert.equal(effects, found[0])
})

test('a guard that returns a promise fails its step, since every promise counts as true', () => {
  for (const what of ['a promise', 'a promise that fails', 'a thenable']) {
    const event = { type: 'guard', what }
    eachSays((engine) => engine.step(engine.initial(null)[0], event), 'a guard must return true or false at once')
  }
})

test('a context that is not a plain object fails the start on each engine', () => {
  const contexts: readonly (readonly [made: unknown, shown: string])[] = [
    [Promise.reject(new Error('too late')), 'a promise'],
    [7, '7'],
    [undefined, 'undefined'],
    [null, 'null'],
    [[{ n: 1 }], '[ { n: 1 } ]'],
    [() => ({}), '[Function'],
  ]
  for (const [made, shown] of contexts) {
    const machine: unknown = Reflect.apply(createMachine, undefined, [{ id: 'hollow', context: () => made }])
    for (const name of ENGINES) {
      const engine = engineFor(name, machine, 'a module')
      throwsSaying(() => engine.initial(null), `the context of machine 'hollow' is ${shown}`)
      throwsSaying(() => engine.initial(null), 'it must be an object, and made at once')
    }
  }
})

for (const runtime of RUNTIMES) {
  test(`a message from outside whose type is reserved by XState is refused (${runtime})`, async () => {
    await withSystem({ runtime }, async (system) => {
      await system.spawn('r@m9', PUPPET)
      for (const type of ['xstate.init', 'xstate.done.state.x', 'xstate.']) {
        for (const act of [system.tell('r@m9', { type }), system.ask('r@m9', { type }, { deadline: 1 })]) {
          const { message } = await errorOf(act)
          assert.is(
            message,
            `a message may not have the type '${type}': types that begin with 'xstate.' are XState's own`,
          )
        }
      }
      await system.run()
      assert.is(system.actors.length, 1)
    })
  })
}

test.run()

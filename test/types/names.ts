/** What compiles, and what must not, where `setup` names guards, actions and delays: `tsc` checks this file. */
import { actor, units } from '../../lib/actor.ts'

type Add = { readonly type: 'add'; readonly by: number }
type Clear = { readonly type: 'clear' }
type Counter = { input: { readonly patience: number }; context: { readonly n: number }; event: Add | Clear }

const bare = actor<Counter>()
const { createMachine, handlers, onEntry } = bare.setup({
  guards: {
    isOdd: ({ context }) => context.n % 2 === 1,
    atLeast: ({ context }, { n }: { readonly n: number }) => context.n >= n,
  },
  actions: {
    lose: ({ n }) => [{ n: n - 1 }],
    add: ({ n }, { by }: { readonly by: number }) => [{ n: n + by }],
  },
  delays: { soon: units(1), patience: ({ context }) => context.n },
})

/** What `setup` takes. */
export const setups = [
  // @ts-expect-error a guard returns true or false
  bare.setup({ guards: { isOdd: ({ context }) => context.n } }),
  // @ts-expect-error a guard knows the context
  bare.setup({ guards: { isOdd: ({ context }) => context.m === 1 } }),
  // @ts-expect-error an action returns the changes first
  bare.setup({ actions: { lose: ({ n }) => n - 1 } }),
  // @ts-expect-error an action changes fields of the context
  bare.setup({ actions: { lose: () => [{ n: 'none' }] } }),
  // @ts-expect-error a delay is a number, or a function that returns one
  bare.setup({ delays: { soon: '1' } }),
]

/** Guards and actions in handlers. */
export const handling = [
  // a guard and an action without parameters go by their names
  handlers({ clear: { guard: 'isOdd', handle: 'lose' } }),
  // those with parameters get them from the transition, which may compute them
  handlers({ add: { guard: { type: 'atLeast', params: { n: 3 } }, handle: { type: 'add', params: { by: 2 } } } }),
  handlers({ add: { handle: [{ type: 'add', params: ({ event }) => ({ by: event.by }) }, 'lose', () => [{ n: 0 }]] } }),
  // a guard and a handler of this transition alone need no name
  handlers({ add: [{ guard: ({ event }) => event.by > 1, target: 'many' }, { guard: 'isOdd' }] }),
  // @ts-expect-error there is no guard of this name
  handlers({ clear: { guard: 'isOd', target: 'many' } }),
  // @ts-expect-error this guard needs parameters
  handlers({ clear: { guard: 'atLeast', target: 'many' } }),
  // @ts-expect-error the parameters are those of the guard
  handlers({ clear: { guard: { type: 'atLeast', params: { m: 3 } }, target: 'many' } }),
  // @ts-expect-error a parameter has the wrong type
  handlers({ clear: { guard: { type: 'atLeast', params: { n: '3' } }, target: 'many' } }),
  // @ts-expect-error an event of this type has no such field
  handlers({ clear: { guard: { type: 'atLeast', params: ({ event }) => ({ n: event.by }) }, target: 'many' } }),
  // @ts-expect-error there is no action of this name
  handlers({ clear: { handle: 'loose' } }),
  // @ts-expect-error this action needs parameters
  handlers({ clear: { handle: 'add' } }),
  // @ts-expect-error a computed parameter has the wrong type
  handlers({ add: { handle: { type: 'add', params: () => ({ by: 'two' }) } } }),
  // @ts-expect-error a kit without `setup` has no names
  bare.handlers({ clear: { guard: 'isOdd', target: 'many' } }),
]

/** States that use names. */
export const counter = createMachine({
  context: { n: 0 },
  initial: 'few',
  entry: 'lose',
  exit: { type: 'add', params: { by: 1 } },
  states: {
    few: {
      always: { guard: { type: 'atLeast', params: { n: 9 } }, target: 'many', actions: 'lose' },
      on: handlers({ add: { guard: 'isOdd', target: 'many' } }),
      after: { soon: 'many', patience: { guard: 'isOdd', target: 'many' }, 1000: 'many' },
    },
    many: { entry: [onEntry(() => [{ n: 9 }]), 'lose'] },
  },
})

export const states = [
  // @ts-expect-error there is no guard of this name
  createMachine({ context: { n: 0 }, always: { guard: 'isOd', target: '.many' } }),
  // @ts-expect-error the parameters are those of the guard
  createMachine({ context: { n: 0 }, always: { guard: { type: 'atLeast', params: {} }, target: '.many' } }),
  // @ts-expect-error there is no action of this name
  createMachine({ context: { n: 0 }, entry: 'loose' }),
  // @ts-expect-error the parameters are those of the action
  createMachine({ context: { n: 0 }, exit: { type: 'add', params: { n: 1 } } }),
  // @ts-expect-error there is no delay of this name
  createMachine({ context: { n: 0 }, after: { later: '.many' } }),
  // @ts-expect-error a kit without `setup` has no delays by name
  bare.createMachine({ context: { n: 0 }, after: { soon: '.many' } }),
]

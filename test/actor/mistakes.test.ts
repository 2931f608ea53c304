/** Mistakes in what a machine is written with: each is refused in one sentence that says the mend, also without a compiler. */
import { test } from 'uvu'
import { actor } from '../../lib/actor.ts'
import { throwsSaying } from '../throws.ts'

/** The kit as plain JavaScript sees it. */
const kit = actor<{ input: null; context: { n: number }; event: { type: 'add' } }>()
const call = (made: (...given: never) => unknown, ...given: readonly unknown[]) => Reflect.apply(made, undefined, given)
const { handlers, onEntry, setup, createMachine } = kit

const TRANSITION = 'it must be a function, the name of a target, or a transition such as { guard, target, handle }'
const MISTAKES: readonly (readonly [title: string, make: () => unknown, says: string])[] = [
  ['a handler is a number', () => call(handlers, { add: 5 }), `the handler for 'add' is 5: ${TRANSITION}`],
  ['a handler is null', () => call(handlers, { add: null }), `the handler for 'add' is null: ${TRANSITION}`],
  [
    'a handler of several is a number',
    () => call(handlers, { add: ['on', 5] }),
    `the handler for 'add' is 5: ${TRANSITION}`,
  ],
  [
    'a handler is an action of XState',
    () => call(handlers, { add: { actions: () => {} } }),
    "the transition for 'add' has `actions`: within `handlers` write `handle`",
  ],
  [
    '`handle` is a number',
    () => call(handlers, { add: { handle: [() => [{}], 5] } }),
    "`handle` of the transition for 'add' is 5: it must be a function, or the name of an action of `setup`",
  ],
  [
    'the table of handlers is missing',
    () => call(handlers),
    'handlers needs an object with a handler for each type of event, not undefined',
  ],
  [
    'the table of handlers is a function',
    () => call(handlers, () => [{}]),
    'handlers needs an object with a handler for each type of event, not [Function (anonymous)]',
  ],
  [
    'onEntry gets a text',
    () => call(onEntry, 'x'),
    "onEntry needs a function that takes the context and returns [changes, ...effects], not 'x'",
  ],
  [
    'a field of setup is misspelled',
    () => call(setup, { guard: {} }),
    'setup has no field guard; did you mean guards?',
  ],
  [
    'a field of setup is one of XState',
    () => call(setup, { types: {} }),
    'setup has no field types; its fields are guards, actions, delays',
  ],
  ['setup gets nothing', () => call(setup), 'setup takes an object, not undefined'],
  [
    'the guards of setup are a list',
    () => call(setup, { guards: [] }),
    'setup: guards is []: it must be an object of guards by their names',
  ],
  [
    'a guard of setup is a value',
    () => call(setup, { guards: { isOdd: true } }),
    "setup: 'isOdd' of guards is true: it must be a function",
  ],
  [
    'a delay of setup is a text',
    () => call(setup, { delays: { soon: '5' } }),
    "setup: 'soon' of delays is '5': it must be a time in whole millionths of a unit, or a function",
  ],
  ['an option is misspelled', () => call(actor, { chart: [] }), 'actor has no field chart; did you mean charts?'],
  [
    'createMachine gets no configuration',
    () => call(createMachine, 5),
    'createMachine needs the configuration of a machine, an object, not 5',
  ],
]

for (const [title, make, says] of MISTAKES) {
  test(`${title}: one sentence says the mend`, () => throwsSaying(make, says))
}

test.run()

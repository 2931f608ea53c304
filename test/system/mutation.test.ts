/** Contexts and events that are changed in place are found under the engine `shadow` and with the option `strict`. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assign, setup } from 'xstate'
import { engineFor } from '../../lib/engine/select.ts'
import { BourseError } from '../../lib/system.ts'
import { inStep } from '../engine/in-step.ts'
import { WAYS } from '../fixtures/actors/meddler.ts'
import { throwsSaying } from '../throws.ts'
import { errorOf, factsOf, fixture, type Options, withSystem } from './harness.ts'

const MEDDLER = fixture('meddler.ts')

/** Runs a meddler that gets these messages. */
async function meddle(options: Options, ...types: readonly string[]) {
  const deaths: string[] = []
  return await withSystem(options, async (system) => {
    system.onDeath(({ cause }) => deaths.push(cause.message))
    const facts = factsOf(system)
    await system.spawn('a@m1', MEDDLER, { n: 1 })
    for (const type of types) await system.tell('a@m1', { type, n: 7 })
    const error = await errorOf(system.run().then(() => Promise.reject(new Error('none'))))
    return { error, deaths, facts }
  })
}

const CHECKED: readonly Options[] = [
  { runtime: 'threads', strict: true },
  { runtime: 'inline', strict: true },
  { runtime: 'inline', strict: true, engine: 'xstate' },
  { runtime: 'threads', engine: 'shadow' },
  { runtime: 'inline', engine: 'shadow' },
  { time: 'real', strict: true },
]

for (const options of CHECKED) {
  const ways = options.runtime === 'inline' ? Object.entries(WAYS) : Object.entries(WAYS).slice(0, 1)
  for (const [way, said = ''] of ways) {
    test(`a context or event that is changed in place (${way}) ends the run with the mend (${JSON.stringify(options)})`, async () => {
      const { error, deaths } = await meddle(options, way)
      const place = `machine 'meddler' at event '${way}' changes its context or event in place`
      assert.is(error.message, `${place} (${said}): return the changes instead of assigning`)
      assert.is(error instanceof BourseError && error.code, 'BOURSE_MUTATION')
      assert.equal(deaths, [])
    })
  }
  test(`a turn may change the fields of its draft (${JSON.stringify(options)})`, async () => {
    const { error, facts } = await meddle(options, 'allowed', 'allowed')
    assert.is(error.message, 'none')
    assert.equal(
      facts.map(({ n, list, deep }) => [n, list, deep]),
      [
        [7, [1, 7], 1],
        [7, [1, 7, 7], 1],
      ],
    )
  })
}

const STRANGE: readonly (readonly [way: string, says: string])[] = [
  [
    'slip',
    "the handler for 'slip' of machine 'meddler' adds the field 'lst' to its context; did you mean 'list'? (if not, let the context begin with it, with undefined or null for no value)",
  ],
  [
    'more',
    "the handler for 'more' of machine 'meddler' adds the field 'colour' to its context; let the context begin with it, with undefined or null for no value",
  ],
  [
    'turnSlip',
    "the handler for 'turnSlip' of machine 'meddler' adds the field 'inne' to its context; did you mean 'inner'? (if not, let the context begin with it, with undefined or null for no value)",
  ],
]
for (const options of CHECKED.filter(({ strict }) => strict)) {
  for (const [way, says] of options.runtime === 'inline' ? STRANGE : STRANGE.slice(0, 1)) {
    test(`a handler that adds a field to its context (${way}) ends the run with the mend (${JSON.stringify(options)})`, async () => {
      const { error, deaths } = await meddle(options, way)
      assert.is(error.message, says)
      assert.is(error instanceof BourseError && error.code, 'BOURSE_STRICT')
      assert.equal(deaths, [])
    })
  }
}

test('without the option a handler may add a field, also under the engine shadow', async () => {
  const { error, deaths } = await meddle({ runtime: 'inline', engine: 'shadow' }, 'slip', 'more', 'turnSlip')
  assert.equal([error.message, deaths], ['none', []])
})

test('actions of XState get frozen data too, and so does the context that a machine begins with', () => {
  const machine = setup({}).createMachine({
    id: 'lister',
    context: { list: [1, 2] },
    on: { go: { actions: assign(({ context: { list } }) => ({ list: list.reverse() })) } },
  })
  const engine = engineFor('compiled', machine, 'lister.ts', true)
  const step = () => engine.step(engine.initial(null)[0], { type: 'go' })
  throwsSaying(() => inStep(step), "machine 'lister' at event 'go' changes its context or event in place")
})

test('the stack of the error has the line that changes it', async () => {
  const { error } = await meddle({ runtime: 'inline', strict: true }, 'assign')
  assert.match(error.stack ?? '', /meddler\.ts:\d+/)
})

test.run()

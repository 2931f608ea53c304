/** The promises of a run on its live page. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { Standing } from '../../lib/live/standing.ts'
import type { PromisesSoFar } from '../../lib/scenario/command.ts'
import { always, eventually, type Oracle, promises, type Violation } from '../../lib/scenario/oracle.ts'
import { outcomeOf } from '../../lib/scenario/outcome.ts'
import { runScenario } from '../../lib/scenario/run-scenario.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { EXAMPLES, specificationOf } from '../lab/examples.ts'
import { does, note, PUPPET } from '../system/harness.ts'

const NAMED = [
  { name: 'one holder', eventually: false },
  { name: 'every task ends', eventually: true },
]

test('promises are kept until they are found broken, and those of the end are not asked before', () => {
  const broken: Violation[] = []
  const standing = new Standing(
    () => ({ named: NAMED, broken }),
    (text) => [text],
  )
  const told = (at: number) => {
    standing.measure(units(at))
    return standing.shown.map(({ name, standing, since, broken }) => [name, standing, since, broken.length])
  }
  const later = ['every task ends', 'asked at the end', null, 0]
  assert.equal(told(1), [['one holder', 'kept', null, 0], later])
  broken.push({ property: 'one holder', text: 'a@m1 and b@m2 held it' })
  assert.equal(told(2), [['one holder', 'broken', units(2), 1], later])
  for (let i = 0; i < 9; i++) broken.push({ property: 'one holder', text: 'again' })
  broken.push({ property: 'no name was given', text: 'x' })
  assert.equal(told(3), [['one holder', 'broken', units(2), 3], ['no name was given', 'broken', units(3), 1], later])
})

test('before the run begins there is nothing to tell', () => {
  const standing = new Standing(
    () => undefined,
    (text) => [text],
  )
  standing.measure(0)
  assert.equal(standing.shown, [])
})

test('an oracle that fails leaves the page alive: its error is shown, with what was broken before', () => {
  let ask = (): PromisesSoFar => ({ named: NAMED, broken: [{ property: 'one holder', text: 'a@m1 held it, too' }] })
  const standing = new Standing(
    () => ask(),
    (text) => [text],
  )
  standing.measure(units(1))
  ask = () => {
    throw new Error('no round 3')
  }
  for (const at of [2, 3]) {
    standing.measure(units(at))
    assert.equal(
      standing.shown.map(({ name, standing, since, broken }) => [name, standing, since, broken]),
      [
        ['the promises', 'cannot be asked', units(at), [['no round 3']]],
        ['one holder', 'broken', units(1), [['a@m1 held it, too']]],
      ],
    )
  }
})

/** How the promises of a small run stood at each of its facts, and the violations at its end. */
async function followed(oracle: Oracle) {
  const scenario = defineScenario({
    name: 'followed',
    open: async (system) => {
      await system.spawn('a@m1', PUPPET)
      await system.tell('a@m1', does(note('a@m1', 1), note('a@m1', 2)))
    },
    oracle: () => oracle,
  })
  const stood: (PromisesSoFar | undefined)[] = []
  const { broken } = await scenario.run(scenario.modelOf(new Map()), { runtime: 'inline' }, [], {
    onSystem: (system, shown) => system.onFact(() => stood.push(shown?.promises?.())),
  })
  assert.ok(stood.length > 1, `${stood.length} facts`)
  return { broken, stood }
}

test('the verdict is asked for once, when the run is over, however often a page asks how the promises stand', async () => {
  let asked = 0
  const verdict = [{ property: 'one holder', text: 'nobody' }]
  const violations = () => {
    asked++
    return verdict
  }
  const promises = () => NAMED
  const atTheEnd = NAMED.map(({ name }) => ({ name, eventually: true }))
  const silent = await followed({ violations, promises })
  assert.equal([asked, silent.broken, silent.stood[0]], [1, verdict, { named: atTheEnd, broken: [] }])
  const told = await followed({ violations, promises, brokenSoFar: () => verdict })
  assert.equal([asked, told.broken, told.stood[0]], [2, verdict, { named: NAMED, broken: verdict }])
})

test('promises that must come true in the end are not asked before, also when nothing is left to do', () => {
  const outcome = { isIdle: true, isSettled: true, dead: new Set<string>(), lost: 0, clocksJumped: false }
  const oracle = promises(
    always('one holder', () => ['two']),
    eventually('every task ends', () => ['task 1 did not']),
  )()
  assert.equal(oracle.brokenSoFar?.(outcome), [{ property: 'one holder', text: 'two' }])
})

for (const [name, flags] of Object.entries(EXAMPLES)) {
  test(`a page that asks at every fact changes no verdict: ${name}`, async () => {
    const verdictOf = async (isAsked: boolean) => {
      const specification = specificationOf(name, flags)
      let asked = 0
      const done = await runScenario({
        ...specification,
        options: { ...specification.options, runtime: 'inline' },
        open: async (system) => {
          const oracle = await specification.open(system)
          system.onFact(() => {
            if (!isAsked || !oracle.brokenSoFar) return
            asked++
            assert.equal(oracle.brokenSoFar(outcomeOf(system)), [])
          })
          return oracle
        },
      })
      assert.is(asked > 0, isAsked)
      return [done.traceHash, done.oracle.violations(done), done.oracle.outcome?.()]
    }
    const verdict = await verdictOf(true)
    assert.equal(verdict, await verdictOf(false))
    assert.equal(verdict[1], [])
  })
}

test.run()

/** The step that broke a promise: it is told only if asking for the promise in between changes no verdict. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { breakingStepOf } from '../../lib/explore/breaking-step.ts'
import { collect } from '../../lib/scenario/flags.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'

const test = suite('the step that broke a promise')

const PROPERTY = 'no job joins at m2'

/** A cluster with a promise that it breaks. An oracle that does not stand questions counts them in its verdict. */
function promising(stands: boolean): Specification {
  const cluster = scenarioNamed('shares/cluster')
  const flags = '--machines 2 --period 100 --until 500 --latency 1'.split(' ')
  const specification = cluster.specification(cluster.prepared(collect(cluster.flags, flags).given))
  return {
    ...specification,
    async open(system) {
      let [joined, questions] = [0, 0]
      await specification.open(system)
      system.onFact((fact, { who }) => {
        if (fact.type === 'joined' && who === 'processor@m2') joined++
      })
      return {
        violations: () => {
          questions++
          const text = `${joined} did${stands ? '' : `, asked ${questions} times`}`
          return joined > 0 ? [{ property: PROPERTY, text }] : []
        },
      }
    },
  }
}

const none = { holds: [], lost: [], doubled: [] }

test('is the first one from whose fact on the promise is broken', async () => {
  const step = await breakingStepOf(promising(true), none, { property: PROPERTY, text: '2 did' })
  assert.is(step?.who, 'processor@m2')
  assert.is(step?.facts[0]?.type, 'joined')
})

test('is not told if the questions change the verdict', async () => {
  const step = await breakingStepOf(promising(false), none, { property: PROPERTY, text: '2 did, asked 1 times' })
  assert.is(step, undefined)
})

test.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FORMS, type Lengths } from '../validation/forms.ts'
import { covers, METHODS, measure } from '../validation/study.ts'

const test = suite('validation in small; `npm run validate` is the whole')

const SEEDS = 60
const lengths: Lengths = { long: 20_000, cap: 400_000, replications: 10, each: 2000, drop: 400 }

for (const form of FORMS.filter(({ measured }) => measured.includes('wait')))
  test(`${form.name}: intervals cover the true value about as often as stated, by every method`, async () => {
    const small = { ...form, lengths }
    const covered = new Map<string, number>()
    for (let seed = 0; seed < SEEDS; seed++) {
      const measured = await measure(small, seed)
      for (const method of METHODS)
        covered.set(method, (covered.get(method) ?? 0) + (covers(measured[method], form.truth) ? 1 : 0))
    }
    // 90 % of 60 is 54, standard error 2.3; Law and Carson's procedure covers some 85 %
    for (const method of METHODS) {
      const count = covered.get(method) ?? 0
      assert.ok(count >= (method === 'Law and Carson' ? 43 : 47), `${method}: ${count} of ${SEEDS}`)
    }
    // intervals that always cover are too wide
    assert.ok([...covered.values()].some((count) => count < SEEDS))
  })

test.run()

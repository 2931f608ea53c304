/** The fates of bids in a trace, compared with the facts of their clients. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Run } from '../../lib/trace/run.ts'
import { PROTOCOLS } from '../../scenarios/bidding/model.ts'
import { fateOf } from '../../scenarios/bidding/trace/fate.ts'
import { storiesOf } from '../../scenarios/bidding/trace/story.ts'
import { sampled } from '../repeats.ts'
import { marketRun } from '../trace/traces.ts'

const FAULTS = ['kill @m3 at 40', 'restart @m3 at 90', 'kill contractor@m1 after 5 rfb', 'pause client@c1 for 7 at 60']

const fatesOf = (run: Run): string[] =>
  [...storiesOf(run).values()].flatMap((story) => story.bids.map((offered) => fateOf(run, story, offered)))
const count = (fates: readonly string[], pattern: RegExp): number => fates.filter((fate) => pattern.test(fate)).length
const facts = (run: Run, type: string): number =>
  run.steps.reduce((sum, step) => sum + step.facts.filter((fact) => fact.type === type).length, 0)

for (const protocol of PROTOCOLS) {
  test(`${protocol}: one bid won for each award, one late for each move, one was rejected for each rejection`, async () => {
    for (const seed of sampled([1, 2, 3, 4])) {
      for (const faults of [[], FAULTS]) {
        const run = await marketRun({ protocol, seed, tasks: 20, faults })
        const fates = fatesOf(run)
        const said = `seed ${seed}: ${fates.join('\n')}`
        assert.is(count(fates, /^won( the tie .*)?$/), facts(run, 'awarded') + facts(run, 'replaced'), said)
        assert.is(count(fates, /^won late/), facts(run, 'moved'), said)
        assert.is(count(fates, /^late and rejected/), facts(run, 'rejected'), said)
        assert.is(count(fates, /^not taken/), 0, said)
      }
    }
  })
}

test('the fate of a bid that lost says by how much; that of one that never arrived says why', async () => {
  const network = { latency: 1_000_000, jitter: 0, loss: 0.1, duplicate: 0 }
  const fates = fatesOf(await marketRun({ tasks: 20, seed: 2, network }))
  assert.ok(fates.some((fate) => /^lost: contractor@m\d promised [\d.]+, [\d.]+ earlier$/.test(fate)))
  assert.ok(
    fates.some((fate) => fate === 'never received: lost on the network'),
    fates.join('\n'),
  )
})

test('the fate of equal bids names the tie', async () => {
  const fates = fatesOf(await marketRun({ tasks: 12 }))
  assert.ok(count(fates, /^won the tie by draw$/) > 0)
  assert.is(count(fates, /^lost the tie with contractor@m[12] by draw$/), count(fates, /^won the tie by draw$/))
})

test.run()

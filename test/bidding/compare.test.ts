import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runScenario } from './command.ts'

const compare = (...args: string[]) => runScenario('bidding/compare', [...args, '--tasks', '120', '--quiet'])

test('policies are compared on the same arrivals, a different set in each replication', async () => {
  const { code, stdout } = await compare('--policy', 'dsp', '--policy', 'random', '--replications', '4', '--json')
  assert.is(code, 0)
  const { results, checks } = JSON.parse(stdout)
  assert.equal(
    checks.map(({ measured }: { measured: number }) => measured),
    [4],
  )
  const { columns, rows } = results.replications
  assert.equal(
    columns.map(({ name }: { name: string }) => name),
    ['replication', 'seed', 'arrivals', 'dsp', 'random'],
  )
  assert.is(rows.length, 4)
  const [random] = results.differences.rows
  assert.is(random.policy, 'random')
  assert.ok(random.correlation > 0, `correlation ${random.correlation}`)
  assert.ok(random['variance left'] < 100, `variance left ${random['variance left']} %`)
})

test('replications are added until every mean is precise', async () => {
  const { code, stdout } = await compare('--policy', 'dsp', '--policy', 'dsp:fcfs', '--precision', '0.12', '--json')
  assert.is(code, 0)
  const { rows } = JSON.parse(stdout).results.means
  for (const { replications, 'flow time': flow } of rows) {
    assert.ok(replications > 10, `${replications} replications`)
    assert.ok(flow.halfWidth / flow.mean <= 0.12, `${flow.halfWidth} of ${flow.mean}`)
  }
})

test('wrong use is reported in one line, with exit code 2', async () => {
  for (const [args, says] of [
    [['--policy', 'dsp'], /^bourse: --policy needs two or more different policies, not dsp\n$/],
    [['--policy', 'dsp:sptt'], /--policy.*spt, lpt.*"sptt"/],
    [['--policy', 'lazy'], /--policy.*dsp, eager or random.*"lazy"/],
    [['--precision', '0.1', '--replications', '3'], /--precision.*--replications/],
  ] as const) {
    const { code, stderr } = await compare(...args)
    assert.is(code, 2)
    assert.match(stderr, says)
  }
})

test.run()

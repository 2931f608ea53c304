/** The fault plans that a scenario has without defining any. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printFault } from '../../lib/scenario/faults.ts'
import { eventually, promises } from '../../lib/scenario/oracle.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import counters from '../fixtures/log/counters.ts'

const module = new URL('../fixtures/adding/register.ts', import.meta.url)

/** Two clients add to a register. Messages take no time, so the run is over at the instant at which it begins. */
const atOnce = defineScenario({
  name: 'at once',
  open: async (system) => {
    await system.spawn('register@r', module)
    for (const i of [1, 2]) await system.spawn(`client@c${i}`, module, 0)
  },
  oracle: promises(eventually('nothing', () => [])),
})

const sumOf = (costs: readonly { readonly column: { readonly name: string }; readonly part: number }[], name: string) =>
  costs.find(({ column }) => column.name === name)?.part ?? 0

for (const kind of ['deaths', 'restarts', 'pauses', 'partitions', 'delays', 'disks', 'mixed']) {
  test(`faults strike inside a run without latency, and the costs count them (${kind})`, async () => {
    let [planned, struck] = [0, 0]
    for (let n = 0; n < 20; n++) {
      const { costs } = await atOnce.faultPlans(new Map()).study(kind, { seed: 1, n }, 'inline')
      planned += sumOf(costs, 'planned')
      struck += sumOf(costs, 'struck')
    }
    assert.ok(planned >= 15, `${planned} faults were planned`)
    assert.ok(3 * struck > 2 * planned, `${struck} of ${planned} faults struck`)
  })
}

test('a death after N events of a type counts timers of that type, as the fault does when it strikes', async () => {
  const runner = counters.faultPlans(new Map([['most', ['3']]]))
  const drawn = new Set<string>()
  for (let seed = 1; seed <= 60; seed++) {
    for (const fault of (await runner.draw('deaths', seed)).specification.faults) drawn.add(printFault(fault))
  }
  // the timer with which a begins has the type of its messages
  const after = [...drawn].flatMap((text) => /^kill a@m1 after (\d+) count$/.exec(text)?.[1] ?? []).sort()
  assert.equal(after, ['2', '3'])
})

test.run()

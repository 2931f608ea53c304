/** The fault plans that a scenario has without defining any. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually, promises } from '../../lib/scenario/oracle.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'

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

for (const kind of ['deaths', 'restarts', 'pauses', 'partitions', 'disks', 'mixed']) {
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

test.run()

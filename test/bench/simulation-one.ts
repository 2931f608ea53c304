/** A simulation inline in a process of its own, as its user has it: runs when it is told to, and says what that took. */
import { System } from '../../lib/system.ts'
import { type Cost, costOf } from './measure.ts'
import { MODELS, ModelRun } from './models.ts'

/** What it is told: to run until a job arrives, or to the end. */
export type Order = { readonly job: number } | 'end'

/** What a run took, and the mean of all jobs so far. */
export interface Report {
  readonly cost: Cost
  readonly mean: number
}

const [name, repeats, quick] = process.argv.slice(2)
const model = MODELS[name === 'queue' ? 'queue' : 'market']({ repeats: Number(repeats), quick: quick === 'true' })
const system = new System({ runtime: 'inline' })
const run = new ModelRun(model, system)

async function report(work: () => Promise<void>): Promise<void> {
  const cost = await costOf(work)
  process.send?.({ cost, mean: run.mean } satisfies Report)
}

process.on('message', async (order: Order) => {
  await report(() => (order === 'end' ? run.end() : run.runTo(order.job)))
  if (order !== 'end') return
  await system.stop()
  process.disconnect()
})
await report(() => run.begin())

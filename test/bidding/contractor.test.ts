/** A contractor whose processor fails; test actors play its client and its processor. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToContractor } from '../../actors/bidding/messages.ts'
import type { ContractorInput } from '../../actors/bidding/moves.ts'
import { units } from '../../lib/core/time.ts'
import type { System } from '../../lib/system.ts'
import { termsOf } from '../../scenarios/bidding/model.ts'
import { both, does, factsOf, spawnPuppets, tellTo } from '../system/harness.ts'

const MODULE = new URL('../../actors/bidding/dsp/contractor.ts', import.meta.url)
const [CONTRACTOR, PROCESSOR, CLIENT] = ['contractor@m1', 'processor@m1', 'client@c1'] as const

const job = (task: number) => ({ task, attempt: 1, arrival: 0, priority: 1, estimate: units(50) })
const rfb = (task: number): ToContractor => ({ ...job(task), type: 'rfb' })
const award = (task: number): ToContractor => ({ ...job(task), type: 'task', start: 0, work: units(50) })
const about = (type: 'query' | 'cancel', task: number): ToContractor => ({ type, task, attempt: 1 })

const TIMEOUT = units(10)

/** Starts a contractor that asks its silent processor about a task until 12, and lets the client cancel that task at 3. */
async function asking(system: System) {
  await spawnPuppets(system, PROCESSOR, CLIENT)
  const terms = termsOf('dsp', units(1), { clash: 'commit', query: units(5), timeout: TIMEOUT })
  const input: ContractorInput = { index: 1, speed: 1, terms }
  await system.spawn(CONTRACTOR, MODULE, input)
  const facts = factsOf(system)
  const says = async (message: ToContractor) => {
    await system.tell(CLIENT, does(tellTo(CONTRACTOR, message)))
    await system.run({ until: system.now + units(1) })
  }
  for (const message of [rfb(1), award(1), about('query', 1), about('cancel', 1)]) await says(message)
  const told = () => facts.flatMap(({ type }) => (type === 'lapsed' || type === 'stranded' ? [type] : []))
  return { says, told }
}

both(
  'a processor that comes back while it is being asked is not taken for dead, though its task is gone',
  async (system) => {
    const { told } = await asking(system)
    await system.restart(PROCESSOR)
    await system.run({ until: units(40) })
    assert.equal(told(), [])
  },
)

both('a contractor without a processor refuses an award, which answers its bid', async (system) => {
  const { says, told } = await asking(system)
  await says(rfb(2))
  await system.run({ until: units(13) })
  assert.equal(told(), ['stranded'])
  await says(award(2))
  await system.run({ until: units(40) })
  assert.equal(told(), ['stranded'], 'the bid does not lapse')
})

both('a contractor without a processor gives a bid up that its client does not answer', async (system) => {
  const { says, told } = await asking(system)
  await says(rfb(2))
  await system.run({ until: units(40) })
  assert.equal(told(), ['stranded', 'lapsed'])
})

both('a contractor that is awarded the task again that it executes listens for its client again', async (system) => {
  await spawnPuppets(system, PROCESSOR, CLIENT)
  const terms = termsOf('dsp', units(1), { abort: false, silence: units(10), timeout: null })
  await system.spawn(CONTRACTOR, MODULE, { index: 1, speed: 1, terms })
  const facts = factsOf(system)
  // the client dies right after the second award
  for (const message of [rfb(1), award(1), about('cancel', 1), award(1)]) {
    await system.tell(CLIENT, does(tellTo(CONTRACTOR, message)))
    await system.run({ until: system.now + units(1) })
  }
  const heard = system.now
  await system.kill(CLIENT)
  await system.run({ until: units(40) })
  const abandoned = facts.filter(({ type }) => type === 'abandoned')
  assert.equal(
    abandoned.map(({ at }) => at > heard && at <= heard + units(10)),
    [true],
  )
})

test.run()

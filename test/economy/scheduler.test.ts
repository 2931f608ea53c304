/** What the scheduler tells the bank, its processors and the users; test actors play them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Quoted, Submit, ToScheduler } from '../../actors/economy/messages.ts'
import type { SchedulerInput } from '../../actors/economy/scheduler-state.ts'
import { policyOf } from '../../actors/economy/terms.ts'
import type { FromProcessor } from '../../actors/processor/messages.ts'
import { type Message, machineOf, toUnits, units } from '../../lib/actor.ts'
import { isMessage, isObject } from '../../lib/core/data.ts'
import type { System } from '../../lib/system.ts'
import { BANK, processorsOf, SCHEDULER } from '../../scenarios/economy/model.ts'
import { amongPuppets, does, factsOf, linesOf, type Mail, mailOf, spawnPuppets, tellTo } from '../system/harness.ts'

const MODULE = new URL('../../actors/economy/scheduler.ts', import.meta.url)
const PROCESSORS = processorsOf({ processors: 3 })
const [P1, P2, P3] = ['processor@p1', 'processor@p2', 'processor@p3'] as const
const [USER, STRANGER] = ['user@u1', 'processor@x'] as const

const submit = (job: number, processors: number, more: Partial<Submit> = {}): Submit => {
  const request = { class: 1, processors, service: units(5), work: units(6), deposit: 0 } as const
  return { type: 'submit', job, ...request, ...more }
}
const finished = (task: number, attempt = 1): FromProcessor => ({ type: 'finished', task, attempt })
const progress = (task: number, attempt: number, running: boolean, done = false): FromProcessor => {
  return { type: 'progress', task, attempt, running, done }
}

/** The jobs of a quote or an act, with their users. */
function jobsIn({ job, user, jobs }: Message): string {
  const list = Array.isArray(jobs) ? jobs.filter(isObject) : [{ job, user }]
  return list.map((one) => `${one['job']}@${one['user']}`).join(' ')
}

/** A message in words; an instruction has its number, and the first number without an answer if that is another. */
function wordsOf({ to, message }: Mail): string {
  const { type, task, attempt, work, job, why, reason, n, since, act } = message
  const name = to === BANK ? 'bank' : machineOf(to)
  if (type === 'quote') return `${name}: quote ${jobsIn(message)}`
  if (type === 'ended' || type === 'refused') return `${name}: ${type} ${job}, ${why ?? reason}`
  if (type === 'reset') return `${name}: reset`
  if (type !== 'instruct' || !isMessage(act))
    return `${name}: ${type} ${task}.${attempt}${work === undefined ? '' : ` for ${toUnits(Number(work))}`}`
  const more = 'slowdown' in act ? ` ${act['slowdown']}` : 'cost' in act ? ` for ${Number(act['cost']).toFixed(3)}` : ''
  return `${name}: #${n}${since === n ? '' : ` since ${since}`} ${act['type']} ${jobsIn(act)}${more}`
}

/** A scheduler of three processors, and all that it says. Messages to it come one unit apart. */
async function scheduling(system: System, given: Partial<SchedulerInput> = {}) {
  await spawnPuppets(system, BANK, ...PROCESSORS, USER, STRANGER)
  const mail = mailOf(system, SCHEDULER)
  const facts = factsOf(system)
  await system.spawn(SCHEDULER, MODULE, {
    policy: policyOf('ECON'),
    processors: PROCESSORS,
    bank: BANK,
    overrun: null,
    patience: null,
    durable: true,
    ...given,
  } satisfies SchedulerInput)
  /** The pass of the last quote that was read. */
  let pass = ''
  const hears = async (from: string, ...told: readonly ToScheduler[]) => {
    for (const message of told) {
      await system.tell(from, does(tellTo(SCHEDULER, message)))
      await system.run({ until: system.now + units(1) })
    }
  }
  /** What it has said since it was asked last. */
  const said = () => {
    const recent = mail.splice(0)
    pass = String(recent.findLast(({ message }) => message.type === 'quote')?.message['pass'] ?? pass)
    return recent.map(wordsOf)
  }
  const carried = (n: number, ...amounts: readonly (number | null)[]) => hears(BANK, { type: 'carried', n, amounts })
  return {
    hears,
    said,
    carried,
    until: (minute: number) => system.run({ until: units(minute) }),
    pass: () => pass,
    /** The bank answers the last quote that was read. */
    quoted: (balances: readonly (number | null)[], more: Partial<Quoted> = {}) =>
      hears(BANK, { type: 'quoted', pass, balances, rates: balances.map(() => 1), ...more }),
    /** These fields of the facts of a type. */
    facts: (type: string, ...fields: readonly string[]) =>
      facts.flatMap((fact) => (fact.type === type ? [fields.map((field) => fact[field])] : [])),
    /** Submits the first job, which starts at 2. */
    starts: async (job: Submit) => {
      await hears(USER, job)
      said()
      await hears(BANK, { type: 'quoted', pass, balances: [10], rates: [1] })
      await carried(1, 10)
      said()
    },
  }
}

const START = ['kind', 'decided', 'wasted', 'price', 'paid', 'processors']

amongPuppets('a job is quoted, charged, run and closed once, however often it is submitted', async (system) => {
  const { hears, said, quoted, carried, facts } = await scheduling(system)
  await hears(USER, submit(1, 2), submit(1, 2))
  assert.equal(said(), ['bank: quote 1@u1'])
  await quoted([10])
  await hears(USER, submit(1, 2))
  assert.equal(said(), ['bank: #1 charge 1@u1'])
  await carried(1, 10)
  await carried(1, 10)
  await hears(USER, submit(1, 2))
  assert.equal(said(), ['p1: run 1.1 for 6', 'p2: run 1.1 for 6'])
  await hears(P1, finished(1), finished(1))
  await hears(P3, finished(1))
  await hears(STRANGER, finished(1))
  assert.equal(said(), [])
  await hears(P2, finished(1))
  assert.equal(said(), ['bank: #2 close 1@u1 1.8333333333333333', 'u1: ended 1, finished'])
  await hears(USER, submit(1, 2))
  assert.equal(said(), ['u1: ended 1, finished'])
  assert.equal(facts('accepted', 'user', 'arrival'), [['u1', 0]])
  assert.equal(facts('passed', 'reservation', 'starts', 'skipped'), [[null, [1], []]])
  assert.equal(facts('started', 'user', 'attempt', ...START), [['u1', 1, 'direct', units(2), 0, 1, 10, [0, 1]]])
  assert.equal(facts('ended', 'user', 'attempt', 'why'), [['u1', 1, 'finished']])
})

amongPuppets('jobs that come during a pass wait for the next one, and get a reservation', async (system) => {
  const { hears, said, quoted, carried, facts } = await scheduling(system)
  await hears(USER, submit(1, 2), submit(2, 3))
  said()
  await quoted([10])
  await hears(USER, submit(3, 1, { service: units(90) }))
  assert.equal(said(), ['bank: #1 charge 1@u1'])
  await carried(1, 10)
  assert.equal(said(), ['p1: run 1.1 for 6', 'p2: run 1.1 for 6', 'bank: quote 2@u1 3@u1'])
  await quoted([60, 1])
  await hears(P1, finished(1))
  await hears(P2, finished(1))
  assert.equal(said(), ['bank: #2 close 1@u1 1.1666666666666667', 'u1: ended 1, finished', 'bank: quote 2@u1 3@u1'])
  await quoted([null, 1])
  assert.equal(facts('passed', 'reservation', 'starts', 'skipped'), [
    [null, [1], [2]],
    [{ job: 2, start: units(9) }, [], []],
    [null, [3], [2]],
  ])
  assert.equal(said(), ['bank: #3 since 2 charge 3@u1'])
})

amongPuppets('a pass has an answer of its own, and each pass another', async (system) => {
  const { hears, said, quoted, pass } = await scheduling(system)
  await hears(USER, submit(1, 2))
  said()
  const first = pass()
  await quoted([null])
  await hears(USER, submit(2, 2))
  assert.equal(said(), ['bank: quote 1@u1 2@u1'])
  await quoted([10, 10], { pass: first })
  assert.equal(said(), [])
  await quoted([10, 10])
  assert.equal(said(), ['bank: #1 charge 1@u1'])
})

amongPuppets('an offer counts the income to come, if the policy says so', async (system) => {
  const policy = policyOf('ECON', 'paper', { future: 'end' })
  const { hears, said, quoted } = await scheduling(system, { policy })
  await hears(USER, submit(1, 3), submit(2, 3))
  said()
  await quoted([null])
  said()
  await quoted([10, 10], { rates: [1, 2] })
  assert.equal(said(), ['bank: #1 charge 2@u1'])
})

amongPuppets('jobs that can never start are refused, and forfeit their money', async (system) => {
  const { hears, said, quoted, facts } = await scheduling(system)
  await hears(USER, submit(1, 4))
  assert.equal(said(), ['bank: #1 forfeit 1@u1', 'u1: refused 1, it needs 4 processors, the machine has 3'])
  await hears(USER, submit(1, 4), submit(2, 3))
  assert.equal(said(), ['u1: refused 1, it needs 4 processors, the machine has 3', 'bank: quote 2@u1'])
  await quoted([null], { strangers: [2] })
  assert.equal(said(), ['bank: #2 since 1 forfeit 2@u1', 'u1: refused 2, the bank knows no user u1'])
  await hears(USER, submit(2, 2))
  assert.equal(said(), ['u1: refused 2, the bank knows no user u1'])
  assert.is(facts('accepted').length, 2)
  assert.equal(facts('refused', 'user', 'job', 'reason'), [
    ['u1', 1, 'it needs 4 processors, the machine has 3'],
    ['u1', 2, 'the bank knows no user u1'],
  ])
})

amongPuppets(
  'what the bank has not answered is repeated with pauses that double, until all is answered',
  async (system) => {
    const { hears, said, quoted, carried, until } = await scheduling(system, { patience: units(4) })
    await hears(USER, submit(1, 2))
    await until(13)
    assert.equal(said(), ['bank: quote 1@u1', 'bank: quote 1@u1', 'bank: quote 1@u1'])
    await hears(USER, submit(2, 4))
    const both = ['bank: #1 forfeit 2@u1', 'bank: quote 1@u1']
    assert.equal(said(), [both[0], 'u1: refused 2, it needs 4 processors, the machine has 3'])
    await until(18)
    assert.equal(said(), both)
    await system.restart(USER)
    await until(19)
    assert.equal(said(), [])
    await system.restart(BANK)
    await until(20)
    assert.equal(said(), both)
    await until(24)
    assert.equal(said(), both)
    await quoted([null])
    await until(40)
    assert.equal(said(), ['bank: #1 forfeit 2@u1'])
    await hears(USER, submit(3, 2))
    assert.equal(said(), ['bank: quote 1@u1 3@u1'])
    await carried(1, 0)
    await until(45)
    assert.equal(said(), ['bank: quote 1@u1 3@u1'])
    await quoted([null, null])
    const timers = linesOf(system, 'timer')
    await until(100)
    assert.equal(said(), [])
    assert.equal(timers, [])
  },
)

amongPuppets(
  'a processor that misses a probe is lost, and its job waits again without those that are too large',
  async (system) => {
    const { hears, said, starts, until, facts } = await scheduling(system, { patience: units(4) })
    await starts(submit(1, 2))
    await hears(USER, submit(2, 3))
    said()
    await until(7)
    assert.equal(said(), ['p1: probe 1.1', 'p2: probe 1.1', 'bank: quote 2@u1'])
    await hears(P1, progress(1, 1, true))
    await until(11)
    assert.equal(said(), [
      'p1: abort 1.1',
      'p2: abort 1.1',
      'bank: #2 refund 1@u1',
      'bank: #3 since 2 forfeit 2@u1',
      'u1: refused 2, it needs 3 processors, the machine has 2',
      'p2: probe -1.0',
    ])
    assert.equal(facts('lost', 'processor'), [[1]])
    assert.equal(facts('failed', 'job', 'attempt', 'user'), [[1, 1, 'u1']])
  },
)

amongPuppets(
  'a job in its second attempt bears one missed probe, and a processor that answers is found',
  async (system) => {
    const { hears, said, starts, quoted, carried, until, facts } = await scheduling(system, { patience: units(4) })
    await starts(submit(1, 2))
    await until(7)
    await hears(P1, progress(1, 1, true))
    await until(11)
    said()
    await hears(BANK, { type: 'carried', n: 2, amounts: [10] })
    await quoted([10])
    await carried(3, 10)
    assert.equal(said(), ['bank: #3 charge 1@u1', 'p1: run 1.2 for 6', 'p3: run 1.2 for 6'])
    await until(18)
    assert.equal(said(), ['p1: probe 1.2', 'p3: probe 1.2', 'p2: probe -1.0'])
    await until(22)
    assert.equal(said(), ['p1: probe 1.2', 'p3: probe 1.2', 'p2: probe -1.0'])
    await hears(USER, submit(2, 1))
    await hears(P2, progress(-1, 0, false))
    assert.equal(said(), ['p2: reset', 'bank: quote 2@u1'])
    assert.equal(facts('found', 'processor'), [[1]])
  },
)

amongPuppets('the answer to a probe that a job is done ends it', async (system) => {
  const { hears, said, starts } = await scheduling(system)
  await starts(submit(1, 2))
  await hears(P1, progress(1, 1, false, true))
  await hears(P1, progress(1, 1, false, true), progress(1, 1, false))
  await hears(P2, progress(1, 1, true), progress(1, 0, false), progress(2, 1, false))
  assert.equal(said(), [])
  await hears(P2, progress(1, 1, false, true))
  assert.equal(said(), ['bank: #2 close 1@u1 1.5', 'u1: ended 1, finished'])
})

amongPuppets('a job fails if a processor has forgotten it before it was done', async (system) => {
  const { hears, said, starts, facts } = await scheduling(system)
  await starts(submit(1, 2))
  await hears(P1, finished(1))
  await hears(P2, progress(1, 1, false))
  const aborted = ['p1: abort 1.1', 'p2: abort 1.1', 'bank: #2 refund 1@u1']
  assert.equal(said(), [...aborted, 'p2: reset', 'bank: quote 1@u1'])
  assert.equal(facts('failed', 'job', 'attempt', 'user'), [[1, 1, 'u1']])
})

amongPuppets('a job fails if a processor restarts before it was done', async (system) => {
  const { hears, said, starts } = await scheduling(system)
  await starts(submit(1, 2))
  await hears(P1, finished(1))
  for (const one of [P1, P3, STRANGER, USER]) await system.restart(one)
  await hears(USER)
  await system.run({ until: units(100) })
  assert.equal(said(), [])
  await system.restart(P2)
  await system.run({ until: units(100) })
  assert.equal(said(), ['p1: abort 1.1', 'p2: abort 1.1', 'bank: #2 refund 1@u1', 'bank: quote 1@u1'])
})

amongPuppets('a refund is repeated before the quote that needs it', async (system) => {
  const { hears, said, starts, until } = await scheduling(system, { patience: units(4) })
  await starts(submit(1, 2))
  await hears(P2, progress(1, 1, false))
  const [refund, quote] = ['bank: #2 refund 1@u1', 'bank: quote 1@u1']
  assert.equal(said(), ['p1: abort 1.1', 'p2: abort 1.1', refund, 'p2: reset', quote])
  await until(7)
  assert.equal(
    said().filter((line) => line.startsWith('bank')),
    [refund, quote],
  )
})

amongPuppets('a job whose quote overtook its refund is quoted again', async (system) => {
  const { hears, said, starts, quoted, carried } = await scheduling(system)
  await starts(submit(1, 2))
  await hears(P2, progress(1, 1, false))
  said()
  await quoted([null])
  assert.equal(said(), [])
  await carried(2, 10)
  assert.equal(said(), ['bank: quote 1@u1'])
})

amongPuppets('a charged job whose processor is lost before it starts is refunded', async (system) => {
  const { hears, said, starts, quoted, carried, until, facts } = await scheduling(system, { patience: units(4) })
  await starts(submit(1, 3))
  await hears(USER, submit(2, 1))
  await until(7)
  await hears(P2, progress(1, 1, true))
  await hears(P3, progress(1, 1, false))
  said()
  await quoted([10, 1])
  assert.equal(said(), ['bank: #3 since 2 charge 1@u1', 'p1: probe -1.0'])
  await carried(2, 10)
  await carried(3, 10)
  assert.equal(said(), [
    'bank: #4 refund 1@u1',
    'bank: #5 since 4 forfeit 1@u1',
    'u1: refused 1, it needs 3 processors, the machine has 2',
    'bank: quote 2@u1',
  ])
  assert.equal(facts('failed', 'job', 'attempt'), [
    [1, 1],
    [1, 2],
  ])
})

for (const [reservation, title, chosen] of [
  ['rescans', 'a reservation that is dropped when a job ends leaves the choice open', 3],
  ['stands', 'a reservation that stands starts its job first', 2],
] as const) {
  amongPuppets(title, async (system) => {
    const policy = policyOf('ECON', 'paper', { reservation })
    const { hears, said, starts, quoted } = await scheduling(system, { policy })
    await starts(submit(1, 2))
    await hears(USER, submit(2, 3))
    said()
    await hears(USER, submit(3, 3))
    await quoted([60])
    assert.equal(said(), ['bank: quote 2@u1 3@u1'])
    await quoted([60, 90])
    await hears(P1, finished(1))
    await hears(P2, finished(1))
    said()
    await quoted([60, 90])
    assert.equal(said(), [`bank: #3 since 2 charge ${chosen}@u1`])
  })
}

amongPuppets('without a bank jobs start at once, and nothing is paid', async (system) => {
  const { hears, said, facts } = await scheduling(system, { bank: null, policy: policyOf('RES') })
  await hears(USER, submit(1, 2), submit(2, 3), submit(3, 4))
  assert.equal(said(), [
    'p1: run 1.1 for 6',
    'p2: run 1.1 for 6',
    'u1: refused 3, it needs 4 processors, the machine has 3',
  ])
  await hears(P1, finished(1))
  await hears(P2, finished(1))
  assert.equal(said(), ['u1: ended 1, finished', ...[1, 2, 3].map((p) => `p${p}: run 2.1 for 6`)])
  assert.equal(facts('started', 'job', ...START), [
    [1, 'direct', 0, 0, 0, 0, [0, 1]],
    [2, 'reserved', units(1), units(4), 0, 0, [0, 1, 2]],
  ])
})

amongPuppets(
  'a job that failed waits at its old place, and jobs of one instant in the order of their numbers',
  async (system) => {
    const { hears, said } = await scheduling(system, { bank: null, policy: policyOf('FCFS') })
    await hears(USER, submit(5, 3))
    await system.tell(USER, does(...[7, 6, 1].map((job) => tellTo(SCHEDULER, submit(job, 3)))))
    await hears(USER)
    said()
    await hears(P1, progress(5, 1, false))
    const all = (words: string) => ['p1', 'p2', 'p3'].map((one) => `${one}: ${words}`)
    assert.equal(said(), [...all('abort 5.1'), 'p1: reset', ...all('run 5.2 for 6')])
    for (const one of [P1, P2, P3]) await hears(one, finished(5, 2))
    assert.equal(said(), ['u1: ended 5, finished', ...all('run 1.1 for 6')])
    for (const one of [P1, P2, P3]) await hears(one, finished(1))
    assert.equal(said(), ['u1: ended 1, finished', ...all('run 6.1 for 6')])
  },
)

amongPuppets('policies that do not look at offers charge without a quote, and wait for that charge', async (system) => {
  const { hears, said, carried } = await scheduling(system, { policy: policyOf('RES') })
  await hears(USER, submit(1, 4))
  await carried(1, 0)
  said()
  await hears(USER, submit(2, 1))
  await carried(1, 0)
  assert.equal(said(), ['bank: #2 charge 2@u1'])
  await carried(2, 10)
  assert.equal(said(), ['p1: run 2.1 for 6'])
})

for (const part of ['choice', 'backfill'] as const) {
  amongPuppets(`a policy with offers as its ${part} asks for balances`, async (system) => {
    const { hears, said } = await scheduling(system, { policy: policyOf('RES', 'paper', { [part]: 'offer' }) })
    await hears(USER, submit(1, 2))
    assert.equal(said(), ['bank: quote 1@u1'])
  })
}

amongPuppets('a full machine asks for no balances, unless it sells extra time', async (system) => {
  const { hears, said, starts } = await scheduling(system)
  await starts(submit(1, 3))
  await hears(USER, submit(2, 1))
  assert.equal(said(), [])
  await hears(P1, finished(1))
  assert.equal(said(), [])
})

const OVERRUN = { lasts: units(4), alpha: 0.1, grace: units(1) }

amongPuppets('a job that runs on buys time until its user cannot pay', async (system) => {
  const { hears, said, starts, quoted, carried, until, facts } = await scheduling(system, { overrun: OVERRUN })
  await starts(submit(1, 3))
  await hears(USER, submit(2, 1))
  assert.equal(said(), ['bank: quote 2@u1'])
  await quoted([8])
  await until(7)
  assert.equal(said(), [])
  await until(8)
  // it started at 2 and paid 10 for 15 processor-minutes; job 2 would pay 8 for 5 and make no processor wait
  const cost = (12 * (10 / 15 + (8 / 5 - 10 / 15) * Math.exp(-0.4))).toFixed(3)
  assert.equal(said(), [`bank: #2 extend 1@u1 for ${cost}`])
  await carried(2, 11)
  assert.equal(facts('extended', 'job', 'end'), [[1, units(11)]])
  assert.equal(said(), ['bank: quote 2@u1'])
  await quoted([8])
  await until(13)
  assert.equal(said(), [`bank: #3 extend 1@u1 for ${cost}`])
  await carried(3, null)
  const aborted = [1, 2, 3].map((p) => `p${p}: abort 1.1`)
  assert.equal(said(), [...aborted, 'bank: #4 close 1@u1 null', 'u1: ended 1, overrun', 'bank: quote 2@u1'])
  await hears(USER, submit(1, 3))
  assert.equal(said(), ['u1: ended 1, overrun'])
})

amongPuppets('two jobs that run on buy time each', async (system) => {
  const { hears, said, carried, until } = await scheduling(system, { policy: policyOf('RES'), overrun: OVERRUN })
  for (const n of [1, 2]) {
    await hears(USER, submit(n, 1))
    await carried(n, 0)
  }
  said()
  await until(10)
  assert.equal(said(), ['bank: #3 extend 1@u1 for 0.000', 'bank: #4 since 3 extend 2@u1 for 0.000'])
})

amongPuppets('without a bank extra time costs nothing', async (system) => {
  const { hears, said, until, facts } = await scheduling(system, {
    bank: null,
    policy: policyOf('FCFS'),
    overrun: OVERRUN,
  })
  await hears(USER, submit(1, 3))
  await until(11)
  assert.equal(facts('extended', 'job', 'end'), [
    [1, units(9)],
    [1, units(13)],
  ])
  assert.equal(
    said(),
    [1, 2, 3].map((p) => `p${p}: run 1.1 for 6`),
  )
})

/** Restarts the scheduler, and returns what the new incarnation says. */
async function restarted(system: System, said: () => string[]): Promise<string[]> {
  said()
  await system.restart(SCHEDULER)
  await system.run({ until: system.now + units(1) })
  return said()
}

amongPuppets('nothing is repeated once the bank has carried out all instructions', async (system) => {
  const timers = linesOf(system, 'timer')
  const { hears, carried, until } = await scheduling(system, { patience: units(4) })
  await hears(USER, submit(1, 4))
  await carried(1, 0)
  await until(50)
  assert.equal(timers, [])
})

amongPuppets('a scheduler that has done nothing says nothing when it is back', async (system) => {
  const { said } = await scheduling(system)
  assert.equal(await restarted(system, said), [])
})

amongPuppets('a scheduler that is back asks again about the jobs that wait', async (system) => {
  const { hears, said } = await scheduling(system)
  await hears(USER, submit(1, 1))
  assert.equal(await restarted(system, said), ['bank: quote 1@u1'])
})

amongPuppets('a scheduler that is back probes its jobs, asks again and knows what is over', async (system) => {
  const { hears, said, starts, carried } = await scheduling(system)
  await starts(submit(1, 1))
  await hears(USER, submit(2, 4), submit(3, 1))
  const repeated = ['bank: #2 forfeit 2@u1', 'p1: probe 1.1', 'bank: quote 3@u1']
  assert.equal(await restarted(system, said), repeated)
  await carried(2, 0)
  await hears(USER, submit(2, 4))
  assert.equal(said(), ['u1: refused 2, it needs 4 processors, the machine has 3'])
  await hears(P1, finished(1))
  assert.equal(await restarted(system, said), ['bank: #3 close 1@u1 1.3333333333333333', 'bank: quote 3@u1'])
})

amongPuppets(
  'an instruction without an answer is repeated by a later incarnation that has nothing else to do',
  async (system) => {
    const { hears, said } = await scheduling(system)
    await hears(USER, submit(1, 4))
    assert.equal(await restarted(system, said), ['bank: #1 forfeit 1@u1'])
  },
)

amongPuppets('a later incarnation inspects what runs, also while it waits for a charge', async (system) => {
  const terms = { policy: policyOf('RES'), patience: units(4) }
  const { hears, said, carried, until } = await scheduling(system, terms)
  await hears(USER, submit(1, 1))
  await carried(1, 10)
  await hears(USER, submit(2, 1))
  const charge = 'bank: #2 charge 2@u1'
  assert.equal(await restarted(system, said), [charge, 'p1: probe 1.1'])
  await hears(P1, progress(1, 1, true))
  await until(7)
  assert.equal(said(), [charge, 'p1: probe 1.1'])
})

amongPuppets('the chart of the scheduler tells whom a pass waits for', async (system) => {
  const states = linesOf(system, 'state')
  const { hears, said, quoted, carried } = await scheduling(system)
  await hears(USER, submit(1, 2))
  said()
  await quoted([10])
  await carried(1, 10)
  assert.equal(
    states.flatMap(({ who, value }) => (who === SCHEDULER ? [value] : [])),
    ['resting', 'due', 'quoting', 'charging', 'resting'],
  )
})

amongPuppets('a later incarnation without a bank probes what runs, and inspects it', async (system) => {
  const policy = policyOf('FCFS')
  const { hears, said, until } = await scheduling(system, { bank: null, policy, patience: units(4) })
  await hears(USER, submit(1, 2))
  const probes = ['p1: probe 1.1', 'p2: probe 1.1']
  assert.equal(await restarted(system, said), probes)
  await hears(P1, progress(1, 1, true))
  await hears(P2, progress(1, 1, true))
  await until(5)
  assert.equal(said(), probes)
})

amongPuppets('a later incarnation sells time when it is due, and asks for it once', async (system) => {
  const { said, starts, until } = await scheduling(system, { overrun: OVERRUN })
  await starts(submit(1, 3))
  const probes = [1, 2, 3].map((p) => `p${p}: probe 1.1`)
  assert.equal(await restarted(system, said), probes)
  await until(9)
  const [asks = ''] = said()
  assert.match(asks, '#2 extend 1@u1')
  assert.equal(await restarted(system, said), [asks, ...probes])
})

test.run()

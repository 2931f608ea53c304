/**
 * Random plans of faults for small machines, each given by a kind and a seed. The scheduler and the bank always come back,
 * and one processor has no faults.
 */
import { policyOf } from '../../actors/economy/terms.ts'
import { toUnits, units } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import type { ScenarioRun } from '../../lib/scenario/definition.ts'
import {
  Dice,
  delays,
  delaysIn,
  faultsIn,
  kills,
  lossesIn,
  machinesIn,
  partitions,
  pauses,
  restarts,
  victims,
} from '../../lib/scenario/dice.ts'
import { type Cost, type FaultPlan, type FaultPlans, percent, ratio } from '../../lib/scenario/fault-plans.ts'
import { BANK, type Economy, SCHEDULER } from './model.ts'
import type { Watch } from './oracle.ts'
import { finishedOf, responseOf } from './results.ts'
import { type EconomyJob, inOrder } from './workload/job.ts'

/**
 * - `kills`, `restarts`: processors die for good, or come back (or are restarted alive);
 * - `scheduler`, `bank`, `hub`: the scheduler, the bank or both die and come back, at any time or after any message;
 * - `users`: users die, and most come back;
 * - `partitions`, `pauses`: machines cannot be reached, or actors do nothing, for a while;
 * - `delays`: mail between a machine and all others takes longer for a while;
 * - `loss`: up to 20 % of the mail between machines is lost and up to 40 % doubled;
 * - `everything`: all of these, with reliable delivery.
 *
 * There are 2 to 12 processors. A message takes up to 11 minutes, and with jitter up to twice as long. All processors are
 * alike: the model has no speeds.
 */
export const KINDS = [
  'kills',
  'restarts',
  'scheduler',
  'bank',
  'hub',
  'users',
  'partitions',
  'pauses',
  'delays',
  'loss',
  'everything',
] as const
export type Kind = (typeof KINDS)[number]

const JOBS = 24
const USERS = ['u1', 'u2', 'u3']

/** The longest duration of temporary faults, in minutes. */
const LONGEST = { restart: 60, pause: 30, partition: 50, delay: 30 }

/** The messages and timers of bank and scheduler while jobs start and end. */
const HEARD = {
  scheduler: ['submit', 'quoted', 'carried', 'finished', 'progress', 'pass', 'unanswered', 'inspect'],
  bank: ['submit', 'quote', 'instruct'],
} as const

/** Faults of the scheduler or the bank: an outage at any time, or a restart right after some message. */
function hubFaults(dice: Dice, role: keyof typeof HEARD): string[] {
  const who = `${role}@hub`
  return Array.from({ length: 1 + dice.below(3) }, () => {
    const message = HEARD[role][dice.below(HEARD[role].length)] ?? 'submit'
    if (dice.below(2) === 0) return [`restart ${who} after ${1 + dice.below(2 * JOBS)} ${message}`]
    return restarts(dice, who, LONGEST.restart)
  }).flat()
}

function faultsOf(kind: Kind, dice: Dice, processors: number): string[] {
  const machines = Array.from({ length: processors }, (_, i) => `p${i + 1}`)
  const spared = dice.below(processors)
  const some = () =>
    victims(
      dice,
      machines,
      (i) => i === spared,
      (machine) => `processor@${machine}`,
    )
  switch (kind) {
    case 'kills':
      return some().flatMap((who) => kills(dice, who))
    case 'restarts':
      return some().flatMap((who) => restarts(dice, who, LONGEST.restart))
    case 'scheduler':
      return hubFaults(dice, 'scheduler')
    case 'bank':
      return hubFaults(dice, 'bank')
    case 'hub':
      return [...hubFaults(dice, 'scheduler'), ...hubFaults(dice, 'bank'), ...restarts(dice, '@hub', LONGEST.restart)]
    case 'users':
      return USERS.flatMap((user) =>
        dice.below(3) === 0 ? kills(dice, `user@${user}`) : restarts(dice, `user@${user}`, LONGEST.restart),
      )
    case 'pauses':
      return [...some().slice(0, 3), SCHEDULER, BANK, 'user@u1'].flatMap((who) => pauses(dice, who, LONGEST.pause))
    case 'partitions':
      return partitions(dice, [...machines.slice(0, 3), ...USERS, 'hub'], LONGEST.partition)
    case 'delays':
      return delays(dice, [...machines.slice(0, 3), ...USERS, 'hub'], LONGEST.delay)
    case 'loss':
      return []
    case 'everything':
      return dice
        .someOf(['kills', 'restarts', 'hub', 'users', 'partitions', 'pauses'] as const)
        .flatMap((one) => faultsOf(one, dice, processors))
  }
}

/** Draws the jobs. Many arrive together, some need all processors, and with overruns every third exceeds its declared time. */
const jobsOf = (dice: Dice, processors: number, overruns: boolean): EconomyJob[] => {
  let now = 0
  return inOrder(
    Array.from({ length: JOBS }, (_, i) => {
      now += dice.below(3) === 0 ? 0 : dice.below(8)
      const service = units(1 + dice.below(20))
      return {
        user: dice.oneOf('u1', 'u2', 'u3'),
        class: dice.oneOf(1, 2, 3),
        arrival: units(now),
        processors: 1 + (dice.below(4) === 0 ? dice.below(processors) : dice.below(Math.min(3, processors))),
        service,
        ...(overruns && i % 3 === 0 && { actual: service + units(dice.below(15)) }),
        deposit: dice.below(3) === 0 ? dice.below(60) : 0,
      }
    }),
  )
}

/** Draws the plan of a kind from a seed. */
export function planOf(kind: Kind, seed: number): FaultPlan<Economy> {
  const setting = new Dice(seed, 'setting')
  const processors = machinesIn(setting)
  const { latency, jitter } = delaysIn(setting)
  const name = setting.oneOf('ECON', 'ECON', 'ECON', 'ECON', 'RES', 'FCFS')
  const isPaid = name === 'ECON' || setting.below(2) === 0
  const overruns = setting.below(3) === 0
  const jobs = jobsOf(setting, processors, overruns)
  const isReliable = kind === 'everything'
  const coefficients = setting.oneOf([1 / 3, 1 / 3, 1 / 3] as const, [0.5, 0.3, 0.2] as const)
  const targets = setting.oneOf(null, [1, 2, 2] as const)
  const holder = { savings: 200, cap: setting.oneOf(250, 1e6), coefficients, targets }
  const last = jobs.at(-1)?.arrival ?? 0
  const model: Economy = {
    processors,
    policy: policyOf(name, setting.oneOf('paper', 'literal'), { future: setting.below(4) === 0 ? 'start' : null }),
    market: isPaid
      ? {
          sharing: { rates: setting.oneOf('weighted', 'unweighted'), running: setting.below(4) === 0 },
          statistics: targets && { every: units(20), until: last },
        }
      : null,
    users: Object.fromEntries(USERS.map((user, i) => [user, { ...holder, income: 7 * i }])),
    jobs,
    patience: 2 * (latency + jitter) + units(isReliable ? 30 : 5),
    durable: true,
    overrun: overruns ? { lasts: units(3), alpha: 0.1, grace: 2 * (latency + jitter) } : null,
  }
  const losses = isReliable || kind === 'loss' ? lossesIn(setting) : {}
  return {
    model,
    span: last,
    faults: faultsIn(faultsOf(kind, new Dice(seed, 'faults', last), processors)),
    options: {
      seed,
      network: { latency, jitter, ...losses },
      reliable: isReliable,
      schedule: setting.oneOf('fifo', seed),
      memoryMB: 16,
      rounds: 50_000,
    },
  }
}

/** The costs of a plan. Responses are those of jobs that finished with and without faults. */
function costs(run: ScenarioRun<Watch>, calm: ScenarioRun<Watch>): Cost[] {
  const { ledger, money } = run.oracle
  const calmly = new Map(finishedOf(calm.oracle).map((story) => [story.request.job, story]))
  const both = finishedOf(run.oracle).flatMap((story) => {
    const other = calmly.get(story.request.job)
    return other ? [[responseOf(story), responseOf(other)] as const] : []
  })
  const response = sum(both, ([ours]) => toUnits(ours))
  const calmResponse = sum(both, ([, theirs]) => toUnits(theirs))
  const stories = [...ledger.jobs.values()]
  const failures = sum(stories, (story) => story.failures)
  const refused = stories.filter(({ end }) => end?.why === 'refused').length
  return [
    ratio('response', response, calmResponse),
    percent('failures', failures, stories.length, '/100 jobs'),
    percent('wasted work', toUnits(ledger.lost), toUnits(ledger.useful + ledger.lost)),
    percent('refused', refused, stories.length, '/100 jobs'),
    percent('forfeited', money.sum('forfeited'), money.sum('received'), '% of income'),
  ]
}

export const FAULT_PLANS: FaultPlans<Economy, Watch> = {
  kinds: new Map(KINDS.map((kind) => [kind, (seed) => planOf(kind, seed)])),
  costs,
  notes: [
    'Times: relative to the same jobs without faults, for jobs that finished in both runs. Failures: attempts that lost a',
    'processor or seemed to; their payment is refunded. Refused: wider than the rest of the machine; their balances are forfeited.',
  ],
}

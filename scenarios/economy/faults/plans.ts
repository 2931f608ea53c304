/**
 * Random plans of faults for small machines, each given by a kind and a seed. The scheduler and the bank always come back,
 * and one processor has no faults.
 */
import { policyOf } from '../../../actors/economy/terms.ts'
import { units } from '../../../lib/actor.ts'
import {
  Dice,
  delaysIn,
  faultsIn,
  kills,
  lossesIn,
  machinesIn,
  partitions,
  pauses,
  restarts,
  victims,
} from '../../faults/dice.ts'
import type { FaultPlan } from '../../faults/study.ts'
import { BANK, type Economy, SCHEDULER } from '../model.ts'
import { type EconomyJob, inOrder } from '../workload/job.ts'

/**
 * - `kills`, `restarts`: processors die for good, or come back (or are restarted alive);
 * - `scheduler`, `bank`, `hub`: the scheduler, the bank or both die and come back, at any time or after any message;
 * - `users`: users die, and most come back;
 * - `partitions`, `pauses`: machines cannot be reached, or actors do nothing, for a while;
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
  'loss',
  'everything',
] as const
export type Kind = (typeof KINDS)[number]

export interface Plan extends FaultPlan {
  readonly economy: Economy
}

const JOBS = 24
const USERS = ['u1', 'u2', 'u3']

/** The longest duration of temporary faults, in minutes. */
const LONGEST = { restart: 60, pause: 30, partition: 50 }

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
    case 'loss':
      return []
    case 'everything':
      return (['kills', 'restarts', 'hub', 'users', 'partitions', 'pauses'] as const)
        .filter(() => dice.below(2) === 0)
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
export function planOf(kind: Kind, seed: number): Plan {
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
  const economy: Economy = {
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
    economy,
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

/**
 * Random fault plans for small markets, each drawn from a kind and a seed. Every plan spares one machine, so all tasks
 * of living clients can be done.
 */
import { units } from '../../../lib/actor.ts'
import { generateJobs } from '../../../lib/workload/generate.ts'
import { withClients } from '../../../lib/workload/job.ts'
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
  speedIn,
  victims,
} from '../../faults/dice.ts'
import type { FaultPlan } from '../../faults/study.ts'
import { type Market, machinesOf, type Protocol, termsOf } from '../model.ts'

/**
 * The kinds of plans:
 *
 * - `kills`, `restarts`: machines, or single actors of them, die for good, or come back (or are restarted alive);
 * - `clients`: a client dies, and sometimes comes back;
 * - `partitions`: a machine or a client cannot be reached for a while;
 * - `pauses`: actors handle nothing for a while;
 * - `loss`: up to 20 % of the messages are lost and up to 40 % duplicated; requests without a bid are repeated;
 * - `reliable`: the same network, with reliable delivery between the machines;
 * - `everything`: all of these, with reliable delivery.
 *
 * There are 2 to 12 machines of speed 0.1 to 10. A message takes up to 11 units, and with jitter up to twice as long.
 */
export const KINDS = ['kills', 'restarts', 'clients', 'partitions', 'pauses', 'loss', 'reliable', 'everything'] as const
export type Kind = (typeof KINDS)[number]

export interface Plan extends FaultPlan {
  readonly market: Market
}

const TASKS = 20
/** The number of delivery attempts that clients wait for. At 20 % loss all of them fail once in 80,000 times. */
const ATTEMPTS = 7

/** The longest duration of each temporary fault, in units. */
const LONGEST = { restart: 80, pause: 40, partition: 60 }

function faultsOf(kind: Kind, dice: Dice, speeds: readonly number[], clients: readonly string[]): string[] {
  const spared = dice.below(speeds.length)
  const machines = machinesOf({ speeds })
  const some = (isSpared = (i: number) => i === spared) =>
    victims(dice, machines, isSpared, (machine) => `${dice.oneOf('', 'contractor', 'processor')}@${machine}`)
  switch (kind) {
    case 'kills':
      return some().flatMap((who) => kills(dice, who))
    case 'restarts':
      return some().flatMap((who) => restarts(dice, who, LONGEST.restart))
    case 'clients':
      return dice.below(2) === 0 ? kills(dice, 'client@c1') : restarts(dice, 'client@c1', LONGEST.restart)
    case 'pauses':
      return [...some(() => false), 'client@c1'].flatMap((who) => pauses(dice, who, LONGEST.pause))
    case 'partitions':
      return partitions(dice, [...machines, ...clients], LONGEST.partition)
    case 'loss':
    case 'reliable':
      return []
    case 'everything':
      return (['kills', 'restarts', 'clients', 'partitions', 'pauses'] as const)
        .filter(() => dice.below(2) === 0)
        .flatMap((one) => faultsOf(one, dice, speeds, clients))
  }
}

/** Every third task is not restartable, except under `loss`, where a duplicated message could start it twice. */
const isFragile = (kind: Kind, i: number): boolean => kind !== 'loss' && i % 3 === 0

/** Draws the plan of a kind from a seed. */
export function planOf(protocol: Protocol, kind: Kind, seed: number): Plan {
  const setting = new Dice(seed, 'setting')
  const speeds = Array.from({ length: machinesIn(setting) }, () => speedIn(setting))
  const clients = ['c1', 'c2'].slice(0, 1 + setting.below(2))
  const { latency, jitter } = delaysIn(setting)
  const delay = latency + jitter
  const jobs = generateJobs({ seed, tasks: TASKS, load: 0.3 + setting.below(6) / 10, speeds, errors: 'gen' })
  const isReliable = kind === 'reliable' || kind === 'everything'
  const patience = isReliable ? ATTEMPTS * (2 * delay + units(1)) : 0
  const canLose = kind === 'loss' || kind === 'partitions'
  const market: Market = {
    protocol,
    speeds,
    clients,
    jobs: withClients(jobs, clients, seed).map((job, i) => (isFragile(kind, i) ? { ...job, restartable: false } : job)),
    terms: termsOf(protocol, delay, {
      clash: setting.oneOf('hold', 'bump', 'commit'),
      i0: setting.oneOf(null, 0, 0.5),
      abort: setting.below(4) > 0,
      query: units(10),
      timeout: 2 * delay + units(5) + 2 * patience,
      silence: setting.below(2) === 0 ? null : 2 * delay + units(30) + 4 * patience,
      ...(canLose && { retry: 2 * delay + units(5) }),
    }),
  }
  const losses = isReliable || kind === 'loss' ? lossesIn(setting) : {}
  const faults = faultsOf(kind, new Dice(seed, 'faults', jobs.at(-1)?.arrival ?? 0), speeds, clients)
  return {
    market,
    faults: faultsIn(faults),
    options: {
      seed,
      network: { latency, jitter, ...losses },
      reliable: isReliable,
      schedule: setting.oneOf('fifo', seed),
      memoryMB: 16,
      // if only a slow machine is left, tasks meant for a fast one take long, and requests are repeated meanwhile
      rounds: 1_000_000,
    },
  }
}

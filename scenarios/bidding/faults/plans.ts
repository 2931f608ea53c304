/**
 * Random plans of faults for small markets, each given by a kind and a number. What every plan leaves whole is one
 * machine, so that all tasks of clients that live can be done.
 */
import { units } from '../../../lib/actor.ts'
import { type Fault, parseFault } from '../../../lib/faults/faults.ts'
import { keyed } from '../../../lib/random.ts'
import type { GivenOptions } from '../../../lib/system.ts'
import { generateJobs } from '../../../lib/workload/generate.ts'
import { withClients } from '../../../lib/workload/job.ts'
import { type Market, machinesOf, type Protocol, termsOf } from '../run.ts'

/**
 * - `kills`, `restarts`: machines, or single actors of them, die for good, or come back (or are restarted alive);
 * - `clients`: a client dies, and sometimes comes back;
 * - `cuts`: a machine or a client cannot be reached for a while;
 * - `stalls`: actors handle nothing for a while;
 * - `loss`: 5 % of the mail is lost and 2 % doubled; requests without a bid are repeated;
 * - `reliable`: 20 % is lost and 10 % doubled, with reliable delivery between the machines;
 * - `everything`: all of it, with reliable delivery.
 */
export const KINDS = ['kills', 'restarts', 'clients', 'cuts', 'stalls', 'loss', 'reliable', 'everything'] as const
export type Kind = (typeof KINDS)[number]

export interface Plan {
  readonly market: Market
  readonly faults: readonly Fault[]
  readonly options: GivenOptions & { readonly seed: number }
}

const TASKS = 20
/** With 20 % loss a message gets through in fewer attempts than this, but once in 80,000 times. */
const ATTEMPTS = 7

/** Draws for one plan. */
class Dice {
  readonly #n: number
  readonly #span: number
  #draws = 0

  constructor(n: number, span: number) {
    this.#n = n
    this.#span = span
  }

  below(limit: number): number {
    return Math.floor(keyed(this.#n, 'fault plan', this.#draws++) * limit)
  }

  oneOf<const T, const U = T>(first: T, ...others: readonly U[]): T | U {
    return others[this.below(others.length + 1) - 1] ?? first
  }

  /** An instant between the first and the last arrival, in tenths of a unit. */
  instant(): number {
    return this.below(this.#span / 1e5) / 10
  }

  /** Up to so many units. */
  span(longest: number): number {
    return (1 + this.below(10 * longest)) / 10
  }
}

type Spare = (i: number) => boolean

/** One or more of the machines that are not spared, each whole or one actor of it. */
function victims(dice: Dice, speeds: readonly number[], isSpared: Spare): string[] {
  const machines = machinesOf({ speeds }).filter((_, i) => !isSpared(i))
  const first = dice.below(machines.length)
  return machines
    .filter((_, i) => i === first || dice.below(3) > 0)
    .map((machine) => `${dice.oneOf('', 'contractor', 'processor')}@${machine}`)
}

const time = (instant: number): string => instant.toFixed(1)

const kills = (dice: Dice, who: string): string[] => [`kill ${who} at ${time(dice.instant())}`]

function restarts(dice: Dice, who: string): string[] {
  const at = dice.instant()
  const again = `restart ${who} at ${time(at + dice.span(80))}`
  return dice.below(5) === 0 ? [again] : [`kill ${who} at ${time(at)}`, again]
}

function stalls(dice: Dice, who: string): string[] {
  return [`stall ${who} for ${time(dice.span(40))} at ${time(dice.instant())}`]
}

function cuts(dice: Dice, machine: string, others: readonly string[]): string[] {
  const at = dice.instant()
  return [`cut ${machine} | ${others.join()} at ${time(at)} until ${time(at + dice.span(60))}`]
}

function faultsOf(kind: Kind, dice: Dice, speeds: readonly number[], clients: readonly string[]): string[] {
  const spared = dice.below(speeds.length)
  const isSpared: Spare = (i) => i === spared
  switch (kind) {
    case 'kills':
      return victims(dice, speeds, isSpared).flatMap((who) => kills(dice, who))
    case 'restarts':
      return victims(dice, speeds, isSpared).flatMap((who) => restarts(dice, who))
    case 'clients':
      return dice.below(2) === 0 ? kills(dice, 'client@c1') : restarts(dice, 'client@c1')
    case 'stalls':
      return [...victims(dice, speeds, () => false), 'client@c1'].flatMap((who) => stalls(dice, who))
    case 'cuts': {
      const all = [...machinesOf({ speeds }), ...clients]
      const cut = all.filter(() => dice.below(2) === 0)
      return cut.flatMap((machine) =>
        cuts(
          dice,
          machine,
          all.filter((other) => other !== machine),
        ),
      )
    }
    case 'loss':
    case 'reliable':
      return []
    case 'everything':
      return (['kills', 'restarts', 'clients', 'cuts', 'stalls'] as const)
        .filter(() => dice.below(2) === 0)
        .flatMap((one) => faultsOf(one, dice, speeds, clients))
  }
}

/** Every third task may not be begun twice, where mail that is doubled cannot begin it twice. */
const isFragile = (kind: Kind, i: number): boolean => kind !== 'loss' && i % 3 === 0

/** Plan `n` of a kind. */
export function planOf(protocol: Protocol, kind: Kind, n: number): Plan {
  const setting = new Dice(n, 0)
  const speeds = Array.from({ length: 2 + setting.below(4) }, () => 1 + setting.below(4))
  const clients = ['c1', 'c2'].slice(0, 1 + setting.below(2))
  const latency = units(setting.oneOf(0, 0.5, 3))
  const jitter = setting.below(2) === 0 ? 0 : latency / 2
  const delay = latency + jitter
  const jobs = generateJobs({ seed: n, tasks: TASKS, load: 0.3 + setting.below(6) / 10, speeds, errors: 'gen' })
  const isReliable = kind === 'reliable' || kind === 'everything'
  const patience = isReliable ? ATTEMPTS * (2 * delay + units(1)) : 0
  const canLose = kind === 'loss' || kind === 'cuts'
  const market: Market = {
    protocol,
    speeds,
    clients,
    jobs: withClients(jobs, clients, n).map((job, i) => (isFragile(kind, i) ? { ...job, restartable: false } : job)),
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
  const loss = isReliable ? { loss: 0.2, duplicate: 0.1 } : kind === 'loss' ? { loss: 0.05, duplicate: 0.02 } : {}
  const faults = faultsOf(kind, new Dice(n, jobs.at(-1)?.arrival ?? 0), speeds, clients)
  return {
    market,
    faults: [...new Set(faults)].map((fault) => parseFault(fault)),
    options: {
      seed: n,
      network: { latency, jitter, loss: 0, duplicate: 0, ...loss },
      reliable: isReliable,
      schedule: setting.oneOf('fifo', n),
      memoryMB: 16,
      rounds: 200_000,
    },
  }
}

/**
 * Random fault plans for small clusters, each drawn from a kind and a seed. Every plan spares one machine and the
 * machines of the barriers, or brings them back.
 */
import type { Arrive, Parallel, ToScheduler } from '../../../actors/processor/jobs.ts'
import type { BarrierInput, Membership } from '../../../actors/shares/barrier.ts'
import type { Place } from '../../../actors/shares/placer/messages.ts'
import type { PlacerInput } from '../../../actors/shares/placer/state.ts'
import { machineOf, type Ref, ref, type Time } from '../../../lib/actor.ts'
import { units } from '../../../lib/core/time.ts'
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
} from '../../../lib/scenario/dice.ts'
import type { FaultPlan } from '../../../lib/scenario/fault-plans.ts'
import { type Cluster, cooperating, machinesOf, type Other, runs, type Said } from '../model.ts'

/**
 * The kinds of plans:
 *
 * - `servers`: ticket servers die for good, or come back (or are restarted alive); sometimes all of them at once;
 * - `machines`: machines, or their processors alone, die for good or come back with nothing;
 * - `barriers`: barriers die and come back;
 * - `losses`: up to 20 % of the messages are lost and up to 40 % duplicated;
 * - `reliable`: the same network, with reliable delivery between the machines;
 * - `partitions`: machines, of barriers too, cannot be reached for a while;
 * - `delays`: mail between a machine, of barriers too, and all others takes longer for a while;
 * - `pauses`: actors handle nothing for a while;
 * - `placer`: the placer that found machines for jobs dies and comes back, and machines die;
 * - `everything`: all kinds of faults that strike at an instant.
 *
 * There are 2 to 12 machines, all of speed 1. A message takes up to 11 ms, and with jitter up to twice as long.
 */
export const KINDS = [
  'servers',
  'machines',
  'barriers',
  'losses',
  'reliable',
  'partitions',
  'delays',
  'pauses',
  'placer',
  'everything',
] as const
export type Kind = (typeof KINDS)[number]

export interface Gang {
  readonly job: string
  readonly barrier: Ref<Arrive>
  readonly members: readonly Ref<ToScheduler>[]
}

/** A cluster that runs until an instant. */
export type BoundedCluster = Cluster & { readonly until: Time }

export interface Plan extends FaultPlan<BoundedCluster> {
  /** Parallel jobs whose members are known from the start. */
  readonly gangs: readonly Gang[]
  /** The jobs that the placer must find machines for, and how many each needs. */
  readonly placed: ReadonlyMap<string, number>
  readonly membership: Membership
  /** The longest time that a message may take, including its retransmissions. */
  readonly delay: Time
  readonly isLossy: boolean
}

export const PERIOD = units(200)
/** The number of periods after which a report is forgotten. */
export const KEPT = 3
/** Faults begin before this, in units. */
const SPAN = units(1500)
/** The longest that temporary faults last, in units. */
const LONGEST = { restart: 500, pause: 200, partition: 800, delay: 200 }
const GRANULARITY = units(10)
/** The patience of barriers, which is longer than any round with all members present. */
export const PATIENCE = units(250)
const SHARE = 100
/**
 * The number of transmissions that a message or its acknowledgement exceeds only once in 10 million times, if 10 % is
 * lost.
 */
const ATTEMPTS = 7

const processorOf = (machine: string): Ref<ToScheduler> => ref(`processor@${machine}`)

/**
 * The actors of a machine that a restart brings back. A machine that comes back gets its users' orders again, but not
 * its starter's.
 */
const PARTS = ['processor', 'ticket-server', 'user']

/** Replaces the restart of a machine by restarts of its parts. */
const again = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => {
    const [, machine, when] = /^restart @(\S+) (.*)$/.exec(line) ?? []
    return machine === undefined ? [line] : PARTS.map((part) => `restart ${part}@${machine} ${when}`)
  })

function faultsOf(kind: Kind, dice: Dice, machines: readonly string[], desks: readonly string[]): string[] {
  const spared = dice.below(machines.length)
  const all = [...machines, ...desks.map(machineOf)]
  const some = (part: (machine: string) => string, isSpared = (i: number) => i === spared) =>
    victims(dice, machines, isSpared, part)
  const strike = (who: string) => (dice.below(2) === 0 ? kills(dice, who) : restarts(dice, who, LONGEST.restart))
  switch (kind) {
    case 'servers': {
      const servers = some(
        (machine) => `ticket-server@${machine}`,
        () => false,
      )
      if (dice.below(4) > 0) return servers.flatMap(strike)
      const at = dice.instant()
      return machines.map((machine) => `kill ticket-server@${machine} at ${at.toFixed(1)}`)
    }
    case 'machines':
      return again(some((machine) => `${dice.oneOf('', '', 'processor')}@${machine}`).flatMap(strike))
    case 'barriers':
    case 'placer': {
      const back = (who: string) => restarts(dice, who, LONGEST.restart)
      const own = desks.flatMap(back)
      if (kind === 'barriers' || dice.below(2) === 0) return own
      return [...own, ...again(some((machine) => `@${machine}`).flatMap(strike))]
    }
    case 'pauses': {
      const parts = some(
        (machine) => `${dice.oneOf('', 'processor', 'ticket-server')}@${machine}`,
        () => false,
      )
      return [...parts, ...desks].flatMap((who) => pauses(dice, who, LONGEST.pause))
    }
    case 'partitions':
      return partitions(dice, all, LONGEST.partition)
    case 'delays':
      return delays(dice, all, LONGEST.delay)
    case 'losses':
    case 'reliable':
      return []
    case 'everything':
      return dice
        .someOf(['servers', 'machines', 'barriers', 'partitions', 'pauses'] as const)
        .flatMap((one) => faultsOf(one, dice, machines, desks))
  }
}

/** A placer, and the orders of a user on a machine of her own who lets it place jobs. */
function placing(
  dice: Dice,
  machines: readonly string[],
  timeout: Time,
): { readonly orders: Said[]; readonly others: Other[] } {
  const program = { kind: 'compute', work: null } as const
  const input: PlacerInput = {
    processors: machines.map(processorOf),
    ask: dice.oneOf(null, 1, 2),
    balance: 'tickets',
    timeout,
    funding: { Z: SHARE },
  }
  const orders = ['z1', 'z2', 'z3', 'z4'].map((job): Said => {
    const message: Place = { type: 'place', job, currency: 'Z', amount: 1 + dice.below(3), program }
    return { at: units(dice.instant()), user: 'user@c1', to: 'placer@c2', message }
  })
  return { orders, others: [{ address: 'placer@c2', module: 'shares/placer/placer.ts', input }] }
}

/** Draws the plan of a kind from a seed. */
export function planOf(kind: Kind, seed: number): Plan {
  const dice = new Dice(seed, 'plan', SPAN)
  const machines = machinesOf({ machines: machinesIn(dice) })
  const { latency, jitter } = delaysIn(dice)
  const isReliable = kind === 'reliable'
  const isLossy = kind === 'losses'
  const attempt = 2 * (latency + jitter) + units(1)
  const delay = latency + jitter + (isReliable ? 2 * ATTEMPTS * attempt : 0)
  const membership = { patience: PATIENCE, timeout: 4 * (2 * delay + units(5)) }
  const gangs = Array.from({ length: 1 + dice.below(2) }, (_, i): Gang => {
    const size = 2 + dice.below(machines.length - 1)
    const from = dice.below(machines.length - size + 1)
    return {
      job: `p${i + 1}`,
      barrier: ref(`barrier@b${i + 1}`),
      members: machines.slice(from, from + size).map(processorOf),
    }
  })
  const funding = Object.fromEntries([
    ...['A', 'Z', ...machines].map((currency) => [currency, SHARE] as const),
    ...gangs.map(({ job, members }) => [job, SHARE * members.length] as const),
  ])
  const alone = machines.flatMap((machine) => [
    runs(`A-${machine}`, machine, { currency: 'A' }),
    runs(`own-${machine}`, machine, { currency: machine, amount: 1 + dice.below(5) }),
  ])
  const naps = { kind: 'bursts', bursts: [{ run: units(15), sleep: units(70) }], cycles: null } as const
  const sleeper = runs('naps', dice.oneOf('m1', 'm2'), { currency: 'A', amount: 2, program: naps })
  const spin = dice.oneOf(units(2), 0, null)
  const parallel = gangs.flatMap(({ job, barrier, members }) =>
    members.map((member, rank) => {
      const machine = member.slice(member.indexOf('@') + 1)
      const program: Parallel = { kind: 'parallel', barrier, rank, granularity: GRANULARITY, imbalance: 0.2, spin }
      return runs(job, machine, { currency: job, program, user: `starter@${machine}`, at: units(dice.below(50)) })
    }),
  )
  const barriers = gangs.map(({ job, barrier, members }): Other => {
    const input: BarrierInput = { job, members, membership }
    return { address: barrier, module: 'shares/barrier.ts', input }
  })
  const desk = kind === 'placer' ? placing(dice, machines, 4 * delay + units(5)) : { orders: [], others: [] }
  const orders = [...alone, sleeper, ...parallel, ...desk.orders]
  const desks = kind === 'placer' ? ['placer@c2'] : barriers.map(({ address }) => address)
  const faults = faultsIn(faultsOf(kind, dice, machines, desks))
  const losses = isReliable || isLossy ? lossesIn(dice) : {}
  const settled = PATIENCE + 2 * membership.timeout + 4 * delay + (KEPT + 3) * PERIOD
  const until = Math.ceil((SPAN + units(Math.max(...Object.values(LONGEST))) + settled) / PERIOD) * PERIOD + PERIOD / 2
  const model: BoundedCluster = {
    until,
    machines: machines.length,
    sharing: cooperating(funding, { every: PERIOD, patience: dice.oneOf(0, units(10)) }),
    orders,
    others: [...barriers, ...desk.others],
  }
  return {
    model,
    span: until,
    faults,
    options: {
      seed,
      network: { latency, jitter, ...losses },
      reliable: isReliable ? { timeout: attempt, cap: 2 * attempt } : false,
      schedule: dice.oneOf('fifo', seed),
      memoryMB: 16,
      actors: 63,
    },
    gangs,
    membership,
    delay,
    isLossy,
    placed: new Map(desk.orders.flatMap(({ message }) => (message.type === 'place' ? [[message.job, 1]] : []))),
  }
}

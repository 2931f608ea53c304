/**
 * Random fault plans for small markets, each drawn from a kind and a seed. Every plan spares one machine, so all tasks
 * of living clients can be done.
 */
import type { Work } from '../../actors/processor/messages.ts'
import { type Message, machineOf, type Time, toUnits, units } from '../../lib/actor.ts'
import type { Plain } from '../../lib/core/data.ts'
import { add, sum } from '../../lib/core/tally.ts'
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
  speedIn,
  victims,
} from '../../lib/scenario/dice.ts'
import {
  type Cost,
  count,
  type FaultPlan,
  type FaultPlans,
  type PlanRun,
  percent,
  ratio,
} from '../../lib/scenario/fault-plans.ts'
import type { System } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { type Market, machinesOf, PROTOCOLS, type Protocol, termsOf } from './model.ts'
import { checksOf, OF_UNFINISHED, unfinishedIn, type Watch } from './oracle.ts'
import { resultsOf } from './results.ts'

/**
 * The kinds of plans:
 *
 * - `kills`, `restarts`: machines, or single actors of them, die for good, or come back (or are restarted alive);
 * - `clients`: a client dies, and sometimes comes back;
 * - `partitions`: a machine or a client cannot be reached for a while;
 * - `delays`: mail between a machine or a client and all others takes longer for a while;
 * - `pauses`: actors handle nothing for a while;
 * - `loss`: up to 20 % of the messages are lost and up to 40 % duplicated; requests without a bid are repeated;
 * - `reliable`: the same network, with reliable delivery between the machines;
 * - `everything`: all of these, with reliable delivery.
 *
 * There are 2 to 12 machines of speed 0.1 to 10. A message takes up to 11 units, and with jitter up to twice as long.
 */
export const KINDS = [
  'kills',
  'restarts',
  'clients',
  'partitions',
  'delays',
  'pauses',
  'loss',
  'reliable',
  'everything',
] as const
export type Kind = (typeof KINDS)[number]

const TASKS = 20
/** The number of delivery attempts that clients wait for. At 20 % loss all of them fail once in 80,000 times. */
const ATTEMPTS = 7

/** The longest duration of each temporary fault, in units. */
const LONGEST = { restart: 80, pause: 40, partition: 60, delay: 40 }

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
    case 'delays':
      return delays(dice, [...machines, ...clients], LONGEST.delay)
    case 'loss':
    case 'reliable':
      return []
    case 'everything':
      return dice
        .someOf(['kills', 'restarts', 'clients', 'partitions', 'pauses'] as const)
        .flatMap((one) => faultsOf(one, dice, speeds, clients))
  }
}

/** Every third task is not restartable, except under `loss`, where a duplicated message could start it twice. */
const isFragile = (kind: Kind, i: number): boolean => kind !== 'loss' && i % 3 === 0

/** Draws the plan of a kind from a seed. */
export function planOf(protocol: Protocol, kind: Kind, seed: number): FaultPlan<Market> {
  const setting = new Dice(seed, 'setting')
  const speeds = Array.from({ length: machinesIn(setting) }, () => speedIn(setting))
  const clients = ['c1', 'c2'].slice(0, 1 + setting.below(2))
  const { latency, jitter } = delaysIn(setting)
  const delay = latency + jitter
  const jobs = generateJobs({ seed, tasks: TASKS, load: 0.3 + setting.below(6) / 10, speeds, errors: 'gen' })
  const isReliable = kind === 'reliable' || kind === 'everything'
  const patience = isReliable ? ATTEMPTS * (2 * delay + units(1)) : 0
  const canLose = kind === 'loss' || kind === 'partitions'
  const model: Market = {
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
  const span = jobs.at(-1)?.arrival ?? 0
  const faults = faultsOf(kind, new Dice(seed, 'faults', span), speeds, clients)
  return {
    model,
    span,
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

// --- judgement --------------------------------------------------------------------------------------------------------

/** A task with this many wrong failures counts as one that fails for ever. */
const WRONG_MAX = 20

/** Measures how fast clients give up dead contractors: from the death, or from the award if that came later. */
class Detections {
  /** The number of times that each task was given up while its contractor lived. */
  readonly #wrongs = new Map<Plain | undefined, number>()
  /** The tasks that were given up because their contractor was dead. */
  readonly #rights = new Set<Plain | undefined>()
  readonly #deaths = new Map<string, Time>()
  readonly #awards = new Map<Plain | undefined, Time>()
  count = 0
  sum: Time = 0
  wrong = 0

  constructor(system: System) {
    const isDead = (machine: string) =>
      system.actors.some(({ address, status }) => machineOf(address) === machine && status.type === 'dead')
    system.onDeath(({ address, at }) => this.#deaths.set(machineOf(address), at))
    system.onFact((fact, { at }) => this.#fold(fact, at, isDead))
  }

  /** Whether a task was given up at least `WRONG_MAX` times, and always while its contractor lived. */
  isAlwaysWrong(task: number): boolean {
    return (this.#wrongs.get(task) ?? 0) >= WRONG_MAX && !this.#rights.has(task)
  }

  #fold({ type, task, contractor }: Message, at: Time, isDead: (machine: string) => boolean): void {
    if (type === 'awarded' || type === 'moved' || type === 'replaced') this.#awards.set(task, at)
    if (type !== 'failed' || typeof contractor !== 'string') return
    const machine = machineOf(contractor)
    const died = this.#deaths.get(machine)
    const awarded = this.#awards.get(task) ?? 0
    if (died === undefined || (awarded > died && !isDead(machine))) {
      this.wrong++
      add(this.#wrongs, task)
    } else {
      this.#rights.add(task)
      this.count++
      this.sum += at - Math.max(died, awarded)
    }
  }
}

type Run = PlanRun<Watch, FaultPlan<Market>, Detections>

/**
 * Whether the network loses too much for the patience of clients. A client takes a contractor for dead that does not
 * answer one query in time. If messages are lost for good, a task that needs many queries may be given up each time,
 * and is started again for ever.
 */
function isBeyondPatience({ plan: { model, options }, seen, ...run }: Run): boolean {
  const losesForGood = options.reliable !== true && (options.network?.loss ?? 0) > 0
  const unfinished = unfinishedIn(model, run)
  return losesForGood && unfinished.length > 0 && unfinished.every((task) => seen.isAlwaysWrong(task))
}

/** The violations of a run. All tasks of living clients must finish, since clients ask again. */
function violations(run: Run): string[] {
  const excused = isBeyondPatience(run) ? OF_UNFINISHED : []
  const failed = checksOf(run.plan.model, run, false).filter(({ ok, name }) => !ok && !excused.includes(name))
  return failed.map(({ name, measured }) => `${name}: ${measured}`)
}

const simulated = (work: Work | undefined): Time => (typeof work === 'number' ? work : 0)

/** The costs of a plan. Flow times and work are in units, and count finished tasks only. */
function costs({ plan: { model }, seen, ...run }: Run, calm: Run): Cost[] {
  const tasks = [...run.oracle.ledger.endings.keys()]
  const flow = ({ ledger }: Watch) => sum(tasks, (task) => toUnits(ledger.endings.get(task)?.flow ?? 0))
  const work = sum(tasks, (task) => toUnits(simulated(model.jobs[task]?.work)))
  const { restarts, wastedWork } = resultsOf(model, run)
  return [
    ratio('flow time', flow(run.oracle), flow(calm.oracle)),
    percent('restarts', restarts, tasks.length, '/100 tasks'),
    percent('wasted work', wastedWork, work),
    count('deaths noticed', seen.count),
    ratio('after', toUnits(seen.sum), seen.count, 'units', 1),
    percent('wronged', seen.wrong, tasks.length, '/100 tasks'),
  ]
}

export const FAULT_PLANS: FaultPlans<Market, Watch, FaultPlan<Market>, Detections> = {
  kinds: new Map(
    KINDS.flatMap((kind) =>
      PROTOCOLS.map((protocol) => [`${protocol} ${kind}`, (seed: number) => planOf(protocol, kind, seed)] as const),
    ),
  ),
  watch: (system) => new Detections(system),
  violations,
  costs,
  notes: [
    'Times: relative to the same tasks without faults. Wasted: in % of the work that had a result. After: from the death of a machine,',
    'or the award if that came later, until its client gave it up. Wronged: given up though it lived. Clients query every 10 units.',
  ],
}

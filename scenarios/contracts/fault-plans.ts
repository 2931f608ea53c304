/**
 * Random plans of faults for small sites, each given by a kind and a seed. The broker always comes back, and one site has no
 * faults.
 */
import { HEURISTICS } from '../../actors/contracts/ranks.ts'
import { STALE } from '../../actors/contracts/terms.ts'
import type { Task } from '../../actors/contracts/values.ts'
import type { Address } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import { units } from '../../lib/core/time.ts'
import type { ScenarioRun } from '../../lib/scenario/definition.ts'
import {
  Dice,
  delays,
  delaysIn,
  faultsIn,
  kills,
  lossesIn,
  partitions,
  pauses,
  restarts,
  victims,
} from '../../lib/scenario/dice.ts'
import { type Cost, type FaultPlan, type FaultPlans, percent } from '../../lib/scenario/fault-plans.ts'
import { BROKER, CLIENT, type ContractsMarket, processorsOf, siteOf } from './model.ts'
import type { TaskRecord } from './oracle/ledger.ts'
import type { Watch } from './oracle.ts'

/**
 * - `processor`: processors die, for good or for a while;
 * - `site`: sites die and come back; `gone`: they do not;
 * - `broker`, `client`: they die, and come back, the client not always;
 * - `partitions`, `pauses`: machines cannot be reached, or actors do nothing, for a while;
 * - `delays`: mail between a machine and all others takes longer for a while;
 * - `loss`: up to 20 % of the mail between machines is lost and up to 40 % doubled;
 * - `everything`: all of these, with reliable delivery.
 *
 * Deaths come at any time, or right after any message. There are 2 to 4 sites of 1 to 3 processors each. A message takes up to
 * 11 units, and with jitter up to twice as long. All processors are alike: the model has no speeds.
 */
export const KINDS = [
  'processor',
  'site',
  'gone',
  'broker',
  'client',
  'partitions',
  'pauses',
  'delays',
  'loss',
  'everything',
] as const
export type Kind = (typeof KINDS)[number]

const TASKS = 24

/** The longest duration of temporary faults, in units. */
const LONGEST = { restart: 60, pause: 30, partition: 50, delay: 30 }

const HEARD = {
  processor: ['run', 'abort', 'probe', 'completed'],
  site: ['bid', 'award', 'withdraw', 'query', 'receipt', 'void', 'finished', 'progress', 'dispatch', 'inspect', 'bill'],
  broker: ['request', 'offer', 'refuse', 'accepted', 'renege', 'waited', 'unanswered'],
  client: ['arrive', 'contract', 'no-site', 'settled', 'standing', 'inspect', 'repeat'],
} as const
type Role = keyof typeof HEARD

/** Draws the moment of a death: after some messages of a type, or at any time (null). */
function after(dice: Dice, role: Role): string | null {
  if (dice.below(2) === 0) return null
  const type = HEARD[role][dice.below(HEARD[role].length)] ?? ''
  return `after ${1 + dice.below(role === 'processor' ? 6 : TASKS)} ${type}`
}

function returns(dice: Dice, role: Role, who: Address): string[] {
  const when = after(dice, role)
  return when === null ? restarts(dice, who, LONGEST.restart) : [`restart ${who} ${when}`]
}

function dies(dice: Dice, role: Role, who: Address): string[] {
  const when = after(dice, role)
  return when === null ? kills(dice, who) : [`kill ${who} ${when}`]
}

const times = (dice: Dice, most: number, some: () => string[]): string[] =>
  Array.from({ length: 1 + dice.below(most) }, some).flat()

/** @param sizes the number of processors of each site */
function faultsOf(kind: Kind, dice: Dice, sizes: readonly number[]): string[] {
  const spared = dice.below(sizes.length)
  const places = [...sizes.keys()]
  const sites = places.filter((i) => i !== spared).map(siteOf)
  const processors = sizes.flatMap((size, i) => processorsOf(i, size))
  const machines = ['b', 'c1', ...places.map((i) => `s${i + 1}`), ...places.map((i) => `s${i + 1}p1`)]
  switch (kind) {
    case 'processor':
      return victims(dice, processors, (i) => processors[i] === processorsOf(spared, 1)[0], String).flatMap((who) =>
        dice.below(2) === 0 ? dies(dice, 'processor', who) : returns(dice, 'processor', who),
      )
    case 'site':
      return places.flatMap((i) => (dice.below(3) === 0 ? [] : times(dice, 2, () => returns(dice, 'site', siteOf(i)))))
    case 'gone':
      return sites.filter((_, i) => i === 0 || dice.below(2) === 0).flatMap((who) => dies(dice, 'site', who))
    case 'broker':
      return times(dice, 3, () => returns(dice, 'broker', BROKER))
    case 'client':
      return dice.below(4) === 0 ? dies(dice, 'client', CLIENT) : times(dice, 3, () => returns(dice, 'client', CLIENT))
    case 'pauses':
      return dice
        .someOf([...sites, ...processors.slice(0, 2), BROKER, CLIENT])
        .flatMap((who) => pauses(dice, who, LONGEST.pause))
    case 'partitions':
      return partitions(dice, machines, LONGEST.partition)
    case 'delays':
      return delays(dice, machines, LONGEST.delay)
    case 'loss':
      return []
    case 'everything':
      return dice
        .someOf(['processor', 'site', 'gone', 'broker', 'client', 'partitions', 'pauses'] as const)
        .flatMap((one) => faultsOf(one, dice, sizes))
  }
}

/** Draws the tasks. Many arrive together; penalties are bounded or unbounded. */
function tasksOf(dice: Dice): Task[] {
  let now = 0
  return Array.from({ length: TASKS }, (_, task): Task => {
    now += dice.below(3) === 0 ? 0 : dice.below(8)
    const [value, decay] = [10 + dice.below(90), dice.below(6) / 2]
    const worth = { shape: 'linear', value, decay, bound: dice.oneOf(null, 0, 20) } as const
    return { task, arrival: units(now), runtime: units(1 + dice.below(20)), worth }
  })
}

/** Draws the plan of a kind from a seed. */
export function planOf(kind: Kind, seed: number): FaultPlan<ContractsMarket> {
  const setting = new Dice(seed, 'setting')
  const { latency, jitter } = delaysIn(setting)
  const sizes = Array.from({ length: 2 + setting.below(3) }, () => 1 + setting.below(3))
  const both = 2 * (latency + jitter)
  const tasks = tasksOf(setting)
  const isReliable = kind === 'everything'
  const site = {
    heuristic: { name: HEURISTICS[setting.below(HEURISTICS.length)] ?? 'FCFS', alpha: 0.3, discount: 0.01 },
    threshold: setting.below(6) === 0 ? 0 : null,
    preempt: setting.oneOf(0, 1, 2),
    stale: setting.oneOf(...STALE),
    expiry: setting.oneOf(null, both + units(5)),
    allowance: setting.oneOf(both, both, 0),
  } as const
  const model: ContractsMarket = {
    sites: sizes.map((processors) => ({ ...site, processors })),
    broker: {
      preference: setting.oneOf('earliest', 'cheapest'),
      rounds: setting.oneOf('one by one', 'all at once'),
      wait: null,
      rebids: 10,
    },
    tasks,
    claimCap: 200,
    patience: both + units(isReliable ? 30 : 5),
  }
  const span = tasks.at(-1)?.arrival ?? 0
  const losses = isReliable || kind === 'loss' ? lossesIn(setting) : {}
  return {
    model,
    span,
    faults: faultsIn(faultsOf(kind, new Dice(seed, 'faults', span), sizes)),
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

const yieldOf = (stories: readonly TaskRecord[]) => sum(stories, (story) => story.yield ?? 0)
const storiesOf = ({ oracle: { ledger } }: ScenarioRun<Watch>) => [...ledger.tasks.values()]

/** The costs of a plan. Money is in dollars. */
function costs(
  run: ScenarioRun<Watch> & { readonly plan: FaultPlan<ContractsMarket> },
  calm: ScenarioRun<Watch>,
): Cost[] {
  const { tasks } = run.plan.model
  const stories = storiesOf(run)
  const deals = stories.flatMap((story) => story.deals)
  const offered = sum(tasks, ({ worth }) => worth.value)
  const failures = sum(deals, (deal) => deal.failures)
  const lost = deals.filter(({ isLost }) => isLost).length
  const inVain = deals.filter(({ state, finish }) => state === 'voided' && finish !== null).length
  const claimed = sum(deals, ({ claim }) => claim ?? 0)
  const unplaced = stories.filter(({ site }) => site === null).length
  return [
    percent('yield lost', yieldOf(storiesOf(calm)) - yieldOf(stories), offered, '% of value'),
    percent('failures', failures, tasks.length, '/100 tasks'),
    percent('given up', lost, deals.length, '/100 contracts'),
    percent('done in vain', inVain, deals.length, '/100 contracts'),
    percent('claimed', claimed, offered, '% of value'),
    percent('no site', unplaced, tasks.length, '/100 tasks'),
  ]
}

export const FAULT_PLANS: FaultPlans<ContractsMarket, Watch> = {
  kinds: new Map(KINDS.map((kind) => [kind, (seed) => planOf(kind, seed)])),
  costs,
  notes: [
    'Yield and messages: relative to the same tasks without faults; the value is that of all tasks without delay. Failures:',
    'executions that lost their processor or seemed to. Given up: the site did not answer; its contract stands, and the client',
    'looks for another site. In vain: finished after another site had finished the task.',
  ],
}

/**
 * Random plans of faults for jobs on a mesh of 2 x 2 to 8 x 8 processors, each given by a kind and a seed. The
 * allocator is always restarted, and one leader is spared.
 */

import type { Mesh } from '../../actors/mesh/mesh.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Outage } from '../../actors/mesh/sentry.ts'
import type { MeshJob } from '../../actors/mesh/user.ts'
import type { Address } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import { toUnits, units } from '../../lib/core/time.ts'
import type { ScenarioRun } from '../../lib/scenario/definition.ts'
import { Dice, delaysIn, faultsIn, kills, lossesIn, machinesIn, restarts, victims } from '../../lib/scenario/dice.ts'
import { type Cost, type FaultPlan, type FaultPlans, percent, ratio } from '../../lib/scenario/fault-plans.ts'
import type { SystemInit } from '../../lib/system.ts'
import { ALLOCATOR, jobAddress, type MeshModel, type Multicomputer, plainModel } from './model.ts'
import type { MeshOracle } from './oracle.ts'

/**
 * The kinds of plans:
 *
 * - `processor`: processors die;
 * - `job`: leaders die or restart, at any time or after some message;
 * - `giver`: leaders die before or right after they offer a cell; `gainer`: before or right after they take one;
 * - `allocator`: the allocator dies and is restarted;
 * - `late`: up to 40 % of the mail is doubled, and all of it is up to eleven seconds late;
 * - `loss`: up to 20 % of the mail between machines is lost and up to 40 % doubled;
 * - `equi`: all of these under EQUI;
 * - `everything`: all of these in rings.
 *
 * There are 2 to 12 leaders, which are the machines of this model. A message takes up to 11 seconds, and with jitter up
 * to twice as long. All processors of a mesh are alike: the model has no speeds.
 */
export const KINDS = ['processor', 'job', 'giver', 'gainer', 'allocator', 'late', 'loss', 'equi', 'everything'] as const
export type Kind = (typeof KINDS)[number]

const JOBS = 14
/** The longest duration of temporary faults, in units. */
const LONGEST = 20

const HEARD = {
  job: ['begin', 'start', 'link', 'split', 'tick', 'size', 'cell', 'taken', 'vacate', 'report', 'moved', 'ask'],
  equi: ['begin', 'freeze', 'remap', 'resume', 'vacate', 'moved', 'completed', 'ask'],
  allocator: ['arrive', 'depart', 'done', 'due', 'size', 'impatient', 'frozen'],
  equiAllocator: ['arrive', 'depart', 'done', 'due', 'impatient', 'frozen'],
} as const

const after = (dice: Dice, of: keyof typeof HEARD, most: number): string =>
  `after ${1 + dice.below(most)} ${HEARD[of][dice.below(HEARD[of].length)]}`

/** Draws whether an actor dies for good or is restarted. */
function dies(dice: Dice, who: Address, when: string | null): string[] {
  if (when === null) return dice.below(2) === 0 ? kills(dice, who) : restarts(dice, who, LONGEST)
  return dice.below(2) === 0 ? [`restart ${who} ${when}`] : [`kill ${who} ${when}`]
}

/** Draws a fault for some of the leaders that are not spared. */
const someOf = (dice: Dice, leaders: number, how: (who: Address) => string | null): string[] => {
  const all = Array.from({ length: leaders }, (_, i) => jobAddress(i + 1))
  const spared = dice.below(leaders)
  return victims(dice, all, (i) => i === spared || dice.below(2) === 0, String).flatMap((who) =>
    dies(dice, who, how(who)),
  )
}

const entering =
  (dice: Dice, ...states: readonly string[]) =>
  (who: Address) =>
    `when ${who} enters ${states[dice.below(states.length)] ?? ''}`

const restartsOfAllocator = (dice: Dice, of: 'allocator' | 'equiAllocator'): string[] =>
  Array.from({ length: 1 + dice.below(3) }, () =>
    dice.below(3) === 0 ? restarts(dice, ALLOCATOR, LONGEST) : [`restart ${ALLOCATOR} ${after(dice, of, 40)}`],
  ).flat()

function faultsOf(kind: Kind, dice: Dice, leaders: number): string[] {
  const some = (how: (who: Address) => string | null) => someOf(dice, leaders, how)
  switch (kind) {
    case 'job':
      return some(() => (dice.below(2) === 0 ? null : after(dice, 'job', 8)))
    case 'giver':
      return some(entering(dice, 'folding', 'offering'))
    case 'gainer':
      return some((who) => (dice.below(2) === 0 ? entering(dice, 'awaiting')(who) : `after ${1 + dice.below(4)} cell`))
    case 'allocator':
      return restartsOfAllocator(dice, 'allocator')
    case 'equi':
      return [
        ...some(() => (dice.below(2) === 0 ? null : after(dice, 'equi', 8))),
        ...(dice.below(2) === 0 ? restartsOfAllocator(dice, 'equiAllocator') : []),
      ]
    case 'everything':
      return dice
        .someOf(['job', 'giver', 'gainer', 'allocator'] as const)
        .flatMap((one) => faultsOf(one, dice, leaders))
    case 'processor':
    case 'late':
    case 'loss':
      return []
  }
}

function outagesOf(kind: Kind, dice: Dice, { m, n }: Mesh, span: number): Outage[] {
  const may = kind === 'processor' || ((kind === 'equi' || kind === 'everything') && dice.below(2) === 0)
  if (!may) return []
  return Array.from({ length: 1 + dice.below(3) }, () => ({
    at: dice.below(span),
    row: dice.below(1 << m),
    column: dice.below(1 << n),
  })).sort((one, other) => one.at - other.at)
}

/** Draws the jobs. Many arrive together. */
function jobsOf(dice: Dice): MeshJob[] {
  let now = 0
  return Array.from({ length: JOBS }, (_, i): MeshJob => {
    now += dice.below(3) === 0 ? 0 : dice.below(8)
    return { job: i + 1, arrival: units(now), work: units(1 + dice.below(10)), minimum: 1 }
  })
}

function networkOf(kind: Kind, setting: Dice): NonNullable<SystemInit['network']> {
  const isLate = kind === 'late' || (kind === 'everything' && setting.below(3) === 0)
  if (isLate) return { latency: units(0.1), jitter: units(setting.span(11)), duplicate: setting.below(41) / 100 }
  return { ...delaysIn(setting), ...(kind === 'loss' ? lossesIn(setting) : {}) }
}

/** The plan of a kind, drawn from a seed. */
export function planOf(kind: Kind, seed: number): FaultPlan<MeshModel> {
  const setting = new Dice(seed, 'setting')
  const network = networkOf(kind, setting)
  const mesh = { m: 1 + setting.below(3), n: 1 + setting.below(3) }
  const leaders = machinesIn(setting)
  const jobs = jobsOf(setting)
  const last = jobs.at(-1)?.arrival ?? 0
  const span = last + units(60)
  const limit = setting.oneOf(1 << (mesh.m + mesh.n), Math.min(5, 1 << (mesh.m + mesh.n)))
  const multicomputer: Multicomputer = {
    allocator:
      kind === 'equi'
        ? { policy: 'equi', mesh, deal: setting.oneOf('arrival', 'random'), limit }
        : { policy: 'fold', mesh, divides: setting.below(2) === 0, limit },
    clock: kind === 'equi' ? null : { interval: units(setting.oneOf(1, 4)), isPerJob: setting.below(2) === 0 },
    job: { model: { ...BASELINE, mesh, delta: 0, charged: setting.below(3) > 0 }, mapping: 'simple' },
    leaders,
    work: { jobs },
    attempts: 3,
    patience: 2 * ((network.latency ?? 0) + (network.jitter ?? 0)) + units(1),
    outages: outagesOf(kind, new Dice(seed, 'outages'), mesh, span),
  }
  return {
    model: plainModel(multicomputer),
    span: last,
    faults: faultsIn(faultsOf(kind, new Dice(seed, 'faults', span), leaders)),
    options: { seed, network, schedule: setting.oneOf('fifo', seed), memoryMB: 16, rounds: 200_000 },
  }
}

/** The costs of a plan. Times are those of jobs that ended with and without faults. */
function costs({ oracle }: ScenarioRun<MeshOracle>, calm: ScenarioRun<MeshOracle>): Cost[] {
  const stories = [...oracle.jobs.values()]
  const ended = stories.filter((story) => story.ended !== null)
  const attempts = sum(stories, (story) => story.attempts)
  const both = [...oracle.jobs].flatMap(([job, { began, ended }]) => {
    const other = calm.oracle.jobs.get(job)
    if (ended === null || !other || other.ended === null) return []
    return [[toUnits(ended - began), toUnits(other.ended - other.began)] as const]
  })
  const time = sum(both, ([ours]) => ours)
  const calmTime = sum(both, ([, theirs]) => theirs)
  return [
    percent('jobs done', ended.length, stories.length),
    ratio('begun', attempts, stories.length),
    ratio('asked', oracle.queries, 1, '/plan', 1),
    ratio('placed again', oracle.placements, 1, '/plan', 1),
    ratio('time', time, calmTime),
  ]
}

export const FAULT_PLANS: FaultPlans<MeshModel, MeshOracle> = {
  kinds: new Map(KINDS.map((kind) => [kind, (seed) => planOf(kind, seed)])),
  calm: ({ multicomputer }) => plainModel({ ...multicomputer, outages: [] }),
  costs,
  notes: [
    'Begun: attempts per job; a job that fails is begun three times at most. Asked: the allocator asked all jobs for their cells;',
    'placed again: all jobs were placed from scratch. Messages, and the time of jobs that ended in both runs: relative to the run',
    'without faults.',
  ],
}

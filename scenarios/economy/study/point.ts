/** One run of the paper's machine, for `sweep`: plain data in, plain data out. */
import * as v from 'valibot'
import { EQUAL } from '../../../actors/economy/coefficients.ts'
import type { Class, PerClass } from '../../../actors/economy/messages.ts'
import { futureOf, type PolicyName, type PresetName, policyOf, type Sharing } from '../../../actors/economy/terms.ts'
import { toUnits, units } from '../../../lib/actor.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { requireKept } from '../../../lib/scenario/verdict.ts'
import type { SystemOptions } from '../../../lib/system.ts'
import type { Economy } from '../model.ts'
import { type EconomyRun, economyRun } from '../run.ts'
import { generateEconomyJobs, PROCESSORS } from '../workload/generate.ts'

/** All that the result of a run depends on. */
export type Point = {
  readonly seed: number
  readonly load: number
  /** Minutes of arrivals. Then the machine runs until it is empty, and every job counts. */
  readonly span: number
  readonly policy: PolicyName
  /** The preset of ECON. This field and all that follow apply to ECON only. */
  readonly preset: PresetName
  readonly rates: Sharing['rates']
  readonly runIncome: boolean
  readonly future: boolean
  /** The income of user 1 in dollars a minute; each of the others has 100. */
  readonly income1: number
  /** The target slowdowns of all users, who adapt their coefficients every 2000 minutes; null: equal coefficients that stay. */
  readonly targets: PerClass | null
}

/** ECON as in figure 3. */
export const STANDARD = {
  policy: 'ECON',
  preset: 'paper',
  rates: 'weighted',
  runIncome: false,
  future: false,
  income1: 100,
  targets: null,
} as const satisfies Omit<Point, 'seed' | 'load' | 'span'>

const USERS = 10
const INCOME = 100
const STATISTICS_EVERY = units(2000)

/**
 * The machine of the paper, or a smaller one with jobs to match, and its workload. Savings begin at 0, and the cap is so high
 * that it does not matter.
 */
export function economyOf(point: Point, processors = PROCESSORS): Economy {
  const { seed, load, span, policy, preset, rates, runIncome, future, income1, targets } = point
  const terms = { savings: 0, cap: 1e6, coefficients: EQUAL, targets }
  const sharing: Sharing = { rates, running: runIncome }
  const incomes = Array.from({ length: USERS }, (_, i) => (i === 0 ? income1 : INCOME))
  return {
    processors,
    policy: policyOf(policy, preset, { future: future ? futureOf(sharing) : null }),
    market:
      policy === 'ECON'
        ? {
            sharing,
            statistics: targets && { every: STATISTICS_EVERY, until: units(span) },
          }
        : null,
    users: Object.fromEntries(incomes.map((income, i) => [`u${i + 1}`, { ...terms, income }])),
    jobs: generateEconomyJobs({ seed, processors, users: USERS, load, span }),
    patience: null,
    durable: false,
    overrun: null,
  }
}

/** A mean over no jobs is null. Files of earlier versions lack some fields, which are null then. */
const MEAN = v.nullish(v.number(), null)

/** The measures of a run. */
const RAN = v.object({
  /** Mean response in minutes (S) and mean response over service (U), of all jobs and by class. */
  S: MEAN,
  S1: MEAN,
  S2: MEAN,
  S3: MEAN,
  U: MEAN,
  U1: MEAN,
  U2: MEAN,
  U3: MEAN,
  /** Mean wait of user 1 and of all others, in minutes. */
  W: MEAN,
  others: MEAN,
  /** The processor time of the jobs over the capacity until the end of the last job. */
  utilisation: MEAN,
  /** S of the jobs that ended by the end of the arrivals, and the utilisation until then. */
  earlyS: MEAN,
  earlyUtilisation: MEAN,
  jobs: v.number(),
  messages: v.number(),
})
export type Ran = v.InferOutput<typeof RAN>

class Mean {
  #sum = 0
  #count = 0

  add(value: number): void {
    this.#sum += value
    this.#count += 1
  }

  get value(): number | null {
    return this.#count === 0 ? null : this.#sum / this.#count
  }
}

const perClass = () => ({ 1: new Mean(), 2: new Mean(), 3: new Mean() }) satisfies Record<Class, Mean>

/**
 * Computes the measures of a run.
 *
 * @param span minutes of arrivals
 * @throws Error if an invariant was violated, an actor crashed or a job did not finish
 */
export function measuresOf(run: Pick<EconomyRun, 'oracle' | 'broken' | 'crashes' | 'messages'>, span: number): Ran {
  const { oracle, messages } = run
  const { ledger } = oracle
  requireKept(run)
  const [response, slowdown, wait, otherWait, early] = [new Mean(), new Mean(), new Mean(), new Mean(), new Mean()]
  const [responses, slowdowns] = [perClass(), perClass()]
  let [work, earlyWork, last] = [0, 0, 0]
  for (const { user, request, arrival, started, end } of ledger.jobs.values()) {
    if (!started || end?.why !== 'finished') throw new Error(`job ${request.job} did not finish`)
    const took = toUnits(end.at - arrival)
    const ratio = took / toUnits(request.work)
    response.add(took)
    slowdown.add(ratio)
    responses[request.class].add(took)
    slowdowns[request.class].add(ratio)
    ;(user === 'u1' ? wait : otherWait).add(toUnits(started.at - arrival))
    const [from, to] = [toUnits(started.at), toUnits(end.at)]
    if (to <= span) early.add(took)
    work += toUnits(request.processors * request.work)
    earlyWork += request.processors * Math.max(0, Math.min(to, span) - from)
    last = Math.max(last, to)
  }
  return {
    S: response.value,
    S1: responses[1].value,
    S2: responses[2].value,
    S3: responses[3].value,
    U: slowdown.value,
    U1: slowdowns[1].value,
    U2: slowdowns[2].value,
    U3: slowdowns[3].value,
    W: wait.value,
    others: otherWait.value,
    utilisation: last > 0 ? work / (PROCESSORS * last) : null,
    earlyS: early.value,
    earlyUtilisation: earlyWork / (PROCESSORS * span),
    jobs: ledger.jobs.size,
    messages,
  }
}

/**
 * Runs a point.
 *
 * @throws Error as `measuresOf` does
 */
export async function runPoint(point: Point, runtime: SystemOptions['runtime'] = 'inline'): Promise<Ran> {
  return measuresOf(await economyRun.run(economyOf(point), { seed: point.seed, runtime }), point.span)
}

/** Decodes the measures from another process or a file. */
export const ranOf = decoderOf(RAN)

/** One cell of a table, or point of a figure: the means of a long run of a market. `sweep` runs `runPoint`. */

import * as v from 'valibot'
import type { ToClient, ToContractor } from '../../../actors/bidding/messages.ts'
import { units } from '../../../lib/actor.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { sum } from '../../../lib/core/tally.ts'
import type { Runtime } from '../../../lib/scenario/fault-plans.ts'
import { requireAll } from '../../../lib/scenario/verdict.ts'
import { type ErrorModel, generateJobs } from '../../../lib/workload/generate.ts'
import { withClients } from '../../../lib/workload/job.ts'
import { biddingMarket } from '../market.ts'
import { type Market, type PROTOCOLS, termsOf } from '../model.ts'
import { checksOf } from '../oracle.ts'
import { resultsOf } from '../results.ts'

/** All that the result of a cell depends on. */
export type CellPoint = {
  readonly seed: number
  readonly runtime: Runtime
  readonly tasks: number
  readonly protocol: (typeof PROTOCOLS)[number]
  readonly speeds: readonly number[]
  readonly load: number
  readonly errors: ErrorModel
  /** The delay of every message between a client and a contractor, in units. */
  readonly delay: number
  /** The improvement above which a late bid moves its task; null: no late bid does. */
  readonly i0: number | null
  /** Whether a machine is free as soon as its task is cancelled. */
  readonly abort: 'yes' | 'no'
}

/** The types of all messages in markets without failures. */
export const TYPES_WITHOUT_FAULTS = [
  'rfb',
  'bid',
  'ack',
  'task',
  'result',
  'cancel',
  'cancelAll',
  'bump',
] as const satisfies readonly (ToContractor | ToClient)['type'][]

/** The result of a cell. All counts but the last are per finished task. */
const MEASURED = v.object({
  /** The mean flow time, and the half-width of its interval. */
  mean: v.number(),
  halfWidth: v.number(),
  /** The messages between clients and contractors, by type. */
  sent: v.object(v.entriesFromList(TYPES_WITHOUT_FAULTS, v.number())),
  restarts: v.number(),
  bumps: v.number(),
  /** The work without a result, in units at speed 1. */
  wasted: v.number(),
  /** All messages of the run. */
  messages: v.number(),
})
export type Measured = v.InferOutput<typeof MEASURED>

/** Reads a result of `runPoint`. @throws FieldError if it is something else */
export const measuredOf = decoderOf(MEASURED)

const CLIENTS = ['c1']

/**
 * The interval between repeated requests of random clients, in units. The model repeats continuously; 1 would add 0.1
 * on 4,1,1,1,1 at 50 %.
 */
export const RETRY = 0.25

function marketOf({ seed, tasks, load, protocol, speeds, errors, delay, i0, abort }: CellPoint): Market {
  const jobs = generateJobs({ seed, tasks, load, speeds, errors })
  const terms = termsOf(protocol, units(delay), {
    i0,
    abort: abort === 'yes',
    ...(protocol === 'random' && { retry: units(RETRY) }),
  })
  return { protocol, speeds, clients: CLIENTS, jobs: withClients(jobs, CLIENTS, seed), terms }
}

/**
 * Runs a cell; returns a `Measured`.
 *
 * @throws if a promise of the market was broken, or if there were too few tasks for an interval
 */
export async function runPoint(point: CellPoint): Promise<Plain> {
  const market = marketOf(point)
  const { seed, runtime } = point
  const how = { seed, runtime, network: { latency: market.terms.delay }, count: TYPES_WITHOUT_FAULTS }
  const run = await biddingMarket.run(market, how)
  requireAll(checksOf(market, run, false))
  const { meanFlow, halfWidth, tasks, restarts, bumps, wastedWork } = resultsOf(market, run)
  if (meanFlow === null || halfWidth === null) throw new Error(`${tasks} tasks are too few for an interval`)
  const sent = [...run.messagesByType]
  const total = sum(sent, ([, count]) => count)
  if (total !== run.messages) throw new Error(`${run.messages - total} messages are of types that are not counted`)
  return {
    mean: meanFlow,
    halfWidth,
    sent: Object.fromEntries(sent.map(([type, count]) => [type, count / tasks])),
    restarts: restarts / tasks,
    bumps: bumps / tasks,
    wasted: wastedWork / tasks,
    messages: run.messages,
  }
}

/** The messages per task, of all types together. */
export const messagesOf = ({ sent }: Measured): number => sum(Object.values(sent))

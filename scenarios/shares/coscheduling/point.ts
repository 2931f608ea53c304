/** One run of a study, in a process of its own: plain data in, plain data out. */
import { units } from '../../../lib/actor.ts'
import { isObject, type Plain } from '../../../lib/core/data.ts'
import type { Parameters } from '../paper/parameters.ts'
import { networkOf, runMix } from './run.ts'

export type Point = {
  readonly parameters: Parameters
  readonly tickets: readonly number[]
  readonly scheduler: 'implicit' | 'gang'
  readonly servers: boolean
  readonly runtime: 'threads' | 'inline'
  readonly seed: number
  /** In milliseconds of the model. */
  readonly warmUp: number
  readonly measure: number
}

/** What a run came to. */
export type Ran = {
  /** Barriers per second, by job. */
  readonly rates: readonly number[]
  readonly slowdown: number
  readonly messages: number
  readonly broken: readonly string[]
}

export async function runPoint({ seed, runtime, warmUp, measure, ...point }: Point): Promise<Ran> {
  const mix = { ...point, membership: null }
  const span = { warmUp: units(warmUp), measure: units(measure) }
  const { rates, slowdown, run } = await runMix(mix, span, { seed, runtime, network: networkOf(mix.parameters) })
  if (slowdown === null) throw new Error('a job passed no barrier: measure for longer')
  return { rates, slowdown, messages: run.messages, broken: run.broken }
}

const numbersOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one): one is number => typeof one === 'number') : []

/** What a process sent back. */
export function ranOf(result: Plain | undefined): Ran {
  if (!isObject(result)) throw new TypeError('a run came to nothing')
  const { rates, slowdown, messages, broken } = result
  return {
    rates: numbersOf(rates),
    slowdown: Number(slowdown),
    messages: Number(messages),
    broken: Array.isArray(broken) ? broken.map(String) : [],
  }
}

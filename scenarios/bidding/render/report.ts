/** The results of rendering a picture on the market. */
import { toUnits } from '../../../lib/actor.ts'
import { type Check, is, none } from '../../../lib/cli/index.ts'
import { figure, measuresTable, type ResultTable, wholePercent } from '../../../lib/core/table.ts'
import { sum } from '../../../lib/core/tally.ts'
import type { Market } from '../model.ts'
import type { MarketRun } from '../oracle.ts'
import { resultsOf } from '../results.ts'
import type { Gallery } from './gallery.ts'
import { difference, type Pixels } from './picture.ts'

type RenderResults = {
  readonly tiles: number
  /** The time that the same picture takes in one thread. */
  readonly secondsAlone: number
  /** The time from the first announcement to the last result. */
  readonly secondsOnMarket: number
  readonly restarts: number
  /** The restarts of tiles whose machine failed. */
  readonly failures: number
  /** The work without a result, in units. */
  readonly wastedWork: number
  readonly messagesPerTask: number
  /**
   * The sum of the errors of the estimates over the work of all tiles: for the first quarter of results, then for the
   * rest.
   */
  readonly estimateErrorAtFirst: number | null
  readonly estimateErrorLater: number | null
  readonly differingPixels: number
}

/** The sum of the errors over the sum of the work; null if there is no work. */
function errorOf(measured: Gallery['measured']): number | null {
  const work = sum(measured, (one) => one.work)
  const error = sum(measured, (one) => Math.abs(one.estimate - one.work))
  return work > 0 ? error / work : null
}

/** Computes the results; `scale` is in milliseconds per unit. */
export function renderResults(
  market: Market,
  run: MarketRun,
  { pixels, measured }: Gallery,
  alone: { readonly pixels: Pixels; readonly seconds: number },
  scale: number,
): RenderResults {
  const { restarts, wastedWork, messagesPerTask } = resultsOf(market, run)
  const { endings, failures } = run.oracle.ledger
  const last = [...endings.values()].reduce((latest, { arrival, flow }) => Math.max(latest, arrival + flow), 0)
  const quarter = Math.ceil(measured.length / 4)
  return {
    tiles: endings.size,
    secondsAlone: alone.seconds,
    secondsOnMarket: (toUnits(last) * scale) / 1000,
    restarts,
    failures,
    wastedWork,
    messagesPerTask,
    estimateErrorAtFirst: errorOf(measured.slice(0, quarter)),
    estimateErrorLater: errorOf(measured.slice(quarter)),
    differingPixels: difference(pixels, alone.pixels),
  }
}

export const renderChecks = ({ errors }: Gallery, { differingPixels }: RenderResults): Check[] => [
  none('tiles that ended without a result', errors),
  is('pixels that differ from the picture made alone', differingPixels, 0),
]

export function renderTable(results: RenderResults): ResultTable {
  const { secondsAlone, secondsOnMarket, tiles, restarts, failures, wastedWork, messagesPerTask } = results
  return measuresTable([
    ['time on the market', `${figure(secondsOnMarket)} s`],
    ['time alone', `${figure(secondsAlone)} s`],
    ['tiles finished', tiles],
    ['restarts', restarts],
    ['given up as lost', failures],
    ['wasted work', figure(wastedWork)],
    ['messages per tile', figure(messagesPerTask)],
    ['error of estimates, at first', wholePercent(results.estimateErrorAtFirst)],
    ['error of estimates, later', wholePercent(results.estimateErrorLater)],
  ])
}

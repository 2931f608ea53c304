/** The studies of a market that loses a site: they compare choices that clients or sites have, at each latency. */
import { type Time, toUnits } from '../../../lib/actor.ts'
import type { Interval } from '../../../lib/core/table.ts'
import { replicationSeeds } from '../../../lib/experiment/replications.ts'
import { type Case, type Figure, type Measured, type Plan, pairedOf } from '../../study/figure.ts'
import { flags, type Options, seedsOf } from './flags.ts'
import { type Row, runner, type SettingRun } from './setting.ts'

/** The runs of one latency and one choice with all seeds. */
export interface Run<Choice> extends Case<Row, SettingRun> {
  readonly latency: Time
  readonly choice: Choice
}

export type Found<Choice> = Measured<Run<Choice>, SettingRun>

/**
 * The figure of a study.
 *
 * @param show gets the runs, and the note about their number
 */
export const figureOf = <Choice extends string>(
  subject: { readonly name: string; readonly summary: string },
  choices: readonly Choice[],
  settingOf: (choice: Choice) => Pick<Row, 'stale' | 'detector'>,
  show: (found: readonly Found<Choice>[], note: string) => ReturnType<Plan<Row, SettingRun>['show']>,
): Figure<Options, Row, SettingRun, Run<Choice>> => ({
  ...subject,
  usage: 'Exit 1 if a promise is broken.',
  flags,
  runner,
  plan: (options) => {
    const { seed, tasks, load, latency: latencies, runtime } = options
    const seeds = seedsOf(options)
    return {
      about: `${tasks} tasks, ${seeds} seeds`,
      cases: latencies.flatMap((latency) =>
        choices.map((choice) => ({
          labels: [toUnits(latency), choice],
          latency,
          choice,
          rows: [{ tasks, load, latency, ...settingOf(choice), runtime }],
          seeds: replicationSeeds(seed, seeds),
          quantities: () => [],
        })),
      ),
      show: (found) =>
        show(
          found,
          `Means of ${seeds} seeds ± 95 %. The last site dies when a third of the tasks have come, and never comes back.`,
        ),
    }
  },
})

export const shareOf = ({ paid, offered }: SettingRun): number => (100 * paid) / offered

/** The payments of clients under one choice less those under the other, in points of the value offered, seed by seed. */
export function beyond<Choice>(
  found: readonly Found<Choice>[],
  latency: Time,
  [one, other]: readonly [Choice, Choice],
): Interval | null {
  const ranOf = (choice: Choice) =>
    found.find((run) => run.case.latency === latency && run.case.choice === choice)?.ran[0] ?? []
  return pairedOf(ranOf(one), ranOf(other), (mine, its) => shareOf(mine) - shareOf(its))
}

/** The conclusions, one sentence for each latency: the difference, or that these seeds show none. */
export const conclusionsOf = <Choice>(
  found: readonly Found<Choice>[],
  compared: readonly [Choice, Choice],
  names: readonly [string, string],
): string[] =>
  found.flatMap(({ case: { latency, choice } }) => {
    const difference = choice === compared[0] ? beyond(found, latency, compared) : null
    return difference ? [`Latency ${toUnits(latency)}: ${conclusionOf(difference, names)}.`] : []
  })

/**
 * The conclusion from a difference in points of the value offered, such as `renege brings 2.0 ± 1.0 points of the value
 * offered more than honour`. An interval that contains 0 shows no difference.
 */
export function conclusionOf({ mean, halfWidth: half }: Interval, [one, other]: readonly [string, string]): string {
  const halfWidth = half ?? Number.POSITIVE_INFINITY
  const points = `${Math.abs(mean).toFixed(1)} ± ${halfWidth.toFixed(1)} points of the value offered`
  if (Math.abs(mean) <= halfWidth)
    return `these seeds show no difference (${one} brings ${points} ${mean < 0 ? 'less' : 'more'})`
  return `${one} brings ${points} ${mean > 0 ? 'more' : 'less'} than ${other}`
}

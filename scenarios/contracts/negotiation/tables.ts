/** The tables of the negotiation: the money of each site, and the cost of honouring offers that no longer hold. */
import { STALE, type Stale } from '../../../actors/contracts/terms.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import type { Interval, ResultTable } from '../../../lib/core/table.ts'
import type { Chart } from '../../../lib/experiment/chart.ts'
import { type Case, type Measured, meanOf, pairedOf } from '../../study/figure.ts'
import { type Account, type Row, type SettingRun, SITES } from './setting.ts'

/** The runs of one setting with all seeds. */
export interface Run extends Case<Row, SettingRun> {
  readonly latency: Time
  readonly stale: Stale
}

type Found = Measured<Run, SettingRun>

const meanAt = (runs: readonly SettingRun[], site: number, of: (account: Account) => number): Interval | null =>
  meanOf(runs, ({ accounts }) => {
    const account = accounts[site]
    return account ? of(account) : null
  })

export const sitesTable = (found: readonly Found[]): ResultTable => ({
  title: 'Tasks accepted (taken), and earnings, penalties and claims in dollars, by site',
  columns: [
    { name: 'latency', align: 'right' },
    { name: 'stale', align: 'left' },
    { name: 'site', align: 'left' },
    ...['taken', 'late', 'earned', 'penalties', 'claims', 'net'].map((name) => ({ name, digits: 0 })),
  ],
  rows: found.flatMap(({ case: { latency, stale }, ran: [runs = []] }) =>
    SITES.map((kind, i) => [
      ...[toUnits(latency), stale, `s${i + 1}, ${kind}`],
      meanAt(runs, i, ({ taken }) => taken),
      meanAt(runs, i, ({ late }) => late),
      meanAt(runs, i, ({ earned }) => earned),
      meanAt(runs, i, ({ penalties }) => penalties),
      meanAt(runs, i, ({ claims }) => claims),
      meanAt(runs, i, ({ earned, penalties, claims }) => earned - penalties - claims),
    ]),
  ),
})

export const shareOf = ({ paid, offered }: SettingRun): number => (100 * paid) / offered

/** The payments of clients if sites renege less those if sites honour, in points of the value offered, seed by seed. */
function beyondHonour(found: readonly Found[], latency: Time): Interval | null {
  const [renege = [], honour = []] = (['renege', 'honour'] as const).map(
    (stale) => found.find((one) => one.case.latency === latency && one.case.stale === stale)?.ran[0],
  )
  return pairedOf(renege, honour, (one, other) => shareOf(one) - shareOf(other))
}

const CHOICES = ['turning down outdated awards', 'honouring them'] as const

/** The conclusions, one sentence for each latency: the difference, or that these seeds show none. */
export const conclusionsOf = (found: readonly Found[]): string[] =>
  found.flatMap(({ case: { latency, stale } }) => {
    const difference = stale === 'renege' ? beyondHonour(found, latency) : null
    return difference ? [`Latency ${toUnits(latency)}: ${conclusionOf(difference, CHOICES)}.`] : []
  })

/**
 * The conclusion from a difference in points of the value offered, such as `renege brings 2.0 ± 1.0 points of the value
 * offered more than honour`. An interval that contains 0 shows no difference.
 */
export function conclusionOf({ mean, halfWidth: half }: Interval, [one, other]: readonly [string, string]): string {
  const halfWidth = half ?? Number.POSITIVE_INFINITY
  const points = `${Math.abs(mean).toFixed(1)} ± ${halfWidth.toFixed(1)} points of the value offered`
  if (Math.abs(mean) <= halfWidth) return `these seeds show no difference (${mean < 0 ? '-' : ''}${points})`
  return `${one} brings ${points} ${mean > 0 ? 'more' : 'less'} than ${other}`
}

export const priceTable = (found: readonly Found[]): ResultTable => ({
  title: 'Honouring outdated awards, and reneging on them',
  columns: [
    { name: 'latency', align: 'right' },
    { name: 'stale', align: 'left' },
    { name: 'turned down', digits: 1 },
    { name: 'late', digits: 1 },
    { name: 'without a site', digits: 1 },
    { name: 'paid', unit: '% of the value offered', digits: 1 },
    { name: 'beyond honour', unit: 'points', digits: 1 },
  ],
  rows: found.map(({ case: { latency, stale }, ran: [runs = []] }) => {
    return [
      ...[toUnits(latency), stale],
      meanOf(runs, ({ reneged }) => reneged),
      meanOf(runs, ({ late }) => late),
      meanOf(runs, ({ unplaced }) => unplaced),
      meanOf(runs, shareOf),
      stale === 'honour' ? '' : beyondHonour(found, latency),
    ]
  }),
})

export const chartOf = (found: readonly Found[]): Chart => ({
  title: 'Payments of clients by latency',
  x: { label: 'latency of a message', unit: 'units', min: 0 },
  y: { label: 'paid', unit: '% of the value offered' },
  series: STALE.map((stale) => ({
    name: stale,
    points: found
      .filter((one) => one.case.stale === stale)
      .map(({ case: { latency }, ran: [runs = []] }) => ({ x: toUnits(latency), y: meanOf(runs, shareOf) })),
  })),
})

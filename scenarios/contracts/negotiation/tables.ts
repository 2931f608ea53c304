/** The tables of the negotiation: the money of each site, and the cost of honouring offers that no longer hold. */
import { STALE, type Stale } from '../../../actors/contracts/terms.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import type { Chart } from '../../../lib/experiment/chart.ts'
import type { Interval } from '../../../lib/experiment/interval.ts'
import type { ResultTable } from '../../../lib/experiment/report.ts'
import { meanOf, pairedOf } from '../../study/figure.ts'
import { type Account, SITES, type Told } from './scene.ts'

/** The runs of one setting with all seeds. */
export interface Found {
  readonly latency: Time
  readonly stale: Stale
  readonly told: readonly Told[]
}

const meanAt = (told: readonly Told[], site: number, of: (account: Account) => number): Interval | null =>
  meanOf(told, ({ accounts }) => {
    const account = accounts[site]
    return account ? of(account) : null
  })

export const sitesTable = (found: readonly Found[]): ResultTable => ({
  title: 'Tasks taken on, earnings, penalties and claims of each site, in dollars',
  columns: [
    { name: 'latency', align: 'right' },
    { name: 'stale', align: 'left' },
    { name: 'site', align: 'left' },
    ...['taken', 'late', 'earned', 'penalties', 'claims', 'net'].map((name) => ({ name, digits: 0 })),
  ],
  rows: found.flatMap(({ latency, stale, told }) =>
    SITES.map((kind, i) => [
      ...[toUnits(latency), stale, `s${i + 1}, ${kind}`],
      meanAt(told, i, ({ taken }) => taken),
      meanAt(told, i, ({ late }) => late),
      meanAt(told, i, ({ earned }) => earned),
      meanAt(told, i, ({ penalties }) => penalties),
      meanAt(told, i, ({ claims }) => claims),
      meanAt(told, i, ({ earned, penalties, claims }) => earned - penalties - claims),
    ]),
  ),
})

const shareOf = ({ paid, offered }: Told): number => (100 * paid) / offered

/** The payments of clients if sites renege less those if sites honour, in points of the value offered, seed by seed. */
function beyondHonour(found: readonly Found[], latency: Time): Interval | null {
  const [renege = [], honour = []] = (['renege', 'honour'] as const).map(
    (stale) => found.find((one) => one.latency === latency && one.stale === stale)?.told,
  )
  return pairedOf(renege, honour, (one, other) => shareOf(one) - shareOf(other))
}

/** A sentence for each latency: the difference, and whether these seeds show one at all. */
export const conclusionsOf = (found: readonly Found[]): string[] =>
  found.flatMap(({ latency, stale }) => {
    const difference = stale === 'renege' ? beyondHonour(found, latency) : null
    return difference ? [`Latency ${toUnits(latency)}: ${conclusionOf(difference)}.`] : []
  })

/** The conclusion from a difference in points of the value offered. An interval that contains 0 shows no difference. */
export function conclusionOf({ mean, halfWidth: half }: Interval): string {
  const halfWidth = half ?? Number.POSITIVE_INFINITY
  const points = `${Math.abs(mean).toFixed(1)} ± ${halfWidth.toFixed(1)} points of the value offered`
  if (Math.abs(mean) <= halfWidth) return `these seeds show no difference (${mean < 0 ? '-' : ''}${points})`
  return `turning down outdated awards brings ${points} ${mean > 0 ? 'more' : 'less'} than honouring them`
}

export const priceTable = (found: readonly Found[]): ResultTable => ({
  title: 'Honouring and turning down awards whose promise no longer holds',
  columns: [
    { name: 'latency', align: 'right' },
    { name: 'stale', align: 'left' },
    { name: 'turned down', digits: 1 },
    { name: 'late', digits: 1 },
    { name: 'without a site', digits: 1 },
    { name: 'paid', unit: '% of the value offered', digits: 1 },
    { name: 'beyond honour', unit: 'points', digits: 1 },
  ],
  rows: found.map(({ latency, stale, told }) => {
    return [
      ...[toUnits(latency), stale],
      meanOf(told, ({ reneged }) => reneged),
      meanOf(told, ({ late }) => late),
      meanOf(told, ({ unplaced }) => unplaced),
      meanOf(told, shareOf),
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
      .filter((one) => one.stale === stale)
      .map(({ latency, told }) => ({ x: toUnits(latency), y: meanOf(told, shareOf) })),
  })),
})

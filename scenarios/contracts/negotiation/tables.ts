/** The tables of the negotiation: the money of each site, and the cost of honouring offers that no longer hold. */
import type { Stale } from '../../../actors/contracts/terms.ts'
import { toUnits } from '../../../lib/actor.ts'
import type { Interval, ResultTable } from '../../../lib/core/table.ts'
import type { Chart } from '../../../lib/experiment/chart.ts'
import { meanOf } from '../../study/figure.ts'
import { type Account, type SettingRun, SITES } from './setting.ts'
import { beyond, conclusionsOf as conclusionsBetween, type Found, shareOf } from './study.ts'

const meanAt = (runs: readonly SettingRun[], site: number, of: (account: Account) => number): Interval | null =>
  meanOf(runs, ({ accounts }) => {
    const account = accounts[site]
    return account ? of(account) : null
  })

export const sitesTable = (found: readonly Found<Stale>[]): ResultTable => ({
  title: 'Tasks accepted (taken), and earnings, penalties and claims in dollars, by site',
  columns: [
    { name: 'latency', align: 'right' },
    { name: 'stale', align: 'left' },
    { name: 'site', align: 'left' },
    ...['taken', 'late', 'earned', 'penalties', 'claims', 'net'].map((name) => ({ name, digits: 0 })),
  ],
  rows: found.flatMap(({ case: { latency, choice: stale }, ran: [runs = []] }) =>
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

const COMPARED = ['renege', 'honour'] as const

/** What reneging brings beyond honouring, in one sentence for each latency. */
export const conclusionsOf = (found: readonly Found<Stale>[]): string[] =>
  conclusionsBetween(found, COMPARED, ['turning down outdated awards', 'honouring them'])

export const priceTable = (found: readonly Found<Stale>[]): ResultTable => ({
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
  rows: found.map(({ case: { latency, choice: stale }, ran: [runs = []] }) => {
    return [
      ...[toUnits(latency), stale],
      meanOf(runs, ({ reneged }) => reneged),
      meanOf(runs, ({ late }) => late),
      meanOf(runs, ({ unplaced }) => unplaced),
      meanOf(runs, shareOf),
      stale === 'honour' ? '' : beyond(found, latency, COMPARED),
    ]
  }),
})

export const chartOf = <Choice extends string>(found: readonly Found<Choice>[], choices: readonly Choice[]): Chart => ({
  title: 'Payments of clients by latency',
  x: { label: 'latency of a message', unit: 'units', min: 0 },
  y: { label: 'paid', unit: '% of the value offered' },
  series: choices.map((choice) => ({
    name: choice,
    points: found
      .filter((one) => one.case.choice === choice)
      .map(({ case: { latency }, ran: [runs = []] }) => ({ x: toUnits(latency), y: meanOf(runs, shareOf) })),
  })),
})

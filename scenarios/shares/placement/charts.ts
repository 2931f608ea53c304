/** The charts of the placement figures: what each job has of its machines, with and without the better choice. */

import { groupsOf } from '../../../lib/core/tally.ts'
import type { Chart } from '../../../lib/experiment/chart.ts'
import type { Found } from '../../study/figure.ts'
import { seriesOf } from '../../study/series.ts'

/** A share as its quantity is called: see `usedBy`. */
interface Used {
  readonly phase: string
  readonly job: string
  readonly machine: string
  readonly found: Found
}

function usedIn(found: Found): Used[] {
  const [, phase = '', job = '', machine = ''] = /^(.*): (\S+) on (\S+)$/.exec(found.of) ?? []
  return job === '' ? [] : [{ phase, job, machine, found }]
}

/** The share that each job has of its machines: a series for each run or phase, a place for each job. */
export function sharesChart(figure: string, all: readonly Found[]): Chart {
  const used = all.flatMap(usedIn)
  const machinesOf = groupsOf(used, ({ phase, job }) => `${phase} ${job}`)
  const isSpread = (job: string): boolean =>
    used.some((one) => one.job === job && (machinesOf.get(`${one.phase} ${job}`)?.length ?? 0) > 1)
  const nameOf = ({ job, machine }: Used): string => (isSpread(job) ? `${job} on ${machine}` : job)
  const names = [...new Set(used.map(nameOf))]
  return {
    title: `Figure ${figure}: what each job has of its machines`,
    x: { label: 'job', names },
    y: { label: 'share', unit: 'machines', min: 0, max: 1 },
    series: [...groupsOf(used, ({ phase }) => phase)].map(([phase, own]) => {
      const places = new Map(own.map((one) => [one.found, names.indexOf(nameOf(one)) + 1]))
      return seriesOf(
        phase,
        own.map(({ found }) => found),
        (found) => places.get(found) ?? 0,
      )
    }),
  }
}

/** How even placement is if some machines are asked at random. */
export const askedChart = (all: readonly Found[]): Chart => ({
  title: 'Asking at random: the fullest machine',
  x: { label: 'machines asked', log: true },
  y: { label: 'jobs on the fullest machine / mean', min: 1 },
  series: [
    seriesOf(
      'most / mean',
      all.filter(({ of }) => of === 'most / mean'),
      ({ labels }) => Number(labels[1]),
    ),
  ],
})

/**
 * Malone et al. 1986, Table 2: flow time by the number of machines at a constant load, with random and SPT sequencing.
 */
import { randomOf, TABLE_2 } from './paper/table-2.ts'
import { FLOW, seriesOf } from './study/charts.ts'
import { type Found, figureMain } from './study/figure.ts'
import { studyFlags } from './study/flags.ts'

const LOADS = [0.1, 0.5, 0.9]
const SIZES = [1, 2, 4, 8]

const loadOf = ({ point }: Found) => `DSP, ${100 * point.load} %`
const machinesOf = ({ point }: Found) => point.speeds.length

await figureMain({
  name: 'bidding/table-2',
  summary:
    'Table 2 of Malone et al. 1986: mean flow times by the number of machines, with random sequencing and with DSP.',
  title: 'Table 2: machines of speed 1 under DSP (SPT), and random sequencing by formula',
  flags: studyFlags,
  labels: [
    { name: 'load', unit: '%', align: 'right' },
    { name: 'machines', align: 'right' },
  ],
  beside: [
    { name: 'random', unit: 'units', digits: 2 },
    { name: 'in the paper', unit: 'units', digits: 2 },
    { name: 'to the digit', align: 'left' },
  ],
  sizes: {
    quick: { light: 2000, moderate: 5000, heavy: 10_000 },
    standard: { light: 2000, moderate: 5000, heavy: 20_000 },
  },
  charts: (found) => [
    {
      name: 'table-2',
      chart: {
        title: 'Table 2: machines of speed 1 under DSP (SPT), and random sequencing',
        x: { label: 'machines', min: 0 },
        y: FLOW,
        series: [
          ...seriesOf(found, loadOf, machinesOf),
          ...LOADS.map((load) => ({
            name: `random, ${100 * load} %`,
            points: SIZES.map((machines) => ({ x: machines, y: randomOf({ load, machines }) })),
          })),
        ],
      },
    },
  ],
  notes: [
    'In the formula of random sequencing (M/M/m) lambda is the rate of arrivals per machine; in optimal assignment, of all.',
  ],
  cells: () =>
    TABLE_2.map((size) => {
      const { machines, load, paper, converged, known } = size
      const random = randomOf(size)
      const printed = paper?.random ?? null
      return {
        labels: [100 * load, machines],
        at: { speeds: Array.from({ length: machines }, () => 1), load },
        converged,
        paper: paper?.spt ?? null,
        beside: [random, printed, random.toFixed(2) === printed?.toFixed(2) ? 'yes' : 'no'],
        known,
      }
    }),
})

/**
 * What the choices that the paper's text leaves open come to at load 0.9, as the model converges: one option is changed in
 * a preset at a time.
 */
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged } from './converged.ts'

export interface Options {
  /** Which of the jobs that would fit is tried first; none: nobody overtakes. */
  readonly backfill?: 'arrival' | 'price' | 'none'
  /** May it use processors that the reservation will leave free? */
  readonly surplus?: boolean
  /** Does a reservation stand until it starts? */
  readonly fixedReservation?: boolean
  /** Does income go to the job that holds the reservation? */
  readonly reservedIncome?: boolean
  /** And to jobs that run? */
  readonly runIncome?: boolean
  /** Does income until the start count in an offer? */
  readonly future?: boolean
  /** Does wasted time (1)? The source of 2 counts it in another way and does not say how. */
  readonly wasted?: 0 | 1 | 2
  /** Shortest service of a job, in minutes. */
  readonly tmin?: number
}

export interface Choice {
  readonly preset: 'paper' | 'literal'
  readonly changed: Options
  /** S of ECON over S of RES. */
  readonly overRes: Converged
  /** Wait of user 1 at an income of 50 and 200 over that at 100. */
  readonly incomes?: Readonly<Record<50 | 200, Converged>>
  /** Mean response over service, where that is the point. */
  readonly U?: Converged
}

type Three = readonly [overRes: number, half: number, double: number]

const row = (preset: Choice['preset'], changed: Options, v: Three, t: Three): Choice => ({
  preset,
  changed,
  overRes: converged(v[0], t[0], 16),
  incomes: { 50: converged(v[1], t[1], 16), 200: converged(v[2], t[2], 16) },
})

/** Preset, what is changed; S over RES, wait at 50 and at 200 over 100; tolerances of them. */
export const CHOICES: readonly Choice[] = [
  row('paper', {}, [0.6533, 1.8342, 0.5483], [0.0281, 0.2825, 0.0827]),
  row('literal', {}, [0.7651, 2.1246, 0.5412], [0.0374, 0.3948, 0.1084]),
  row('literal', { backfill: 'arrival' }, [0.7427, 1.646, 0.6134], [0.0331, 0.1839, 0.0846]),
  row('paper', { backfill: 'price' }, [0.6755, 2.1558, 0.4925], [0.0313, 0.4489, 0.1078]),
  row('paper', { fixedReservation: false }, [0.6496, 1.813, 0.5469], [0.0307, 0.2644, 0.0742]),
  row('paper', { runIncome: true }, [0.6929, 1.6788, 0.6053], [0.0293, 0.1602, 0.062]),
  row('literal', { runIncome: true }, [0.831, 1.9176, 0.5898], [0.0367, 0.3492, 0.0978]),
  row('literal', { reservedIncome: false }, [0.7558, 2.1227, 0.5356], [0.037, 0.4479, 0.11]),
  row('paper', { future: true }, [0.668, 2.2007, 0.3968], [0.0306, 0.2608, 0.0859]),
  row('paper', { wasted: 0 }, [0.6291, 1.6717, 0.5926], [0.0384, 0.1894, 0.0669]),
  row('literal', { wasted: 0 }, [0.6601, 1.9862, 0.5598], [0.0268, 0.3135, 0.1145]),
  row('paper', { wasted: 2 }, [0.6466, 1.8286, 0.5497], [0.0351, 0.2448, 0.0749]),
  row('paper', { surplus: false }, [0.7109, 2.071, 0.5084], [0.0312, 0.287, 0.0774]),
  row('literal', { surplus: false }, [0.8129, 2.2597, 0.5195], [0.0458, 0.4024, 0.1007]),
  row('paper', { backfill: 'none' }, [3.4876, 5.6461, 0.259], [0.9055, 2.3662, 0.0991]),
  { preset: 'paper', changed: { tmin: 0 }, overRes: converged(0.6518, 0.028, 16), U: converged(31.4241, 16.5849, 16) },
]

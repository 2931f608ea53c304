/**
 * `npm run tables [-- pattern]`: long runs of the market beside the values that the model converges to. A row agrees
 * if the means differ by no more than twice their joint half-width.
 */
import { units } from '../lib/actor.ts'
import { PERFECT_NETWORK } from '../lib/network.ts'
import { type ErrorModel, generateJobs } from '../lib/workload/generate.ts'
import { withClients } from '../lib/workload/job.ts'
import { agrees } from '../scenarios/bidding/agreement.ts'
import { FIGURE_5 } from '../scenarios/bidding/figure-5.ts'
import { checksOf, resultsOf } from '../scenarios/bidding/results.ts'
import { type Market, runMarket, termsOf } from '../scenarios/bidding/run.ts'
import { type Mean, TABLE_1 } from '../scenarios/bidding/table-1.ts'

const TASKS = 200_000
const CLIENTS = ['c1']

interface Case {
  readonly name: string
  readonly load: number
  readonly speeds: readonly number[]
  readonly errors: ErrorModel
  /** In units. */
  readonly delay: number
  readonly converged: Mean
}

const percent = (load: number) => `${Math.round(load * 100)} %`
const table = (load: number, errors: 'perfect' | 'gen'): Case[] =>
  TABLE_1.filter((row) => row.load === load).map(({ speeds, converged }) => ({
    name: `table 1, ${percent(load)}, ${errors}, ${speeds.join()}`,
    ...{ load, speeds, errors, delay: 0, converged: converged[errors] },
  }))

const CASES: readonly Case[] = [
  ...table(0.5, 'perfect'),
  ...table(0.9, 'perfect').filter((_, i) => i % 2 === 0),
  ...table(0.5, 'gen').filter((_, i) => i % 3 === 0),
  ...FIGURE_5.filter(({ load, delay }) => load === 0.5 && delay > 0).map(({ load, speeds, delay, ...converged }) => ({
    name: `figure 5, ${percent(load)}, delay ${delay}, ${speeds.join()}`,
    ...{ load, speeds, errors: 'perfect' as const, delay, converged },
  })),
]

async function measure({ load, speeds, errors, delay }: Case): Promise<Mean> {
  const jobs = generateJobs({ seed: 1, tasks: TASKS, load, speeds, errors })
  const latency = units(delay)
  const market: Market = {
    ...{ protocol: 'dsp', speeds, clients: CLIENTS, jobs: withClients(jobs, CLIENTS, 1) },
    terms: termsOf('dsp', latency),
  }
  const run = await runMarket(market, { runtime: 'inline', network: { ...PERFECT_NETWORK, latency } })
  const broken = checksOf(market, run, false).find(({ ok }) => !ok)
  const { meanFlow, halfWidth } = resultsOf(market, run)
  if (broken || meanFlow === null || halfWidth === null) throw new Error(`${broken?.name}: ${broken?.measured}`)
  return { mean: meanFlow, halfWidth }
}

const wanted = new RegExp(process.argv[2] ?? '')
let agreed = 0
let compared = 0
for (const row of CASES.filter(({ name }) => wanted.test(name))) {
  const ours = await measure(row)
  const verdict = agrees(ours, row.converged)
  compared++
  if (verdict) agreed++
  const show = ({ mean, halfWidth }: Mean) => `${mean.toFixed(3).padStart(8)} ± ${halfWidth.toFixed(3)}`
  console.log(
    `${row.name.padEnd(46)} ${show(ours)}   converged ${show(row.converged)}   ${verdict ? 'agrees' : 'DIFFERS'}`,
  )
}
console.log(`${agreed} of ${compared} agree (${TASKS} tasks each, seed 1)`)
process.exitCode = agreed === compared ? 0 : 1

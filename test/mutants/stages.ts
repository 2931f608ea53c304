/** Where the mutants of each family are searched for: small runs with the faults that they may meet. */
import { fileURLToPath } from 'node:url'
import { FAULTS_OF_MESHES, MESHES } from '../bugs/scenes-mesh.ts'

/** A scenario with its flags and faults, as the bugs have it, or the random fault plans of a scenario. */
export type Stage =
  | { readonly scenario: string; readonly args: string; readonly faults?: readonly string[] }
  | { readonly plans: string }

const workload = (name: string) => `--workload ${fileURLToPath(new URL(`../bugs/${name}`, import.meta.url))}`

const SMALL = '--tasks 4 --speeds 1,2 --clients 2 --load 2 --latency 1 --seed 1'
const DEATHS = ['kill any contractor', 'restart any contractor', 'restart any client', 'restart any processor']
const market = (args: string, faults: readonly string[] = []): Stage => ({ scenario: 'bidding/market', args, faults })

const BIDDING: readonly Stage[] = [
  market(`${SMALL} --protocol dsp`, ['restart any client', 'double 2']),
  market(`${SMALL} --protocol dsp --query 3 --timeout 3`, DEATHS),
  { plans: 'bidding/market' },
  market(`${SMALL} --protocol eager --errors gen`, ['restart any client', 'double 2']),
  market(`${workload('single.csv')} --speeds 1,2 --latency 1 --query 3 --timeout 3 --late-bids 0`, DEATHS),
  market(`${SMALL} --protocol random --retry 5`, ['double 2', 'lose 2']),
  market(`${SMALL} --protocol dsp --clash commit --late-bids 0.1`, ['restart any client']),
  market(`${SMALL} --protocol dsp --clash bump`, ['restart any client']),
  market(`${workload('single.csv')} --speeds 1,1 --latency 1 --protocol eager`, []),
  market(`${SMALL} --protocol dsp --errors gen --query 3 --silence 8 --cutoff 0.2 --abort no --retry 6`, [
    'kill any client',
  ]),
  market(
    '--tasks 6 --speeds 1,1 --clients machines --load 2 --latency 1 --local-delay 1 --local-inflation 1.5 --query 3 --timeout 3',
    DEATHS,
  ),
  market(
    `${workload('points.csv')} --speeds 1,1 --latency 1 --query 3 --timeout 3 --priority incentive --income 8`,
    DEATHS,
  ),
]

const sites = (args: string, faults: readonly string[]): Stage => ({
  scenario: 'contracts/run',
  args: `${workload('contracts.csv')} --latency 1 --patience 8 ${args}`,
  faults,
})
const CONTRACTS: readonly Stage[] = [
  sites('--sites 2 --processors 1', ['restart any site', 'restart any broker']),
  { plans: 'contracts/run' },
  sites('--sites 2 --processors 1', [
    'kill any site',
    'kill any processor',
    'restart any processor',
    'restart any client',
  ]),
  sites('--sites 2 --processors 2 --preempt 2 --heuristic FirstReward', ['restart any processor', 'restart any site']),
  sites('--sites 3 --processors 1 --stale renege', ['lose 2', 'double 2']),
  sites(
    '--sites 2 --processors 1 --broker cheapest --rounds parallel --wait 4 --expiry 9 --threshold 0 --heuristic PV',
    ['restart any broker', 'double 2'],
  ),
]

const economy = (args: string, faults: readonly string[]): Stage => ({
  scenario: 'economy/run',
  args: `--processors 4 --users 2 --load 2 --span 300 --jobs 6 --latency 1 --patience 14 ${args}`,
  faults,
})
const ECONOMY: readonly Stage[] = [
  economy('--policy ECON', ['restart any scheduler', 'restart any bank']),
  { plans: 'economy/run' },
  economy('--policy ECON', ['restart any user', 'restart any processor', 'kill any processor']),
  economy('--policy FCFS', ['restart any scheduler', 'restart any processor', 'lose 2']),
  economy('--policy RES', ['restart any scheduler', 'restart any user']),
  economy('--policy ECON --preset literal --run-income --future --rates unweighted --incomes 50,100', ['double 2']),
]

/** A leader is taken for dead after five patiences: schedules that hold its mail back for longer break promises. */
const mesh = (policy: string, faults: readonly string[], patience = 3): Stage => ({
  scenario: 'mesh/run',
  args: `--policy ${policy} --mesh 4x4 --jobs 6 --leaders 4 --load 4 --short 1 --short-mean 10 --latency 0.1 --patience ${patience}`,
  faults,
})
const MESH: readonly Stage[] = [
  mesh('fold --interval 2', ['restart any allocator', 'restart any job']),
  mesh('equi', ['restart any allocator', 'kill any job']),
  { plans: 'mesh/run' },
  mesh('fold --interval 2', ['kill any job', 'restart any user']),
  mesh('equi+ --deal random --limit 2 --quantum 4', ['restart any allocator', 'restart any job']),
  mesh('fold --divide no --interval 2J --limit 3 --quantum 4', ['kill any job'], 50),
  mesh('fold --interval 2', ['lose 2', 'double 2', 'restart any job']),
  mesh('equi', ['lose 2', 'double 2']),
  ...Object.keys(MESHES).map((scenario): Stage => ({ scenario, args: '', faults: FAULTS_OF_MESHES[scenario] ?? [] })),
]

const SHARES: readonly Stage[] = [
  { scenario: 'placements', args: '', faults: ['restart any placer', 'restart any user', 'restart any processor'] },
  { scenario: 'parallel, spinning for 8', args: '', faults: ['double 3'] },
  { plans: 'shares/cluster' },
  { scenario: 'parallel, with other jobs', args: '' },
  {
    scenario: 'shares/cluster',
    args: '--machines 2 --period 100 --until 1000 --latency 1 --jobs A@m1,m2,P@m1 --currency P=A:1',
    faults: ['restart any ticket-server'],
  },
  {
    scenario: 'shares/cluster',
    args: '--machines 2 --period 100 --until 1000 --latency 1 --jobs A@m1,m2,P@m2 --currency P=A:1',
    faults: ['restart any ticket-server'],
  },
  {
    scenario: 'shares/cluster',
    args: '--machines 2 --period 100 --until 600 --latency 1 --patience 3 --switch 1 --jobs A@m1,m2:2 --jobs B@m2 --user A=50',
    faults: ['restart any processor', 'double 2'],
  },
  {
    scenario: 'shares/coscheduling',
    args: '--machines 2 --tickets 1,2 --granularity 20 --warm-up 200 --measure 300',
  },
]

/** The stages of the mutants below each folder of `actors`. */
export const STAGES: Readonly<Record<string, readonly Stage[]>> = {
  bidding: BIDDING,
  contracts: CONTRACTS,
  economy: ECONOMY,
  mesh: MESH,
  processor: [...SHARES, ...BIDDING.slice(1, 3), ...CONTRACTS.slice(1, 3), ...ECONOMY.slice(1, 3)],
  shares: SHARES,
}

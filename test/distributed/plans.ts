/**
 * Plans of failures between hosts, each given by a kind and a number. A plan has a market of three workstations on h1, h2
 * and h3. The clients are on h1, which survives. In plans 2, 3, 6, 7 and so on dead actors are restarted on other hosts, as
 * by a supervisor.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { units } from '../../lib/actor.ts'
import { machineOf } from '../../lib/core/address.ts'
import { Dice } from '../../lib/scenario/dice.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Market, termsOf } from '../../scenarios/bidding/model.ts'
import type { MarketRun } from '../../scenarios/bidding/oracle.ts'
import { HostProcesses, on } from './hosts.ts'
import { brokenBy, Lives } from './one-place.ts'
import { proxyTo } from './proxy.ts'
import { type Server, startServer } from './server.ts'

/**
 * - `kill`: a host is killed (SIGKILL); with even numbers another process of its name comes back;
 * - `server`: the NATS server is killed, and started again within two seconds;
 * - `cut`: a host is cut off, for less or more than the time until it is given up;
 * - `slow`: a host does not read (SIGSTOP), and the server soon cuts it off;
 * - `limit`: the server accepts no message longer than 2 KB, and a client sends longer ones.
 */
export const KINDS = ['kill', 'server', 'cut', 'slow', 'limit'] as const
export type Kind = (typeof KINDS)[number]

const CONFIGS: { readonly [K in Kind]: string } = {
  kill: '',
  server: '',
  cut: '',
  slow: 'max_payload: 65536\nmax_pending: 65536\nwrite_deadline: "100ms"',
  limit: 'max_payload: 2048',
}

export interface Outcome {
  /** Broken promises; a correct run has none. */
  readonly broken: readonly string[]
  readonly run: MarketRun
  /** The notes of hosts, and of the run on them, in order of arrival. */
  readonly said: readonly string[]
}

/** The time after which a run counts as hanging. */
const LONGEST_MS = 60_000

const clients = ['c1', 'c2']
const speeds = [1, 1, 1]
const latency = units(2)

function marketOf(n: number): Market {
  const jobs = withClients(generateJobs({ seed: n, tasks: 16, load: 0.7, speeds, errors: 'gen' }), clients, n)
  const terms = termsOf('dsp', latency, {
    wait: units(30),
    retry: units(60),
    query: units(40),
    timeout: units(400),
  })
  return { protocol: 'dsp', speeds, clients, jobs, terms }
}

/** Runs plan `n` of a kind, with a server and hosts of its own. */
export async function runPlan(program: string, kind: Kind, n: number): Promise<Outcome> {
  const dice = new Dice(n, 'plan')
  const server = await startServer(program, CONFIGS[kind])
  const proxy = await proxyTo(server.url)
  const hosts = new HostProcesses()
  const said: string[] = []
  const hear = (text: string): void => {
    said.push(...text.trimEnd().split('\n'))
  }
  try {
    hosts.startWith(server.url, 'h1', hear)
    hosts.startWith(proxy.url, 'h2', hear)
    hosts.startWith(server.url, 'h3', hear)
    await hosts.ready()
    const at = 200 + dice.below(2000)
    const spoil = async (): Promise<void> => {
      await pause(at)
      if (kind === 'server') await stopAndStart(server, 100 + dice.below(1900))
      if (kind === 'kill') {
        hosts.signal('h2', 'SIGKILL')
        if (n % 2 === 0) {
          await pause(dice.below(3000))
          hosts.startWith(server.url, 'h2', hear)
        }
      }
      if (kind === 'slow') {
        hosts.signal('h2', 'SIGSTOP')
        await pause(200 + dice.below(8000))
        hosts.signal('h2', 'SIGCONT')
      }
      if (kind === 'cut') {
        proxy.cut(n % 2 === 0 ? 'hang' : 'close')
        await pause(200 + dice.below(8000))
        proxy.heal()
      }
    }
    const market = marketOf(n)
    const places = ['m1=h1', 'm2=h2', 'm3=h3', 'c1=h1', 'c2=h1'].map((text) => {
      const [machine = '', host = ''] = text.split('=')
      return { machine, host }
    })
    let spoiling = Promise.resolve()
    let late: NodeJS.Timeout | undefined
    const lives = new Lives()
    const run = await biddingMarket.run(
      market,
      {
        time: 'real',
        scale: 5,
        seed: n,
        memoryMB: 16,
        network: { latency },
        reliable: true,
        trace: true,
        hosts: on(server.url, ['h1', 'h2', 'h3'], { places, note: (text) => said.push(text) }),
      },
      [],
      {
        onSystem: (system) => {
          const unlisten = system.onFact(() => {
            unlisten()
            spoiling = spoil()
          })
          system.onLine((line) => lives.hear(line))
          if (n % 4 > 1) {
            system.onDeath(({ address }) => {
              system.restart(address).catch((error: unknown) => said.push(`${address} is not restarted: ${error}`))
            })
          }
          late = setTimeout(() => void system.stop(), LONGEST_MS)
        },
      },
    )
    clearTimeout(late)
    await spoiling
    // a killed or stopped process does nothing by itself
    const twice = kind === 'kill' || kind === 'slow' ? [] : brokenBy(said)
    return { broken: [...brokenIn(market, run), ...lives.broken, ...twice], run, said }
  } finally {
    await hosts.end()
    await proxy.close()
    await server.remove()
  }
}

async function stopAndStart(server: Server, ms: number): Promise<void> {
  await server.stop()
  await pause(ms)
  await server.again()
}

function brokenIn(market: Market, { oracle: { ledger }, end, dead }: MarketRun): string[] {
  const lost = market.jobs.flatMap(({ client }, task) =>
    dead.has(`client@${client}`) || ledger.endings.has(task) ? [] : [`task ${task} of ${client} is lost`],
  )
  const strangers = [...dead].filter((address) => machineOf(address) !== 'm2')
  return [
    ...lost,
    ...ledger.violations,
    ...(end.ended === 'idle' ? [] : [`the run ended ${end.ended}`]),
    ...strangers.map((address) => `${address} is dead`),
  ]
}

/**
 * The table in scenarios/README.md that tells which systems survive failing disks, and the runs that its rows are about.
 * test/families.test.ts requires a row of every machine that persists.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

/** The runs of one row. */
interface Row {
  /** The machines that it is about, as a family names them. */
  readonly machines: readonly string[]
  /** The name of a scenario, or of a scene of test/bugs/scenes.ts. */
  readonly run: string
  /** The flags of the scenario; '' for a scene. */
  readonly flags: string
  /** The role of the actors that are restarted, and whose disks are slow. */
  readonly role: string
  /** The time of a slow write, in units. */
  readonly writeTime: number
}

const BUGS = fileURLToPath(new URL('test/bugs/', root))
const MARKET = '--tasks 4 --speeds 1,2 --clients 2 --load 2 --latency 1 --protocol dsp --query 3 --timeout 3'
const ECONOMY = '--processors 4 --users 2 --load 2 --span 300 --jobs 6 --latency 1 --policy ECON'
const CONTRACTS = `--workload ${BUGS}contracts.csv --latency 1 --sites 2 --processors 1`
const MESH = '--mesh 4x4 --jobs 6 --leaders 4 --load 4 --short 1 --short-mean 10 --latency 0.1'
const SHARES = '--machines 2 --period 100 --until 1000 --latency 1 --jobs A@m1,m2,P@m1 --currency P=A:1'

const rowOf = (machine: string, run: string, flags: string, role: string, writeTime: number): Row => ({
  machines: [machine],
  run,
  flags,
  role,
  writeTime,
})

/** The rows of the table, by its first two cells. */
export const ROWS: ReadonlyMap<string, Row> = new Map([
  [
    'market `client`',
    {
      ...rowOf('bidding/dsp/client', 'bidding/market', MARKET, 'client', 2),
      // the clients of all protocols persist the same records, in bidding/client.ts
      machines: ['bidding/dsp/client', 'bidding/eager/client', 'bidding/random/client'],
    },
  ],
  ['economy `bank`', rowOf('economy/bank', 'economy/run', ECONOMY, 'bank', 3)],
  ['economy `scheduler`', rowOf('economy/scheduler', 'economy/run', ECONOMY, 'scheduler', 3)],
  ['economy `user`', rowOf('economy/user', 'economy/run', ECONOMY, 'user', 3)],
  ['contracts `site`', rowOf('contracts/site', 'contracts/run', CONTRACTS, 'site', 2)],
  ['contracts `broker`', rowOf('contracts/broker', 'contracts/run', CONTRACTS, 'broker', 2)],
  ['contracts `client`', rowOf('contracts/client', 'contracts/run', CONTRACTS, 'client', 2)],
  [
    'mesh (fold) `allocator`',
    rowOf('mesh/allocator/fold', 'mesh/run', `${MESH} --policy fold --interval 2`, 'allocator', 0.2),
  ],
  ['mesh (equi) `allocator`', rowOf('mesh/allocator/equi', 'mesh/run', `${MESH} --policy equi`, 'allocator', 0.2)],
  ['shares `ticket-server`', rowOf('shares/tickets/ticket-server', 'shares/cluster', SHARES, 'ticket-server', 2)],
  ['shares `barrier`', rowOf('shares/barrier', 'parallel, placed', '', 'barrier', 2)],
  ['shares `placer`', rowOf('shares/placer/placer', 'placements', '', 'placer', 2)],
])

const HEAD = /\n\| system \| actor \|.*\n\|[-|]+\n((?:\|.*\n)+)/

/** The table, as the cells of each row. */
export const TABLE: readonly (readonly string[])[] = (
  HEAD.exec(readFileSync(new URL('scenarios/README.md', root), 'utf8'))?.[1] ?? ''
)
  .split('\n')
  .filter((line) => line !== '')
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

/** The first two cells of a row, which are its name in `ROWS`. */
export const nameOf = ([system = '', actor = '']: readonly string[]): string => `${system} ${actor}`

/** The texts of a module below actors and of those that it imports for more than types, directly or through others, by URL. */
function modulesOf(module: URL, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(module.href) || !module.href.startsWith(new URL('actors/', root).href)) return found
  const text = readFileSync(module, 'utf8')
  found.set(module.href, text)
  for (const [, path = ''] of text.matchAll(/^(?:import|export) (?!type\b)[^'"]*?from '(\.[^']+)'/gm)) {
    modulesOf(new URL(path, module), found)
  }
  return found
}

/** Whether a machine gets the records that its earlier incarnations persisted: whether its input declares `records`. */
export const persists = (machine: string): boolean =>
  [...modulesOf(new URL(`actors/${machine}.ts`, root)).values()].some((text) =>
    /^ *(?:readonly )?records\?:/m.test(text),
  )

/**
 * Replications over hosts that each run one at a time: three hosts compared with one, each side with its own NATS server.
 * Three hosts on fewer cores cannot be three times as fast, so the cost of each replication is shown too.
 */
import { availableParallelism } from 'node:os'
import { distributed } from '../../lib/experiment/work-queue/distribute.ts'
import '../fixtures/registered.ts'
import { HostProcesses } from '../distributed/hosts.ts'
import { accessTo } from '../distributed/secret.ts'
import { NO_SERVER, type Server, serverPath, startServer } from '../distributed/server.ts'
import { digits, inTurns, type Measure, median, medianRatio, type Row, rate, type Settings } from './measure.ts'
import { cpuSeconds } from './processes.ts'
import { TASKS } from './replication.ts'

const ALL = 10_000
const QUICK = 200
const study = { module: new URL('replication.ts', import.meta.url).href, export: 'replication' }

interface Taken {
  readonly ms: number
  readonly cpu: number | undefined
}

async function taken(server: Server, count: number): Promise<Taken> {
  const points = Array.from({ length: count }, (_, seed) => seed + 1)
  let ended = 0
  const [start, cpu] = [performance.now(), cpuSeconds()]
  await distributed({ access: accessTo(server.url), where: '--workers', note: () => {} }).run({
    study,
    points,
    onEnding: (_, ending) => {
      if (!('result' in ending) || ending.result !== TASKS)
        throw new Error(`a replication failed: ${JSON.stringify(ending)}`)
      ended++
    },
  })
  if (ended !== count) throw new Error(`${ended} of ${count} replications have ended`)
  const now = cpuSeconds()
  return { ms: performance.now() - start, cpu: now === undefined || cpu === undefined ? undefined : now - cpu }
}

async function compared({ repeats, quick }: Settings): Promise<Row[]> {
  const program = serverPath()
  if (program === undefined) return [{ name: 'replications over hosts', ours: NO_SERVER, other: '' }]
  const count = Math.ceil((quick ? QUICK : ALL) / repeats)
  const [one, three] = [await startServer(program), await startServer(program)]
  const hosts = new HostProcesses()
  try {
    hosts.start(one.url, 'alone')
    hosts.start(three.url, 'h1', 'h2', 'h3')
    await hosts.ready()
    const [ours = [], other = []] = await inTurns(
      repeats,
      () => taken(three, count),
      () => taken(one, count),
    )
    const msOf = (side: readonly Taken[]): number[] => side.map(({ ms }) => ms)
    const cpuOf = (side: readonly Taken[]): number[] => side.map(({ cpu }) => cpu ?? Number.NaN)
    const shown = (side: readonly Taken[]) =>
      `${rate(count, median(msOf(side)))} (${digits((median(cpuOf(side)) / count) * 1000)} ms CPU)`
    const cores = availableParallelism()
    return [
      {
        name: `${count * repeats} replications over three hosts (other: one), ${cores} cores`,
        ours: shown(ours),
        other: shown(other),
        ratio: medianRatio(msOf(other), msOf(ours)),
      },
      {
        name: `  efficiency: of three times; of the ${Math.min(3, cores)} that there are cores for`,
        ours: digits(medianRatio(msOf(other), msOf(ours)) / 3),
        other: digits(medianRatio(msOf(other), msOf(ours)) / Math.min(3, cores)),
      },
      {
        name: '  CPU of a replication, with all around it',
        ours: '',
        other: '',
        ratio: medianRatio(cpuOf(ours), cpuOf(other)),
      },
    ]
  } finally {
    await hosts.end()
    await Promise.all([one.remove(), three.remove()])
  }
}

export const replications: readonly Measure[] = [{ name: 'replications over hosts', run: compared }]

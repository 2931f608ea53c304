/** The flags that scenarios share, and the options that they yield. */
import type { Address } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import { quoted } from '../core/format.ts'
import { partFor } from '../core/result-file.ts'
import { UsageError } from '../core/usage-error.ts'
import { natsUrl, requireUnused } from '../distributed/access.ts'
import type { HostsOptions } from '../distributed/coordinator/coordinator.ts'
import { parseHosts, parsePlace } from '../distributed/coordinator/placement.ts'
import { readSecret } from '../distributed/secret.ts'
import { ENGINES } from '../engine/engine.ts'
import {
  ACTORS_MAX,
  DEFAULTS,
  HOSTS_ARE_FIFO,
  HOSTS_HAVE_THREADS,
  HOSTS_NEED_REAL_TIME,
  MEMORY_MAX,
  POOL_MAX,
} from '../system/options.ts'
import type { SystemInit } from '../system/system.ts'
import { type Fault, parseFault, parseKill, requireKnownActors } from './faults.ts'
import { flagName, type Given, grouped, type OptionsOf, optional, repeated, toggle, value } from './flags.ts'
import { choice, duration, fileFlag, indices, integer, number, probability, schedule } from './parsers.ts'
import { deviationsFor } from './schedule-string.ts'

/** The flags of every command. */
export const outputFlags = grouped('output', {
  report: fileFlag('result', 'write an HTML page that shows what happened'),
  json: toggle('print one JSON document on stdout and nothing else'),
  quiet: toggle('print no progress and no notes'),
  help: toggle('print this help'),
})

const seed = value({
  metavar: 'N',
  fallback: '1',
  parse: integer({ min: 0 }),
  help: 'seed of the workload and of all randomness in the model',
})

/** The flags of a scenario with randomness. */
export const seedFlags = { ...grouped('run', { seed }), ...outputFlags }

/** Registers code that a trace or a run on hosts may name. */
export const registerFlag = fileFlag(
  'input',
  'register your own actors and studies, which the default export of FILE lists (lib/core/code-registry.ts), or the actors of the scenario that it is',
)

/** How to connect to a NATS server. */
export const accessFlags = grouped('hosts', {
  secret: optional({
    metavar: 'FILE',
    file: 'input',
    parse: readSecret,
    help: 'file with the secret that a run and its hosts share: 32 characters or more, readable only by you',
  }),
  creds: fileFlag('input', 'file with credentials for the NATS server'),
  ca: fileFlag('input', 'connect to the NATS server by TLS and trust the certificates in FILE'),
  insecure: toggle('allow a NATS server on this machine without --secret, or one elsewhere without credentials'),
})

/** How one run is executed. */
const executionFlags = grouped('run', {
  seed,
  runtime: choice({
    of: ['threads', 'pool', 'inline'],
    fallback: 'threads',
    help: 'run each actor in a worker thread, many actors in each of a few threads, or all in one thread; virtual time gives the same results',
  }),
  poolThreads: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: POOL_MAX }),
    help: 'the number of threads of --runtime pool (default: as many as the processor runs at a time)',
  }),
  time: choice({
    of: ['virtual', 'real'],
    fallback: 'virtual',
    help: 'virtual time never waits and has one outcome per seed; real time follows the wall clock and has real races',
  }),
  scale: value({
    metavar: 'MS',
    fallback: '1',
    parse: number({ above: 0, max: 3_600_000 }),
    help: 'milliseconds per unit in real time',
  }),
  engine: choice({
    of: ENGINES,
    fallback: DEFAULTS.engine,
    help: 'run statecharts by compiled plans, by XState, or by both with a comparison; all give the same results',
  }),
  explain: toggle('print on stderr which engine runs each statechart, and why'),
  strict: toggle(
    'end the run with an error at mail to an address that no actor has had, or that no state handles, at contexts or events that are changed in place, and at fields that are added to a context',
  ),
  order: choice({
    of: ['fifo', 'causal'],
    fallback: 'fifo',
    help: 'keep the order of messages per pair of actors, or the causal order through third actors as well',
  }),
  schedule: value({
    metavar: 'fifo|N|STRING',
    fallback: 'fifo',
    parse: schedule,
    help: 'order of the messages within a round: as sent, the N-th hashed order, or a schedule that the explorer printed',
  }),
  maxRounds: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: DEFAULTS.rounds }),
    help: 'most rounds of the clock in virtual time (default: 1,000,000,000, and 1,000,000 in each run of a search)',
  }),
  maxMemory: optional({
    metavar: 'MB',
    parse: number({ above: 0, max: MEMORY_MAX }),
    help: `memory for unread mail (default: ${DEFAULTS.memoryMB}, and 16 in each run of a search)`,
  }),
  checkDeterminism: toggle(
    'run four times (twice on threads, twice inline, the last on another engine) and compare the traces',
  ),
})

const faultHelp = (examples: readonly string[]): string =>
  `inject a fault, such as ${examples.map((example) => `"${example}"`).join(', ')}; stall and cut are older words for pause and partition`

const faultFlags = grouped('faults', {
  fault: repeated({
    metavar: 'SPEC',
    parse: parseFault,
    help: faultHelp([
      'kill contractor@m2 at 500',
      'kill @m3 after 20 rfb',
      'kill random every 400',
      'restart contractor@m2 at 700',
      'kill @m1 when contractor@m2 enters busy',
      'kill contractor@m2 when client@c1 task 3 enters awarded',
      'pause client@c1 for 50 at 100',
      'partition m1,m2 | m3,m4 at 100 until 300',
      'jump m2 by 30 at 100',
    ]),
  }),
  kill: repeated({
    metavar: '"WHO at T"',
    parse: parseKill,
    help: 'short for --fault "kill WHO at T"',
  }),
})

const networkFlags = grouped('network', {
  latency: value({
    metavar: 'D',
    fallback: '0',
    parse: duration,
    help: 'delay of a message between machines, in units',
  }),
  jitter: value({
    metavar: 'D',
    fallback: '0',
    parse: duration,
    help: 'additional random delay of at most D units',
  }),
  loss: value({
    metavar: 'P',
    fallback: '0',
    parse: probability,
    help: 'probability that a message between machines is lost',
  }),
  duplicate: value({
    metavar: 'P',
    fallback: '0',
    parse: probability,
    help: 'probability that a message between machines arrives twice',
  }),
  reliable: toggle(
    'deliver messages between machines exactly once and in order, by acknowledgements and retransmission',
  ),
})

const hostFlags = grouped('hosts', {
  hosts: optional({
    metavar: 'H1,H2,...',
    parse: parseHosts,
    help: 'spread the workstations over these hosts (scenarios/host.ts); needs --time real',
  }),
  place: repeated({
    metavar: 'M=H',
    parse: parsePlace,
    help: 'put workstation M on host H; the others are assigned in turn',
  }),
  nats: optional({
    metavar: 'URL',
    parse: natsUrl,
    help: 'NATS server that connects the hosts, such as nats://127.0.0.1:4222',
  }),
})

const logFlags = grouped('run', {
  log: fileFlag('folder', 'keep what actors persist in files, and begin with what earlier runs have left in them'),
  fsync: toggle('put each write of --log on the disk before the run tells of its step'),
})

const resultFlags = grouped('output', {
  jobsOut: fileFlag('result', 'write one line per job (CSV)'),
  trace: fileFlag('result', 'write the trace: every event of the run (JSONL)'),
  live: toggle('serve a page that shows a running real-time run and injects faults by hand'),
  liveEvents: optional({
    metavar: 'N',
    parse: integer({ min: 100, max: 100_000 }),
    help: 'with --live: how many of the last events its page shows (default: 5000)',
  }),
  metrics: toggle(
    'measure the actors: print their numbers at the end; with --live show them on its page, and serve them as OpenMetrics text (ADDRESS/metrics)',
  ),
})

/** The flags of a scenario whose result is one run. */
export const runFlags = {
  ...executionFlags,
  ...faultFlags,
  ...networkFlags,
  ...hostFlags,
  ...accessFlags,
  ...logFlags,
  ...resultFlags,
  ...outputFlags,
}

/** The flag of a scenario whose tasks can be left out; `of` is such as `of these tasks`. */
export const onlyFlag = (of: string) =>
  optional({
    group: 'workload',
    metavar: 'N,N,...',
    parse: indices,
    help: `${of}, run only those with these numbers, from 0 (the explorer prints them when it shrinks a run)`,
  })

/** The flags of a run whose help shows these faults; those of `runFlags` fit a market of machines and clients. */
export const runFlagsWith = (faults: readonly string[]): typeof runFlags => ({
  ...runFlags,
  fault: { ...runFlags.fault, help: faultHelp(faults) },
})

/** The options that `execute` knows; those of one run are absent from commands with many runs or none. */
export type SeedOptions = OptionsOf<Omit<typeof outputFlags, 'report'>> &
  Partial<Pick<RunFlagOptions, 'report' | 'schedule' | 'checkDeterminism' | 'live' | 'liveEvents' | 'trace'>> & {
    readonly seed?: number | undefined
  }
/** The options that `runFlags` yield. */
export type RunFlagOptions = OptionsOf<typeof runFlags>

/** Whether the flags name a fault. */
export const hasFaults = ({ fault, kill }: RunFlagOptions): boolean => fault.length + kill.length > 0

/**
 * The whole fault plan, `--fault` and `--kill` together.
 *
 * @throws UsageError if one names an actor or machine that is not among `addresses`; if these are not known, none is
 */
export function faultsOf({ fault, kill }: RunFlagOptions, addresses?: readonly Address[]): readonly Fault[] {
  if (addresses) {
    for (const one of fault) requireKnownActors(one, addresses, '--fault')
    for (const one of kill) requireKnownActors(one, addresses, '--kill')
  }
  return [...fault, ...kill]
}

/**
 * The options of a system from the flags; `about` has everything else that a reader of the trace needs to repeat the run.
 *
 * The trace is written to a part file, which `execute` puts in place at the end.
 *
 * @throws UsageError for flags that exclude each other, and if the trace cannot be written
 */
export function systemOptions(options: RunFlagOptions, about: Plain): SystemInit {
  const { seed, order, schedule, latency, jitter, loss, duplicate, reliable, trace, report } = options
  const { runtime, poolThreads = null, engine, explain, strict, time, scale, live } = options
  const { metrics, log, fsync, maxRounds, maxMemory } = options
  if (time === 'real' && runtime === 'inline') throw UsageError.requires('--time real', '--runtime threads or pool')
  if (poolThreads !== null && runtime !== 'pool') throw UsageError.requires('--pool-threads', '--runtime pool')
  if (live && time !== 'real')
    throw UsageError.requires('--live', '--time real, since virtual time does not wait for viewers')
  if (options.liveEvents !== undefined && !live) throw UsageError.requires('--live-events', '--live')
  if (metrics && options.hosts) throw UsageError.conflicts('--metrics', '--hosts')
  if (reliable && order === 'causal') throw UsageError.conflicts('--reliable', '--order causal')
  if (fsync && log === undefined) throw UsageError.requires('--fsync', '--log FOLDER')
  if (log !== undefined && options.checkDeterminism) {
    throw UsageError.conflicts(
      '--log',
      '--check-determinism',
      'each of its runs would begin with the records of the one before',
    )
  }
  const network = { latency, jitter, loss, duplicate }
  const model = { seed, order, network, reliable, about }
  const given = typeof schedule === 'object' ? deviationsFor(schedule, model, '--schedule') : schedule
  const file = trace === undefined ? false : partFor(trace, '--trace')
  const kept = {
    trace: file,
    record: report !== undefined || live,
    log: log === undefined ? null : { folder: log, fsync },
  }
  const limits = {
    ...(maxRounds !== undefined && { rounds: maxRounds }),
    ...(maxMemory !== undefined && { memoryMB: maxMemory }),
  }
  const how = { runtime, poolThreads, engine, explain, strict, metrics, time, scale, ...limits }
  return { ...model, ...how, hosts: hostsOf(options), schedule: given, ...kept }
}

/** The hosts of the actors; null if they run in this process. */
function hostsOf(options: RunFlagOptions): HostsOptions | null {
  const { hosts, place: places, nats: url, secret, creds, ca, insecure, time, runtime, order, quiet } = options
  if (!hosts) {
    const without = url ? '--nats' : places.length > 0 ? '--place' : undefined
    if (without) throw UsageError.requires(without, '--hosts')
    requireUnused(options, '--hosts')
    return null
  }
  if (!url) throw UsageError.requires('--hosts', '--nats URL')
  if (time === 'virtual') throw UsageError.requires('--hosts', `--time real, ${HOSTS_NEED_REAL_TIME}`)
  if (runtime !== 'threads') throw UsageError.requires('--hosts', `--runtime threads, ${HOSTS_HAVE_THREADS}`)
  if (order === 'causal') throw UsageError.requires('--hosts', `--order fifo, ${HOSTS_ARE_FIFO}`)
  const stranger = places.find(({ host }) => !hosts.includes(host))
  if (stranger) throw UsageError.unknown('host', stranger.host, hosts, { where: '--place' })
  const note = (said: string): void => {
    if (!quiet) process.stderr.write(`${said}\n`)
  }
  return { access: { url, secret, creds, ca, insecure }, hosts, places, note }
}

/** The most actors on a runtime, and how to have more than on threads: beyond about a thousand threads V8 may end the process. */
export const roomOn = (runtime: RunFlagOptions['runtime']): { readonly most: number; readonly mend: string } =>
  runtime === 'threads'
    ? { most: DEFAULTS.actors, mend: ' (--runtime pool or inline has room for more)' }
    : { most: ACTORS_MAX, mend: '' }

const SHOWN_ALIKE = new Set(['report', 'json', 'quiet', 'help'])

/** Whether the scenario shows its demonstration; any flag that is not about output makes it one run instead. */
export const isDemonstration = (given: Given): boolean => [...given.keys()].every((key) => SHOWN_ALIKE.has(key))

/**
 * Refuses flags of one run: many runs choose the order of events themselves, use one thread, and write no files.
 *
 * @throws UsageError
 */
export function requireManyRuns(given: Given): void {
  const [time] = given.get('time') ?? []
  if (time === 'real') throw UsageError.invalid('--time', 'virtual', quoted(time), 'exploration uses no clock')
  const [runtime] = given.get('runtime') ?? []
  if (runtime !== undefined && runtime !== 'inline')
    throw UsageError.invalid('--runtime', 'inline', quoted(runtime), 'exploration runs in one thread')
  for (const key of ['trace', 'jobsOut', 'log']) {
    if (given.has(key))
      throw new UsageError(`${flagName(key)} cannot be given: it names files of one run, and this command makes many`)
  }
  if (given.has('metrics'))
    throw new UsageError('--metrics cannot be given: it measures one run, and this command makes many')
  if (given.has('checkDeterminism'))
    throw new UsageError(
      '--check-determinism cannot be given: it repeats one run of a scenario, and this command makes many',
    )
}

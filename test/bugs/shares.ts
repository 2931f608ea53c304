/** Mistakes in fair shares: placers, ticket servers, barriers, time-shared processors. */
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import type { Bug } from './bug.ts'

const may = (...faults: string[]) => faults.map((fault) => parseAllowed(fault, 'allowed'))
const COMMON = { args: '', allowed: [], within: 60 } as const
const PLACER = { ...COMMON, scenario: 'placements', property: 'jobs are where their users were told' } as const
const PARALLEL = { ...COMMON, property: 'a parallel job runs for ever' } as const
const CLUSTER = {
  ...COMMON,
  scenario: 'shares/cluster',
  args: '--machines 2 --period 100 --until 1000 --latency 1',
  property: 'in the end every job has its base value',
} as const

export const SHARES_BUGS: readonly Bug[] = [
  {
    ...PLACER,
    name: 'passed over, not withdrawn',
    what: 'a placer that passes over a silent processor does not take back what it gave it',
    file: 'shares/placer/placement.ts',
    find: "write(it, { type: 'passed', job, processor })\n      withdraw(it, [processor])",
    replace: "write(it, { type: 'passed', job, processor })",
  },
  {
    ...PLACER,
    name: 'placed twice',
    what: 'a placer that is asked again for the same job places it again',
    file: 'shares/placer/search.ts',
    find: "  if (book.has(job)) return toJob(it, job, { type: 'repeat' })\n",
    replace: '',
    allowed: may('restart any user'),
  },
  {
    ...PLACER,
    name: 'end not repeated',
    what: 'a placer that is asked again for a job that has ended says only where it was',
    scenario: 'shares/placer',
    args: '--machines 3 --jobs a:1:30 --jobs b:2:20 --jobs c:3:10 --apart 2 --timeout 3 --latency 1',
    file: 'shares/placer/placement.ts',
    find: "    it.do(tell(from, exit ? { ...exit, processor } : { type: 'missing', job, processor }))\n",
    replace: '',
    allowed: may('restart any user'),
  },
  {
    ...PLACER,
    name: 'placements not written down',
    what: 'a new incarnation of a placer has forgotten what it was given',
    file: 'shares/placer/search.ts',
    find: '  it.do(persist(entry))\n',
    replace: '',
    allowed: may('restart any placer'),
    property: 'a request is answered',
  },
  {
    ...PARALLEL,
    name: 'release of a sleeper',
    what: 'a release that finds its process asleep is put aside',
    scenario: 'parallel, spinning for 8',
    file: 'processor/transitions.ts',
    find: '  if (process.asleepSince !== null) wake(it, job)\n  else if',
    replace: '  if',
  },
  {
    ...PARALLEL,
    name: 'release of any round',
    what: 'a process takes the release of an earlier round for that of its own',
    scenario: 'parallel, spinning for 8',
    file: 'processor/transitions.ts',
    find: ' || process.bursts !== round) return',
    replace: ') return',
    allowed: may('double 3'),
    property: 'a barrier opens round after round',
  },
  {
    ...PARALLEL,
    name: 'credit kept through a sleep',
    what: 'a process that falls asleep keeps the exhaustible tickets of its last sleep',
    scenario: 'parallel, with other jobs',
    file: 'processor/sleep.ts',
    find: 'enter(it, { ...holding(gone, []), asleepSince: now() })',
    replace: 'enter(it, { ...gone, asleepSince: now() })',
    property: 'credit keeps within its cap and ends in time',
  },
  {
    ...CLUSTER,
    name: 'ticket not written down',
    what: 'a new incarnation of a ticket server has forgotten the tickets that it issued',
    file: 'shares/tickets/ticket-server.ts',
    find: 'enter(it.context.register, entry, true)',
    replace: "enter(it.context.register, entry, entry.type !== 'issued')",
    args: `${CLUSTER.args} --jobs A@m1,m2,P@m1 --currency P=A:1`,
    allowed: may('restart any ticket-server'),
  },
]

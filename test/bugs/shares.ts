/** Mistakes in fair shares: placers, ticket servers, barriers, time-shared processors. */
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import type { Bug } from './bug.ts'

const may = (...faults: string[]) => faults.map((fault) => parseAllowed(fault, 'allowed'))
const COMMON = { args: '', allowed: [], strategy: 'random', within: 60 } as const
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
    file: 'shares/placer/confirmation.ts',
    find: "  turn.write({ type: 'passed', job, processor })\n  turn.order(processor, { type: 'withdraw', job })",
    replace: "  turn.write({ type: 'passed', job, processor })",
  },
  {
    ...PLACER,
    name: 'placed twice',
    what: 'a placer that is asked again for the same job places it again',
    file: 'shares/placer/search.ts',
    find: '  if (known) return answerAgain(turn, known, from)\n',
    replace: '',
    allowed: may('restart any user'),
  },
  {
    ...PLACER,
    name: 'placements not written down',
    what: 'a new incarnation of a placer has forgotten what it was given',
    file: 'shares/placer/state.ts',
    find: '    this.#effects.push(persist(entry))\n',
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
    find: '  if (process.asleepSince !== null) wake(turn, name)\n  else if',
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
    find: 'turn.enter({ ...holding(gone, []), asleepSince: turn.now })',
    replace: 'turn.enter({ ...gone, asleepSince: turn.now })',
    property: 'credit keeps within its cap and ends in time',
    within: 120,
  },
  {
    ...CLUSTER,
    name: 'ticket not written down',
    what: 'a new incarnation of a ticket server has forgotten the tickets that it issued',
    file: 'shares/tickets/ticket-server.ts',
    find: "    remember({ type: 'issued', ticket, issuer: from }),\n",
    replace: '',
    args: `${CLUSTER.args} --jobs A@m1,m2,P@m1 --currency P=A:1`,
    allowed: may('restart any ticket-server'),
    strategy: 'delay:2',
  },
]

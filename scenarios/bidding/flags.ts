/** The flags of the market. */
import { POLICY_NAMES } from '../../actors/bidding/priority.ts'
import {
  choice,
  duration,
  fileFlag,
  grouped,
  integer,
  number,
  off,
  onlyFlag,
  optional,
  positiveNumbers,
  runFlags,
  value,
} from '../../lib/cli/index.ts'
import { ERROR_MODELS } from '../../lib/workload/generate.ts'
import { stretch } from '../workload-flags.ts'
import { PROTOCOLS } from './model.ts'

const workloadFlags = {
  load: value({
    metavar: 'U',
    fallback: '0.5',
    parse: number({ above: 0, max: 100 }),
    help: 'offered work per unit of capacity; 1 or more needs --tasks',
  }),
  tasks: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1_000_000 }),
    help: 'number of tasks (default 2000); of a workload, the first N',
  }),
  onlyTasks: onlyFlag('of these tasks'),
  errors: choice({ of: ERROR_MODELS, fallback: 'perfect', help: 'errors of the estimates relative to the work' }),
  workload: fileFlag('input', 'read tasks from a CSV file or a log (.swf, .swf.gz)'),
  stretch,
  logUnit: optional({
    metavar: 'S',
    parse: number({ above: 0, max: 1e6 }),
    help: 'seconds of a log per unit (default 1)',
  }),
  clients: value({
    metavar: 'N|machines',
    fallback: '1',
    parse: clientsOf,
    help: 'number of clients (c1, c2, ...), or one on each machine; a workload may name its own',
  }),
  deal: choice({
    of: ['drawn', 'in-turn'],
    fallback: 'drawn',
    help: 'how tasks are dealt to the clients: each is drawn by the seed, or the clients take turns',
  }),
}

/** The flags of the protocols. A flag of one protocol alone names it. */
const protocolFlags = {
  protocol: choice({
    of: PROTOCOLS,
    fallback: 'dsp',
    help: 'how tasks find machines: lazy (dsp), eager or random assignment',
  }),
  wait: optional({
    metavar: 'T',
    parse: duration,
    help: 'dsp, eager: time from the announcement to the evaluation of bids (default: two delays); dsp with 0 takes the first bid',
  }),
  lateBids: value({
    metavar: 'I0',
    fallback: 'off',
    parse: off(number({ min: 0 })),
    help: 'dsp: move a task to a late bid that saves more than this share of the remaining time',
  }),
  clash: choice({
    of: ['hold', 'bump', 'commit'],
    fallback: 'hold',
    help: 'dsp: what a busy machine does with an award',
  }),
  ties: choice({ of: ['random', 'index'], fallback: 'random', help: 'dsp: which of several equally early bids wins' }),
  tolerance: value({
    metavar: 'T',
    fallback: '0',
    parse: duration,
    help: 'eager: how much later than promised a task may start before its client hears of it',
  }),
  retry: optional({
    metavar: 'R',
    parse: duration,
    help: 'announce a task without bids again after T (default for eager and random: two delays, --local-delay and 1; for dsp: never)',
  }),
  abort: choice({
    of: ['yes', 'no'],
    fallback: 'yes',
    help: 'whether cancelling a task stops it; otherwise the machine finishes it and the work is wasted',
  }),
}

const priorityFlags = {
  priority: choice({
    of: POLICY_NAMES,
    fallback: 'spt',
    help: 'how clients rank their tasks; best-first, points and incentive use the values in a CSV file',
  }),
  income: value({
    metavar: 'B',
    fallback: '100',
    parse: number({ above: 0, max: 1e9 }),
    help: 'points: income of a client in every period',
  }),
  period: value({ metavar: 'T', fallback: '1000', parse: duration, help: 'points: length of a period' }),
}

/** The flags for Enterprise's additions to DSP, which work with every protocol. */
const enterpriseFlags = {
  query: value({
    metavar: 'Q',
    fallback: 'off',
    parse: off(duration),
    help: 'query the machine of an awarded task every Q units',
  }),
  timeout: value({
    metavar: 'Y',
    fallback: 'off',
    parse: off(duration),
    help: 'declare a machine failed if its answer takes longer than Y; needs --query',
  }),
  silence: value({
    metavar: 'S',
    fallback: 'off',
    parse: off(duration),
    help: 'declare a client dead if it queries nothing for S, which must exceed Q and two delays',
  }),
  cutoff: value({
    metavar: 'X',
    fallback: 'off',
    parse: off(number({ min: 0, max: 1e6 })),
    help: 'abort a task for good when it exceeds its estimate by this share',
  }),
  localDelay: value({
    metavar: 'T',
    fallback: '0',
    parse: duration,
    help: 'with --clients machines: delay by which a client holds back the bid of its own machine',
  }),
  localInflation: value({
    metavar: 'F',
    fallback: '1',
    parse: number({ min: 1, max: 1000 }),
    help: 'stretch the completion time in that bid by F, and by F - 1 more for each task of the client there',
  }),
  loadTime: value({
    metavar: 'T',
    fallback: '0',
    parse: duration,
    help: 'time to load a file that a task needs and its machine lacks',
  }),
}

export const flags = {
  ...runFlags,
  speeds: value({
    metavar: 'S,S,...',
    fallback: '4,1,1,1,1',
    parse: positiveNumbers,
    help: 'speeds of the machines m1, m2, ...',
  }),
  ...grouped('workload', workloadFlags),
  ...grouped('protocol', { ...protocolFlags, ...priorityFlags, ...enterpriseFlags }),
}

function clientsOf(given: string, flag: string): number | 'machines' {
  return given === 'machines' ? given : integer({ min: 1, max: 1000 })(given, flag)
}

/** The flags of the market. */
import { POLICY_NAMES } from '../../actors/bidding/priority.ts'
import {
  duration,
  integer,
  number,
  off,
  oneOf,
  optional,
  positiveNumbers,
  runFlags,
  text,
  value,
} from '../../lib/cli/index.ts'
import { ERROR_MODELS } from '../../lib/workload/generate.ts'
import { onlyFlag, stretch } from '../workload-flags.ts'
import { PROTOCOLS } from './model.ts'

const workloadFlags = {
  load: value({
    metavar: 'U',
    fallback: '0.5',
    parse: number({ above: 0, max: 100 }),
    help: 'offered work per unit of capacity; 1 and more only with --tasks',
  }),
  tasks: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1_000_000 }),
    help: 'how many (default 2000; of a workload: the first N)',
  }),
  onlyTasks: onlyFlag('of these tasks'),
  errors: value({
    metavar: ERROR_MODELS.join('|'),
    fallback: 'perfect',
    parse: oneOf(...ERROR_MODELS),
    help: 'how estimates relate to the work',
  }),
  workload: optional({
    metavar: 'FILE',
    file: 'input',
    parse: text,
    help: 'tasks from a CSV file or a log (.swf, .swf.gz)',
  }),
  stretch,
  logUnit: optional({
    metavar: 'S',
    parse: number({ above: 0, max: 1e6 }),
    help: 'seconds of a log that make one unit (default 1)',
  }),
  clients: value({
    metavar: 'N|machines',
    fallback: '1',
    parse: clientsOf,
    help: 'clients c1, c2, ..., or one on each machine (of a workload that names them: those)',
  }),
}

/** What a protocol goes by; each says which one. */
const protocolFlags = {
  protocol: value({
    metavar: PROTOCOLS.join('|'),
    fallback: 'dsp',
    parse: oneOf(...PROTOCOLS),
    help: 'how tasks find machines: lazy, eager or random assignment',
  }),
  wait: optional({
    metavar: 'T',
    parse: duration,
    help: 'dsp, eager: from the announcement to the evaluation of bids (default two delays: latency and jitter); under dsp 0 takes the first bid',
  }),
  lateBids: value({
    metavar: 'I0',
    fallback: 'off',
    parse: off(number({ min: 0 })),
    help: 'dsp: move a task to a late bid that saves more than this share of the time to go',
  }),
  clash: value({
    metavar: 'hold|bump|commit',
    fallback: 'hold',
    parse: oneOf('hold', 'bump', 'commit'),
    help: 'dsp: what happens to an award that finds its machine taken',
  }),
  ties: value({
    metavar: 'random|index',
    fallback: 'random',
    parse: oneOf('random', 'index'),
    help: 'dsp: which of several equally early bids wins',
  }),
  tolerance: value({
    metavar: 'T',
    fallback: '0',
    parse: duration,
    help: 'eager: how much later than promised a task may start before its client is told',
  }),
  retry: optional({
    metavar: 'R',
    parse: duration,
    help: 'announce a task again that got no bid (default: eager, random two delays, --local-delay and 1; dsp never)',
  }),
  abort: value({
    metavar: 'yes|no',
    fallback: 'yes',
    parse: oneOf('yes', 'no'),
    help: 'does cancelling a task free its machine? If not, the machine ends it for nothing',
  }),
}

const priorityFlags = {
  priority: value({
    metavar: POLICY_NAMES.join('|'),
    fallback: 'spt',
    parse: oneOf(...POLICY_NAMES),
    help: 'how clients rank their tasks; best-first, points and incentive go by the values in a CSV file',
  }),
  income: value({
    metavar: 'B',
    fallback: '100',
    parse: number({ above: 0, max: 1e9 }),
    help: 'points: what a client gets in every period',
  }),
  period: value({ metavar: 'T', fallback: '1000', parse: duration, help: 'points: how long a period is' }),
}

/** What Enterprise added to DSP; they serve every protocol. */
const enterpriseFlags = {
  query: value({ metavar: 'Q', fallback: 'off', parse: off(duration), help: 'ask after an awarded task every Q' }),
  timeout: value({
    metavar: 'Y',
    fallback: 'off',
    parse: off(duration),
    help: 'an answer that takes longer than Y means failed; needs --query',
  }),
  silence: value({
    metavar: 'S',
    fallback: 'off',
    parse: off(duration),
    help: 'a client that asks nothing for S is dead; more than Q and two delays',
  }),
  cutoff: value({
    metavar: 'X',
    fallback: 'off',
    parse: off(number({ min: 0, max: 1e6 })),
    help: 'abort a task for good when it has taken longer than its estimate by this share',
  }),
  localDelay: value({
    metavar: 'T',
    fallback: '0',
    parse: duration,
    help: 'a client on a machine (--clients machines) holds back the bid of that machine',
  }),
  localInflation: value({
    metavar: 'F',
    fallback: '1',
    parse: number({ min: 1, max: 1000 }),
    help: 'and stretches the time that it promises, the more so the more it has there',
  }),
  loadTime: value({
    metavar: 'T',
    fallback: '0',
    parse: duration,
    help: 'until a file is there that a task needs and its machine lacks',
  }),
}

export const flags = {
  ...runFlags,
  speeds: value({
    metavar: 'S,S,...',
    fallback: '4,1,1,1,1',
    parse: positiveNumbers,
    help: 'one machine each: m1, m2, ...',
  }),
  ...workloadFlags,
  ...protocolFlags,
  ...priorityFlags,
  ...enterpriseFlags,
}

function clientsOf(given: string, flag: string): number | 'machines' {
  return given === 'machines' ? given : integer({ min: 1, max: 1000 })(given, flag)
}

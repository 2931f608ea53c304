/** The flags of the market. */
import {
  duration,
  integer,
  number,
  off,
  oneOf,
  optional,
  positiveNumbers,
  sharedFlags,
  text,
  value,
} from '../../lib/cli.ts'
import { ERROR_MODELS } from '../../lib/workload/generate.ts'

export const flags = {
  ...sharedFlags,
  protocol: value({ metavar: 'dsp', fallback: 'dsp', parse: oneOf('dsp'), help: 'how tasks find machines' }),
  speeds: value({
    metavar: 'S,S,...',
    fallback: '4,1,1,1,1',
    parse: positiveNumbers,
    help: 'one machine each: m1, m2, ...',
  }),
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
  errors: value({
    metavar: ERROR_MODELS.join('|'),
    fallback: 'perfect',
    parse: oneOf(...ERROR_MODELS),
    help: 'how estimates relate to the work',
  }),
  lateBids: value({
    metavar: 'I0',
    fallback: 'off',
    parse: off(number()),
    help: 'move a task to a late bid that saves more than this share of the time to go',
  }),
  wait: optional({
    metavar: 'T',
    parse: duration,
    help: 'from the announcement to the evaluation of bids (default twice the latency)',
  }),
  clash: value({
    metavar: 'hold|bump|commit',
    fallback: 'hold',
    parse: oneOf('hold', 'bump', 'commit'),
    help: 'what happens to an award that finds its machine taken',
  }),
  ties: value({
    metavar: 'random|index',
    fallback: 'random',
    parse: oneOf('random', 'index'),
    help: 'which of several equally early bids wins',
  }),
  clients: value({
    metavar: 'N',
    fallback: '1',
    parse: integer({ min: 1, max: 1000 }),
    help: 'clients c1, c2, ... (of a workload that names them: those)',
  }),
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
    help: 'a client that asks nothing for S is dead; more than Q and two latencies',
  }),
  workload: optional({ metavar: 'FILE', parse: text, help: 'tasks from a CSV file or a log (.swf, .swf.gz)' }),
}

/** What faults do to the three protocols: 300 random plans of each kind break nothing, and this is what they cost. */
import {
  type Check,
  commonFlags,
  type Invocation,
  integer,
  type OptionsOf,
  type Outcome,
  optional,
  runMain,
  signalOf,
  text,
  toggle,
  UsageError,
  value,
} from '../../lib/cli.ts'
import { plainOf, type ResultTable, textOf } from '../../lib/experiment/report.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { KINDS, type Kind } from './faults/plans.ts'
import { add, EMPTY_TOLL, type Toll, tollIn } from './faults/study.ts'
import { PROTOCOLS } from './run.ts'
import { studyFlags } from './study/flags.ts'

const flags = {
  ...commonFlags,
  plans: value({
    metavar: 'N',
    fallback: '30',
    parse: integer({ min: 1, max: 100_000 }),
    help: 'plans of each kind for each protocol, all actors in one thread',
  }),
  threads: value({
    metavar: 'N',
    fallback: '2',
    parse: integer({ min: 0, max: 10_000 }),
    help: 'the first N of them again with a thread per actor',
  }),
  full: toggle('300 plans, and 20 of them with threads'),
  only: optional({ metavar: 'TEXT', parse: text, help: 'only protocols and kinds of faults that contain TEXT' }),
  keep: studyFlags.keep,
}

type Options = OptionsOf<typeof flags>

interface Group {
  readonly protocol: (typeof PROTOCOLS)[number]
  readonly kind: Kind
}

/** So many plans are one point of the sweep. */
const BLOCK = 10

function pointsOf({ protocol, kind }: Group, runtime: 'inline' | 'threads', plans: number) {
  const starts = Array.from({ length: Math.ceil(plans / BLOCK) }, (_, i) => i * BLOCK)
  return starts.map((from) => ({ protocol, kind, runtime, from, until: Math.min(from + BLOCK, plans) }))
}

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, progress } = invocation
  const { only = '', keep } = options
  const { plans, threads } = options.full ? { plans: 300, threads: 20 } : options
  const groups = PROTOCOLS.flatMap((protocol) => KINDS.map((kind) => ({ protocol, kind }))).filter(
    ({ protocol, kind }) => `${protocol} ${kind}`.includes(only),
  )
  if (groups.length === 0) throw new UsageError('--only', `a part of ${[...PROTOCOLS, ...KINDS].join(', ')}`, only)
  const points = groups.flatMap((group) => [
    ...pointsOf(group, 'inline', plans),
    ...pointsOf(group, 'threads', Math.min(threads, plans)),
  ])
  const results = await sweep({
    ...{ module: new URL('./faults/study.ts', import.meta.url), export: 'toll', points, keep },
    signal: signalOf(invocation),
    onDone: (done, total) => progress(done, total, `${done} of ${total} blocks of plans`),
  })
  const tolls = groups.map((group) => ({
    ...group,
    toll: points
      .flatMap((point, i) => (isOf(point, group) ? [tollIn(results[i] ?? null)] : []))
      .reduce(add, EMPTY_TOLL),
  }))
  const table = tableOf(tolls)
  return {
    results: { table: plainOf(table) },
    checks: tolls.map(checkOf),
    messages: tolls.reduce((sum, { toll }) => sum + toll.messages, 0),
    text: textOf(table),
  }
}

const isOf = (point: Group, { protocol, kind }: Group): boolean => point.protocol === protocol && point.kind === kind

const checkOf = ({ protocol, kind, toll }: Group & { readonly toll: Toll }): Check => ({
  name: `${protocol}, ${kind}: broken promises in ${toll.plans} plans`,
  ok: toll.violations.length === 0,
  measured: toll.violations.slice(0, 3).join(' | ') || 'none',
  expected: 'none',
  tolerance: null,
})

const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
const percent = (part: number, whole: number): number | null => (whole > 0 ? (100 * part) / whole : null)

const tableOf = (tolls: readonly (Group & { readonly toll: Toll })[]): ResultTable => ({
  title: 'What faults cost',
  columns: [
    { name: 'protocol' },
    { name: 'faults', align: 'left' },
    { name: 'plans' },
    { name: 'flow time', unit: 'times', digits: 2 },
    { name: 'messages', unit: 'times', digits: 2 },
    { name: 'restarts', unit: '/100 tasks', digits: 1 },
    { name: 'wasted work', unit: '%', digits: 1 },
    { name: 'deaths noticed' },
    { name: 'after', unit: 'units', digits: 1 },
    { name: 'wronged', unit: '/100 tasks', digits: 1 },
  ],
  rows: tolls.map(({ protocol, kind, toll }) => [
    protocol,
    kind,
    toll.plans,
    share(toll.flow, toll.calmFlow),
    share(toll.messages, toll.calmMessages),
    percent(toll.restarts, toll.tasks),
    percent(toll.wasted, toll.work),
    toll.detected,
    share(toll.detection, toll.detected),
    percent(toll.wronged, toll.tasks),
  ]),
  notes: [
    'Times: of the same tasks without faults. Wasted: of the work that had a result. After: from the death of a machine, or',
    'the award if that came later, until the client gave it up. Wronged: given up though it lived. Clients ask every 10 units.',
  ],
})

await runMain({
  name: 'bidding/faults',
  summary: 'Random plans of faults under DSP, eager and random: every task of a client that lives is done, once.',
  usage: 'Exit 1 if a plan broke a promise; the plan is named.',
  flags,
  main,
})

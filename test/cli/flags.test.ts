import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  duration,
  flagTable,
  helpText,
  integer,
  number,
  off,
  oneOf,
  type Parser,
  parseFlags,
  positiveNumbers,
  probability,
  repeated,
  runFlags,
  schedule,
  seedFlags,
  text,
  toggle,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { units } from '../../lib/core/time.ts'
import { collect, optionTexts } from '../../lib/scenario/flags.ts'
import { faultsOf, isDemonstration } from '../../lib/scenario/run-flags.ts'
import type { ScheduleString } from '../../lib/scenario/schedule-string.ts'
import { throwsSaying } from '../throws.ts'

const flags = {
  ...runFlags,
  speeds: value({
    metavar: 'S1,S2,...',
    fallback: '4,1,1,1,1',
    parse: positiveNumbers,
    help: 'speeds of the machines',
  }),
  load: value({ metavar: 'U', fallback: '0.5', parse: number({ above: 0 }), help: 'offered load' }),
  lateBids: value({ metavar: 'I0', fallback: 'off', parse: off(number({ min: 0 })), help: 'late-bid criterion' }),
  errors: value({ metavar: 'MODEL', fallback: 'perfect', parse: oneOf('perfect', 'gen', 'mult'), help: 'errors' }),
  verbose: toggle('says more'),
  tag: repeated({ metavar: 'TEXT', parse: text, help: 'a label' }),
}
const parse = (...args: string[]) => parseFlags(flags, args)

const said = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'no error'
}

test('without arguments every flag has its default', () => {
  const { options } = parse()
  assert.is(options.seed, 1)
  assert.equal(options.speeds, [4, 1, 1, 1, 1])
  assert.is(options.lateBids, null)
  assert.is(options.jobsOut, undefined)
  assert.is(options.json, false)
  assert.equal(options.tag, [])
})

test('a flag that takes another default from a scenario is read with that default', () => {
  const own = { latency: { ...runFlags.latency, fallback: '0.01' } }
  assert.is(parseFlags(own, []).options.latency, units(0.01))
  assert.is(parseFlags(own, ['--latency', '2']).options.latency, units(2))
})

test('options are typed by their declarations', () => {
  const { options } = parse('--late-bids', '0.5', '--schedule', '7', '--errors=gen', '--verbose')
  const lateBids: number | null = options.lateBids
  const order: number | 'fifo' | ScheduleString = options.schedule
  const errors: 'perfect' | 'gen' | 'mult' = options.errors
  const speeds: readonly number[] = options.speeds
  const jobsOut: string | undefined = options.jobsOut
  const verbose: boolean = options.verbose
  // @ts-expect-error: a number or null is not a number
  const wrong: number = options.lateBids
  // @ts-expect-error: not declared
  const unknown = options.nothing
  assert.equal(
    [lateBids, order, errors, speeds.length, jobsOut, verbose, wrong],
    [0.5, 7, 'gen', 5, undefined, true, 0.5],
  )
  assert.is(unknown, undefined)
})

test('times become model time, and --kill joins the faults', () => {
  const { options } = parse(
    '--latency',
    '2.5',
    '--fault',
    'kill @m1 at 3',
    '--fault=kill random every 4',
    '--kill',
    '@m2 at 5',
  )
  assert.is(options.latency, units(2.5))
  assert.equal(
    faultsOf(options, ['client@m1', 'client@m2']).map(({ type }) => type),
    ['kill', 'kill random', 'kill'],
  )
  assert.throws(() => faultsOf(options, ['client@m1']), /^unknown actor or machine "@m2" in --kill "@m2 at 5"/)
})

test('an error names the flag, the mistake and the correction', () => {
  const cases: [args: string[], message: string][] = [
    [['--speeds', '4,x'], '--speeds must be positive numbers separated by commas, not "4,x"'],
    [['--speeds', ''], '--speeds must be positive numbers separated by commas, not ""'],
    [['--speeds='], '--speeds must be positive numbers separated by commas, not ""'],
    [['--speeds', '4,0'], '--speeds must be positive numbers separated by commas, not "4,0"'],
    [['--speeds', '4,,1'], '--speeds must be positive numbers separated by commas, not "4,,1"'],
    [['--sped', '4'], 'unknown flag --sped; did you mean --seed? (--help lists all flags)'],
    [['-x'], 'unknown flag -x; --help lists all flags'],
    [['--no-json'], 'unknown flag --no-json; did you mean --json? (--help lists all flags)'],
    [['--lateBids', '1'], 'unknown flag --lateBids; did you mean --late-bids? (--help lists all flags)'],
    [['--constructor'], 'unknown flag --constructor; --help lists all flags'],
    [['--seed'], '--seed needs a value (N)'],
    [['--seed', '--json'], '--seed needs a value (N) before --json'],
    [['--seed', '1', '--seed', '2'], '--seed may be given only once'],
    [['--json', '--json'], '--json may be given only once'],
    [['--json=yes'], '--json takes no value: leave out "yes"'],
    [['fast'], 'unexpected argument "fast": this command takes only flags (--help lists them)'],
    [['--json', 'fast'], 'unexpected argument "fast": this command takes only flags (--help lists them)'],
    [['--'], 'unexpected argument "--": this command takes only flags'],
    [['--seed', '-1'], '--seed must be an integer >= 0, not "-1"'],
    [['--seed', '1.5'], '--seed must be an integer >= 0, not "1.5"'],
    [['--latency', '-5'], '--latency must be a time in units from 0 to 1000000000, not "-5"'],
    [['--latency', 'slow'], '--latency must be a time in units from 0 to 1000000000, not "slow"'],
    [['--loss', '1.5'], '--loss must be a number from 0 to 1, not "1.5"'],
    [['--scale', '0'], '--scale must be a number > 0 and <= 3600000, not "0"'],
    [['--runtime', 'Inline'], '--runtime must be threads, pool or inline, not "Inline"'],
    [['--schedule', 'lifo'], '--schedule must be fifo, an integer >= 0, or a schedule (b1:...), not "lifo"'],
    [['--late-bids', 'on'], '--late-bids must be a number >= 0, or off, not "on"'],
    [['--jobs-out', ''], '--jobs-out must be a text that is not empty, not ""'],
    [
      ['--fault', 'kill nobody at 3'],
      '--fault "kill nobody at 3" has "nobody" after "kill"; role@machine, @machine or a list of distinct ones belongs there; the form is "kill WHO at T", see "Faults" in scenarios/README.md',
    ],
    [
      ['--kill', '@m1 at x'],
      '--kill "@m1 at x" has "x" after "at"; a time >= 0 in units (at most 1000000000) belongs there; the form is "WHO at T", see "Faults" in scenarios/README.md',
    ],
    [['--tag', 'a\nb', '--seed', 'a\nb'], '--seed must be an integer >= 0, not "a\\nb"'],
  ]
  for (const [args, message] of cases)
    assert.is(
      said(() => parse(...args)),
      message,
    )
})

test('parsers take the documented values and nothing else', () => {
  const takes = <T>(parser: Parser<T>, ...texts: string[]) => texts.map((given) => parser(given, '--x'))
  const refuses = (parser: Parser<unknown>, ...texts: string[]) => {
    for (const given of texts)
      assert.match(
        said(() => parser(given, '--x')),
        /^--x must be .+, not "/,
      )
  }
  assert.equal(takes(integer({ min: -2, max: 2 }), '-2', '2', '0', '2.0'), [-2, 2, 0, 2])
  refuses(integer({ min: -2, max: 2 }), '-3', '3', '1.5', '', 'one', '0x1', '1e99')
  assert.equal(takes(number({ above: 0 }), '0.1', '1e3'), [0.1, 1000])
  refuses(number({ above: 0 }), '0', '-1', 'Infinity', 'NaN', ' 1')
  assert.equal(takes(probability, '0', '1', '.25'), [0, 1, 0.25])
  refuses(probability, '-0.1', '1.01', '50%')
  assert.equal(takes(positiveNumbers, '1', '4, 1,0.5'), [[1], [4, 1, 0.5]])
  refuses(positiveNumbers, '1;2', '-1', '1,')
  assert.equal(takes(duration, '0', '0.0000014', '3'), [0, 1, 3_000_000])
  refuses(duration, '-1', '1e10', '')
  assert.equal(takes(off(duration), 'off', '1'), [null, 1_000_000])
  refuses(off(duration), 'Off', '')
  assert.equal(takes(schedule, 'fifo', '0', '12'), ['fifo', 0, 12])
  refuses(schedule, '-1', '1.5', 'FIFO')
})

test('only output flags leave the demonstration as it is', () => {
  const isDemo = (...args: string[]) => isDemonstration(parse(...args).given)
  assert.ok(isDemo() && isDemo('--json', '--quiet'))
  assert.not(isDemo('--seed', '1') || isDemo('--json', '--verbose') || isDemo('--kill', '@m1 at 3'))
})

test('the texts of the options, typed again, give the same options', () => {
  const args = ['--speeds', '2,1', '--latency', '5', '--kill', '@m1 at 3', '--json', '--tag', 'a', '--tag', 'b']
  const { options, given } = parse(...args)
  const again = Object.entries(optionTexts(flags, given)).flatMap(([key, texts]) => {
    const name = `--${key.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`
    if (typeof texts === 'boolean') return texts ? [name] : []
    return typeof texts === 'string' ? [name, texts] : texts.flatMap((each) => [name, each])
  })
  assert.equal(parse(...again).options, options)
})

const TAKES = { usage: 'FILE [COMMAND]', least: 1, forms: [['summary FILE', 'at a glance']] } as const

test('only a command that declares arguments takes words without flags', () => {
  const { given, words } = collect(flags, ['a.jsonl', '--seed', '3', 'task', '4'], TAKES)
  assert.equal(words, ['a.jsonl', 'task', '4'])
  assert.equal([...given], [['seed', ['3']]])
  throwsSaying(() => collect(flags, ['--seed', '3'], TAKES), 'this command needs FILE [COMMAND]')
  throwsSaying(
    () => collect(flags, ['--', 'a.jsonl'], TAKES),
    'unexpected argument "--": this command takes FILE [COMMAND]',
  )
  throwsSaying(
    () => collect(flags, ['a.jsonl']),
    'unexpected argument "a.jsonl": this command takes only flags (--help lists them)',
  )
  const help = helpText({ name: 'lab/trace', summary: 'Traces.', args: TAKES }, flags)
  assert.match(help, 'npx tsx scenarios/lab/trace.ts FILE [COMMAND] [flags]')
  assert.match(help, /^ {2}summary FILE +at a glance$/m)
})

test('help mentions a demonstration and real time only for scenarios with --time', () => {
  const subject = { name: 'bidding/market', summary: 'A market.' }
  assert.not.match(helpText(subject, seedFlags), /demonstration|real/)
  const shared = helpText(subject, runFlags).replaceAll(/\s+/g, ' ')
  assert.match(shared, 'a demonstration. With any other: one run, in virtual time')
})

test('help and the table list the flags of the scenario first, then those of each group under a heading', () => {
  const help = helpText({ name: 'bidding/market', summary: 'A market.' }, flags)
  const order = ['--speeds S1', 'faults:', '--kill', 'network:', '--latency', 'output:', '--quiet', 'run:', '--seed N']
  const places = order.map((word) => help.indexOf(`  ${word}`.replace(/^ +(?=\w+:)/, '\n')))
  assert.ok(
    places.every((place) => place >= 0),
    places.join(),
  )
  assert.equal(
    places,
    places.toSorted((one, other) => one - other),
  )
  assert.match(flagTable(flags), /\n\| \*\*network\*\* \| \|\n\| `--latency D` /)
})

test('help and the table show every flag with its default', () => {
  const help = helpText({ name: 'bidding/market', summary: 'A market.' }, flags)
  assert.match(help, 'npx tsx scenarios/bidding/market.ts [flags]')
  assert.match(help, /--speeds S1,S2,\.\.\. +speeds of the machines \(default 4,1,1,1,1\)/)
  assert.match(help, /--late-bids I0 +late-bid criterion \(default off\)/)
  assert.ok(help.split('\n').every((line) => line.length <= 120))
  const table = flagTable(flags)
  assert.match(table, '| `--runtime threads\\|pool\\|inline` |')
  assert.is(table.match(/^\| `--/gm)?.length, Object.keys(flags).length)
})

test.run()

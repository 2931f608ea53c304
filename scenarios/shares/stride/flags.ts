/** The flags of one machine that shares its time. */
import {
  choice,
  duration,
  grouped,
  integer,
  number,
  type OptionsOf,
  optional,
  type Parser,
  repeated,
  runFlagsWith,
  toggle,
  UsageError,
  value,
} from '../../../lib/cli/index.ts'
import { MAX_UNITS, printUnits, quoted } from '../../../lib/core/format.ts'
import { units } from '../../../lib/core/time.ts'
import { isName, sleeper, TICKETS, ticketsIn } from '../shared-flags.ts'

export interface Client {
  readonly name: string
  readonly tickets: number
}

const MAX_CLIENTS = 1000
const MAX_QUANTA = 1_000_000

function clientOf(text: string): Client | undefined {
  const [name = '', given = '', ...more] = text.split(':')
  const tickets = ticketsIn(given)
  return isName(name) && tickets !== undefined && more.length === 0 ? { name, tickets } : undefined
}

const clients: Parser<readonly Client[]> = (given, flag) => {
  const parts = given.split(',')
  if (parts.length > MAX_CLIENTS) throw UsageError.tooMany(flag, `${MAX_CLIENTS} clients`, String(parts.length))
  const names = new Set<string>()
  return parts.map((part) => {
    const client = clientOf(part)
    if (!client) throw UsageError.invalid(flag, `NAME:TICKETS,... with ${TICKETS}`, quoted(part))
    if (names.has(client.name)) throw UsageError.repeated(flag, quoted(client.name))
    names.add(client.name)
    return client
  })
}

const multiple = number({ above: 0, max: 1000 })

const catchUp: Parser<number | 'adaptive'> = (given, flag) => {
  if (given === 'adaptive') return given
  try {
    return multiple(given, flag)
  } catch (error) {
    throw error instanceof UsageError ? error.or('adaptive') : error
  }
}

/** The flags of every run, with faults that fit one machine. */
const sharedFlags = runFlagsWith([
  'kill processor@m1 at 5',
  'restart processor@m1 at 7',
  'pause processor@m1 for 2 at 3',
  'kill random every 4',
  'jump m1 by 3 at 2',
])

/** Flags of the workload. */
const workloadFlags = {
  clients: value({
    metavar: 'NAME:T,...',
    fallback: 'A:1,B:2,C:3',
    parse: clients,
    help: 'endless jobs with T tickets each, in the order of arrival',
  }),
  sleeper: repeated({
    metavar: 'NAME:RUN:SLEEP',
    parse: sleeper,
    help: 'this client alternates between RUN units of running and SLEEP units of sleeping; several for one name follow each other',
  }),
}

/** Flags of the scheduler and what it costs. */
const protocolFlags = {
  quantum: value({ metavar: 'Q', fallback: '1', parse: duration, help: 'length of a quantum in units' }),
  policy: choice({
    of: ['stride', 'credit', 'loan'],
    fallback: 'stride',
    help: 'compensation for sleep: none (stride), tickets of the system (credit), or its own tickets lent and repaid (loan)',
  }),
  catchUp: optional({
    metavar: 'F|adaptive',
    parse: catchUp,
    help: 'credit, loan: compensate within F times the sleep (default 1); credit: or adapt to the last run',
  }),
  cap: optional({
    metavar: 'P',
    parse: number({ above: 0, max: 99.9 }),
    help: 'credit: largest share of a credited client, in percent (default 95)',
  }),
  declines: repeated({
    metavar: 'NAME',
    parse: (text, flag) => {
      if (!isName(text)) throw UsageError.invalid(flag, 'the name of a client', quoted(text))
      return text
    },
    help: 'loan: this client never borrows and keeps its rate',
  }),
  start: choice({
    of: ['stride', 'zero'],
    fallback: 'stride',
    help: 'pass of a new client beyond the global pass: its stride, or zero',
  }),
  preempt: toggle('a client that wakes preempts one with a larger pass'),
  switch: value({
    metavar: 'W',
    fallback: '0',
    parse: duration,
    help: 'cost of a switch to another client, or to one that has slept; that client is charged',
  }),
}

/** Flags of the length of the run. */
const lengthFlags = {
  quanta: value({
    metavar: 'N',
    fallback: '12',
    parse: integer({ min: 1, max: MAX_QUANTA }),
    help: 'length of the run in quanta',
  }),
}

export const flags = {
  ...sharedFlags,
  ...grouped('workload', workloadFlags),
  ...grouped('protocol', protocolFlags),
  ...grouped('run', lengthFlags),
}

export type Options = OptionsOf<typeof flags>

/** Refuses combinations of flags that make no sense. */
export function requireSense({ clients, sleeper, declines, policy, catchUp, cap, quantum, quanta }: Options): void {
  const names = clients.map(({ name }) => name)
  const named = [
    ...sleeper.map(({ name }) => ['--sleeper', name] as const),
    ...declines.map((name) => ['--declines', name] as const),
  ]
  for (const [flag, name] of named)
    if (!names.includes(name)) throw UsageError.unknown('client', name, names, { where: flag })
  if (quantum === 0) throw UsageError.invalid('--quantum', 'a time > 0', '"0"')
  if (quanta * quantum > units(MAX_UNITS)) {
    throw new UsageError(
      `--quanta may come to at most ${MAX_UNITS} units in all, not ${quanta} times ${printUnits(quantum)}`,
    )
  }
  if (declines.length > 0 && policy !== 'loan') throw UsageError.requires('--declines', '--policy loan')
  if (cap !== undefined && policy !== 'credit') throw UsageError.requires('--cap', '--policy credit')
  if (catchUp !== undefined && policy === 'stride') throw UsageError.requires('--catch-up', '--policy credit or loan')
  if (catchUp === 'adaptive' && policy === 'loan') throw UsageError.requires('--catch-up adaptive', '--policy credit')
}

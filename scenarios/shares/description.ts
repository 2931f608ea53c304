/** The users of a cluster, their currencies and their jobs, from flags or as in figure 4. */
import { BASE, closesCycle } from '../../actors/processor/currencies.ts'
import type { Backing } from '../../actors/processor/jobs.ts'
import { type Parser, UsageError } from '../../lib/cli/index.ts'
import { isAddress, machineOf } from '../../lib/core/address.ts'
import { quoted } from '../../lib/core/format.ts'
import { type Cluster, machinesOf } from './model.ts'
import { type Sleeper, TICKETS, ticketsIn } from './shared-flags.ts'

export interface Description {
  /** The number of machines, m1, m2, ... */
  readonly machines: number
  /** The base tickets of each user. */
  readonly funding: Readonly<Record<string, number>>
  /** The tickets between currencies, ordered so that each currency is worth something when tickets of it are issued. */
  readonly backing: readonly Backing[]
  readonly jobs: readonly Placed[]
}

/** What the orders of a cluster say of its users, currencies and jobs. */
export const descriptionOf = ({ machines, sharing, orders }: Cluster): Description => ({
  machines,
  funding: sharing.funding,
  backing: orders.flatMap(({ message }) => {
    if (message.type !== 'issue') return []
    const { currency, amount, holder } = message
    return [{ currency, amount, holder }]
  }),
  jobs: orders.flatMap(({ to, message }) => {
    if (message.type !== 'submit') return []
    const { job, currency, amount } = message
    return [{ job, currency, amount, machine: machineOf(to) }]
  }),
})

export type Placed = {
  /** The name of the job; unique. */
  readonly job: string
  readonly currency: string
  readonly amount: number
  readonly machine: string
}

export interface User {
  readonly name: string
  readonly base: number
}

/** The tickets that a currency holds. */
export interface Holding {
  readonly holder: string
  readonly held: readonly Amount[]
}

/** An amount of tickets for a machine, or of a currency. */
interface Amount {
  readonly name: string
  readonly amount: number
}

/** A job as the flag describes it. */
export interface Asked {
  readonly currency: string
  readonly machine: string
  readonly amount: number
}

const isCurrency = (text: string): boolean => /^[A-Za-z][\w-]*$/.test(text) && text !== BASE
const isMachine = (text: string): boolean => isAddress(`any@${text}`)

function amounts(text: string, isName: (name: string) => boolean, fallback?: string): Amount[] | undefined {
  const all = text.split(',').flatMap((part) => {
    const [name = '', given = fallback ?? '', ...more] = part.split(':')
    const amount = ticketsIn(given)
    return amount !== undefined && isName(name) && more.length === 0 ? [{ name, amount }] : []
  })
  return all.length === text.split(',').length ? all : undefined
}

/** A parser of a name, a mark and the rest. */
const named =
  <T>(mark: string, mustBe: string, read: (name: string, rest: string) => T | undefined): Parser<T> =>
  (text, flag) => {
    const at = text.indexOf(mark)
    const name = text.slice(0, Math.max(0, at))
    const value = isCurrency(name) ? read(name, text.slice(at + 1)) : undefined
    if (value === undefined) throw UsageError.invalid(flag, mustBe, quoted(text))
    return value
  }

/** `A=300` */
export const user: Parser<User> = named('=', `NAME=TICKETS with ${TICKETS}`, (name, rest) => {
  const base = ticketsIn(rest)
  return base === undefined ? undefined : { name, base }
})

/** `proj=alice:300,bob:10` */
export const holding: Parser<Holding> = named('=', `NAME=CURRENCY:TICKETS,... with ${TICKETS}`, (holder, rest) => {
  const held = amounts(rest, isCurrency)
  return held && { holder, held }
})

/** `A@m1:2,m3,B@m3`: a machine without a user belongs to the user before it. */
export const jobs: Parser<readonly Asked[]> = (text, flag) => {
  let currency = ''
  return text.split(',').map((part) => {
    const at = part.indexOf('@')
    if (at >= 0) currency = part.slice(0, at)
    const [place] = amounts(part.slice(at + 1), isMachine, '1') ?? []
    if (place === undefined || !isCurrency(currency)) {
      throw UsageError.invalid(flag, `USER@MACHINE[:TICKETS],... with ${TICKETS}`, quoted(part))
    }
    return { currency, machine: place.name, amount: place.amount }
  })
}

/** The base tickets of a user who has no `--user`. */
const BASE_TICKETS = 100

interface Given {
  readonly machines: number
  readonly user: readonly User[]
  readonly currency: readonly Holding[]
  readonly jobs: readonly (readonly Asked[])[]
  readonly sleeper: readonly Sleeper[]
}

/**
 * @throws UsageError for a machine or currency that there is not, a user or currency given twice, and a currency that
 * would hold itself
 */
export function describe({ machines, user: users, currency: holdings, jobs: given, sleeper }: Given): Description {
  const all = given.length > 0 ? given.flat() : figure4(machines)
  const nested = namesOnce(
    holdings.map(({ holder }) => holder),
    '--currency',
  )
  const named = namesOnce(
    users.map(({ name }) => name),
    '--user',
  )
  const twice = [...named].find((name) => nested.has(name))
  if (twice !== undefined)
    throw new UsageError(`--user ${quoted(twice)} is the name of a --currency: choose another name`)
  const held = holdings.flatMap((holding) => holding.held.map(({ name }) => name))
  const used = new Set([...all.map(({ currency }) => currency), ...held])
  const idle = users.find(({ name }) => !used.has(name))
  if (idle) throw new UsageError(`--user ${quoted(idle.name)} has no jobs, and no currency holds its tickets`)
  const owners = [...new Set(all.map(({ currency }) => currency))]
  const jobless = sleeper.find(({ name }) => !owners.includes(name))
  if (jobless) throw UsageError.unknown('user with jobs', jobless.name, owners, { where: '--sleeper' })
  const others = all.filter(({ currency }) => !nested.has(currency) && !named.has(currency))
  const funding = Object.fromEntries([
    ...others.map(({ currency }) => [currency, BASE_TICKETS] as const),
    ...users.map(({ name, base }) => [name, base] as const),
  ])
  return { machines, funding, backing: backingOf(holdings, funding), jobs: placed(all, machines) }
}

function namesOnce(names: readonly string[], flag: string): ReadonlySet<string> {
  const again = names.find((name, i) => names.indexOf(name) < i)
  if (again !== undefined) throw UsageError.repeated(flag, quoted(again))
  return new Set(names)
}

/** The jobs of figure 4: user A has one on every machine, and each machine has one of a user of its own. */
function figure4(machines: number): Asked[] {
  const all = machinesOf({ machines })
  const nameOf = (n: number) => (n < 26 ? String.fromCharCode(65 + n) : `U${n + 1}`)
  return [
    ...all.map((machine) => ({ currency: 'A', machine, amount: 1 })),
    ...all.map((machine, i) => ({ currency: nameOf(i + 1), machine, amount: 1 })),
  ]
}

function placed(all: readonly Asked[], machines: number): Placed[] {
  const known = new Set(machinesOf({ machines }))
  const seen = new Map<string, number>()
  return all.map(({ currency, machine, amount }) => {
    if (!known.has(machine)) throw UsageError.unknown('machine', machine, [...known], { where: '--jobs' })
    const place = `${currency}.${machine}`
    const before = seen.get(place) ?? 0
    seen.set(place, before + 1)
    return { job: before === 0 ? place : `${place}.${before + 1}`, currency, amount, machine }
  })
}

function backingOf(holdings: readonly Holding[], funding: Description['funding']): Backing[] {
  const known = new Set([...Object.keys(funding), ...holdings.map(({ holder }) => holder)])
  const all: Backing[] = []
  for (const { holder, held } of holdings) {
    for (const { name: currency, amount } of held) {
      if (!known.has(currency))
        throw UsageError.unknown('user or currency', currency, [...known], { where: '--currency' })
      const ticket = { currency, amount, holder }
      if (closesCycle(all, ticket)) {
        throw new UsageError(`--currency ${quoted(holder)} may not hold itself through others`)
      }
      all.push(ticket)
    }
  }
  return inOrder(all, new Set(Object.keys(funding)))
}

/** Orders tickets so that each currency is funded before tickets of it are issued; without cycles that is possible. */
function inOrder(open: readonly Backing[], funded: ReadonlySet<string>): Backing[] {
  const ready = open.filter(({ currency }) => funded.has(currency))
  if (ready.length === 0) return []
  const rest = open.filter((ticket) => !ready.includes(ticket))
  return [...ready, ...inOrder(rest, new Set([...funded, ...ready.map(({ holder }) => holder)]))]
}

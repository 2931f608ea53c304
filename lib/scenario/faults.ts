/**
 * Faults as plain data: parsed from a line, printed as one, so that a plan can be stored, replayed and shrunk.
 *
 * ```
 * kill WHO at T            kill WHO after N TYPE              kill WHO when WHO [CHART KEY] enters STATE
 * restart WHO at T         restart WHO after N TYPE           restart WHO when WHO [CHART KEY] enters STATE
 * pause WHO for T at T     partition M,M | M,M at T until T   kill random every T [until T]
 * slow WHO by T at T until T                              slow M,M | M,M by T at T until T
 * jump M by T at T [until T]                              jump M by -T at T [until T]
 * ```
 *
 * After `kill` and `restart` of an actor may stand `losing N` or `losing N torn`: its disk has not kept the last N writes. The
 * records of one step are one write. Of a torn write the disk has kept a part. `slow` makes a disk take T for each write,
 * or mail between two groups of machines take T longer. The second group may be `*`: all other machines. `jump` moves the clock
 * of a machine ahead or back.
 *
 * WHO may be a list, such as `a@m1,b@m2`: all of them are struck at the same point. T is in units. TYPE is the type of a message,
 * or of the event of a timer; WHO counts those that it has handled, or another one does (`after WHO N TYPE`). STATE is a state
 * of WHO's machine, by its name or its path (`busy`, `trading.busy`). A step enters it from outside; the initial state of an
 * incarnation is not entered.
 *
 * Plans may also say `stall` for `pause`, and `cut` for `partition`. Printed plans never do.
 */
import { type DiskLoss, LOSS_MAX } from '../actor/journal.ts'
import { type Address, ALL_OTHERS, isAddress, isMachine, machineOf, parentOf } from '../core/address.ts'
import { listed, MAX_UNITS, parseUnits, printUnits, quoted } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import type { Conversation } from '../trace/entries.ts'

/** One actor (`contractor@m2`), all actors of a machine (`@m2`), or a list of these with commas. */
export type ActorPattern = string

/** The actors and machines that a pattern lists. */
export const listedIn = (who: ActorPattern): readonly ActorPattern[] => who.split(',')

/** The machines of the actors that a pattern means. */
export const machinesOf = (who: ActorPattern): readonly string[] => listedIn(who).map(machineOf)

/** The moment of a fault: an instant, the end of a count of messages of a type, or the first entry into a state. */
export type When =
  | { readonly type: 'at'; readonly time: Time }
  /** `who` handles the messages that count; absent: the actors that the fault strikes. */
  | { readonly type: 'after'; readonly who?: ActorPattern; readonly count: number; readonly message: string }
  | { readonly type: 'enters'; readonly who: ActorPattern; readonly child?: Conversation; readonly state: string }

export interface Kill {
  readonly type: 'kill'
  readonly who: ActorPattern
  readonly when: When
  /** What the disks of the actors have not kept. */
  readonly loss?: DiskLoss
}

/** Kills one actor, drawn by the run's seed, after every period until the end or until a time. */
export interface KillRandom {
  readonly type: 'kill random'
  readonly every: Time
  readonly until?: Time
}

export interface Restart {
  readonly type: 'restart'
  readonly who: ActorPattern
  readonly when: When
  readonly loss?: DiskLoss
}

/** Actors that handle nothing for a while; their mail and timers wait. */
export interface Pause {
  readonly type: 'pause'
  readonly who: ActorPattern
  readonly duration: Time
  readonly at: Time
}

/** Actors with a slow disk: from `at` until `until` each write takes the time `by`. */
export interface SlowDisk {
  readonly type: 'slow'
  readonly who: ActorPattern
  readonly by: Time
  readonly at: Time
  readonly until: Time
}

/** A network partition: mail between the two groups of machines, either way, is lost from `at` until `until`. */
export interface Partition {
  readonly type: 'partition'
  readonly sides: readonly [readonly string[], readonly string[]]
  readonly at: Time
  readonly until: Time
}

/** Slow links: mail between the two groups of machines, either way, takes `by` longer if it is sent from `at` until `until`. */
export interface SlowLinks {
  readonly type: 'slow links'
  readonly sides: readonly [readonly string[], readonly string[]]
  readonly by: Time
  readonly at: Time
  readonly until: Time
}

/** A clock that jumps: that of the machine `who` (`@m2`) shows `by` more, or less, from `at` until `until` or the end. */
export interface ClockJump {
  readonly type: 'jump'
  readonly who: ActorPattern
  readonly by: Time
  readonly at: Time
  readonly until?: Time
}

/** A planned fault. `parseFault` reads one, such as `kill client@c1 at 3`. */
export type Fault = Kill | KillRandom | Restart | Pause | SlowDisk | SlowLinks | ClockJump | Partition

const WHO = 'role@machine, @machine or a list of distinct ones'

/** One of the two flags of faults: what it takes, and the word that it leaves out. */
interface Form {
  readonly name: string
  readonly implied: '' | 'kill'
}

const FAULT: Form = { name: 'a fault', implied: '' }
const KILL: Form = { name: 'a kill', implied: 'kill' }

const isOne = (text: string): boolean => isAddress(text) || (text.startsWith('@') && isMachine(text.slice(1)))
const isWho = (text: string): boolean => {
  const all = listedIn(text)
  return new Set(all).size === all.length && all.every(isOne)
}

/** Where the manual lists all forms of a fault. */
const MANUAL = '"Faults" in scenarios/README.md'

/** The form of a fault that has these words in any order; undefined if none is the beginning of a fault. */
function formOf(words: readonly string[]): string | undefined {
  const has = (...some: readonly string[]): boolean => some.some((word) => words.includes(word))
  const verb = words.flatMap((word) => VERBS.get(word) ?? [])[0]
  switch (verb) {
    case 'kill':
    case 'restart': {
      if (verb === 'kill' && has('random', 'every')) return 'kill random every T [until T]'
      const when = has('after') ? 'after N TYPE' : has('when', 'enters') ? 'when WHO enters STATE' : 'at T'
      return `${verb} WHO ${when}${has('losing', 'torn') ? ' losing N [torn]' : ''}`
    }
    case 'pause':
      return 'pause WHO for T at T'
    case 'slow':
      return `slow ${words.some((word) => word.includes('@')) ? 'WHO' : 'M,M | M,M'} by T at T until T`
    case 'jump':
      return 'jump M by T at T [until T]'
    case 'partition':
      return 'partition M,M | M,M at T until T'
    default:
      return undefined
  }
}

/** The words of one fault, read from left to right. */
class Words {
  private readonly where: string
  private readonly words: readonly string[]
  private readonly form: Form
  private next = 0

  constructor(text: string, form: Form, where: string) {
    this.where = where
    this.form = form
    this.words = `${form.implied} ${text}`
      .replace(/\s*,\s*/g, ',')
      .replace(/\s*\|\s*/g, ' | ')
      .split(/\s+/)
      .filter(Boolean)
  }

  /** Reports that `needed` is not the next word. */
  fail(needed: string, got: string | undefined): never {
    const { name, implied } = this.form
    const before = quoted(this.words[this.next - 1] ?? '')
    if (this.next === (implied === '' ? 0 : 1)) {
      const begins = got === undefined ? 'is empty' : `begins with ${quoted(got)}`
      return this.refuse(`${begins}; ${name} begins with ${needed}`)
    }
    if (got === undefined) return this.refuse(`ends after ${before}; ${needed} must follow`)
    return this.refuse(`has ${quoted(got)} after ${before}; ${needed} belongs there`)
  }

  /** Throws the error of a fault, with the form that its words probably mean, wherever they stand. */
  private refuse(why: string): never {
    const form = formOf(this.words)
    const meant =
      form === undefined
        ? 'the forms are in'
        : `the form is ${quoted(form.slice(this.form.implied.length).trim())}, see`
    throw new UsageError(`${this.where} ${why}; ${meant} ${MANUAL}`)
  }

  /** The next word as `read` understands it. */
  take<T>(needed: string, read: (word: string) => T | undefined): T {
    const word = this.words[this.next]
    const value = word === undefined ? undefined : read(word)
    if (value === undefined) return this.fail(needed, word)
    this.next++
    return value
  }

  one<T extends string>(...choices: readonly T[]): T {
    return this.take(listed(choices.map(quoted)), (word) => choices.find((choice) => choice === word))
  }

  more(): boolean {
    return this.next < this.words.length
  }

  end(): void {
    if (this.more()) this.refuse(`must end before ${quoted(this.words.slice(this.next).join(' '))}`)
  }

  time(least: string, isEnough: (time: Time) => boolean): Time {
    return this.take(`a time ${least} in units (at most ${MAX_UNITS})`, (word) => {
      const time = parseUnits(word)
      return time !== undefined && isEnough(time) ? time : undefined
    })
  }

  /** A time that may be negative, but not 0. */
  difference(): Time {
    return this.take(`a time other than 0 in units (at most ${MAX_UNITS}, ahead or back)`, (word) => {
      const size = parseUnits(word.replace(/^-/, ''))
      if (!size) return undefined
      return word.startsWith('-') ? -size : size
    })
  }

  who(): ActorPattern {
    return this.take(WHO, (word) => (isWho(word) ? word : undefined))
  }

  /** The actors with a slow disk, or the machines on one side of slow links. */
  slowed(): ActorPattern | readonly string[] {
    const word = this.words[this.next]
    return word === undefined || word.includes('@') ? this.who() : this.machines()
  }

  when(): When {
    const how = this.one('at', 'after', 'when')
    if (how === 'at') return { type: 'at', time: this.time('>= 0', anyTime) }
    if (how === 'when') {
      const who = this.who()
      const chart = this.take("'enters', or a conversation such as 'task 3'", (word) => word)
      if (chart === 'enters') return { type: 'enters', who, state: this.take('a state', (word) => word) }
      const child = { chart, key: this.take('the key of a conversation', (word) => word) }
      return { type: this.one('enters'), who, child, state: this.take('a state', (word) => word) }
    }
    const counter = this.words[this.next]?.includes('@') ? { who: this.who() } : {}
    const count = this.take('a count >= 1', (word) => (/^[1-9]\d{0,8}$/.test(word) ? Number(word) : undefined))
    return { type: 'after', ...counter, count, message: this.take('a message type', (word) => word) }
  }

  /** The beginning and the end of a fault that ends by itself. */
  between(): { readonly at: Time; readonly until: Time } {
    this.one('at')
    const at = this.time('>= 0', anyTime)
    return { at, until: this.until(at) }
  }

  until(at: Time): Time {
    this.one('until')
    return this.time(`> ${printUnits(at)}`, isAfter(at))
  }

  /** The loss after a kill or a restart; nothing if there is none. */
  loss(): { loss?: DiskLoss } {
    if (this.words[this.next] !== 'losing') return {}
    this.next++
    const writes = this.take(`a number of writes from 1 to ${LOSS_MAX}`, (word) =>
      /^[1-9]\d{0,8}$/.test(word) && Number(word) <= LOSS_MAX ? Number(word) : undefined,
    )
    if (this.words[this.next] !== 'torn') return { loss: { writes } }
    this.next++
    return { loss: { writes, isTorn: true } }
  }

  sides(left: readonly string[] = this.machines()): [readonly string[], readonly string[]] {
    this.one('|')
    return [left, this.machines(left)]
  }

  machines(except: readonly string[] = []): readonly string[] {
    return this.take('a list of distinct machines such as m1,m2', (word) => {
      if (word === ALL_OTHERS && except.length > 0) return [word]
      const machines = word.split(',')
      const distinct = new Set([...machines, ...except]).size === machines.length + except.length
      return distinct && machines.every(isMachine) ? machines : undefined
    })
  }
}

const anyTime = (): boolean => true
const isPositive = (time: Time): boolean => time > 0
const isAfter = (start: Time) => (time: Time) => time > start

function read(words: Words): Fault {
  const verb = words.take('kill, restart, pause, slow, jump or partition', (word) => VERBS.get(word))
  switch (verb) {
    case 'kill': {
      const who = words.take(WHO, (word) => (word === 'random' || isWho(word) ? word : undefined))
      if (who !== 'random') return { type: 'kill', who, when: words.when(), ...words.loss() }
      words.one('every')
      const every = words.time('> 0', isPositive)
      if (!words.more()) return { type: 'kill random', every }
      words.one('until')
      return { type: 'kill random', every, until: words.time('>= 0', anyTime) }
    }
    case 'restart':
      return { type: 'restart', who: words.who(), when: words.when(), ...words.loss() }
    case 'pause': {
      const who = words.who()
      words.one('for')
      const duration = words.time('> 0', isPositive)
      words.one('at')
      return { type: 'pause', who, duration, at: words.time('>= 0', anyTime) }
    }
    case 'slow': {
      const slowed = words.slowed()
      const sides = typeof slowed === 'string' ? undefined : words.sides(slowed)
      words.one('by')
      const by = words.time('> 0', isPositive)
      if (sides) return { type: 'slow links', sides, by, ...words.between() }
      return { type: 'slow', who: String(slowed), by, ...words.between() }
    }
    case 'jump': {
      const who = `@${words.take('a machine such as m1', (word) => (isMachine(word) ? word : undefined))}`
      words.one('by')
      const by = words.difference()
      words.one('at')
      const at = words.time('>= 0', anyTime)
      return { type: 'jump', who, by, at, ...(words.more() && { until: words.until(at) }) }
    }
    case 'partition': {
      return { type: 'partition', sides: words.sides(), ...words.between() }
    }
  }
}

/** The words that a fault begins with, and their aliases `stall` and `cut`. */
const VERBS: ReadonlyMap<string, Exclude<Fault['type'], 'kill random' | 'slow links'>> = new Map([
  ['kill', 'kill'],
  ['restart', 'restart'],
  ['pause', 'pause'],
  ['stall', 'pause'],
  ['slow', 'slow'],
  ['jump', 'jump'],
  ['partition', 'partition'],
  ['cut', 'partition'],
])

/** The text that each parsed fault had. Errors quote it, since `printFault` may choose other words. */
const texts = new WeakMap<Fault, string>()

function parse(text: string, form: Form, flag: string): Fault {
  const words = new Words(text, form, `${flag} ${quoted(text)}`)
  const fault = read(words)
  words.end()
  texts.set(fault, text)
  return fault
}

/**
 * Reads one fault. It does not check that the actors exist; `requireKnownActors` does.
 *
 * @throws UsageError that names the flag and the whole fault
 */
export const parseFault = (text: string, flag = '--fault'): Fault => parse(text, FAULT, flag)

/** Reads the short form of a kill: `WHO at T`. */
export const parseKill = (text: string, flag = '--kill'): Fault => parse(text, KILL, flag)

function printWhen(when: When): string {
  if (when.type === 'at') return `at ${printUnits(when.time)}`
  return when.type === 'after'
    ? `after ${when.who === undefined ? '' : `${when.who} `}${when.count} ${when.message}`
    : `when ${[when.who, ...nameOf(when.child)].join(' ')} enters ${when.state}`
}

const printLoss = (loss: DiskLoss | undefined): string =>
  loss ? ` losing ${loss.writes}${loss.isTorn ? ' torn' : ''}` : ''

const nameOf = (child: Conversation | undefined): string[] => (child ? [child.chart, child.key] : [])

/** The fault as its line, in one form: `parseFault(printFault(fault))` is the same fault. */
export function printFault(fault: Fault): string {
  switch (fault.type) {
    case 'kill':
    case 'restart':
      return `${fault.type} ${fault.who} ${printWhen(fault.when)}${printLoss(fault.loss)}`
    case 'kill random':
      return `kill random every ${printUnits(fault.every)}${fault.until === undefined ? '' : ` until ${printUnits(fault.until)}`}`
    case 'pause':
      return `pause ${fault.who} for ${printUnits(fault.duration)} at ${printUnits(fault.at)}`
    case 'slow':
      return `slow ${fault.who} by ${printUnits(fault.by)} at ${printUnits(fault.at)} until ${printUnits(fault.until)}`
    case 'slow links':
      return `slow ${printSides(fault.sides)} by ${printUnits(fault.by)} at ${printUnits(fault.at)} until ${printUnits(fault.until)}`
    case 'jump': {
      const end = fault.until === undefined ? '' : ` until ${printUnits(fault.until)}`
      return `jump ${fault.who.slice(1)} by ${printUnits(fault.by)} at ${printUnits(fault.at)}${end}`
    }
    case 'partition':
      return `partition ${printSides(fault.sides)} at ${printUnits(fault.at)} until ${printUnits(fault.until)}`
  }
}

const printSides = (sides: Partition['sides']): string => sides.map((side) => side.join(',')).join(' | ')

/** Whether a fault of links is about those of a machine. */
export const isBetween = ({ sides }: Pick<Partition, 'sides'>, machine: string): boolean =>
  sides.some((side) => side.includes(machine) || side.includes(ALL_OTHERS))

/** The addresses that `who` means, in their order. */
export const matchingAddresses = (who: ActorPattern, addresses: readonly Address[]): Address[] =>
  addresses.filter((address) => listedIn(who).some((one) => one === address || one === `@${machineOf(address)}`))

const whosOf = (fault: Fault): ActorPattern[] => {
  if (fault.type === 'kill random') return []
  if ('sides' in fault) return fault.sides.flat().flatMap((machine) => (machine === ALL_OTHERS ? [] : [`@${machine}`]))
  const { who = fault.who } = 'when' in fault && fault.when.type !== 'at' ? fault.when : {}
  return [...new Set([fault.who, who].flatMap(listedIn))]
}

/** Says whether an actor may come to be as a child of one of these, or as a child of a child. */
function hasAncestorIn(addresses: readonly Address[], who: ActorPattern): boolean {
  const parent = parentOf(who)
  return parent !== undefined && (addresses.includes(parent) || hasAncestorIn(addresses, parent))
}

/**
 * Checks that every actor and machine that a fault names is among the run's, or may come to be as a child of one.
 *
 * @throws UsageError for the first that is not
 */
export function requireKnownActors(fault: Fault, addresses: readonly Address[], flag: string): void {
  for (const who of whosOf(fault)) {
    if (matchingAddresses(who, addresses).length > 0 || hasAncestorIn(addresses, who)) continue
    const text = texts.get(fault) ?? printFault(fault)
    throw UsageError.unknown('actor or machine', who, addresses, { where: `${flag} ${quoted(text)}` })
  }
}

/** The end of a fault that is planned for a time; 0 for a fault at a logical point. */
export function endOfFault(fault: Fault): Time {
  switch (fault.type) {
    case 'kill':
    case 'restart':
      return fault.when.type === 'at' ? fault.when.time : 0
    case 'pause':
      return fault.at + fault.duration
    case 'slow':
    case 'partition':
      return fault.until
    case 'slow links':
      return fault.until + fault.by
    case 'jump':
      return fault.until ?? fault.at
    case 'kill random':
      return fault.until ?? Number.POSITIVE_INFINITY
  }
}

/**
 * Checks that a scenario goes on after its calm begins, and that no fault is planned for that part.
 *
 * @throws UsageError that names the first fault that is
 */
export function requireBeforeCalm(faults: readonly Fault[], calm: Time, until: Time | undefined, name: string): void {
  if (until === undefined || calm >= until)
    throw new UsageError(`the calm of ${name} must begin before its end (until), not at ${printUnits(calm)}`)
  const late = faults.find((fault) => fault.type !== 'kill random' && endOfFault(fault) >= calm)
  if (!late) return
  const text = texts.get(late) ?? printFault(late)
  throw new UsageError(
    `--fault ${quoted(text)} must be over before ${printUnits(calm)}, when the calm of ${name} begins`,
  )
}

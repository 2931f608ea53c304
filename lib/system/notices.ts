/**
 * Warns of messages that are probably mistakes, once for each address and type: no state of the recipient handles them, or
 * no actor has had their address.
 */
import type { Misaddressed, Notice, UnknownType } from '../actor/step-report.ts'
import { type Address, isGroup, roleOf, rolesOf } from '../core/address.ts'
import { BourseError } from '../core/error.ts'
import { nearest } from '../core/format.ts'
import type { Registry } from './registry.ts'

/** The most warnings of one kind in a process: a program that makes up addresses could print any number. */
const WARNINGS_MAX = 100

/**
 * Makes a function that prints warnings of one kind on stderr, once for each text in the process: an exploration makes many systems
 * with the same mistake.
 */
export function warner(): (text: string) => void {
  const said = new Set<string>()
  return (text) => {
    if (said.has(text) || said.size >= WARNINGS_MAX) return
    said.add(text)
    process.stderr.write(`bourse: ${text}\n`)
  }
}

const warnOfMessage = warner()

export class Notices {
  readonly #registry: Registry
  /** Called with an error that ends the run; null: a warning is printed instead. */
  readonly #fail: ((error: BourseError) => void) | null
  /** The pairs of address and type that were told. */
  readonly #told = new Set<string>()
  /** The number of messages to an address or group that no actor has had. */
  misaddressed = 0

  constructor(registry: Registry, fail: ((error: BourseError) => void) | null) {
    this.#registry = registry
    this.#fail = fail
  }

  /** Reads a notice of `who`. */
  read(who: Address, notice: Notice): void {
    if (notice.type === 'unknown type') this.#unknown(who, notice)
    else if (!this.#isKnown(notice.to)) this.#misaddressed(who, notice)
  }

  #unknown(who: Address, { event, from, meant }: UnknownType): void {
    const ignore = `to ignore it on purpose, write ${JSON.stringify(event)}: {} among its handlers`
    const mend = meant === undefined ? ignore : `did you mean '${meant}'? (${ignore})`
    this.#tell(who, event, `no state of ${who} handles '${event}' from ${from}; ${mend}`)
  }

  #misaddressed(from: Address, { to, message }: Misaddressed): void {
    this.misaddressed++
    const { addresses } = this.#registry
    const known = isGroup(to) ? addresses.flatMap((address) => rolesOf(address).map((role) => `${role}@*`)) : addresses
    const meant = nearest(to, known)
    const mend = meant === undefined ? 'spawn an actor there, or correct the address' : `did you mean ${meant}?`
    const what = isGroup(to) ? 'the group' : 'the address'
    this.#tell(to, message, `${from} sent '${message}' to ${what} ${to}, which no actor has had; ${mend}`)
  }

  /** Says whether an actor has, or has had, this address or a place in this group. */
  #isKnown(to: Address): boolean {
    if (!isGroup(to)) return this.#registry.find(to) !== undefined
    return this.#registry.addresses.some((address) => rolesOf(address).includes(roleOf(to)))
  }

  #tell(to: Address, type: string, text: string): void {
    const key = `${to} ${type}`
    if (this.#told.has(key)) return
    this.#told.add(key)
    if (this.#fail) this.#fail(new BourseError('BOURSE_STRICT', text))
    else warnOfMessage(text)
  }
}

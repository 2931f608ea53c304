/**
 * Checks the tables that ticket servers give to their processors, in a cluster of two machines: each has what the other machine held at
 * some instant, or nothing, and never what it held before the last table. So reports may be late or lost, but a server takes in no older
 * one (spec, section 7). Tickets between currencies are those that users asked for, each once, and stay in force.
 */
import type { Backing, JobFact } from '../../../actors/processor/jobs.ts'
import { type Address, machineOf, roleOf, type Time, toUnits } from '../../../lib/actor.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'
import { violationOf } from './invariants.ts'
import { isNear } from './rounding.ts'

type Amounts = ReadonlyMap<string, number>
type Ticked = Extract<JobFact, { type: 'ticked' }>

interface Machine {
  /** The amounts that its jobs have held, by currency, one after the other. */
  readonly history: Amounts[]
  /** The place in the history of the other machine that the last table came from, at the least. */
  known: number
  /** The tickets between currencies in the last table. */
  backing: readonly string[]
}

const NONE: Amounts = new Map()

function areEqual(one: Amounts, other: Amounts): boolean {
  const currencies = new Set([...one.keys(), ...other.keys()])
  return [...currencies].every((currency) => isNear(one.get(currency) ?? 0, other.get(currency) ?? 0))
}

const keyOf = ({ currency, amount, holder }: Backing): string => `${amount} of ${currency} to ${holder}`

/** The items that are not among others, where each of these counts once. */
function beyond(items: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return items.filter((item) => {
    const place = left.indexOf(item)
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}

export class TableAudit {
  readonly #machines: ReadonlyMap<string, Machine>
  /** The tickets between currencies that users ask for, each once. */
  readonly #asked: readonly string[]
  readonly #complain: (violation: Violation, isTimed: boolean) => void

  constructor(
    machines: readonly string[],
    asked: Iterable<Backing>,
    complain: (violation: Violation, isTimed: boolean) => void,
  ) {
    this.#machines = new Map(machines.map((machine) => [machine, { history: [NONE], known: 0, backing: [] }]))
    this.#asked = [...asked].map(keyOf)
    this.#complain = complain
  }

  /** Takes in what the jobs on a machine hold from now on. */
  holds(name: string, amounts: Amounts): void {
    const history = this.#machines.get(name)?.history
    const last = history?.at(-1)
    if (history && last && !areEqual(last, amounts)) history.push(new Map(amounts))
  }

  ticked(name: string, { informed, issued, backing }: Ticked, at: Time): void {
    const machine = this.#machines.get(name)
    if (!machine || !informed) return
    this.#checkIssued(name, machine, new Map(Object.entries(issued)), at)
    const told = backing.map(keyOf)
    const [wrong] = beyond(told, this.#asked)
    const [lost] = beyond(machine.backing, told)
    machine.backing = told
    if (wrong !== undefined)
      this.#broken(`${name} at ${toUnits(at)}: ${wrong} is in the table more often than users asked for it`, false)
    if (lost !== undefined) this.#broken(`${name} at ${toUnits(at)}: ${lost} is not in the table any more`, false)
  }

  /** A server has forgotten the report of its peer: the next one may be an old one. */
  forgot(who: Address): void {
    const machine = this.#machines.get(machineOf(who))
    if (machine) machine.known = 0
  }

  died(who: Address): void {
    if (roleOf(who) === 'ticket-server') this.forgot(who)
    if (roleOf(who) === 'processor') this.holds(machineOf(who), NONE)
  }

  #checkIssued(name: string, machine: Machine, issued: Amounts, at: Time): void {
    if (issued.size === 0) return
    const [other] = [...this.#machines].flatMap(([one, { history }]) => (one === name ? [] : [history]))
    const place = other?.findIndex((amounts, i) => i >= machine.known && areEqual(amounts, issued)) ?? 0
    if (place >= 0) machine.known = place
    else {
      const text = [...issued].map(([currency, amount]) => `${amount} of ${currency}`).join(', ')
      this.#broken(
        `${name} at ${toUnits(at)}: the table has ${text} elsewhere, which is not what the other machine holds or has held since the last table`,
        true,
      )
    }
  }

  #broken(what: string, isTimed: boolean): void {
    this.#complain(violationOf('I17', what), isTimed)
  }
}

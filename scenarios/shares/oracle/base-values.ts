/**
 * Checks that in the end every job that was not refused has its base value. It is promised to jobs that stay for ever in a
 * cluster with ticket servers, if everything that failed was made good long enough before the end. Machines that died before
 * that are left out: the tickets of their jobs must not count any more.
 */
import type { JobFact, Program } from '../../../actors/processor/jobs.ts'
import { type NetworkOptions, PERFECT_NETWORK } from '../../../lib/actor/network.ts'
import { type Address, machineOf, roleOf, type Time } from '../../../lib/actor.ts'
import type { Circumstances } from '../../../lib/scenario/definition.ts'
import { disturbanceOf } from '../../../lib/scenario/disturbance.ts'
import { endOfFault, type Fault } from '../../../lib/scenario/faults.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../../lib/scenario/outcome.ts'
import { descriptionOf } from '../description.ts'
import { spreadOf } from '../flags.ts'
import { type Cluster, machinesOf, type Said } from '../model.ts'
import { baseValues } from '../shares.ts'

/** The rounding error allowed in base values, which are sums of fractions. */
const ROUNDING = 1e-9
/**
 * The number of periods after which all machines know everything again, if a share was lost or a server had forgotten
 * all.
 */
const FORGETTING = 4

type Ticked = Extract<JobFact, { type: 'ticked' }>

interface Informed {
  /** The base tickets at the last tick with an answer of the ticket server. */
  readonly tickets: Ticked['tickets']
  /** The periods with such a tick. */
  readonly periods: Set<number>
}

/** Whether an order is for a job that stays for ever, or for tickets between currencies. */
export const isLasting = ({ message }: Said): boolean =>
  message.type === 'issue' || (message.type === 'submit' && isEndless(message.program))

const isEndless = (program: Program): boolean =>
  (program.kind === 'compute' && program.work === null) || (program.kind === 'bursts' && program.cycles === null)

/** Whether the tickets of all jobs always count. Without credit those of sleepers do not. */
const areCounted = ({ sharing, orders }: Cluster): boolean =>
  sharing.credit.policy !== 'none' ||
  orders.every(({ message }) => message.type !== 'submit' || message.program.kind === 'compute')

const isOver = (fault: Fault, by: Time): boolean =>
  (fault.type !== 'pause' && !('sides' in fault)) || endOfFault(fault) <= by

/**
 * The instant by which everything that fails, or is held back, must have been made good for a cluster to have its base values
 * at its end. It is negative for a short run.
 */
export function settlingFrom({ sharing, until = 0 }: Cluster, network: Partial<NetworkOptions> = {}): Time {
  const period = sharing.tick?.every ?? 0
  return until - FORGETTING * period - spreadOf({ ...PERFECT_NETWORK, ...network, period })
}

export class BaseValues {
  readonly #cluster: Cluster
  readonly #period: Time
  /** Everything that fails must have been made good by this instant; null if nothing is promised. */
  readonly #calm: Time | null
  readonly #informed = new Map<string, Informed>()
  /** The jobs and tickets whose users were told that they have none. */
  readonly #refused = new Set<string>()
  /** The tickets whose users were told that they have them. */
  readonly #issued = new Set<string>()
  #hasServerDied = false
  /** The actors that died, except ticket servers that were restarted in time. */
  readonly #died = new Set<Address>()
  #isLate = false

  constructor(cluster: Cluster, circumstances: Circumstances) {
    const { faults, options } = circumstances
    const { sharing, orders } = cluster
    this.#cluster = cluster
    this.#period = sharing.tick?.every ?? 0
    const calm = settlingFrom(cluster, options.network)
    const isPromised =
      sharing.tick !== null &&
      options.time === 'virtual' &&
      options.network.loss === 0 &&
      orders.every(isLasting) &&
      areCounted(cluster) &&
      // a short run has no instant after which a search holds nothing back
      (calm > 0 || disturbanceOf(circumstances).isTimed) &&
      faults.every((fault) => isOver(fault, calm))
    this.#calm = isPromised ? calm : null
  }

  /** Takes in a tick of the processor on a machine. */
  ticked({ informed, tickets }: Ticked, machine: string, at: Time): void {
    if (!informed || this.#calm === null) return
    const periods = this.#informed.get(machine)?.periods ?? new Set()
    this.#informed.set(machine, { tickets, periods: periods.add(Math.floor(at / this.#period)) })
  }

  /** A job that comes before its currency is known is refused, and its user is told. */
  refused(jobOrTicket: string): void {
    this.#refused.add(jobOrTicket)
  }

  issued(ticket: string): void {
    this.#issued.add(ticket)
  }

  /** Takes in a death. No job is lost with a ticket server. By its second tick a new one knows as much as the old one. */
  died(who: Address, at: Time): void {
    if (at > (this.#calm ?? 0)) this.#isLate = true
    if (roleOf(who) === 'ticket-server') this.#hasServerDied = true
    else this.#died.add(who)
  }

  violations({ lost, dead }: RunOutcome): Violation[] {
    const machines = this.#machinesLeft(dead)
    if (this.#calm === null || this.#isLate || lost > 0 || machines === null || !this.#isFair(machines)) return []
    if (this.#hasServerDied && !this.#areAnswered()) return []
    const had = new Map(machines.flatMap((machine) => Object.entries(this.#informed.get(machine)?.tickets ?? {})))
    const orders = this.#cluster.orders.filter(
      ({ to, message }) => !this.#isRefused(message) && (message.type === 'issue' || machines.includes(machineOf(to))),
    )
    return [...baseValues(descriptionOf({ ...this.#cluster, orders }))].flatMap(([job, value]) => {
      const tickets = had.get(job) ?? 0
      if (Math.abs(tickets - value) <= ROUNDING) return []
      return [{ property: 'in the end every job has its base value', text: `${job} has ${tickets}, not ${value}` }]
    })
  }

  /**
   * The machines that have not lost their processors for good. Null if nothing is promised: a living machine has lost jobs or
   * its ticket server, or a user may have died before all her orders were given.
   */
  #machinesLeft(dead: ReadonlySet<Address>): readonly string[] | null {
    const machines = machinesOf(this.#cluster)
    const left = machines.filter((machine) => !dead.has(`processor@${machine}`))
    if (left.length === machines.length) return this.#died.size === 0 && dead.size === 0 ? left : null
    const isOut = (who: Address) => machines.includes(machineOf(who)) && !left.includes(machineOf(who))
    const isLocal = ({ user, to, message }: Said) => message.type !== 'issue' && machineOf(user) === machineOf(to)
    const isPromised = [...this.#died, ...dead].every(isOut) && this.#cluster.orders.every(isLocal)
    return isPromised ? left : null
  }

  /** Whether users were told of all tickets that they ordered. An order to a server that is dead is lost. */
  #areAnswered(): boolean {
    return this.#cluster.orders.every(
      ({ message }) => message.type !== 'issue' || this.#issued.has(message.ticket) || this.#isRefused(message),
    )
  }

  #isRefused(message: Said['message']): boolean {
    if (message.type === 'submit') return this.#refused.has(message.job)
    return message.type === 'issue' && this.#refused.has(message.ticket)
  }

  /**
   * Whether each of these processors heard from its server in each of the last periods. One whose server is held back for ever
   * gets no table.
   */
  #isFair(machines: readonly string[]): boolean {
    const last = Math.floor((this.#cluster.until ?? 0) / this.#period)
    return machines.every((machine) => {
      const periods = this.#informed.get(machine)?.periods
      return Array.from({ length: FORGETTING }, (_, n) => last - 1 - n).every((period) => periods?.has(period))
    })
  }
}

/** Checks the promises that a cluster keeps under any faults, from the observations of a run of a plan. */
import { amountsOf, worth } from '../../../actors/processor/currencies.ts'
import type { Funding } from '../../../actors/processor/jobs.ts'
import { ASKS } from '../../../actors/shares/barrier.ts'
import { type Address, machineOf, type Time, toUnits, units } from '../../../lib/actor.ts'
import type { ScenarioRun } from '../../../lib/scenario/definition.ts'
import { endOfFault, type Fault, isBetween, matchingAddresses, printFault } from '../../../lib/scenario/faults.ts'
import { inWords } from '../../../lib/scenario/oracle.ts'
import { addressesOf, machinesOf } from '../model.ts'
import { isNear } from '../oracle/rounding.ts'
import { heldIn } from '../oracle.ts'
import type { GivenUp, Observations, Tick } from './observations.ts'
import { type Gang, KEPT, PATIENCE, PERIOD, type Plan } from './plans.ts'

/** The longest time between two rounds of a living job, even if some mail is lost. */
const ROUND = 4 * PERIOD + 2 * PATIENCE

export class Promises {
  readonly #plan: Plan
  readonly #seen: Observations
  readonly #outages: readonly Outage[]
  readonly #held: ReadonlyMap<string, Funding>
  readonly violations: string[] = []
  /** The time from the loss of a member to the end of its job, for each job that lost one. */
  readonly detections: Time[] = []
  /**
   * The number of jobs that were given up although all their members lived, because one of them could not be reached.
   */
  wronged = 0
  /** The time from the end of all faults until shares stayed right everywhere. */
  stale: Time = 0

  constructor(plan: Plan, seen: Observations, run: ScenarioRun<unknown>) {
    this.#plan = plan
    this.#seen = seen
    this.#held = heldIn(plan.model.orders)
    this.#outages = outagesOf(plan.faults, addressesOf(plan.model))
    this.violations.push(
      ...inWords(run.broken),
      ...run.crashes,
      ...run.missed
        .filter((fault) => !isOnTheDead(fault, plan.faults, addressesOf(plan.model)))
        .map((fault) => `${printFault(fault)} did not happen`),
    )
    if (run.end.ended !== 'until') this.violations.push(`the run ended ${run.end.ended} at ${toUnits(run.end.now)}`)
    for (const tick of seen.ticks) this.#checkTick(tick)
    for (const machine of machinesOf(plan.model)) this.#checkScheduling(machine)
    this.#checkShares()
    for (const gang of plan.gangs) this.#checkGang(gang)
    this.#checkPlaced()
  }

  #broken(at: Time, what: string): void {
    this.violations.push(`at ${toUnits(at)} ${what}`)
  }

  #outagesOf(who: Address, ...types: readonly Outage['type'][]): Outage[] {
    return this.#outages.filter((outage) => outage.who === who && (types.length === 0 || types.includes(outage.type)))
  }

  /** Whether an actor was dead, paused or cut off at some instant of a span. */
  #wasOut(who: Address, from: Time, until: Time, ...types: readonly Outage['type'][]): boolean {
    return this.#outagesOf(who, ...types).some((outage) => outage.from <= until && outage.until >= from)
  }

  #isDead(who: Address): boolean {
    return this.#outagesOf(who, 'dead').some(({ until }) => until === Number.POSITIVE_INFINITY)
  }

  // --- ticket servers -------------------------------------------------------------------------------------------------

  /**
   * Checks that a processor is informed if and only if its server lives. Every run checks that it is independent
   * otherwise (I9).
   */
  #checkTick({ machine, at, informed }: Tick): void {
    const server = `ticket-server@${machine}`
    const { tick } = this.#plan.model.sharing
    const asked = at - (tick?.patience ?? 0)
    if (!informed && !this.#wasOut(server, asked, at, 'dead', 'paused')) {
      this.#broken(at, `${machine} had no answer from its ticket server, which is alive`)
    }
    const wasDead = this.#outagesOf(server, 'dead').some(({ from, until }) => from < asked && until > at)
    if (informed && wasDead) this.#broken(at, `${machine} was informed by a ticket server that is dead`)
  }

  /** Finds the jobs of a tick that are not worth what they should be if `all` are all the jobs there are. */
  #wrongIn({ tickets }: Tick, all: readonly string[]): string[] {
    const { funding } = this.#plan.model.sharing
    const view = { funding, issued: {}, backing: [] }
    const issued = amountsOf(all.map((job) => this.#heldBy(job)))
    return [...tickets].flatMap(([job, has]) => {
      const due = worth(view, issued, this.#heldBy(job))
      return isNear(has, due) ? [] : [`${job} has ${has} tickets and not ${due}`]
    })
  }

  #heldBy(job: string): Funding {
    return this.#held.get(job) ?? { currency: '', amount: 0 }
  }

  /** The end of the last fault. Actors that are dead for good are forgotten some time later. */
  get #calm(): Time {
    return Math.max(0, ...this.#outages.map(({ from, until }) => (Number.isFinite(until) ? until : from)))
  }

  /**
   * Whether a tick with wrong shares is right if the jobs of some unheard peers are left out. A peer is unheard if all
   * its reports of the last KEPT periods were lost, or may still have been under way.
   */
  #isUnheard(tick: Tick, machines: readonly string[], jobsOf: (machine: string) => Iterable<string>): boolean {
    const { delay } = this.#plan
    const server = `ticket-server@${tick.machine}`
    const isSilent = (peer: string) => {
      const due = this.#seen.sent.filter(
        ({ type, at, from, to }) =>
          type === 'share' &&
          from === `ticket-server@${peer}` &&
          to === server &&
          at > tick.at - KEPT * PERIOD &&
          at < tick.at - delay,
      )
      // a server that reports seldom is not excused
      return peer !== tick.machine && due.length >= KEPT - 1 && due.every(({ isLost }) => isLost)
    }
    const silent = machines.filter(isSilent)
    for (let chosen = 1; chosen < 1 << silent.length; chosen++) {
      const forgotten = new Set(silent.filter((_, i) => (chosen >> i) % 2 === 1))
      const known = machines.flatMap((machine) => (forgotten.has(machine) ? [] : [...jobsOf(machine)]))
      if (this.#wrongIn(tick, known).length === 0) return true
    }
    return false
  }

  /** Checks that some time after the last fault, all cooperating machines have exact shares. */
  #checkShares(): void {
    const { delay, isLossy } = this.#plan
    const cluster = this.#plan.model
    const { until } = cluster
    const last = this.#seen.last
    const cooperating = machinesOf(cluster).filter(
      (machine) => !this.#isDead(`processor@${machine}`) && !this.#isDead(`ticket-server@${machine}`),
    )
    const jobsOf = (machine: string): Iterable<string> => last.get(machine)?.tickets.keys() ?? []
    const together = cooperating.flatMap((machine) => [...jobsOf(machine)])
    const forgotten = this.#outages.flatMap(({ from, until: end, who }) =>
      end === Number.POSITIVE_INFINITY && /^(processor|ticket-server)@/.test(who) ? [from + (KEPT + 1) * PERIOD] : [],
    )
    const known = 2 * PERIOD + delay
    // if newer reports are lost, one from before the last change counts for KEPT periods
    const changeKnown = this.#seen.changed + (isLossy ? KEPT * PERIOD + known : known)
    const right = Math.max(this.#calm + known, changeKnown, ...forgotten)
    for (const machine of cooperating) {
      const ticks = this.#seen.ticks.filter((tick) => tick.machine === machine)
      const isWrong = (tick: Tick) => this.#wrongIn(tick, together).length > 0
      const wrongs = ticks.map(isWrong)
      const lastWrong = wrongs.lastIndexOf(true)
      const since = ticks[lastWrong + 1]?.at ?? until
      if (lastWrong >= 0 && this.#outages.length > 0)
        this.stale = Math.max(this.stale, since - Math.min(since, this.#calm))
      const tick = ticks.findLast(
        (one) => one.at > right && isWrong(one) && !(isLossy && this.#isUnheard(one, cooperating, jobsOf)),
      )
      if (tick) {
        for (const what of this.#wrongIn(tick, together))
          this.#broken(tick.at, `${tick.machine}, should be right since ${toUnits(right)}: ${what}`)
      }
    }
  }

  /** Checks that a living processor ticks and shares its time, whatever happens to the others. */
  #checkScheduling(machine: string): void {
    const cluster = this.#plan.model
    const { until } = cluster
    if (this.#isDead(`processor@${machine}`)) return
    const { quantum, switching, tick } = cluster.sharing
    const last = this.#seen.last.get(machine)
    if (!last || last.at < until - PERIOD - (tick?.patience ?? 0))
      this.#broken(until, `${machine} does not tick any more`)
    const isBusy = last?.tickets.has(`A-${machine}`)
    const ran = this.#seen.lastRan.get(machine) ?? 0
    if (isBusy && ran < until - quantum - switching - units(1)) this.#broken(until, `${machine} does not run any more`)
  }

  // --- parallel jobs --------------------------------------------------------------------------------------------------

  #checkGang(gang: Gang): void {
    const { job, members } = gang
    const { isLossy } = this.#plan
    const { until } = this.#plan.model
    const losses = members.flatMap((member) => this.#outagesOf(member, 'dead').map(({ from }) => from))
    const ends = this.#seen.givenUp.filter((end) => end.job === job)
    const [end] = ends
    if (losses.length > 0) this.#checkDetection(gang, Math.min(...losses), end)
    else if (end) this.#excuse(gang, end)
    if (end) {
      for (const { machine, at, tickets } of this.#seen.last.values()) {
        const processor = `processor@${machine}`
        const isWithdrawn = isLossy
          ? this.#wasWithdrawn(gang, processor, at)
          : this.#isReachable(gang, processor, end, at)
        if (tickets.has(job) && isWithdrawn && !this.#isDead(processor)) {
          this.#broken(at, `${job} is still on ${machine}, though it was given up at ${toUnits(end.at)}`)
        }
      }
    } else if (losses.length === 0) {
      const last = this.#seen.opened.get(job)?.at(-1) ?? 0
      if (last < until - ROUND) this.#broken(until, `${job} has not passed its barrier since ${toUnits(last)}`)
    }
  }

  /** Whether a withdrawal of the job has reached a processor. It is asked where any message may be lost. */
  #wasWithdrawn({ barrier }: Gang, processor: Address, at: Time): boolean {
    return this.#seen.sent.some(
      ({ type, at: sent, from, to, isLost }) =>
        type === 'withdraw' && from === barrier && to === processor && !isLost && sent < at - this.#plan.delay,
    )
  }

  /**
   * Whether a barrier and a processor could reach each other for the last patience and three delays, all after the job was given up.
   * By then the barrier has repeated its withdrawal, whatever was lost before.
   */
  #isReachable({ barrier }: Gang, processor: Address, { at: over }: GivenUp, at: Time): boolean {
    const { membership, delay } = this.#plan
    const since = at - membership.patience - 3 * delay
    return over < since && ![barrier, processor].some((who) => this.#wasOut(who, since, at))
  }

  /** Checks that a job that lost a member is over once its barrier has had the time to detect it. */
  #checkDetection({ job, barrier }: Gang, lost: Time, end: GivenUp | undefined): void {
    const { membership, delay } = this.#plan
    const after = (this.#seen.opened.get(job) ?? []).filter((at) => at > lost)
    // the last arrival of the lost member may have been under way, or waiting for the others
    if (after.length > 1) this.#broken(after[1] ?? 0, `${job} opened twice after it lost a member at ${toUnits(lost)}`)
    // the member may have answered a question just before
    const bound = membership.patience + 2 * membership.timeout + 4 * delay
    let deadline = Math.max(lost, ...after) + bound
    for (const outage of this.#outagesOf(barrier).sort((one, other) => one.from - other.from)) {
      if (outage.from <= deadline) deadline = Math.max(deadline, outage.until + bound)
    }
    if (end && end.at >= lost) this.detections.push(end.at - lost)
    if (!end || end.at > deadline) {
      this.#broken(deadline, `${job} should have been given up, since it lost a member at ${toUnits(lost)}`)
    }
  }

  /**
   * Checks that a living member is given up only if it could not be reached: every question of its barrier, or the
   * answer, was lost.
   */
  #excuse({ job, barrier }: Gang, { at, lost }: GivenUp): void {
    const { membership, delay } = this.#plan
    const from = at - membership.timeout - 2 * delay
    const isUnheard = (member: Address) =>
      this.#seen.lost.filter(
        ({ at: sent, between }) => sent >= from && between.includes(barrier) && between.includes(member),
      ).length >= ASKS
    const isOut = lost.every(
      (member) => this.#wasOut(member, from, at) || this.#wasOut(barrier, from, at, 'partitioned') || isUnheard(member),
    )
    if (isOut) this.wronged++
    else this.#broken(at, `${job} was given up for ${lost.join(' and ')}, who lived and could be reached`)
  }

  // --- placement ------------------------------------------------------------------------------------------------------

  #checkPlaced(): void {
    const { placed, delay } = this.#plan
    const cluster = this.#plan.model
    const { until } = cluster
    for (const [job, size] of placed) {
      const on = [...this.#seen.last.values()].filter(
        ({ machine, tickets }) => tickets.has(job) && !this.#isDead(`processor@${machine}`),
      )
      const where = on.map(({ machine }) => machine).join(' and ')
      if (on.length > size) this.#broken(until, `${job} is on ${where}`)
      const said = cluster.orders.find(({ message }) => message.type === 'place' && message.job === job)
      const heard = this.#seen.heard.get(job)
      const wasHeard = said && !this.#wasOut(said.to, said.at, said.at + delay, 'dead')
      // a report that the machine has lost the job counts as an answer
      const isMissed = [...this.#seen.missing].some((one) => one.startsWith(`${job} `))
      if (wasHeard && !heard && !isMissed) this.#broken(until, `nothing was heard of ${job}`)
      if (heard?.type === 'refused' && on.length > 0) this.#broken(until, `${job} was refused and is on ${where}`)
      for (const processor of heard?.processors ?? []) {
        if (this.#outagesOf(processor, 'dead').length > 0 || on.some(({ machine }) => machine === machineOf(processor)))
          continue
        this.#broken(until, `${job} was placed on ${processor} and is not there`)
      }
    }
  }
}

/** A span of an actor's outage, both ends included. Until is Infinity if the actor is dead for good. */
export interface Outage {
  readonly type: 'dead' | 'paused' | 'partitioned'
  readonly who: Address
  readonly from: Time
  readonly until: Time
}

/** All outages of a plan. An actor that is restarted while alive was dead at that instant, and is a new incarnation. */
export function outagesOf(faults: readonly Fault[], addresses: readonly Address[]): Outage[] {
  return addresses.flatMap((who) => [...deathsOf(faults, who), ...pausesOf(faults, who)])
}

/** Whether other faults of its plan have killed all actors that a fault names, so that it cannot happen. */
export function isOnTheDead(fault: Fault, plan: readonly Fault[], addresses: readonly Address[]): boolean {
  if (!('who' in fault)) return false
  const at = 'at' in fault ? fault.at : fault.when.type === 'at' ? fault.when.time : Number.NaN
  const others = plan.filter((other) => other !== fault)
  const named = matchingAddresses(fault.who, addresses)
  const isDead = (who: Address) => deathsOf(others, who).some(({ from, until }) => from <= at && at <= until)
  return named.length > 0 && named.every(isDead)
}

function deathsOf(faults: readonly Fault[], who: Address): Outage[] {
  const blows = faults.flatMap((fault) =>
    (fault.type === 'kill' || fault.type === 'restart') && fault.when.type === 'at' && isMeant(fault.who, who)
      ? [{ type: fault.type, at: fault.when.time }]
      : [],
  )
  const deaths: Outage[] = []
  let since: Time | null = null
  for (const { type, at } of blows.sort((one, other) => one.at - other.at)) {
    if (type === 'kill') since ??= at
    else {
      deaths.push({ type: 'dead', who, from: since ?? at, until: at })
      since = null
    }
  }
  return since === null ? deaths : [...deaths, { type: 'dead', who, from: since, until: Number.POSITIVE_INFINITY }]
}

const pausesOf = (faults: readonly Fault[], who: Address): Outage[] =>
  faults.flatMap((fault): Outage[] => {
    if (fault.type === 'pause' && isMeant(fault.who, who)) {
      return [{ type: 'paused', who, from: fault.at, until: fault.at + fault.duration }]
    }
    if ('sides' in fault && isBetween(fault, machineOf(who))) {
      return [{ type: 'partitioned', who, from: fault.at, until: endOfFault(fault) }]
    }
    return []
  })

const isMeant = (whom: string, who: Address) => matchingAddresses(whom, [who]).length > 0

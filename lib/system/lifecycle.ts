/** The lifecycle of actors: start, death, stop, restart and supervision. All of it happens in turns of the system. */

import type { Started, StartFailed, Terminated } from '../actor/children.ts'
import type { Spawning, SystemOrder } from '../actor/effect.ts'
import { type DiskLoss, Journal } from '../actor/journal.ts'
import { notBuiltByXState } from '../actor/not-a-machine.ts'
import type { EnvelopeId } from '../actor/step-report.ts'
import { siblingsOf, supervisionOf, type Verdict, verdictOn } from '../actor/supervision.ts'
import { read } from '../cell/inbox.ts'
import type { Rounds } from '../clock/lockstep.ts'
import type { Address } from '../core/address.ts'
import { NOT_REGISTERED } from '../core/code-registry.ts'
import { BourseError } from '../core/error.ts'
import { keyed } from '../core/random.ts'
import { summaryOf } from '../core/thrown.ts'
import { instantAfter, type Time } from '../core/time.ts'
import { flushMicrotasks } from '../core/waiting.ts'
import type { EngineName } from '../engine/engine.ts'
import { LOST_DEAD, LOST_STOPPED, lastDuesOf, NEWS_FROM } from '../memory/envelope.ts'
import { DEAD, STOPPED } from '../memory/layout.ts'
import type { Mail } from '../memory/mail.ts'
import type { Computations } from '../runtime/computations.ts'
import type { Cause, Runtime } from '../runtime/runtime.ts'
import { begun, dead, recovered, spawned } from '../trace/lines.ts'
import type { PendingAsks } from './asks.ts'
import type { Clocks } from './clocks.ts'
import type { DeferredMail } from './deferred-mail.ts'
import type { EventBus } from './event-bus.ts'
import { logOf, partOfLine, readLog } from './log-format.ts'
import type { Partitions } from './partitions.ts'
import type { RecordLog } from './record-log.ts'
import type { Entry, Newcomer, Registry, Watch } from './registry.ts'

export interface LifecycleDeps {
  readonly mail: Mail
  readonly rounds: Rounds
  readonly runtime: Runtime
  readonly computations: Computations
  readonly registry: Registry
  readonly events: EventBus
  readonly asks: PendingAsks
  readonly partitions: Partitions
  readonly clocks: Clocks
  readonly deferred: DeferredMail
  /** The log in files; undefined: in memory alone. */
  readonly log: RecordLog | undefined
  readonly engine: EngineName
  readonly seed: number
  /** Whether actors are on hosts, which do not share the memory of the system. */
  readonly isRemote: boolean
  /** The most actors (option `actors`). */
  readonly maxActors: number
  /** Whether an actor may spawn the actor of this module: on hosts it must be registered, elsewhere that registers it. */
  readonly admits: (module: string) => boolean
  /** Plans an act; returns a function that cancels it. */
  readonly at: (instant: Time, act: () => Promise<void>) => () => void
  /** Called with the engine of an incarnation, and why it is that one. */
  readonly onEngine: (module: string, engine: string) => void
  /** Reads the inbox. */
  readonly readInbox: () => Promise<boolean>
}

export class Lifecycle {
  readonly #deps: LifecycleDeps
  /** Whether the machines have been told to start. */
  #begun = false
  /** The slots of the actors that have stopped. */
  readonly #stopped = new Set<number>()

  constructor(deps: LifecycleDeps) {
    this.#deps = deps
  }

  get begun(): boolean {
    return this.#begun
  }

  /** Starts all machines at the beginning of the first run. Each of them knows all the others. */
  beginAll(): void {
    this.#begun = true
    for (const entry of this.#deps.registry.entries) if (entry.status.type === 'alive') this.#sendStart(entry)
  }

  /**
   * Adds an actor and begins its first incarnation, or the next one if its address is free again.
   *
   * @throws what its module throws; then the address is free
   */
  async spawn(newcomer: Newcomer): Promise<void> {
    const { registry, mail, maxActors } = this.#deps
    if (!registry.find(newcomer.address) && registry.entries.length >= maxActors) {
      const mend = 'raise it, or use the names of children again that are over'
      throw new BourseError('BOURSE_LIMIT', `too many actors: ${maxActors} (option actors): ${mend}`)
    }
    const entry = registry.add(newcomer, registry.find(newcomer.address)?.journal ?? this.#recovered(newcomer.address))
    mail.setAddress(entry.slot, entry.address)
    mail.board.set(mail.board.slotCount, registry.entries.length + 1)
    try {
      await this.begin(entry)
    } catch (error) {
      entry.isVacant = true
      leaveFamily(entry)
      throw error
    }
  }

  /** A journal with the records that earlier runs have left. */
  #recovered(address: Address): Journal {
    const { log, events, runtime } = this.#deps
    const records = log?.take(address) ?? []
    if (records.length > 0) events.note(() => recovered(address, records, runtime.now))
    return new Journal(records)
  }

  /** Begins an incarnation: resets its words, starts its thread and, during a run, tells the other actors. */
  async begin(entry: Entry): Promise<void> {
    const { mail, rounds, partitions, clocks, events, runtime, registry, asks, engine, onEngine } = this.#deps
    const { slot, incarnation, address, module, resourceLimits, parent } = entry
    entry.started = false
    entry.ownEnd = null
    entry.news = 0
    mail.board.freshen(slot, incarnation)
    rounds.refresh(slot)
    partitions.place(entry)
    clocks.place(entry)
    events.note(() => spawned({ ...entry, parent: parent?.address }, runtime.now))
    try {
      const seat = { slot, incarnation, address, module, engine, ...(resourceLimits && { resourceLimits }) }
      onEngine(module, await runtime.start(seat).finally(flushMicrotasks))
    } catch (thrown) {
      const error = notBuiltByXState(thrown, module) ?? thrown
      const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
      this.#settle(entry, { type: 'dead', cause: { name, message, stack } })
      throw error
    }
    entry.status = { type: 'alive' }
    this.#stopped.delete(slot)
    entry.isVacant = false
    if (!this.#begun) return
    for (const other of registry.entries) {
      if (other.started && other.status.type === 'alive') asks.order(other.slot, { type: 'joined', address, slot })
    }
    this.#sendStart(entry)
    this.#tellParent(entry)
  }

  #sendStart(entry: Entry): void {
    const { registry, asks, events, runtime, isRemote } = this.#deps
    entry.started = true
    const { slot, input } = entry
    const stopped = [...this.#stopped].sort((one, other) => one - other)
    const known = { slots: registry.entries.length, stopped, ...(isRemote && { addresses: this.#addresses() }) }
    const order = { type: 'start', input, records: entry.journal.records, ...known } as const
    const { now } = runtime
    const id = asks.order(slot, order)
    events.note(() => begun(id, entry.address, now, order))
  }

  /** The addresses by slot, '' for one that has stopped. */
  #addresses(): string[] {
    const { entries } = this.#deps.registry
    return ['', ...entries.map(({ address, status }) => (status.type === 'stopped' ? '' : address))]
  }

  /** Carries out an order of an actor about other actors. */
  async carryOut(by: Entry, order: SystemOrder): Promise<void> {
    const { registry } = this.#deps
    const { address } = order.params
    const subject = registry.find(address)
    switch (order.type) {
      case 'spawn':
        return this.#spawnChild(by, order.params)
      case 'watch':
        return this.#watch(by, address, order.params.delay)
      case 'unwatch':
        subject?.watchers.delete(by.slot)
        return
      case 'stop':
        if (isChildOf(subject, by)) await this.#stopChild(subject, by)
        return
      case 'restart':
        if (isChildOf(subject, by)) await this.#orFail(by, address, () => this.restart(subject))
    }
  }

  /** Ends a child. Siblings that waited for its restart are restarted without it. */
  async #stopChild(child: Entry, by: Entry): Promise<void> {
    const { planned } = child
    await this.#endTree(child, `${by.address} stopped it`)
    await planned?.carryOut()
  }

  async #spawnChild(by: Entry, { address, module, input, options }: Spawning): Promise<void> {
    await this.#orFail(by, address, async () => {
      const { registry, admits } = this.#deps
      const before = registry.find(address)
      if (!isChildOf(before, by) || by.children.includes(before)) registry.requireFree(address)
      if (!admits(module)) {
        throw new BourseError('BOURSE_ADDRESS', `on hosts, ${module} must be ${NOT_REGISTERED}`)
      }
      await this.spawn({ address, module, input, supervision: supervisionOf('spawn', options), parent: by })
    })
  }

  /** Tells a parent if its child could not be started. */
  async #orFail(parent: Entry, address: Address, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (parent.status.type !== 'alive') return
      const failed: StartFailed = { type: 'failed', address, error: summaryOf(error) }
      this.#deps.asks.post(parent.slot, failed)
    }
  }

  #watch(by: Entry, address: Address, delay: Time): void {
    const target = this.#deps.registry.find(address)
    const watch: Watch = { incarnation: by.incarnation, delay }
    if (target?.status.type === 'alive') target.watchers.set(by.slot, watch)
    else this.#tellOver(by, watch, { address, gone: target, restarts: target !== undefined && isToReturn(target) })
  }

  /** Tells the parent that its child has started. */
  #tellParent(child: Entry): void {
    const { parent, address } = child
    const started: Started = { type: 'started', address }
    if (parent?.status.type === 'alive' && parent.started) {
      this.#deps.asks.news(parent.slot, started, newsOf(child), this.#deps.runtime.now)
    }
  }

  /** Tells the parent and all watchers that an incarnation is over, as its status says. */
  #tellAll(entry: Entry, restarts: boolean): void {
    const { registry, mail } = this.#deps
    const { parent, watchers, slot, address } = entry
    const told = new Map(watchers)
    watchers.clear()
    // a parent is told in any case, and at once: a watch of its own adds nothing
    if (parent) told.set(parent.slot, { incarnation: parent.incarnation, delay: 0 })
    const living = [...told].flatMap(([at, watch]) => {
      const watcher = registry.at(at)
      const isThere = watcher?.status.type === 'alive' && watcher.started
      return isThere && watcher.incarnation === watch.incarnation ? [{ watcher, watch }] : []
    })
    if (living.length === 0) return
    const dues = lastDuesOf(mail.unread(), slot)
    for (const { watcher, watch } of living.sort((one, other) => one.watcher.slot - other.watcher.slot)) {
      this.#tellOver(watcher, watch, { address, gone: entry, restarts }, dues.get(watcher.slot))
    }
  }

  /** Tells a watcher that an actor is over, at `earliest` or later; `gone` is undefined for an address of no actor. */
  #tellOver(
    watcher: Entry,
    { delay }: Watch,
    { address, gone, restarts }: { address: Address; gone: Entry | undefined; restarts: boolean },
    earliest: Time = 0,
  ): void {
    const { asks, runtime } = this.#deps
    const due = Math.max(instantAfter(runtime.now, delay, `watch ${address}`), earliest)
    const terminated: Terminated = { type: 'terminated', address, ...endOf(gone), restarts }
    if (!gone) asks.post(watcher.slot, terminated, due)
    else asks.news(watcher.slot, terminated, newsOf(gone), due)
  }

  /** Kills an actor. A dead one can still lose what its disk has. */
  async kill(entry: Entry, loss?: DiskLoss): Promise<void> {
    if (entry.status.type !== 'alive') return this.#lose(entry, loss)
    await this.died(entry, { name: 'Killed', message: 'killed', stack: '' }, loss)
  }

  /** Loses the last writes of an actor. Of a torn one a part is left, which its log recognizes. */
  #lose({ address, incarnation, journal }: Entry, loss: DiskLoss | undefined): void {
    if (!loss) return
    const { events, runtime, log, seed } = this.#deps
    const { now: at } = runtime
    const lost = journal.lose(loss.writes)
    const [first] = lost
    if (!first) return
    // a snapshot is a new file, which has its name only when it is whole
    const isTorn = loss.isTorn === true && !first.isSnapshot
    const draw = keyed(seed, 'torn write', `${address} ${incarnation} ${at}`)
    const torn = isTorn ? partOfLine({ at, records: first.records }, address, draw) : Buffer.of()
    const contents = Buffer.concat([logOf({ at, records: journal.records }, address), torn])
    if (log) log.replace(address, contents)
    else readLog(contents, address, `the log of ${address}`)
    const writes = lost.length
    events.note(() => ({ t: 'lost records', at, who: address, writes, ...(isTorn && { torn: torn.length }) }))
  }

  /**
   * Restarts an actor, alive or dead. A child that the present incarnation of its parent does not have stays over: its parent
   * may spawn it.
   */
  async restart(entry: Entry, loss?: DiskLoss): Promise<void> {
    const { incarnation, planned } = entry
    if (isOrphan(entry)) return
    await this.#silence(entry)
    if (entry.incarnation !== incarnation) return // its last reports contained a crash, and it is restarted already
    this.#lose(entry, loss)
    if (entry.status.type === 'alive') {
      await this.#endChildren(entry, true)
      if (entry.ownEnd?.type === 'final state') this.#declareStopped(entry, true)
      else this.#declareDead(entry, crashOf(entry) ?? { name: 'Killed', message: 'restarted', stack: '' }, true)
    }
    await this.#begin(entry)
    await planned?.carryOut() // its siblings waited for the restart that this one takes the place of
  }

  /** Begins the next incarnation of an actor that is over, and then those of its children that are restarted with it. */
  async #begin(entry: Entry): Promise<void> {
    entry.planned?.cancel()
    entry.planned = null
    entry.incarnation += 1
    joinFamily(entry)
    try {
      await this.begin(entry)
    } catch (error) {
      await this.#endChildren(entry, false) // those that it kept would have no parent
      throw error
    }
    for (const child of [...entry.children]) {
      if (child.status.type === 'alive') this.#tellParent(child)
      else if (!child.planned) await this.#orFail(entry, child.address, () => this.#begin(child))
    }
  }

  /** Settles the death of an actor, whose thread may still run. It may lose the last of what it has persisted. */
  async died(entry: Entry, cause: Cause, loss?: DiskLoss): Promise<void> {
    if (entry.status.type !== 'alive') return
    const { incarnation } = entry
    await this.#silence(entry)
    if (entry.status.type !== 'alive' || entry.incarnation !== incarnation) return // its last reports contained the crash
    this.#lose(entry, loss)
    const verdict = this.#verdictOn(entry, 'died')
    await this.#endChildren(entry, verdict.type === 'restart')
    this.#declareDead(entry, cause, verdict.type === 'restart')
    await this.#follow(entry, verdict, cause)
  }

  #verdictOn(entry: Entry, end: 'died' | 'stopped'): Verdict {
    const { now } = this.#deps.runtime
    return verdictOn(entry.supervision, end, entry.restarts, { now, seed: this.#deps.seed, who: entry.address })
  }

  #declareDead(entry: Entry, cause: Cause, restarts: boolean): void {
    this.#settle(entry, { type: 'dead', cause })
    this.#deps.events.died({ address: entry.address, at: this.#deps.runtime.now, cause })
    this.#tellAll(entry, restarts)
  }

  #declareStopped(entry: Entry, restarts: boolean): void {
    this.#settle(entry, { type: 'stopped' })
    this.#tellLeft(entry)
    this.#tellAll(entry, restarts)
  }

  /** Settles the stop of an actor whose machine has reached a final state. */
  async stopped(entry: Entry): Promise<void> {
    await this.#end(entry)
    const verdict = this.#verdictOn(entry, 'stopped')
    await this.#endChildren(entry, verdict.type === 'restart')
    this.#declareStopped(entry, verdict.type === 'restart')
    await this.#follow(entry, verdict, { name: 'Stopped', message: 'it stopped', stack: '' })
  }

  #tellLeft({ address }: Entry): void {
    const { registry, asks } = this.#deps
    for (const other of registry.entries) {
      if (other.status.type === 'alive') asks.order(other.slot, { type: 'left', address })
    }
  }

  /** Ends the children of an actor, the last first. If the actor `restarts`, those that it keeps go on. */
  async #endChildren(entry: Entry, restarts: boolean): Promise<void> {
    const leaving = entry.children.filter(({ supervision }) => !restarts || supervision.parentRestart !== 'keep')
    const returns = ({ supervision }: Entry) => restarts && supervision.parentRestart === 'restart'
    await this.#endSome(entry.children, leaving, returns, `its parent ${entry.address} is over`)
  }

  /** Ends some children of a family, the last first. Those that return keep their places: they are restarted later. */
  async #endSome(
    family: Entry[],
    leaving: readonly Entry[],
    returns: (child: Entry) => boolean,
    why: string,
  ): Promise<void> {
    const before = [...family]
    for (const child of [...leaving].reverse()) await this.#endTree(child, why, returns(child))
    const isBack = (child: Entry) => leaving.includes(child) && returns(child) && !isFinished(child)
    const after = before.filter((child) => family.includes(child) || isBack(child))
    family.splice(0, family.length, ...after)
  }

  /** Ends an actor after all that it spawned; `returns` says whether it is to be restarted. */
  async #endTree(entry: Entry, why: string, returns = false): Promise<void> {
    const { events, runtime } = this.#deps
    entry.planned?.cancel()
    entry.planned = null
    if (entry.status.type === 'alive') await this.#silence(entry)
    await this.#endChildren(entry, false)
    leaveFamily(entry)
    if (entry.status.type !== 'alive') return // its last reports contained its end
    const { ownEnd } = entry // in the round of this end, and before it
    if (ownEnd?.type === 'crash') return this.#declareDead(entry, ownEnd.cause, returns)
    this.#settle(entry, ownEnd ? { type: 'stopped' } : { type: 'stopped', why })
    if (!ownEnd) events.note(() => ({ t: 'ended', at: runtime.now, who: entry.address, why }))
    this.#tellLeft(entry)
    this.#tellAll(entry, returns && !isFinished(entry))
  }

  /** Ends a thread and reads its last reports: in real time it ran during this turn. */
  async #silence(entry: Entry): Promise<void> {
    const { runtime, readInbox } = this.#deps
    await this.#end(entry)
    if (runtime.runsDuringTurns) await readInbox()
  }

  /** Ends a thread, and lets pending microtasks run, as many inline as on threads. */
  async #end({ slot }: Entry): Promise<void> {
    await this.#deps.runtime.kill(slot)
    await flushMicrotasks()
  }

  /** Does what supervision decided after the end of an incarnation. */
  async #follow(entry: Entry, verdict: Verdict, cause: Cause): Promise<void> {
    const { events, runtime, at } = this.#deps
    const { intensity, period, giveUp } = entry.supervision
    if (verdict.type === 'over') return leaveFamily(entry)
    if (verdict.type === 'give up') {
      events.note(() => ({ t: 'gave up', at: runtime.now, who: entry.address, intensity, period }))
      leaveFamily(entry)
      const { parent } = entry
      if (giveUp === 'stop' || !parent) return
      const message = `its child ${entry.address} was restarted too often: ${cause.message}`
      return this.died(parent, { name: 'Escalated', message, stack: '' })
    }
    entry.restarts = verdict.restarts
    const family = entry.parent?.children ?? []
    const siblings = siblingsOf(entry.supervision.strategy, entry, family)
    const returns = ({ supervision }: Entry) => supervision.restart !== 'temporary'
    await this.#endSome(family, siblings, returns, `${entry.address} is restarted`)
    const restart = async () => {
      entry.planned = null
      await this.#restartAll(entry.parent ? family.filter((one) => one === entry || siblings.includes(one)) : [entry])
    }
    if (verdict.pause === 0) return restart()
    const due = instantAfter(runtime.now, verdict.pause, `the restart of ${entry.address}`)
    entry.planned = { cancel: at(due, restart), carryOut: restart }
  }

  /** Restarts actors, one after another. */
  async #restartAll(entries: readonly Entry[]): Promise<void> {
    const { events, runtime } = this.#deps
    for (const entry of entries) {
      if (entry.status.type === 'alive') continue
      await this.#begin(entry).catch((error: unknown) => {
        leaveFamily(entry)
        events.note(() => ({ t: 'gave up', at: runtime.now, who: entry.address, error: String(error) }))
      })
    }
  }

  /** Settles the words of an incarnation that is over; its undelivered mail becomes dead letters. */
  #settle(entry: Entry, status: Exclude<Entry['status'], { type: 'alive' }>): void {
    const { mail, rounds, events, runtime, computations, deferred } = this.#deps
    const { slot } = entry
    entry.status = status
    if (status.type === 'stopped') this.#stopped.add(slot)
    else this.#stopped.delete(slot)
    computations.endAll(slot)
    mail.board.set(mail.board.dead + slot, status.type === 'stopped' ? STOPPED : DEAD)
    runtime.settleDeath(slot)
    const reason = status.type === 'stopped' ? LOST_STOPPED : LOST_DEAD
    for (const { id, type } of deferred.take(slot)) {
      events.lost(reason)
      events.note(() => dead(id, events.nameOf(id[0]), entry.address, { type }, reason))
    }
    for (const envelope of mail.takeUndelivered(slot, reason)) {
      const item = read(envelope, events)
      if (item) events.item(item)
    }
    rounds.refresh(slot)
  }
}

/** Whether an actor that is over will be restarted: a planned restart, or its place among its siblings, says so. */
const isToReturn = (entry: Entry): boolean => entry.planned !== null || entry.parent?.children.includes(entry) === true

const crashOf = ({ ownEnd }: Entry): Cause | undefined => (ownEnd?.type === 'crash' ? ownEnd.cause : undefined)

/** Whether an actor has reached a final state, after which its supervision does not restart it. */
const isFinished = ({ status, supervision }: Entry): boolean =>
  status.type === 'stopped' && status.why === undefined && supervision.restart !== 'permanent'

/** Whether an actor is the child of another. A parent that was spawned again has a new entry in its slot. */
const isChildOf = (child: Entry | undefined, parent: Entry): child is Entry => child?.parent?.slot === parent.slot

/** Whether a child is over, and the incarnation of its parent that had it as well. */
function isOrphan(child: Entry): boolean {
  const { parent, parentIncarnation } = child
  if (!parent || parent.children.includes(child)) return false
  return parent.status.type !== 'alive' || parent.incarnation !== parentIncarnation
}

function leaveFamily(child: Entry): void {
  const { parent } = child
  const place = parent?.children.indexOf(child) ?? -1
  if (!parent || place < 0) return
  child.parentIncarnation = parent.incarnation
  parent.children.splice(place, 1)
}

function joinFamily(child: Entry): void {
  if (child.parent && !child.parent.children.includes(child)) child.parent.children.push(child)
}

/** Takes the name of the next news of an incarnation. */
const newsOf = (entry: Entry): EnvelopeId => [entry.slot, entry.incarnation, NEWS_FROM + entry.news++]

/** How an incarnation ended, as `Terminated` says it. */
function endOf(gone: Entry | undefined): Pick<Terminated, 'reason' | 'error' | 'on'> {
  const status = gone?.status ?? { type: 'alive' }
  switch (status.type) {
    case 'alive':
      return { reason: 'unknown', error: null, on: null }
    case 'stopped':
      return { reason: status.why === undefined ? 'stopped' : 'ended', error: null, on: null }
    case 'dead': {
      const { name, message, event = null } = status.cause
      return { reason: 'died', error: { name, message }, on: event }
    }
  }
}

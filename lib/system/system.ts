/**
 * A system of actors: the class that scenarios and tests use. The system itself has slot 0 and acts only in turns, when no
 * actor is inside a step (in real time actors go on meanwhile). A call during a run waits for the next turn.
 */
/// <reference lib="esnext.disposable" preserve="true" />
import type { ActorModule, InputOf, RefOf } from '../actor/actor.ts'
import type { Call, SystemOrder } from '../actor/effect.ts'
import { type DiskLoss, LOSS_MAX } from '../actor/journal.ts'
import type { ModuleUrl, PlainUrl } from '../actor/module-url.ts'
import type { ComputationOrder } from '../actor/pending-computations.ts'
import type { EnvelopeId, InboxItem } from '../actor/step-report.ts'
import { type SupervisionOptions, supervisionOf } from '../actor/supervision.ts'
import { itemIn, read } from '../cell/inbox.ts'
import { END_IDLE, END_NONE, END_ROUNDS, END_SUBROUNDS, Rounds } from '../clock/lockstep.ts'
import { type Address, isMachine, SYSTEM } from '../core/address.ts'
import {
  isCount,
  isPositive,
  type NamesOf,
  requireKnown,
  requireSpan,
  requireThat,
  requireTime,
} from '../core/check-options.ts'
import { isActor, isComputation, nameOfModule, register } from '../core/code-registry.ts'
import { type Message, type Plain, requirePlain } from '../core/data.ts'
import { type BourseError, OutOfRange } from '../core/error.ts'
import { printUnits } from '../core/format.ts'
import { withCaller } from '../core/misuse.ts'
import { urlOfFile } from '../core/module-file.ts'
import { type MessageTo, type ReplyOf, ref } from '../core/ref.ts'
import { instantAfter, type Time, toUnits, units } from '../core/time.ts'
import type { Engine } from '../engine/engine.ts'
import { CLASS_REPORT, type LinkedEnvelope, LOST_LATE_ANSWER } from '../memory/envelope.ts'
import { type Board, COUNTS, sizeOf } from '../memory/layout.ts'
import type { Endpoint, Mail } from '../memory/mail.ts'
import { mailOf } from '../memory/memory.ts'
import { Meters } from '../memory/meters.ts'
import { locate } from '../runtime/bundle.ts'
import { Computations, type Ended, type Owner } from '../runtime/computations.ts'
import { engineOf, explain } from '../runtime/engine-cache.ts'
import type { Runtime, ThreadLimits } from '../runtime/runtime.ts'
import { type Entered, Entries, type Handled, handledIn } from '../trace/entries.ts'
import { computed, type Line, posted } from '../trace/lines.ts'
import { Recorder } from '../trace/recorder.ts'
import { TraceWriter } from '../trace/writer.ts'
import { AskRefused, AskTimeout, PendingAsks } from './asks.ts'
import { Clocks } from './clocks.ts'
import { type Act, ControlQueue } from './control-queue.ts'
import { DeferredMail } from './deferred-mail.ts'
import { type Death, EventBus, type FactAbout, type Unlisten } from './event-bus.ts'
import { Lifecycle } from './lifecycle.ts'
import type { ActorCounts, Metrics } from './metrics.ts'
import { Notices, warner } from './notices.ts'
import { boundsOf, complete, headOf, type SystemInit, type SystemOptions } from './options.ts'
import { isSides, Partitions, type Sides } from './partitions.ts'
import { type LoggedWrite, RecordLog } from './record-log.ts'
import { type ActorStatus, type Entry, Registry } from './registry.ts'
import { runtimeOf } from './runtime-factory.ts'
import { SlowDisks } from './slow-disks.ts'
import { whoWaits } from './stall-report.ts'

export {
  AskRefused,
  AskTimeout,
  type Death,
  type DiskLoss,
  type FactAbout,
  type SystemInit,
  type SystemOptions,
  type Unlisten,
}

/** The options of `System.spawn`. */
export type SpawnOptions = SupervisionOptions & {
  /** Threads only: limits of the actor's memory (default 2 GB). A pool refuses them, since its actors share threads. */
  readonly resourceLimits?: ThreadLimits
}

/**
 * How a run ended: nothing was due any more, what is due lies beyond `until`, a limit was reached (of rounds, or of rounds at
 * one instant), or the system was stopped.
 */
export interface RunEnd {
  readonly ended: 'idle' | 'until' | 'rounds' | 'subrounds' | 'stopped'
  readonly now: Time
  /** The limit that was reached, with its value and its option; null for any other end. */
  readonly limit: string | null
  /** The actors that wait, and what each waits for, if a limit was reached. */
  readonly waiting: readonly string[]
}

/** The options of `System.run`. */
export interface RunOptions {
  /** The run goes on up to and including this instant; without it until nothing is due. */
  readonly until?: Time
}

/** The options of `System.ask`. */
export interface AskOptions {
  /** How long to wait for the answer, from now. */
  readonly deadline: Time
}

const SPAWN_OPTIONS: NamesOf<SpawnOptions> = { restart: 1, intensity: 1, period: 1, backoff: 1, resourceLimits: 1 }
const RUN_OPTIONS: NamesOf<RunOptions> = { until: 1 }
const ASK_OPTIONS: NamesOf<AskOptions> = { deadline: 1 }
const LIMITS: NamesOf<ThreadLimits> = {
  maxOldGenerationSizeMb: 1,
  maxYoungGenerationSizeMb: 1,
  codeRangeSizeMb: 1,
  stackSizeMb: 1,
}

const LOSS: NamesOf<DiskLoss> = { writes: 1, isTorn: 1 }

/** @throws OutOfRange */
function requireLoss(call: string, loss: DiskLoss | undefined): void {
  if (loss === undefined) return
  requireKnown(`${call}: the loss`, loss, LOSS)
  const { writes } = loss
  const isPossible = isCount(writes) && writes >= 1 && writes <= LOSS_MAX
  requireThat(`${call}: writes of the loss`, writes, isPossible, `an integer from 1 to ${LOSS_MAX}`)
}

/** The most rounds of a system, since they are counted in 32 bits. A run that reaches them ends with `rounds`. */
const ROUNDS_MAX = 0x7fff_fff0

/** Warns of a run whose time does not move on. However many warnings of messages there are, this one is printed. */
const warnOfEnd = warner()

/** Whether a machine names events of a type, or a wildcard that includes it: `*`, or `bid.*` for `bid.late`. */
const knowsAny = (engine: Engine, type: string): boolean =>
  [type, '*', ...type.split('.').map((_, i, words) => `${words.slice(0, i).join('.')}.*`)].some((one) =>
    engine.knows(one),
  )

/** A system of actors: it spawns them, runs them in virtual or real time, and tells what they do. */
export class System {
  readonly options: SystemOptions
  readonly #mail: Mail
  readonly #board: Board
  /** The end of the system. */
  readonly #endpoint: Endpoint
  readonly #rounds: Rounds
  #milestone: { readonly round: number; readonly listener: () => void } | undefined
  readonly #runtime: Runtime
  readonly #computations: Computations
  readonly #registry = new Registry()
  readonly #events: EventBus
  readonly #asks: PendingAsks
  readonly #partitions: Partitions
  readonly #disks: SlowDisks
  readonly #clocks: Clocks
  /** The log in files; undefined: what actors persist is in memory alone. */
  readonly #log: RecordLog | undefined
  readonly #deferred = new DeferredMail()
  readonly #lifecycle: Lifecycle
  readonly #control: ControlQueue
  readonly #notices: Notices
  readonly #meters: Meters | undefined
  /** What the reports lead to that were read and not acted on yet. */
  readonly #acts: Act[] = []
  #watchers = 0
  /** The last of the runs that `ask` has begun: they go one after another. */
  #asking: Promise<void> = Promise.resolve()
  #stopping: Promise<void> | undefined
  /** An error that ends the run: of a call that has no caller to hear of it, or of option `strict`. */
  #failure: unknown
  #traceHash = ''
  #begin = (): void => {}
  /** Resolves when the first run begins. */
  readonly begun = new Promise<void>((resolve) => {
    this.#begin = resolve
  })
  #hasStopped = (): void => {}
  /** Resolves when the system has stopped. */
  readonly stopped = new Promise<void>((resolve) => {
    this.#hasStopped = resolve
  })

  /**
   * Makes a system without actors. Nothing happens before the first `run`.
   *
   * @throws OutOfRange for an option that is unknown or out of its range
   */
  constructor(given: SystemInit = {}) {
    this.options = complete(given)
    const { runtime, trace, traceBytes, record, actors, mailbox, memoryMB, metrics } = this.options
    const size = sizeOf({ actors, memoryMB, mailbox })
    const mail = mailOf(size, runtime !== 'inline')
    this.#mail = mail
    this.#board = mail.board
    this.#endpoint = mail.endpoint(SYSTEM, 0)
    this.#rounds = new Rounds(mail)
    this.#rounds.open()
    this.#log = this.options.log ? new RecordLog(this.options.log) : undefined
    const run = this.#log?.run ?? 0
    const { longest, calm } = boundsOf(this.options)
    this.#board.put(this.#board.longestHold, longest)
    this.#board.put(this.#board.calm, calm ?? Number.POSITIVE_INFINITY)
    const nameOf = (slot: number) => this.#registry.nameOf(slot)
    const writer = trace === false ? undefined : new TraceWriter(trace === true ? undefined : trace, traceBytes)
    const recorder = record
      ? new Recorder(
          mail.tape(traceBytes, () => this.#events.isHeard),
          traceBytes,
        )
      : undefined
    this.#events = new EventBus(writer, recorder, nameOf)
    this.#meters = metrics ? new Meters(size.slots, runtime !== 'inline') : undefined
    this.#runtime = runtimeOf({
      options: this.options,
      run,
      mail,
      rounds: this.#rounds,
      metrics: this.#meters?.buffer,
      onDeath: (slot, incarnation, cause) => {
        const entry = this.#registry.at(slot)
        if (!entry) return
        if (entry.incarnation === incarnation) entry.ownEnd ??= { type: 'crash', cause }
        this.#control.report({ entry, incarnation, cause })
      },
    })
    // An actor on a host names the function in a frame, which is data.
    const mayCall = ({ module, export: name }: Call): boolean => !this.options.hosts || isComputation(module, name)
    this.#computations = new Computations(this.options, mayCall, (owner, ended) => this.#computed(owner, ended))
    this.#asks = new PendingAsks(this.#endpoint, this.#runtime, (id, slot, message, at, due) => {
      for (const line of posted(id, nameOf(slot), message, at, due)) this.#events.note(() => line)
    })
    this.#partitions = new Partitions(this.#board, this.#registry)
    this.#disks = new SlowDisks(this.#board)
    this.#clocks = new Clocks(this.#board, this.#registry)
    const readInbox = () => this.#readInbox()
    this.#lifecycle = new Lifecycle({
      mail,
      rounds: this.#rounds,
      runtime: this.#runtime,
      registry: this.#registry,
      computations: this.#computations,
      events: this.#events,
      asks: this.#asks,
      partitions: this.#partitions,
      clocks: this.#clocks,
      deferred: this.#deferred,
      readInbox,
      log: this.#log,
      engine: this.options.engine,
      seed: this.options.seed,
      maxActors: this.options.actors,
      isRemote: this.options.hosts !== null,
      admits: (module) => this.#admits(module),
      at: (instant, act) => this.#control.at(instant, act),
      onEngine: this.options.explain ? explain : () => {},
    })
    this.#control = new ControlQueue({
      runtime: this.#runtime,
      readInbox,
      carryOut: ({ entry, cause }) => this.#lifecycle.died(entry, cause),
      isTelling: () => this.#events.isTelling,
    })
    const fail = (error: BourseError) => {
      this.#failure ??= error
    }
    this.#notices = new Notices(this.#registry, this.options.strict ? fail : null)
    this.#events.note(() => headOf(this.options, run))
    this.#runtime.advance(this.begins)
  }

  /** The instant of now. */
  get now(): Time {
    return this.#runtime.now
  }

  /** When the first run begins: at 0, or at the last write of earlier runs on the log. */
  get begins(): Time {
    return this.#log?.begins ?? 0
  }

  /** Says whether no actor has anything to do, now or later (quiescence). */
  get quiet(): boolean {
    return this.#runtime.quiet && !this.#computations.active
  }

  /** What the actor of an address has persisted, also in earlier runs on the same log; nothing for an unknown address. */
  recordsOf(address: Address): readonly Plain[] {
    return this.#registry.find(address)?.journal.records ?? []
  }

  /** Every actor that was spawned, in spawn order, with the file URL of its module and its status. */
  get actors(): readonly { readonly address: Address; readonly module: string; readonly status: ActorStatus }[] {
    return this.#registry.entries
  }

  /** The number of messages that actors sent to other machines. Each copy of a broadcast counts. */
  get messages(): number {
    return this.#sum(this.#board.sent)
  }

  /** The number of messages that actors sent within their machine. */
  get localMessages(): number {
    return this.#sum(this.#board.sentNear)
  }

  /** The number of messages to other machines of each type in option `count`. */
  get messagesByType(): ReadonlyMap<string, number> {
    const { counts } = this.#board
    const sumOf = (type: number) =>
      this.#registry.entries.reduce((sum, { slot }) => sum + this.#board.num(counts + COUNTS * slot + type), 0)
    return new Map(this.options.count.map((type, i) => [type, sumOf(i)]))
  }

  /** The number of packets that reliable delivery sent in addition to the messages. */
  get overhead(): { readonly retransmissions: number; readonly acknowledgements: number } {
    return { retransmissions: this.#sum(this.#board.again), acknowledgements: this.#sum(this.#board.receipts) }
  }

  /** The number of steps that actors took. */
  get steps(): number {
    return this.#sum(this.#board.steps)
  }

  /** Whether a schedule holds any event back at this moment. */
  get isHolding(): boolean {
    return this.#rounds.isHolding
  }

  /** How many events a schedule would have held back beyond its bounds. */
  get cutHolds(): number {
    return this.#board.int(this.#board.cutHolds)
  }

  /** The number of rounds, including system rounds; 0 in real time. */
  get rounds(): number {
    return this.#board.int(this.#board.round)
  }

  /** Virtual time: calls a listener once, when this many rounds are over and the run goes on. The listener may ask again. */
  afterRounds(round: number, listener: () => void): void {
    this.#milestone = { round, listener }
  }

  /** The number of dead letters by reason. */
  get deadLetters(): ReadonlyMap<string, number> {
    return this.#events.deadLetters
  }

  /** The number of steps whose event no transition took. */
  get unhandled(): number {
    return this.#sum(this.#board.unhandled)
  }

  /** The number of messages to an address or group that no actor has had; only in virtual time. */
  get misaddressed(): number {
    return this.#notices.misaddressed
  }

  /**
   * What actors have done so far, in numbers. Inside an act of `at`, and between runs, it is fixed by the seed in virtual time,
   * but for the times of handling.
   *
   * @throws OutOfRange without option `metrics`
   */
  metrics(): Metrics {
    const meters = this.#meters
    if (!meters) throw new OutOfRange('metrics() needs option metrics: new System({ metrics: true })')
    const actors = this.#registry.entries.map((entry) => ({ ...this.#countsOf(entry), ...meters.of(entry.slot) }))
    return { now: this.now, actors, messages: meters.messages, deadLetters: new Map(this.deadLetters) }
  }

  /** The status, the mailbox and the steps of each actor that was spawned, in spawn order. They need no option. */
  counts(): readonly ActorCounts[] {
    return this.#registry.entries.map((entry) => this.#countsOf(entry))
  }

  #countsOf({ slot, address, status, incarnation }: Entry): ActorCounts {
    const { pending, steps } = this.#board
    return {
      address,
      status: status.type,
      mailbox: this.#board.int(pending + slot),
      deferred: this.#deferred.countOf(slot),
      steps: this.#board.num(steps + slot),
      restarts: incarnation,
    }
  }

  /** The trace so far, with option `record`. It is complete, with its last line `end`, once the system has stopped. */
  recorded(): Iterable<Line> {
    return this.#events.recorded()
  }

  /** The SHA-256 of the trace, once the system has stopped. */
  get traceHash(): string {
    return this.#traceHash
  }

  #sum(base: number): number {
    return this.#registry.entries.reduce((sum, { slot }) => sum + this.#board.num(base + slot), 0)
  }

  /**
   * Calls `listener` with every fact that an actor observes, in the order of the run. The system reads many facts at a time.
   * A listener that calls the system because of a fact needs `onDelivery` too, which has every round read at its end.
   */
  onFact(listener: (fact: Message, about: FactAbout) => void): Unlisten {
    return this.#events.onFact(listener)
  }

  /** Calls `listener` whenever an actor dies. Without a listener, unasked deaths are printed on stderr. */
  onDeath(listener: (death: Death) => void): Unlisten {
    return this.#events.onDeath(listener)
  }

  /**
   * Calls `listener` with every line of the trace; without option `trace` only with lines that need no tracing. A listener
   * that is added inside another one hears of earlier steps only what needs no tracing, unless there is a `trace`.
   */
  onLine(listener: (line: Line) => void): Unlisten {
    return this.#events.onLine(listener)
  }

  /**
   * Calls `listener` with the line of every delivery, traced or not, at the end of its round. This costs a system round
   * for each round.
   */
  onDelivery(listener: (line: Line) => void): Unlisten {
    return this.#watch((line) => {
      if (line.t === 'deliver') listener(line)
    })
  }

  /** Calls `listener` with each event that an actor handles, a message or that of a timer, as `onDelivery` does with messages. */
  onHandling(listener: (handled: Handled) => void): Unlisten {
    return this.#watch((line) => {
      const handled = handledIn(line)
      if (handled) listener(handled)
    })
  }

  /**
   * Calls `listener` with each state that an actor enters, at the end of the round. The first state of an incarnation does not
   * count as entered, nor does the state that an actor has when the listener is added during a run.
   */
  onEntry(listener: (entered: Entered) => void): Unlisten {
    const entries = new Entries()
    return this.#watch((line) => {
      const entered = entries.read(line)
      if (entered) listener(entered)
    })
  }

  /** Adds a listener that hears of every step, traced or not. */
  #watch(listener: (line: Line) => void): Unlisten {
    const unlisten = this.#events.onLine(listener)
    this.#watchers++
    this.#board.set(this.#board.watching, 1)
    return () => {
      unlisten()
      if (--this.#watchers === 0) this.#board.set(this.#board.watching, 0)
    }
  }

  /** Adds a line to the trace. */
  note(line: Line): void {
    this.#events.note(() => line)
  }

  /**
   * Calls `listener` when an actor dies (not when it stops by itself), and at once if it is dead. This is a perfect failure
   * detector, so it is for supervisors and scenarios; no protocol may use it.
   */
  watch(address: Address, listener: (death: Death) => void): Unlisten {
    const { status } = this.#registry.get(address)
    if (status.type === 'dead') listener({ address, at: this.now, cause: status.cause })
    return this.onDeath((death) => {
      if (death.address === address) listener(death)
    })
  }

  /**
   * Spawns an actor. `module` is the URL (or path) of a module whose default export is a machine; `input` is
   * plain data. Its machine starts with the next `run`, or at once if one goes on. An address whose spawn failed is free again.
   *
   * With the type of the module, `spawn<typeof import('./pong.ts')>(address, url, input)`, the input is checked against
   * it, and the reference that comes back knows what the actor takes and replies. A URL that `moduleUrl` made has the type.
   *
   * @throws what the module threw, `NotAMachine`, or an Error naming the limit of actors or the taken address
   */
  spawn(address: Address, module: PlainUrl | string, input?: Plain, options?: SpawnOptions): Promise<void>
  spawn<Module extends ActorModule>(
    address: Address,
    module: ModuleUrl<Module>,
    ...rest: null extends InputOf<Module>
      ? [input?: InputOf<Module>, options?: SpawnOptions]
      : [input: InputOf<Module>, options?: SpawnOptions]
  ): Promise<RefOf<Module>>
  spawn<Module extends ActorModule = never>(
    address: Address,
    module: URL | string,
    ...rest: null extends InputOf<Module>
      ? [input?: InputOf<Module>, options?: SpawnOptions]
      : [input: InputOf<Module>, options?: SpawnOptions]
  ): Promise<RefOf<Module>>
  async spawn(
    address: Address,
    module: URL | string,
    input: Plain = null,
    options: SpawnOptions = {},
  ): Promise<unknown> {
    requireKnown('spawn', options, SPAWN_OPTIONS)
    const { resourceLimits, ...supervised } = options
    const supervision = supervisionOf('spawn', supervised)
    if (resourceLimits !== undefined) {
      requireKnown('spawn: option resourceLimits', resourceLimits, LIMITS)
      if (this.options.runtime === 'pool') {
        throw new OutOfRange('spawn: option resourceLimits needs runtime threads, since in a pool actors share threads')
      }
      for (const [name, value] of Object.entries(resourceLimits)) {
        requireThat(`spawn: option resourceLimits.${name}`, value, isPositive(value), 'a number > 0')
      }
    }
    const url = urlOfFile(module)
    register({ actors: [url] })
    try {
      await this.#control.do(async () => {
        this.#registry.requireFree(address)
        requirePlain('input', input)
        await this.#lifecycle.spawn({ address, module: url, input, supervision, parent: null, resourceLimits })
      }, true)
    } catch (error) {
      throw withCaller(error)
    }
    return ref(address)
  }

  /** Sends a message from outside, as `system`. */
  tell<To extends Address>(to: To, message: MessageTo<To>): Promise<void>
  async tell(to: Address, message: Message): Promise<void> {
    await this.#control.do(async () => {
      this.#asks.post(this.#registry.get(to).slot, message)
    })
  }

  /**
   * Sends a message and waits for the first message that the recipient sends to `system` while handling it. Runs the
   * system as far as needed if no run goes on.
   *
   * The actor may also answer later, or refuse (`answer`, `refuse`).
   *
   * @throws AskTimeout when `deadline` (from now) has passed, or when the run that it began has ended without an answer;
   *   AskRefused with the reason of a refusal
   */
  ask<To extends Address>(to: To, message: MessageTo<To>, options: AskOptions): Promise<ReplyOf<To>>
  async ask(to: Address, message: Message, options: AskOptions): Promise<Message> {
    requireKnown('ask', options, ASK_OPTIONS)
    requireTime('ask: option deadline', options.deadline)
    let isSettled = false
    let asked = Promise.resolve()
    let id: EnvelopeId = [SYSTEM, 0, -1]
    const noAnswer = async (why: string) =>
      new AskTimeout(`no answer from ${to} to '${message.type}'${why}${await this.#deafness(to, message.type)}`)
    const answer = new Promise<Message>((resolve, reject) => {
      asked = this.#control.do(async () => {
        const end = instantAfter(this.now, options.deadline, 'ask: the deadline')
        const settle = () => {
          isSettled = true
          forget()
        }
        const question = {
          answer: (reply: Message) => {
            settle()
            this.#control.answer(() => resolve(reply))
          },
          refuse: (reason: string) => {
            settle()
            const error = new AskRefused(`${to} refused '${message.type}': ${reason}`)
            this.#control.answer(() => reject(error))
          },
          reject: (error: Error) => {
            settle()
            this.#control.answer(() => reject(error))
          },
        }
        id = this.#asks.ask(this.#registry.get(to).slot, message, question)
        const late = ` within ${toUnits(options.deadline)} units`
        const forget = this.#control.at(end, async () => this.#asks.fail(id, await noAnswer(late)))
      })
      asked.catch(reject)
    })
    if (this.#control.phase === 'running') return answer
    answer.catch(() => {}) // it is awaited below, once the run is over
    await asked
    const run = this.#asking.then(async () => {
      if (isSettled || this.#control.phase !== 'open') return
      const { ended } = await this.#run(Number.POSITIVE_INFINITY, () => isSettled)
      if (ended !== 'stopped') this.#asks.fail(id, await noAnswer(`: the run ended (${ended})`))
    })
    this.#asking = run.catch(() => {})
    await run
    return answer
  }

  /** The end of an error about a question that no transition of the asked machine handles; '' if one does. */
  async #deafness(to: Address, type: string): Promise<string> {
    const { module } = this.#registry.get(to)
    const engine = await engineOf(module, this.options.engine).catch(() => undefined)
    return !engine || knowsAny(engine, type)
      ? ''
      : `: no transition of its machine (${nameOfModule(module)}) handles it`
  }

  /**
   * Kills an actor: its thread ends, undelivered mail to it becomes dead letters, and its supervision may restart it. With a
   * `loss` its disk has not kept the last of what it persisted.
   */
  async kill(address: Address, loss?: DiskLoss): Promise<void> {
    requireLoss('kill', loss)
    await this.#control.do(() => this.#lifecycle.kill(this.#registry.get(address), loss))
  }

  /** Begins a new incarnation of an actor, ending the present one if it is alive. The `loss` is that of `kill`. */
  async restart(address: Address, loss?: DiskLoss): Promise<void> {
    requireLoss('restart', loss)
    await this.#control.do(() => this.#lifecycle.restart(this.#registry.get(address), loss))
  }

  /**
   * Makes the disk of an actor slow, until the returned function is called. A step that persists is taken `writeTime` later, when
   * its records are on the disk, and the actor handles nothing meanwhile. If it dies before, the step is lost as a whole.
   */
  async slowDisk(address: Address, writeTime: Time): Promise<() => Promise<void>> {
    requireSpan('slowDisk: the time of a write', writeTime)
    let heal = (): void => {}
    await this.#control.do(async () => {
      heal = this.#disks.slow(this.#registry.get(address).slot, writeTime)
    })
    return () => this.#control.do(async () => heal())
  }

  /** Whether the clock of a machine has jumped in this run. */
  get clocksJumped(): boolean {
    return this.#clocks.haveJumped
  }

  /**
   * Makes the clock of a machine jump by a time, ahead or (< 0) back: from now on `now()` of its actors shows the difference, also
   * after restarts. Jumps add up. Timers and deadlines last as long as before, since a duration is measured by a monotonic clock.
   */
  async jumpClock(machine: string, by: Time): Promise<void> {
    requireThat('jumpClock: the machine', machine, isMachine(machine), 'the name of a machine, such as m2')
    requireThat('jumpClock: the time', by, Number.isSafeInteger(by) && by !== 0, 'an integer other than 0')
    await this.#control.do(async () => this.#clocks.jump(machine, by))
  }

  /** Pauses an actor: it handles nothing for `duration` from now, while its mail and timers wait. */
  async pause(address: Address, duration: Time): Promise<void> {
    requireTime('pause: the duration', duration)
    await this.#control.do(async () => {
      const { slot } = this.#registry.get(address)
      this.#board.put(this.#board.pausedUntil + slot, instantAfter(this.now, duration, 'pause: the end'))
      this.#rounds.refresh(slot)
    })
  }

  /**
   * Makes a network partition: mail between the two sides is lost, either way, until the returned function is called. The second
   * side may be `['*']`: all other machines.
   */
  async partition(sides: Sides): Promise<() => Promise<void>> {
    requireThat('partition: the sides', sides, isSides(sides), 'two lists of machines')
    const own: Sides = [...sides]
    await this.#control.do(async () => this.#partitions.add(own))
    return () => this.#control.do(async () => this.#partitions.heal(own))
  }

  /**
   * Makes the links between two sides slow: mail between them, either way, takes `delay` longer, until the returned function is
   * called. Later mail from one actor to another does not overtake it. The second side may be `['*']`: all other machines.
   */
  async slowLinks(sides: Sides, delay: Time): Promise<() => Promise<void>> {
    requireThat('slowLinks: the sides', sides, isSides(sides), 'two lists of machines')
    requireSpan('slowLinks: the delay', delay)
    requireThat(
      'slowLinks: the option hosts',
      this.options.hosts,
      !this.options.hosts,
      'null: one process knows all links',
    )
    const own: Sides = [...sides]
    await this.#control.do(async () => this.#partitions.add(own, delay))
    return () => this.#control.do(async () => this.#partitions.heal(own))
  }

  /** Plans `act` for a turn of the system at an instant; in virtual time it comes before anything else of that instant. */
  at(instant: Time, act: () => Promise<void>): void {
    requireTime('at: the instant', instant)
    this.#control.at(instant, act)
  }

  /** Runs until nothing is due, or up to and including the instant `until`. */
  async run(options: RunOptions = {}): Promise<RunEnd> {
    requireKnown('run', options, RUN_OPTIONS)
    const { until = Number.POSITIVE_INFINITY } = options
    if (until !== Number.POSITIVE_INFINITY) requireTime('run: option until', until)
    return this.#run(until, () => false)
  }

  async #run(until: Time, isEnough: () => boolean): Promise<RunEnd> {
    const board = this.#board
    await this.#control.open()
    try {
      if (!this.#lifecycle.begun) {
        this.#runtime.open()
        this.#lifecycle.beginAll()
        this.#begin()
      }
      board.put(board.until, until)
      const last = board.int(board.round) + this.options.rounds
      board.set(board.lastSubround, Math.min(this.#rounds.current.subround + this.options.subrounds, ROUNDS_MAX))
      let between = 0
      while (!this.#isStopped()) {
        // System rounds do not count, since tracing and listening cause more of them.
        const lastRound = Math.min(last + between, ROUNDS_MAX)
        board.put(board.lastRound, Math.min(lastRound, this.#milestone?.round ?? ROUNDS_MAX))
        board.set(board.request, this.#control.isAwaited ? 1 : 0)
        board.put(board.due, this.#control.next)
        this.#rounds.refresh(SYSTEM)
        this.#asks.publish()
        this.#events.beginTurn()
        const end = await this.#runtime.yieldTurn()
        if (this.#rounds.current.isSystemRound) between++
        if (this.#isStopped()) break
        if (end === END_ROUNDS && this.rounds < lastRound) {
          const milestone = this.#milestone
          this.#milestone = undefined
          milestone?.listener()
          continue
        }
        // At a limit nothing more is taken from outside: it might never end.
        const isLimit = end === END_ROUNDS || end === END_SUBROUNDS
        const isBetween = end !== END_NONE || this.#rounds.isOver || this.#runtime.runsDuringTurns
        const busy = await this.#control.take(isBetween && !isLimit)
        if (this.#failure !== undefined) throw this.#failure
        if (isEnough()) return this.#ended('idle')
        if (end === END_NONE || busy) continue
        if (end === END_ROUNDS) return this.#ended('rounds')
        if (end === END_SUBROUNDS) return this.#ended('subrounds')
        if (this.#control.isAwaited || (end === END_IDLE && this.#computations.active)) continue
        if (Number.isFinite(until)) this.#runtime.advance(until)
        return this.#ended(end === END_IDLE ? 'idle' : 'until')
      }
      return this.#ended('stopped')
    } finally {
      this.#control.close()
    }
  }

  #isStopped(): boolean {
    return this.#control.phase === 'stopped'
  }

  #ended(ended: RunEnd['ended']): RunEnd {
    const { now } = this
    if (ended !== 'rounds' && ended !== 'subrounds') return { ended, now, limit: null, waiting: [] }
    const most = this.options[ended]
    const limit =
      ended === 'rounds'
        ? `${most} rounds (option rounds)`
        : `${most} rounds at instant ${printUnits(now)}, so that time does not move on (option subrounds)`
    const waiting = whoWaits(this.#mail, this.#registry, now)
    if (ended === 'subrounds') warnOfEnd(`the run ended at its limit of ${[limit, ...waiting.slice(0, 3)].join('; ')}`)
    return { ended, now, limit, waiting }
  }

  /** Reads all reports, and then does what they lead to: an actor that is ended because of one keeps what it did in that round. */
  async #readInbox(): Promise<boolean> {
    const { isHeard } = this.#events
    this.#board.set(this.#board.reports, 0)
    const inbox: LinkedEnvelope[] = []
    this.#endpoint.collect((envelope) => inbox.push(envelope))
    this.#log?.write(this.#writesIn(inbox))
    for (const envelope of inbox) {
      const item = read(envelope, this.#events, isHeard)
      const act = item && this.#read(item)
      if (act) this.#acts.push(act)
    }
    this.#events.keepReports()
    let busy = false
    // an act may wait for more reports, which are read behind these
    for (let act = this.#acts.shift(); act; act = this.#acts.shift()) {
      busy = true
      await act()
    }
    return busy
  }

  /** The writes that reports tell of, in the order of the run. They are in files before anything is told of these reports. */
  #writesIn(inbox: readonly LinkedEnvelope[]): readonly LoggedWrite[] {
    return inbox.flatMap((envelope, i) => {
      const item = envelope.class === CLASS_REPORT ? itemIn(envelope, this.#events.nameOf, false) : undefined
      if (item?.what.type !== 'step') return []
      const { records = [], isSnapshot } = item.what
      const entry = this.#registry.at(item.id[0])
      if (records.length === 0 || entry?.incarnation !== item.id[1]) return []
      const { address } = entry
      // in real time any two writes may be cause and effect
      const round = this.options.time === 'virtual' ? `${item.sentAt} ${envelope.subround}` : `${i}`
      return [{ address, at: item.sentAt, records, isSnapshot: isSnapshot === true, round }]
    })
  }

  /** Reads an item of the inbox; returns what it leads to that actors must see. */
  #read(item: InboxItem): Act | undefined {
    this.#events.item(item)
    const entry = this.#registry.at(item.id[0])
    const { what, cause, sentAt: at } = item
    if (what.type === 'mail' && !this.#asks.answer(cause, what.message)) this.#events.lost(LOST_LATE_ANSWER)
    if (entry && (what.type === 'unknown type' || what.type === 'misaddressed')) this.#notices.read(entry.address, what)
    if (!entry || entry.incarnation !== item.id[1]) return undefined
    if (what.type === 'wire') for (const event of what.events) if (event.type === 'lost') this.#events.lost(event.lost)
    if (what.type === 'dead') this.#events.lost(what.lost)
    if (what.type !== 'step') return undefined
    this.#deferred.read(entry.slot, what)
    const { lost, facts, computations, records = [], isSnapshot, orders, stopped, crash, on, event } = what
    const { incarnation } = entry
    if (crash) {
      const cause = { ...crash, stack: locate(crash.stack), ...(on && { on }), ...(event && { event }) }
      entry.ownEnd = { type: 'crash', cause }
      // an act before this one may have replaced the incarnation, and its successor has not crashed
      return async () => {
        if (entry.incarnation === incarnation) await this.#lifecycle.died(entry, cause)
      }
    }
    if (stopped) entry.ownEnd = { type: 'final state' }
    for (const fact of facts ?? []) this.#events.fact(fact, { who: entry.address, at })
    for (const reason of lost ?? []) this.#events.lost(reason)
    if (records.length > 0) entry.journal.add({ records, isSnapshot: isSnapshot === true })
    if (computations ?? orders) this.#board.set(this.#board.call + entry.slot, 0)
    if (computations) this.#carryOut(entry, computations)
    if (orders) return () => this.#order(entry, incarnation, orders, stopped === true)
    return stopped && (() => this.#order(entry, incarnation, [], true))
  }

  /** Whether an actor may spawn the actor of a module. From a host the name comes in a frame, which is data. */
  #admits(module: string): boolean {
    if (!this.options.hosts) register({ actors: [module] })
    return isActor(module)
  }

  /** Carries out what a step of an incarnation ordered, unless it is over by now; the step may have been its last. */
  async #order(entry: Entry, incarnation: number, orders: readonly SystemOrder[], isLast: boolean): Promise<void> {
    const isThere = () => entry.status.type === 'alive' && entry.incarnation === incarnation
    for (const order of orders) if (isThere()) await this.#lifecycle.carryOut(entry, order)
    if (isLast && isThere()) await this.#lifecycle.stopped(entry)
  }

  #carryOut({ slot, incarnation, address }: Entry, orders: readonly ComputationOrder[]): void {
    for (const order of orders) this.#computations.carryOut({ slot, incarnation, address }, order)
  }

  /** Tells an actor, in a turn of the system, that its computation has ended. */
  #computed({ slot, incarnation }: Owner, { id, n, outcome, ms }: Ended): void {
    const took = units(ms / this.options.scale)
    const tell = async () => {
      const entry = this.#registry.at(slot)
      if (entry?.incarnation !== incarnation || entry.status.type !== 'alive') return
      const order = { type: 'computed', id, n, outcome, took } as const
      const at = this.now
      const posted = this.#asks.order(slot, order)
      this.#events.note(() => computed(posted, entry.address, at, order))
    }
    this.#control.do(tell).catch((error: unknown) => {
      if (!this.#isStopped()) this.#failure = error
    })
  }

  /** Ends every thread; undelivered mail is lost. It is idempotent and safe at any time. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  /** Stops the system at the end of a block that began with `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #stop(): Promise<void> {
    this.#control.stop()
    await Promise.all([this.#runtime.stop(), this.#computations.stop()])
    this.#log?.close()
    this.#asks.failAll(() => new AskTimeout('the system has stopped'))
    this.#traceHash = this.#events.close()
    this.#hasStopped()
  }
}

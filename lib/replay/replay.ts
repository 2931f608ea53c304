/**
 * Replays a recorded run inline, step by step in the order of its trace: the whole run, or one actor alone. Every line of
 * every step must be as recorded, byte for byte.
 *
 * Messages between actors come from the replayed sender. The record supplies what no replica can know: the time of each
 * step, the network's decisions, the messages of the system, and the results of computations.
 */

import { Directory } from '../actor/directory.ts'
import { inputOf } from '../actor/incarnation.ts'
import { Journal } from '../actor/journal.ts'
import { opened } from '../actor/requests.ts'
import type { Incoming } from '../actor/step-context.ts'
import type { EnvelopeId } from '../actor/step-report.ts'
import type { Address } from '../core/address.ts'
import { requireChoice } from '../core/check-options.ts'
import { actorNamed, NOT_REGISTERED } from '../core/code-registry.ts'
import { commandOf } from '../core/command-name.ts'
import { isMessage, isObject, type Message, type Plain } from '../core/data.ts'
import { FieldError, numberIn, numbersIn, textIn } from '../core/decode.ts'
import { quoted } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import { ENGINES, type Engine, type EngineName } from '../engine/engine.ts'
import { LOST_REASONS, LOST_UNACKNOWLEDGED } from '../memory/envelope.ts'
import { engineOf } from '../runtime/engine-cache.ts'
import { DEFAULTS } from '../system/options.ts'
import { bytesRead } from '../trace/bytes.ts'
import { beginsStep, type Line, letterIn, linesOf, recordsIn } from '../trace/lines.ts'
import type { Trace } from '../trace/read.ts'
import { type Incarnation, type Run, runOf, type Step } from '../trace/steps.ts'
import { Copier } from './copier.ts'
import { Divergence } from './divergence.ts'
import { envelopeOf, type Recording, recordingOf } from './recording.ts'
import { type ReplayContext, Replica, type ReplicaStep, type State } from './replica.ts'

/** A step that is as recorded. */
export interface Replayed extends ReplicaStep {
  readonly step: Step
  /** The replica after this step; the replay keeps changing it. */
  readonly replica: Replica
}

/** A message on its way to an actor. */
export interface PendingMail {
  readonly id: string
  readonly to: Address
  readonly message: Message
  /** The due time; null if the first copy was lost, and another may come (reliable delivery). */
  readonly due: Time | null
  /** The line of the trace that tells of it. */
  readonly line: number
}

/** An order of the system that a cell hands to its machine. */
interface Order {
  readonly to: Address
  readonly event: Message
  /** The number of a computation; null for other orders. */
  readonly n: number | null
}

export class Replay implements Iterable<Replayed> {
  readonly trace: Trace
  readonly run: Run
  readonly #only: Address | undefined
  readonly #engines: ReadonlyMap<string, Engine<State>>
  readonly #record: Recording
  readonly #context: ReplayContext
  readonly #incarnations: ReadonlyMap<number, Incarnation>
  readonly #steps: ReadonlyMap<number, Step>
  /** The present incarnation of each actor. */
  readonly #replicas = new Map<Address, Replica>()
  readonly #begun = new Map<Address, Incarnation>()
  /** The order to start of each actor, with its input. */
  readonly #starts = new Map<Address, { readonly id: EnvelopeId; readonly input: Plain }>()
  /** What each actor has persisted. */
  readonly #journals = new Map<Address, Journal>()
  readonly #pending = new Map<string, PendingMail>()
  readonly #orders = new Map<string, Order>()
  /** Whether the trace is of a version that does not tell of child charts. */
  readonly #isWithoutCharts: boolean

  private constructor(trace: Trace, run: Run, engines: ReadonlyMap<string, Engine<State>>, only: Address | undefined) {
    this.trace = trace
    this.run = run
    this.#only = only
    this.#engines = engines
    this.#record = recordingOf(trace)
    const { head } = trace
    this.#isWithoutCharts = numberIn(head, 'version') < 4
    const time = textIn(head, 'time') === 'real' ? 'real' : 'virtual'
    this.#context = {
      seed: numberIn(head, 'seed'),
      run: head['run'] === undefined ? 0 : numberIn(head, 'run'),
      time,
      isPure: isPureRun(head),
      reliable: head['reliable'] !== undefined,
      asks: head['asks'] === undefined ? DEFAULTS.asks : numberIn(head, 'asks'),
      deferred: head['deferred'] === undefined ? DEFAULTS.deferred : numberIn(head, 'deferred'),
      latency: numberIn(head['network'] ?? null, 'latency'),
      copier: new Copier(),
      fateOf: (id) => this.#record.fates.get(id),
    }
    this.#incarnations = new Map(run.incarnations.map((incarnation) => [incarnation.line, incarnation]))
    this.#steps = new Map(run.steps.map((step) => [step.line, step]))
  }

  /**
   * Loads the machines of a trace; of `only` alone if it is given.
   *
   * @throws UsageError for a trace that cannot be replayed
   */
  static async open(trace: Trace, only?: Address, engine: EngineName = DEFAULTS.engine): Promise<Replay> {
    requireChoice('Replay.open: the engine', engine, ENGINES)
    const run = runOf(trace)
    const incarnations = only === undefined ? run.incarnations : run.incarnations.filter(({ who }) => who === only)
    if (only !== undefined && incarnations.length === 0) {
      const known = [...new Set(run.incarnations.map(({ who }) => who))]
      throw UsageError.unknown('actor', only, known, { where: trace.where })
    }
    const engines = new Map<string, Engine<State>>()
    for (const { module, line } of incarnations) {
      if (module === null || engines.has(module)) continue
      engines.set(module, await engineAt(module, engine, trace.where, line))
    }
    try {
      return new Replay(trace, run, engines, only)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      throw new UsageError(`${trace.where}, line 1: ${error.message}`)
    }
  }

  /** The present incarnation of an actor, if it has begun. */
  replicaOf(who: Address): Replica | undefined {
    return this.#replicas.get(who)
  }

  /** The messages to an actor that it has not handled, in the order of sending. */
  mailboxOf(who: Address): PendingMail[] {
    return [...this.#pending.values()].filter(({ to }) => to === who)
  }

  /**
   * The steps of the record, one after another. A replay can be iterated once.
   *
   * @throws Divergence at the first step that does not come out as recorded
   */
  *[Symbol.iterator](): Generator<Replayed> {
    for (const [index, line] of this.trace.lines.entries()) {
      try {
        const step = beginsStep(line) ? this.#steps.get(index) : undefined
        if (!step) this.#read(line, index)
        else if (this.#isReplayed(step.who)) yield this.#replay(step, line)
      } catch (error) {
        if (!(error instanceof FieldError)) throw error
        throw new UsageError(`${this.trace.where}, line ${index + 1}: ${error.message}`)
      }
    }
  }

  #isReplayed(who: Address): boolean {
    return this.#only === undefined || this.#only === who
  }

  /** Reads a line that belongs to no step. */
  #read(line: Line, index: number): void {
    switch (line.t) {
      case 'spawn':
        return this.#spawn(index)
      case 'begin':
        return this.#begin(line)
      case 'joined':
      case 'left': {
        const [who, address] = [textIn(line, 'who'), textIn(line, 'address')]
        const replica = this.#replicas.get(who)
        if (replica) {
          const { directory } = replica
          const slot = this.#record.addresses.indexOf(address)
          replica.directory = line.t === 'left' ? directory.without(address) : directory.with(address, slot)
        }
        if (this.#isReplayed(who))
          this.#orders.set(textIn(line, 'order'), { to: who, event: { type: line.t, address }, n: null })
        return
      }
      case 'recovered':
        this.#journals.set(textIn(line, 'who'), new Journal(recordsIn(line)))
        return
      case 'lost records':
        return void this.#journalOf(textIn(line, 'who')).lose(numberIn(line, 'writes'))
      case 'computed': {
        const [id, took, outcome] = [textIn(line, 'id'), numberIn(line, 'took'), bytesRead(line['outcome'] ?? null)]
        const event = { type: 'computed', id, outcome, took }
        this.#orders.set(textIn(line, 'order'), { to: textIn(line, 'who'), event, n: numberIn(line, 'n') })
        return
      }
      case 'send': {
        const [id, from, to] = [textIn(line, 'id'), textIn(line, 'from'), textIn(line, 'to')]
        // A replayed actor sends its messages itself.
        if (this.#replicas.has(from) || !this.#isReplayed(to)) return
        const due = typeof line['due'] === 'number' ? line['due'] : null
        const message = bytesRead(letterIn(line))
        if (!isMessage(message)) throw FieldError.invalid('message', 'a message', line['message'])
        this.#pending.set(id, { id, to, message, due, line: index })
        return
      }
      case 'dead':
        // a message without acknowledgement may have arrived all the same
        if (line['reason'] !== LOST_REASONS[LOST_UNACKNOWLEDGED]) this.#pending.delete(textIn(line, 'id'))
        return
    }
  }

  #spawn(index: number): void {
    const incarnation = this.#incarnations.get(index)
    if (!incarnation || !this.#isReplayed(incarnation.who)) return
    const { who: address, slot, module } = incarnation
    const engine = this.#engines.get(module ?? '')
    if (!engine) throw FieldError.invalid('module', 'the module of the actor', undefined)
    this.#begun.set(address, incarnation)
    this.#replicas.set(
      address,
      new Replica({ slot, incarnation: incarnation.incarnation, address }, engine, this.#context),
    )
  }

  #begin(line: Line): void {
    const who = textIn(line, 'who')
    const [replica, incarnation] = [this.#replicas.get(who), this.#begun.get(who)]
    if (!replica || !incarnation) return
    const stopped = numbersIn(line, 'stopped')
    const known = ['']
    for (let slot = 1; slot <= numberIn(line, 'slots'); slot++) {
      const address = this.#record.addresses[slot]
      if (address === undefined)
        throw new FieldError(`"slots" includes slot ${slot}, but the trace spawns no actor there`)
      known.push(stopped.includes(slot) ? '' : address)
    }
    replica.directory = Directory.of(known)
    const [{ records }, count] = [this.#journalOf(who), numberIn(line, 'records')]
    if (records.length !== count)
      throw FieldError.invalid('records', `${records.length}, as many as earlier incarnations persisted`, count)
    this.#starts.set(who, { id: envelopeOf(textIn(line, 'id')), input: inputOf(bytesRead(incarnation.input), records) })
  }

  #replay(step: Step, line: Line): Replayed {
    const replica = this.#replicas.get(step.who)
    const recorded = this.#record.steps.get(step.line) ?? []
    const nothing = (why: string) => new Divergence(step, line, why)
    if (!replica) throw nothing(`no incarnation of ${step.who}`)
    if (replica.isOver) throw nothing(`an incarnation that has ended`)
    replica.skew = step.skew
    const performed = this.#perform(replica, step, nothing)
    const { record } = performed
    // with reliable delivery, a stopped actor ends only once its messages are acknowledged, so that line may come late
    const isLate = this.#context.reliable && record.stopped === true
    const item = { id: NOBODY, cause: performed.cause, to: 0, sentAt: step.at, due: step.at }
    const came = linesOf({ ...item, what: record }, () => step.who)
    const isCompared = (one: Line) =>
      !(isLate && one.t === 'stopped') && !(this.#isWithoutCharts && one.t === 'entered')
    compare(step, recorded.filter(isCompared), came.filter(isCompared))
    this.#keep(step, record)
    return { ...performed, step, replica }
  }

  /** Lets the replica handle the recorded event, if that event is pending there. */
  #perform(replica: Replica, { on, at, who }: Step, nothing: (why: string) => Divergence) {
    if (on.what === 'start') {
      const start = this.#starts.get(who)
      if (!start || replica.state) throw nothing(start ? 'an incarnation that has started' : 'no order to start')
      const input = this.#context.copier.copy(start.input)
      return { ...replica.start(input, start.id, at), cause: start.id }
    }
    if (!replica.state) throw nothing('an incarnation that has not started')
    if (replica.isResuming && !(on.what === 'mail' && on.again)) throw nothing('an event before the deferred messages')
    if (on.what === 'timer') {
      const timer = replica.timers.find(({ id }) => id === on.id)
      if (!timer || timer.n !== on.n) throw nothing(`no timer ${on.id} (number ${on.n}) that is set`)
      if (timer.due > at) throw nothing(`a timer that is due at ${timer.due}`)
      return { ...replica.fire(timer, at), cause: timer.cause }
    }
    const id = envelopeOf(on.id)
    if (on.again) {
      const resumed = replica.resume(id, at)
      if (!resumed) throw nothing('a message that is not the next deferred one')
      return { ...resumed, cause: id }
    }
    const mail = this.#pending.get(on.id)
    if (!mail) return { ...replica.receive(this.#order(replica, on.id, nothing), id, at), cause: id }
    if (mail.to !== who) throw nothing(`a message to ${mail.to}`)
    if (mail.due !== null && mail.due > at) throw nothing(`a message that is due at ${mail.due}`)
    if (mail.line < (this.#begun.get(who)?.line ?? 0)) throw nothing('a message to an earlier incarnation')
    this.#pending.delete(on.id)
    const message = this.#context.copier.copy(mail.message)
    if (!isMessage(message)) throw nothing('no message')
    const from = mail.id.startsWith('0.') ? 'system' : replica.directory.addressOf(id[0])
    const incoming = opened(message, from)
    if (replica.isLate(incoming)) throw nothing('an answer to an ask that is not open')
    return { ...replica.receive(incoming, id, at), cause: id }
  }

  /** Takes an order of the system to the cell. */
  #order(replica: Replica, id: string, nothing: (why: string) => Divergence): Incoming {
    const order = this.#orders.get(id)
    if (order?.to !== replica.who.address) throw nothing(`no message ${id} on its way to it`)
    this.#orders.delete(id)
    const { event, n } = order
    if (n !== null && !replica.computing.take(String(event['id']), n))
      throw nothing('a computation that no actor waits for')
    return { event, from: 'system' }
  }

  /** Keeps the messages of a step as pending mail, and its records for later incarnations. */
  #keep(step: Step, { sends = [], records = [], isSnapshot }: ReplicaStep['record']): void {
    for (const { id, to, message, due, lost } of sends) {
      if (lost !== undefined || to === 'system' || !this.#isReplayed(to)) continue
      const name = id.join('.')
      this.#pending.set(name, { id: name, to, message, due: due ?? null, line: step.line })
    }
    if (records.length > 0) this.#journalOf(step.who).add({ records, isSnapshot: isSnapshot === true })
  }

  #journalOf(who: Address): Journal {
    const journal = this.#journals.get(who) ?? new Journal()
    this.#journals.set(who, journal)
    return journal
  }
}

const NOBODY: EnvelopeId = [0, 0, 0]

/** Says whether the steps of a recorded run were refused the clocks and random numbers of the process. */
export const isPureRun = (head: Line): boolean => textIn(head, 'time') !== 'real' && head['impure'] !== true

function compare(step: Step, recorded: readonly Line[], came: readonly Line[]): void {
  for (let i = 0; i < Math.max(recorded.length, came.length); i++) {
    const [one, other] = [recorded[i], came[i]]
    if (JSON.stringify(one) !== JSON.stringify(other)) throw new Divergence(step, one, other)
  }
}

async function engineAt(module: string, wanted: EngineName, file: string, line: number): Promise<Engine<State>> {
  const where = `${file}, line ${line + 1}`
  const url = actorNamed(module)
  if (url === undefined) {
    const again = `${commandOf({ name: 'lab/replay' })} ${file} --register FILE`
    throw new UsageError(`${where}: ${quoted(module)} is not ${NOT_REGISTERED}, as in \`${again}\``)
  }
  try {
    return await engineOf(url, wanted)
  } catch (error) {
    const why = isObject(error) && typeof error['message'] === 'string' ? error['message'] : String(error)
    throw new UsageError(`${where}: cannot load the module ${module}: ${why.split('\n')[0] ?? ''}`)
  }
}

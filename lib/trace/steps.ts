/** Groups the lines of a trace into steps: a line belongs to the last step of its actor. */

import type { EnteredState } from '../actor/effect.ts'
import { Journal } from '../actor/journal.ts'
import { isLetter, opened } from '../actor/requests.ts'
import type { Message, Plain } from '../core/data.ts'
import { FieldError, messageIn, numberIn, textIn } from '../core/decode.ts'
import { isTimerKind, type Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import { type Line, letterIn, recordsIn } from './lines.ts'
import type { Trace } from './read.ts'
import type { DeadLetter, End, Incarnation, News, Run, Sent, Step, SystemAct, SystemEvent } from './run.ts'

export type * from './run.ts'

type Draft<T> = { -readonly [K in keyof T]: T[K] }
type StepDraft = Draft<Step> & {
  readonly sends: Sent[]
  readonly facts: Message[]
  readonly records: Plain[]
  readonly entered: EnteredState[]
  readonly broken: string[]
}
type IncarnationDraft = Draft<Incarnation> & { readonly steps: StepDraft[]; readonly news: News[] }

/**
 * Reads the run that a trace records. Of a trace without its earlier lines (`isPartial`) messages that were sent before have
 * only their type.
 *
 * @throws UsageError that names the line, for one that does not belong into a trace
 */
export function runOf({ where, head, lines }: Trace, isPartial = false): Run {
  const reader = new Reader(isPartial)
  for (const [index, line] of lines.entries()) {
    try {
      reader.read(line, index)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      throw new UsageError(`${where}, line ${index + 1}: ${error.message}`)
    }
  }
  const { steps, incarnations, sends, system, deadLetters } = reader
  return { where, head, steps, incarnations, sends, system, deadLetters }
}

class Reader {
  readonly steps: StepDraft[] = []
  readonly incarnations: IncarnationDraft[] = []
  readonly sends = new Map<string, Sent>()
  readonly system: SystemEvent[] = []
  readonly deadLetters: DeadLetter[] = []
  /** The present incarnation of each address. */
  readonly #incarnations = new Map<string, IncarnationDraft>()
  readonly #addresses = new Map<string, string>([['0', 'system']])
  /** What each address has persisted. */
  readonly #journals = new Map<string, Journal>()
  /** The outcomes of computations that the system reported, by envelope. */
  readonly #orders = new Map<string, Message>()
  readonly #isPartial: boolean
  #now: Time = 0

  constructor(isPartial: boolean) {
    this.#isPartial = isPartial
  }

  read(line: Line, index: number): void {
    if (typeof line['at'] === 'number') this.#now = line['at']
    switch (line.t) {
      case 'spawn':
        return this.#spawn(line, index)
      case 'start':
        this.#step(line, index, { what: 'start' })
        return
      case 'deliver':
        return this.#deliver(line, index)
      case 'timer':
        return this.#timer(line, index)
      case 'send':
        return this.#send(line, index)
      case 'dead': {
        const [id, from, to] = [textIn(line, 'id'), textIn(line, 'from'), textIn(line, 'to')]
        const [type, reason] = [textIn(line, 'type'), textIn(line, 'reason')]
        this.deadLetters.push({ line: index, at: this.#now, id, from, to, type, reason })
        return
      }
      case 'state':
        this.#last(line).state = line['value'] ?? null
        return
      case 'entered': {
        const [chart, state] = [textIn(line, 'chart'), textIn(line, 'state')]
        this.#last(line).entered.push({ chart, key: keyIn(line), state })
        return
      }
      case 'fact':
        this.#last(line).facts.push(messageIn(line, 'fact'))
        return
      case 'persist': {
        const { records } = this.#last(line)
        records.push(line['record'] ?? null)
        // the records of one step are one write, which has all of them in the end
        if (records.length === 1) this.#journalOf(line).add({ records, isSnapshot: line['snapshot'] === true })
        return
      }
      case 'recovered':
        this.#journals.set(textIn(line, 'who'), new Journal(recordsIn(line)))
        return
      case 'lost records':
        this.#journalOf(line).lose(numberIn(line, 'writes'))
        return
      case 'broken':
        return this.#broken(line)
      case 'deferred':
        this.#last(line).deferred = true
        return
      case 'unhandled':
        this.#last(line).unhandled = true
        return
      case 'crash':
        this.#last(line).crash = { error: textIn(line, 'error'), message: textIn(line, 'message') }
        return
      case 'stopped': {
        this.#last(line).stopped = true
        this.#end(line, index, { type: 'stopped', cause: '', message: '' })
        return
      }
      case 'died': {
        const [cause, message] = [textIn(line, 'cause'), textIn(line, 'message')]
        const incarnation = this.#end(line, index, { type: 'died', cause, message })
        this.#act(line, index, { type: 'died', incarnation, cause, message })
        return
      }
      case 'ended': {
        const why = textIn(line, 'why')
        const incarnation = this.#end(line, index, { type: 'ended', cause: '', message: why })
        this.#act(line, index, { type: 'ended', incarnation, why })
        return
      }
      case 'joined':
      case 'left': {
        const incarnation = this.#incarnation(line)
        const address = textIn(line, 'address')
        incarnation.news.push({ line: index, at: atOf(line), type: line.t, address, before: incarnation.steps.length })
        return
      }
      case 'fault':
        this.#act(line, index, { type: 'fault', fault: textIn(line, 'fault') })
        return
      case 'gave up':
        this.#act(line, index, { type: 'gave up', who: textIn(line, 'who') })
        return
      case 'begin':
        this.#act(line, index, { type: 'begin', incarnation: this.#incarnation(line) })
        return
      case 'computed': {
        const [who, id, order] = [textIn(line, 'who'), textIn(line, 'id'), textIn(line, 'order')]
        const [took, outcome] = [numberIn(line, 'took'), line['outcome'] ?? null]
        this.#orders.set(order, { type: 'computed', id, outcome, took })
        this.#act(line, index, { type: 'computed', who, id, order })
        return
      }
    }
    // other lines, such as those of reliable delivery or notes of a scenario, add nothing to steps
  }

  #act(line: Line, index: number, act: SystemAct): void {
    this.system.push({ line: index, at: atOf(line), place: this.system.length, ...act })
  }

  #spawn(line: Line, index: number): void {
    const [who, slot, at] = [textIn(line, 'who'), numberIn(line, 'slot'), atOf(line)]
    const module = textIn(line, 'module')
    const incarnation: IncarnationDraft = {
      line: index,
      at,
      who,
      slot,
      incarnation: numberIn(line, 'life'),
      module,
      input: line['input'] ?? null,
      records: this.#journalOf(line).records,
      steps: [],
      news: [],
      parent: typeof line['parent'] === 'string' ? line['parent'] : null,
      end: null,
    }
    this.incarnations.push(incarnation)
    this.#incarnations.set(who, incarnation)
    this.#addresses.set(String(slot), who)
    this.#act(line, index, { type: 'spawn', incarnation })
  }

  #journalOf(line: Line): Journal {
    const who = textIn(line, 'who')
    const journal = this.#journals.get(who) ?? new Journal()
    this.#journals.set(who, journal)
    return journal
  }

  #end(line: Line, index: number, end: Omit<End, 'line' | 'at'>): IncarnationDraft {
    const incarnation = this.#incarnation(line)
    incarnation.end ??= { line: index, at: atOf(line), ...end }
    return incarnation
  }

  #deliver(line: Line, index: number): void {
    const [who, id, type] = [textIn(line, 'who'), textIn(line, 'id'), textIn(line, 'type')]
    const from = this.#addresses.get(id.slice(0, id.indexOf('.'))) ?? (this.#isPartial ? EARLIER : undefined)
    if (from === undefined) throw FieldError.invalid('id', 'an envelope of an actor of this run', id)
    if (who === 'system') {
      this.#act(line, index, { type: 'answer', id, from, message: type })
      return
    }
    const sent = this.sends.get(id)
    const message =
      (sent && opened(sent.letter ?? sent.message, from).event) ??
      this.#orders.get(id) ??
      this.#newsIn(line, type) ??
      (this.#isPartial ? { type } : undefined)
    if (message?.type !== type) throw FieldError.invalid('id', `a message ${type} that was sent before`, id)
    const again = line['again'] === true
    this.#step(line, index, { what: 'mail', id, from, type, message, ...(again && { again }) })
  }

  /** News has no sender: its contents are in the line before. */
  #newsIn(line: Line, type: string): Message | undefined {
    const { news, steps } = this.#incarnation(line)
    const last = news[news.length - 1]
    return last?.type === type && last.before === steps.length ? { type, address: last.address } : undefined
  }

  #timer(line: Line, index: number): void {
    const kind = line['kind']
    if (!isTimerKind(kind)) throw FieldError.invalid('kind', 'a kind of timer', kind)
    const [id, n, event] = [textIn(line, 'id'), numberIn(line, 'n'), messageIn(line, 'event')]
    const cause = typeof line['cause'] === 'string' ? line['cause'] : null
    this.#step(line, index, { what: 'timer', id, n, kind, event, cause })
  }

  #step(line: Line, index: number, on: Step['on']): void {
    const incarnation = this.#incarnation(line)
    const { who, slot, steps } = incarnation
    const state = steps[steps.length - 1]?.state ?? null
    // one literal, since there are as many steps as messages
    const step: StepDraft = {
      line: index,
      at: atOf(line),
      index: this.steps.length,
      who,
      slot,
      incarnation: incarnation.incarnation,
      n: steps.length,
      on,
      skew: typeof line['skew'] === 'number' ? line['skew'] : 0,
      sends: [],
      before: state,
      state,
      facts: [],
      records: [],
      entered: [],
      unhandled: false,
      deferred: false,
      crash: null,
      stopped: false,
      broken: [],
    }
    this.steps.push(step)
    steps.push(step)
  }

  /** The line counts the facts of the actor. Where a trace was cut off, the fact may be missing. */
  #broken(line: Line): void {
    const [who, promise] = [textIn(line, 'who'), textIn(line, 'promise')]
    let left = numberIn(line, 'fact')
    for (const step of this.steps) {
      if (step.who !== who || left < 1) continue
      left -= step.facts.length
      if (left < 1) step.broken.push(promise)
    }
  }

  #send(line: Line, index: number): void {
    const [id, from, to] = [textIn(line, 'id'), textIn(line, 'from'), textIn(line, 'to')]
    const due = line['due'] === undefined ? null : numberIn(line, 'due')
    const step = from === 'system' ? null : this.#last(line, 'from')
    const [message, letter] = [messageIn(line, 'message'), letterIn(line)]
    const sent: Sent = {
      line: index,
      at: atOf(line),
      id,
      from,
      to,
      message,
      ...(isLetter(letter) && { letter }),
      ...(typeof line['copyOf'] === 'string' && { copyOf: line['copyOf'] }),
      due,
      step: step?.index ?? null,
    }
    this.sends.set(id, sent)
    if (step) step.sends.push(sent)
    else this.#act(line, index, { type: 'send', sent })
  }

  /** The present incarnation of the actor that a line names. */
  #incarnation(line: Line, key = 'who'): IncarnationDraft {
    const who = textIn(line, key)
    const incarnation = this.#incarnations.get(who)
    if (!incarnation) throw FieldError.invalid(key, 'an actor that was spawned before', who)
    return incarnation
  }

  #last(line: Line, key = 'who'): StepDraft {
    const { who, steps } = this.#incarnation(line, key)
    const step = steps[steps.length - 1]
    if (!step) throw new FieldError(`${who} has no step before this line`)
    return step
  }
}

/** The sender of a message in a partial trace that does not have its beginning. */
const EARLIER = 'an earlier actor'

/** The key of a conversation, which is a number or a text. */
function keyIn(line: Line): number | string {
  const { key } = line
  if (typeof key !== 'number' && typeof key !== 'string') throw FieldError.invalid('key', 'a number or a text', key)
  return key
}

const atOf = (line: Line): Time => numberIn(line, 'at')

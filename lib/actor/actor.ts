/**
 * The API for actor authors.
 *
 * A machine is pure: a rule takes the context and an event, and returns the changes and a list of effects as data. The
 * cell that hosts the machine carries the effects out after the whole step has succeeded.
 */
import { type EventObject, type MachineContext, setup } from 'xstate'
import type { Address } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import { listed } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import { changesIn, type Decision } from './decision.ts'
import type { Computation, ComputationOutcome, Effect, Timer } from './effect.ts'

/** A message as its receiver's machine sees it: with its sender's address. */
export type Mail<M extends Message> = M & { readonly from: Address }

/** Sent to a machine that handles `joined` when an actor is spawned or restarted during the run. */
export type Joined = Mail<{ type: 'joined'; address: Address }>

/** Sent to a machine that handles `left` when an actor stops by itself. A death is not announced. */
export type Left = Mail<{ type: 'left'; address: Address }>

/** Sent to a machine when a computation that it asked for has ended by itself. */
export type Computed = Mail<{
  type: 'computed'
  id: string
  outcome: ComputationOutcome
  /** The duration of the call by the clock, without the start of its thread. */
  took: Time
}>

/** A rule as engines see it, without the types of its context and events. */
export interface Ruling {
  /**
   * Returns the changes, and adds the effects to a list.
   *
   * @throws NotADecision and whatever the rule throws
   */
  decide(context: MachineContext, event: EventObject, effects: Effect[]): object
}

const rulings = new WeakMap<object, Ruling>()

/** The rule behind an action that `rule` or `onEntry` made; undefined for any other action. */
export const rulingOf = (action: object): Ruling | undefined => rulings.get(action)

/** The three types that a machine is made of. */
export interface Shape {
  input: unknown
  context: MachineContext
  event: EventObject
}

/**
 * XState's `setup` with this runtime's effects, and `rule`, which makes an XState action of a pure function.
 *
 * ```ts
 * const { createMachine, rule } = actor<{ input: Input; context: Context; event: Event }>()
 * const pong = rule('ping', (context, ping) => [{ count: context.count + 1 }, tell(ping.from, { type: 'pong' })])
 * ```
 */
export function actor<S extends Shape>() {
  const kit = setup({
    types: {} as { context: S['context']; events: S['event']; input: S['input'] },
    actions: {
      tell: (_, _params: Extract<Effect, { type: 'tell' }>['params']) => {},
      timer: (_, _params: Timer) => {},
      compute: (_, _params: Computation) => {},
      cancel: (_, _params: { readonly id: string }) => {},
      observe: (_, _params: Message) => {},
      persist: (_, _params: Plain) => {},
    },
  })
  type Of<T> = Extract<S['event'], { type: T }>
  const is = <T extends S['event']['type']>(event: S['event'], type: T): event is Of<T> => event.type === type

  /** The names of the machines that use these rules; mostly one. */
  const names: string[] = []
  const createMachine: typeof kit.createMachine = (config) => {
    const machine = kit.createMachine(config)
    names.push(`'${machine.id}'`)
    return machine
  }

  /** Makes the action of a rule; `who` names the rule in errors about its decisions. */
  const actionOf = (
    who: (event: S['event']) => string,
    rule: (context: S['context'], event: S['event']) => Decision<S['context']>,
  ) => {
    const decide = (context: S['context'], event: S['event'], effects: Effect[]) =>
      changesIn(rule(context, event), effects, who, event)
    const action = kit.enqueueActions(({ context, event, enqueue }) => {
      const effects: Effect[] = []
      const changes = decide(context, event, effects)
      // XState calls a function that is given as the value of an assignment
      enqueue.assign(() => changes)
      for (const effect of effects) enqueue(effect)
    })
    rulings.set(action, { decide })
    return action
  }

  /** The action for events of `type`: applies the changes, then does the effects. */
  const rule = <T extends S['event']['type']>(
    type: T,
    decide: (context: S['context'], event: Of<T>) => Decision<S['context']>,
  ) =>
    actionOf(
      () => `the rule for '${type}' of machine ${listed(names)}`,
      (context, event) => {
        if (!is(event, type)) throw new Error(`a rule for '${type}' met an event '${event.type}'`)
        return decide(context, event)
      },
    )

  /** The action for entering a state or starting a machine, whatever the event. */
  const onEntry = (decide: (context: S['context']) => Decision<S['context']>) =>
    actionOf(
      ({ type }) => `the onEntry rule of machine ${listed(names)} at event '${type}'`,
      (context) => decide(context),
    )

  return { createMachine, rule, onEntry }
}

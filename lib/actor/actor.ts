/**
 * The API for actor authors.
 *
 * A machine is pure: a handler takes the context and an event, and returns the changes and a list of effects as data. The
 * cell that hosts the machine carries the effects out after the whole step has succeeded.
 */
import {
  type ActionFunction,
  type AnyStateMachine,
  type EmittedFrom,
  type EventFrom,
  type EventObject,
  enqueueActions,
  type InputFrom,
  type MachineConfig,
  type MachineContext,
  type MetaObject,
  type NonReducibleUnknown,
  type ParameterizedObject,
  StateMachine,
  type StateSchema,
  type StateValue,
} from 'xstate'
import type { Address } from '../core/address.ts'
import { isObject, type Message, type Plain } from '../core/data.ts'
import { listed } from '../core/format.ts'
import type { MessageTo, Ref } from '../core/ref.ts'
import { shown } from '../core/thrown.ts'
import type { Time, TimerKind } from '../core/time.ts'
import type { ChildChart } from './child-chart.ts'
import { changesIn, type Decision, type Known, type NoSuchEvent } from './decision.ts'
import {
  type Ask,
  type AskOutcome,
  type Computation,
  type ComputationOutcome,
  type Effect,
  type EnteredState,
  observe,
  persist,
  type Request,
  receiveTimeout,
  type Spawning,
  snapshot,
  type Timer,
  timer,
} from './effect.ts'
import { handOut, requireFields } from './frozen.ts'
import { requireDecide, requireNamed, requireOptions, requireTable } from './kit-check.ts'
import { NotAMachine, notBuilt } from './not-a-machine.ts'
import { retry } from './retry.ts'
import { request, sender } from './step-context.ts'

/** Sent to a machine that handles `joined` when an actor is spawned or restarted during the run. */
export type Joined = { readonly type: 'joined'; readonly address: Address }

/** Sent to a machine that handles `left` when an actor stops by itself. A death is not announced. */
export type Left = { readonly type: 'left'; readonly address: Address }

/** Sent to a machine when a computation that it asked for has ended by itself. */
export type Computed = {
  readonly type: 'computed'
  readonly id: string
  readonly outcome: ComputationOutcome
  /** The duration of the call by the clock, without the start of its thread. */
  readonly took: Time
}

/** Sent to a machine with the outcome of an ask. For an answer or a refusal, `from` of the delivery is who answered. */
export type Answered<Reply extends Message = Message> = {
  readonly type: 'answered'
  /** The id of the ask. */
  readonly id: string
  readonly outcome: AskOutcome<Reply>
}

/** A handler as engines see it, without the types of its context and events. */
export interface PureAction {
  /**
   * Returns the changes, and adds the effects to a list.
   *
   * @param params the parameters that a machine gives to a named action
   * @throws NotADecision and whatever the handler throws
   */
  decide(context: MachineContext, event: EventObject, effects: Effect[], params?: unknown): object
}

const pureActions = new WeakMap<object, PureAction>()

/** The handler behind an action that `handlers`, `onEntry` or `setup` made; undefined for any other action. */
export const pureActionOf = (action: object): PureAction | undefined => pureActions.get(action)

/** What the kit of a machine was made with. */
const declared = new WeakMap<object, ActorOptions>()

/** The child charts that a machine names. */
export const chartsOf = (machine: object): readonly ChildChart[] => declared.get(machine)?.charts ?? []

/** The type of message that a machine puts first in its mailbox; undefined if there is none. */
export const urgentOf = (machine: object): string | undefined => declared.get(machine)?.urgent

/** Options of an actor; `Type` are the types of its messages. */
export interface ActorOptions<Type extends string = string> {
  /** The child charts that the handlers run. */
  readonly charts?: readonly ChildChart[]
  /**
   * The type of message that goes first: the mailbox hands it out before all other mail that is due, also before earlier mail
   * of the same sender. With `reliable` it waits for that. The `start` line of a trace tells it.
   */
  readonly urgent?: Type
}

/** The types that an actor is made of. The last three may be left out: then any message, record or fact will do. */
export interface Shape {
  input: unknown
  context: MachineContext
  event: EventObject
  /** The messages that the actor sends back to its senders: `from` of a delivery takes these, and `ask` returns one. */
  reply?: Message
  /** The records that the actor persists. */
  record?: Plain
  /** The facts that the actor observes. */
  fact?: Message
}

/** A type of a shape that may be left out. */
type Stated<S extends Shape, Name extends 'reply' | 'record' | 'fact', Any> = S extends {
  readonly [K in Name]: infer Type extends Any
}
  ? Type
  : Any

/** The address that a handler answers to. It takes any message if the shape names no replies. */
export type SenderOf<S extends Shape> = S extends { reply: infer Reply extends Message } ? Ref<Reply> : Address

/** The effects as named actions of XState, with the types of their parameters. */
const EFFECTS = {
  tell: (_: unknown, _params: Extract<Effect, { type: 'tell' }>['params']) => {},
  ask: (_: unknown, _params: Ask) => {},
  answer: (_: unknown, _params: Extract<Effect, { type: 'answer' }>['params']) => {},
  refuse: (_: unknown, _params: Extract<Effect, { type: 'refuse' }>['params']) => {},
  defer: (_: unknown, _params: Extract<Effect, { type: 'defer' }>['params']) => {},
  receiveTimeout: (_: unknown, _params: Extract<Effect, { type: 'receiveTimeout' }>['params']) => {},
  timer: (_: unknown, _params: Timer) => {},
  compute: (_: unknown, _params: Computation) => {},
  cancel: (_: unknown, _params: { readonly id: string }) => {},
  observe: (_: unknown, _params: Message) => {},
  persist: (_: unknown, _params: Plain) => {},
  snapshot: (_: unknown, _params: Plain) => {},
  enter: (_: unknown, _params: EnteredState) => {},
  spawn: (_: unknown, _params: Spawning) => {},
  stop: (_: unknown, _params: { readonly address: Address }) => {},
  restart: (_: unknown, _params: { readonly address: Address }) => {},
  watch: (_: unknown, _params: { readonly address: Address; readonly delay: Time }) => {},
  unwatch: (_: unknown, _params: { readonly address: Address }) => {},
}

/** A machine does nothing about effects: its cell carries them out. */
const NOTHING = Object.fromEntries(Object.keys(EFFECTS).map((name) => [name, () => {}]))

type EffectAction = {
  [K in keyof typeof EFFECTS]: { type: K; params: Parameters<(typeof EFFECTS)[K]>[1] }
}[keyof typeof EFFECTS]

/** Whether an action of this name is an effect. */
export const isEffectName = (name: string): boolean => Object.hasOwn(EFFECTS, name)

/** The guards and actions, each with its parameters, and the delays that a machine may use by name. */
export interface Names {
  readonly guards: ParameterizedObject
  readonly actions: ParameterizedObject
  readonly delays: string
}

/** The names of a machine whose kit has no `setup`. */
type NoNames = { readonly guards: never; readonly actions: never; readonly delays: never }

/** The parameters of guards or actions by their names. */
type ParamsByName = { [name: string]: ParameterizedObject['params'] | undefined }

type Named<Params extends ParamsByName> = {
  [K in keyof Params & string]: { type: K; params: Params[K] }
}[keyof Params & string]

/** What a guard, and the function of a delay, is told. */
type Met<Context, Event> = { readonly context: Context; readonly event: Event }

/** The guards, actions and delays of a machine by their names, as XState's `setup` takes them. */
export interface Implementations<
  S extends Shape,
  Guards extends ParamsByName,
  Actions extends ParamsByName,
  Delays extends string,
> {
  /** Pure predicates. The second argument is the parameters that a transition gives. */
  readonly guards?: {
    readonly [K in keyof Guards]: (met: Met<S['context'], S['event']>, params: Guards[K]) => boolean
  }
  /** Pure functions that decide, as for `onEntry`. The second argument is the parameters that a state or transition gives. */
  readonly actions?: {
    readonly [K in keyof Actions]: (context: S['context'], params: Actions[K]) => Decision<S['context']>
  }
  /** The delays of `after`, >= 0. */
  readonly delays?: { readonly [K in Delays]: Time | ((met: Met<S['context'], S['event']>) => Time) }
}

/** The configuration of a machine, as XState's `createMachine` takes it. */
export type ActorConfig<S extends Shape, N extends Names = NoNames> = MachineConfig<
  S['context'],
  S['event'],
  never,
  EffectAction | N['actions'],
  N['guards'],
  N['delays'],
  string,
  S['input'],
  NonReducibleUnknown,
  EventObject,
  MetaObject,
  MetaObject
>

/**
 * The machine of an actor. Its type leaves out the states: to compare them would take a compiler a minute, for a module
 * whose machine is exported.
 */
export type ActorMachine<S extends Shape> = StateMachine<
  S['context'],
  S['event'],
  Record<string, never>,
  never,
  EffectAction,
  never,
  never,
  StateValue,
  string,
  S['input'],
  NonReducibleUnknown,
  Stated<S, 'reply', Message>,
  MetaObject,
  StateSchema
>

/** A module whose default export is the machine of an actor. */
export interface ActorModule {
  readonly default: AnyStateMachine
}

/** The input that `spawn` needs for the actor of a module. The runtime adds the records to it. */
export type InputOf<Module extends ActorModule> = InputFrom<Module['default']>

/** The events that can travel as messages; any message for a machine that does not name its events. */
type MessagesIn<Event> = [EventObject] extends [Event]
  ? Message
  : Event extends Message
    ? Event
    : { [K in keyof Event]: Event[K] } extends infer Fields extends Message // an interface is no Message, but its fields may be
      ? Fields
      : never

/** A reference to the actor of a module. */
export type RefOf<Module extends ActorModule> = Ref<
  MessagesIn<EventFrom<Module['default']>>,
  MessagesIn<EmittedFrom<Module['default']>>
>

/** What a handler is told about the event besides its contents. */
export interface Delivery<Sender extends Address = Address> {
  /** The sender: this actor itself for a timer, and `system` for news of the system. */
  readonly from: Sender
  /**
   * The request that the event makes, if its sender asked; else null. The first message that this step tells `from` answers
   * it; to answer later, or from another actor, keep the request for `answer` and `refuse`.
   */
  readonly request: Request<MessageTo<Sender>> | null
}

/** Handles an event: returns the changes of the context, then the effects in order. It is pure. */
export type Handler<Context, Event, Sender extends Address = Address> = (
  context: Context,
  event: Event,
  delivery: Delivery<Sender>,
) => Decision<Context>

/** The use of a guard or action by its name: only the name, or `{ type, params }` if it has parameters. */
type Use<Context, Event, One extends ParameterizedObject> = One extends unknown
  ? undefined extends One['params']
    ? One['type'] | { readonly type: One['type'] }
    : { readonly type: One['type']; readonly params: One['params'] | ((met: Met<Context, Event>) => One['params']) }
  : never

/** A transition of a statechart for one type of event. */
export interface Reaction<Context, Event, Sender extends Address = Address, N extends Names = NoNames> {
  /** Whether the transition can be taken, as a function or by its name in `setup`; without it, always. */
  readonly guard?: ((met: Met<Context, Event>) => boolean) | Use<Context, Event, N['guards']>
  /** The state to enter, as in XState: `done`, or `.inner` for a state within this one. */
  readonly target?: string
  /** Whether a state is left and entered again if the target lies within it. */
  readonly reenter?: boolean
  /** The handler, or several: each gets the context that the one before it left. An action of `setup` goes by its name. */
  readonly handle?: Handling<Context, Event, Sender, N> | readonly Handling<Context, Event, Sender, N>[]
}

/** A handler, or an action by its name. */
type Handling<Context, Event, Sender extends Address, N extends Names> =
  | Handler<Context, Event, Sender>
  | Use<Context, Event, N['actions']>

const isHandler = <Context, Event, Sender extends Address, N extends Names>(
  one: Handling<Context, Event, Sender, N>,
): one is Handler<Context, Event, Sender> => typeof one === 'function'

/** A handler, a transition, or only the target of one. */
type OneReaction<Context, Event, Sender extends Address = Address, N extends Names = NoNames> =
  | Handler<Context, Event, Sender>
  | Reaction<Context, Event, Sender, N>
  | string

/** What a state does about one type of event; of several reactions the first possible one is taken. */
export type Reactions<Context, Event, Sender extends Address = Address, N extends Names = NoNames> =
  | OneReaction<Context, Event, Sender, N>
  | readonly OneReaction<Context, Event, Sender, N>[]

/** The transitions as XState takes them. */
type Transition<Context, Event, N extends Names, Action> = Omit<Reaction<Context, Event, Address, N>, 'handle'> & {
  readonly actions?: Action | Action[]
}
type Transitions<Context, Event, N extends Names, Action> =
  | Transition<Context, Event, N, Action>
  | Transition<Context, Event, N, Action>[]

const keysOf = <T extends string>(table: { readonly [K in T]?: unknown }): T[] =>
  Object.keys(table).filter((key): key is T => Object.hasOwn(table, key))

const isConfig = (value: unknown): value is AnyStateMachine['config'] => isObject(value)

function machineOf(
  config: AnyStateMachine['config'],
  implementations: AnyStateMachine['implementations'],
): AnyStateMachine {
  try {
    return new StateMachine(config, implementations)
  } catch (error) {
    throw notBuilt(error, config.id ?? '(machine)', config)
  }
}

const isList = <T, L>(value: T | readonly L[]): value is readonly L[] => Array.isArray(value)

/** The events of a union whose type is, or may be, this one. */
type Of<Event, Type> = Event extends { readonly type: infer Types } ? (Type extends Types ? Event : never) : never

/** An action of XState that `handlers` or `onEntry` made. */
type ActorAction<S extends Shape> = ActionFunction<
  S['context'],
  S['event'],
  S['event'],
  undefined,
  never,
  EffectAction,
  never,
  never,
  EventObject
>

/** What the machine of an actor is written with, with the names that `setup` gave. */
export interface NamedKit<S extends Shape, N extends Names> {
  /** Makes the machine of an actor, as XState does. */
  readonly createMachine: (config: ActorConfig<S, N>) => ActorMachine<S>
  /** The transitions for events by their type, to be written as the `on` of a state or machine. */
  readonly handlers: <
    Table extends { readonly [K in S['event']['type']]?: Reactions<S['context'], Of<S['event'], K>, SenderOf<S>, N> },
  >(
    table: Table & {
      readonly [K in keyof Table]: K extends S['event']['type'] ? Known<S['context'], Table[K]> : NoSuchEvent<K>
    },
  ) => {
    [K in keyof Table & S['event']['type']]?: Transitions<
      S['context'],
      Of<S['event'], K>,
      N,
      ActorAction<S> | Use<S['context'], Of<S['event'], K>, N['actions']>
    >
  }
  /** The action for entering or leaving a state or starting a machine, whatever the event. */
  readonly onEntry: <Decide extends (context: S['context']) => Decision<S['context']>>(
    decide: Decide & Known<S['context'], Decide>,
  ) => ActorAction<S>
  /** Sets the timer `id`; its event, which is one of this actor's, comes back after `delay`. */
  readonly timer: (id: string, delay: Time, event: S['event'], kind?: TimerKind) => Effect
  /** Sets the timer of the next repetition, and returns the pause after it; null: nothing is ever repeated. */
  readonly retry: (id: string, pause: Time | null, event: S['event']) => readonly [next: Time | null, ...Effect[]]
  /** Brings `event`, which is one of this actor's, once it has received no message for `delay`; null ends this. */
  readonly receiveTimeout: {
    (delay: null): Effect
    (delay: Time, event: S['event']): Effect
  }
  /** Appends a record to the log of this address. A later incarnation gets all records in its input. */
  readonly persist: (record: Stated<S, 'record', Plain>) => Effect
  /** Replaces the log of this address by one record. A later incarnation gets it, and those that are persisted after it. */
  readonly snapshot: (record: Stated<S, 'record', Plain>) => Effect
  /** Reports a fact to the observers of the run. */
  readonly observe: (fact: Stated<S, 'fact', Message>) => Effect
}

/** What an actor is written with. Effects that an actor makes for itself know its types; `tell` knows those of a `Ref`. */
export interface Kit<S extends Shape> extends NamedKit<S, NoNames> {
  /**
   * Gives names to guards, actions and delays, as XState's `setup` does; returns the same kit for machines that use them.
   *
   * ```ts
   * const { createMachine, handlers } = actor<{ input: null; context: Context; event: Event }>().setup({
   *   guards: { atLeast: ({ context }, { n }: { n: number }) => context.count >= n },
   *   actions: { reset: () => [{ count: 0 }] },
   *   delays: { patience: units(5) },
   * })
   * ```
   *
   * @throws NotAMachine for an action with the name of an effect
   */
  readonly setup: <
    Guards extends ParamsByName = Record<never, never>,
    Actions extends ParamsByName = Record<never, never>,
    Delays extends string = never,
  >(
    named: Implementations<S, Guards, Actions, Delays>,
  ) => NamedKit<S, { guards: Named<Guards>; actions: Named<Actions>; delays: Delays }>
}

/** Guards, actions and delays as an engine meets them. */
interface AnyImplementations<Context, Event> {
  readonly guards?: { readonly [name: string]: (met: Met<Context, Event>, params: never) => boolean }
  readonly actions?: { readonly [name: string]: (context: Context, params: never) => Decision<Context> }
  readonly delays?: { readonly [name: string]: Time | ((met: Met<Context, Event>) => Time) }
}

/**
 * XState's `setup` with this runtime's effects, the two functions that make XState actions of pure functions
 * (`handlers` for the events of a state, and `onEntry`), and the effects `timer`, `receiveTimeout`, `persist`, `snapshot` and `observe` with the
 * types of this actor.
 *
 * ```ts
 * const { createMachine, handlers } = actor<{ input: Input; context: Context; event: Event }>()
 * export default createMachine({
 *   context: { count: 0 },
 *   on: handlers({
 *     ping: ({ count }, ping, { from }) => [{ count: count + 1 }, tell(from, { type: 'pong' })],
 *   }),
 * })
 * ```
 */
export function actor<S extends Shape>(options?: ActorOptions<S['event']['type']>): Kit<S>
// XState's types of a machine and of its configuration cannot be compared for every S
export function actor<S extends Shape>(options: ActorOptions = {}) {
  requireOptions(options)
  const setup = <N extends Names>(named: AnyImplementations<S['context'], S['event']>) => kitOf<S, N>(options, named)
  return { ...setup<NoNames>({}), setup }
}

function kitOf<S extends Shape, N extends Names>(
  options: ActorOptions,
  named: AnyImplementations<S['context'], S['event']>,
) {
  requireNamed(named)
  const { guards = {}, actions = {}, delays = {} } = named
  type Context = S['context']
  type Event = S['event']
  type Type = Event['type']
  /** The names of the machines that use these handlers; mostly one. */
  const names: string[] = []

  /** Makes an action of a pure function; `who` names it in errors about its decisions. */
  const actionOf = (
    who: (event: Event) => string,
    decision: (context: Context, event: Event, params: unknown) => Decision<Context>,
  ) => {
    const decide = (context: Context, event: Event, effects: Effect[], params: unknown) => {
      handOut(context) // an action before this one may have made it
      handOut(event)
      const changes = changesIn(decision(context, event, params), effects, who, event)
      requireFields(context, changes, who, event)
      return changes
    }
    type Params = NonReducibleUnknown
    const action = enqueueActions<Context, Event, Params, Event, never, EffectAction, never>((met, params) => {
      const { context, event, enqueue } = met
      const effects: Effect[] = []
      const changes = decide(context, event, effects, params)
      // XState calls a function that is given as the value of an assignment
      enqueue.assign(() => changes)
      for (const effect of effects) enqueue(effect)
    })
    pureActions.set(action, { decide })
    return action
  }

  const namedActions = Object.entries(actions).map(([name, decide]) => {
    if (isEffectName(name)) throw new NotAMachine(`setup: '${name}' is an effect: give the action another name`)
    const who = ({ type }: Event) => `the action '${name}' of machine ${listed(names)} at event '${type}'`
    return [name, actionOf(who, (context, _, params) => Reflect.apply(decide, undefined, [context, params]))] as const
  })
  const namedGuards = Object.entries(guards).map(([name, guard]) => {
    return [name, (...met: unknown[]): boolean => Reflect.apply(guard, undefined, met)] as const
  })
  const implementations: AnyStateMachine['implementations'] = {
    actions: { ...NOTHING, ...Object.fromEntries(namedActions) },
    actors: {},
    guards: Object.fromEntries(namedGuards),
    delays,
  }

  const createMachine = (config: unknown): AnyStateMachine => {
    if (!isConfig(config))
      throw new NotAMachine(`createMachine needs the configuration of a machine, an object, not ${shown(config)}`)
    const machine = machineOf(config, implementations)
    names.push(`'${machine.id}'`)
    declared.set(machine, options)
    return machine
  }

  const is = <T extends Type>(event: Event, type: T): event is Of<Event, T> => event.type === type

  const handled = <T extends Type>(type: T, handler: Handler<Context, Of<Event, T>>) =>
    actionOf(
      () => `the handler for '${type}' of machine ${listed(names)}`,
      (context, event) => {
        if (!is(event, type)) throw new Error(`a handler for '${type}' met an event '${event.type}'`)
        return handler(context, event, { from: sender(), request: request() })
      },
    )

  type Action<T extends Type> = ReturnType<typeof actionOf> | Use<Context, Of<Event, T>, N['actions']>
  const actionFor = <T extends Type>(type: T, one: Handling<Context, Of<Event, T>, Address, N>): Action<T> =>
    isHandler(one) ? handled(type, one) : one

  const transitionOf = <T extends Type>(
    type: T,
    reaction: OneReaction<Context, Of<Event, T>, Address, N>,
  ): Transition<Context, Of<Event, T>, N, Action<T>> => {
    if (typeof reaction === 'string') return { target: reaction }
    if (typeof reaction === 'function') return { actions: handled(type, reaction) }
    const { handle, ...transition } = reaction
    if (handle === undefined) return transition
    const all = isList(handle) ? handle : [handle]
    return { ...transition, actions: all.map((one) => actionFor(type, one)) }
  }

  const handlers = (table: { readonly [K in Type]?: Reactions<Context, Of<Event, K>, Address, N> }) => {
    requireTable(table)
    const on: { [K in Type]?: Transitions<Context, Of<Event, K>, N, Action<K>> } = {}
    for (const type of keysOf<Type>(table)) {
      const reactions: Reactions<Context, Of<Event, Type>, Address, N> | undefined = table[type]
      if (reactions === undefined) continue
      on[type] = isList(reactions) ? reactions.map((one) => transitionOf(type, one)) : transitionOf(type, reactions)
    }
    return on
  }

  const onEntry = (decide: (context: Context) => Decision<Context>) => {
    requireDecide(decide)
    return actionOf(
      ({ type }) => `the onEntry handler of machine ${listed(names)} at event '${type}'`,
      (context) => decide(context),
    )
  }

  return { createMachine, handlers, onEntry, timer, retry, receiveTimeout, persist, snapshot, observe }
}

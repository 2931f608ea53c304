/** What compiles, and what must not: `tsc` checks this file, and nothing runs it. */
import {
  type Address,
  type Answered,
  actor,
  answer,
  ask,
  type Effect,
  moduleUrl,
  observe,
  persist,
  pipe,
  type Ref,
  type Request,
  ref,
  refuse,
  spawn,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { AskOptions, System } from '../../lib/system.ts'

type Ping = { readonly type: 'ping'; readonly n: number }
type Stop = { readonly type: 'stop' }
type Pong = { readonly type: 'pong'; readonly n: number }

declare const plain: Address
declare const pong: Ref<Ping | Stop, Pong>
declare const group: Ref<Ping>

/** References. */
export function references(): readonly Effect[] {
  // a reference is an address, so all that takes addresses takes it
  const address: Address = pong
  // a reference to an actor that takes more messages may stand for one that takes fewer
  const fewer: Ref<Ping> = pong
  // @ts-expect-error a reference to an actor that takes fewer messages may not stand for one that takes more
  const more: Ref<Ping | Stop> = group
  // @ts-expect-error a plain string is no reference before `ref` has checked it
  const unchecked: Ref<Ping> = 'pong@there'
  // `ref` infers the messages from the place where its result goes
  const inferred: Ref<Ping> = ref('pong@there')
  // @ts-expect-error the type of a message must be a string
  ref<{ readonly type: 1 }>('pong@there')
  return [address, fewer, more, unchecked, inferred].map((to) => tell(to, { type: 'ping', n: 1 }))
}

/** `tell`. */
export const telling: readonly Effect[] = [
  // a reference takes its messages
  tell(pong, { type: 'ping', n: 1 }),
  tell(pong, { type: 'stop' }),
  tell(ref<Ping>('pong@there'), { type: 'ping', n: 1 }),
  // @ts-expect-error the type of the message is misspelled
  tell(pong, { type: 'pingg', n: 1 }),
  // @ts-expect-error a field has the wrong type
  tell(pong, { type: 'ping', n: '1' }),
  // @ts-expect-error a field is missing
  tell(pong, { type: 'ping' }),
  // @ts-expect-error the message has no such field
  tell(pong, { type: 'stop', n: 1 }),
  // @ts-expect-error another actor takes this message
  tell(group, { type: 'stop' }),
  // a plain address takes any message
  tell(plain, { type: 'anything', n: 1 }),
  tell('pong@there', { type: 'anything' }),
  // @ts-expect-error also a plain address takes only messages, which have a type
  tell(plain, { n: 1 }),
  // @ts-expect-error a function cannot travel
  tell(plain, { type: 'call', back: () => 1 }),
  // a reference may travel in a message
  tell(plain, { type: 'register', who: pong }),
  // one of two actors takes the messages that both take
  tell(Math.random() < 0.5 ? pong : group, { type: 'ping', n: 1 }),
  // @ts-expect-error one of two actors takes only messages that both take
  tell(Math.random() < 0.5 ? pong : group, { type: 'stop' }),
]

declare const request: Request<Pong>
declare const answered: Answered<Pong>

/** `ask` and its answers. */
export const asking: readonly Effect[] = [
  ask('one', pong, { type: 'ping', n: 1 }, { deadline: 1 }),
  // a plain address takes any message
  ask('one', plain, { type: 'anything' }, { deadline: 1 }),
  // @ts-expect-error the message is misspelled
  ask('one', pong, { type: 'pingg', n: 1 }, { deadline: 1 }),
  // @ts-expect-error an ask has a deadline
  ask('one', pong, { type: 'ping', n: 1 }),
  answer(request, { type: 'pong', n: 1 }),
  // @ts-expect-error the asker does not take this reply
  answer(request, { type: 'pang', n: 1 }),
  refuse(request, 'no time'),
  pipe(request, answered.outcome),
  // @ts-expect-error the outcome of an ask with other replies does not answer this request
  pipe(request, { reply: { type: 'pang', n: 1 } }),
  // a request may travel in a message
  tell(plain, { type: 'work', request }),
]

type Tick = { readonly type: 'tick'; readonly round: number }
type Book = { readonly is: 'served'; readonly n: number }
type Served = { readonly type: 'served'; readonly n: number }

/** The kit of an actor with all its types. */
const desk = actor<{
  input: { readonly first: number }
  context: { readonly served: number }
  event: Ping | Stop | Tick
  reply: Pong
  record: Book
  fact: Served
}>()

/** The kit of an actor with the three types that it must have. */
const loose = actor<{ input: null; context: { readonly served: number }; event: Ping | Tick }>()

/** Effects that an actor makes for itself. */
export const own: readonly Effect[] = [
  // the event of a timer is an event of the actor
  desk.timer('next', 1, { type: 'tick', round: 2 }),
  desk.timer('next', 1, { type: 'stop' }, 'arrival'),
  // @ts-expect-error the event of the timer is misspelled
  desk.timer('next', 1, { type: 'tik', round: 2 }),
  // @ts-expect-error the event of the timer lacks a field
  desk.timer('next', 1, { type: 'tick' }),
  // @ts-expect-error there is no such kind of timer
  desk.timer('next', 1, { type: 'stop' }, 'departure'),
  // @ts-expect-error also without replies, records and facts the actor has its events
  loose.timer('next', 1, { type: 'stop' }),
  // the event of a receive timeout is an event of the actor
  desk.receiveTimeout(5, { type: 'stop' }),
  desk.receiveTimeout(null),
  // @ts-expect-error the event of the receive timeout is misspelled
  desk.receiveTimeout(5, { type: 'stopp' }),
  // @ts-expect-error a receive timeout has an event
  desk.receiveTimeout(5),
  // a record is one of the actor's records
  desk.persist({ is: 'served', n: 1 }),
  // @ts-expect-error the record has a wrong field
  desk.persist({ is: 'served', m: 1 }),
  // an actor that names no records persists any data
  loose.persist([1, 'two', { three: 3 }]),
  // @ts-expect-error a record is plain data
  loose.persist(new Map()),
  // a fact is one of the actor's facts
  desk.observe({ type: 'served', n: 1 }),
  // @ts-expect-error the fact is misspelled
  desk.observe({ type: 'severd', n: 1 }),
  // an actor that names no facts observes any message
  loose.observe({ type: 'anything', n: 1 }),
  // the effects that no kit made take anything, for functions that serve several actors
  timer('next', 1, { type: 'anything' }),
  persist('anything'),
  observe({ type: 'anything' }),
]

/** Repetitions. */
export const repetitions = [
  // a repetition comes back as an event of the actor
  desk.retry('again', 1, { type: 'tick', round: 2 }),
  // @ts-expect-error the event of the repetition is misspelled
  desk.retry('again', 1, { type: 'tik', round: 2 }),
]

const stranger = { served: 1, severd: 1 }
const optional = actor<{ input: null; context: { readonly served: number; readonly rest?: number }; event: Stop }>()

/** Handlers. */
export const handling = [
  // a handler knows its event and what its sender takes, and it returns the fields that change
  desk.handlers({
    ping: ({ served }, { n }, { from }) => [{ served: served + n }, tell(from, { type: 'pong', n })],
    tick: [{ guard: ({ context, event }) => context.served > event.round, target: 'idle' }, () => [{}]],
  }),
  // @ts-expect-error the actor has no such event
  desk.handlers({ pong: () => [{}] }),
  // @ts-expect-error the sender of a message does not take this reply
  desk.handlers({ ping: (_, { n }, { from }) => [{}, tell(from, { type: 'pang', n })] }),
  // a request takes what its sender takes
  desk.handlers({ ping: (_, { n }, { request }) => [{}, ...(request ? [answer(request, { type: 'pong', n })] : [])] }),
  // @ts-expect-error the asker does not take this reply
  desk.handlers({ ping: (_, { n }, { request }) => [{}, ...(request ? [answer(request, { type: 'pang', n })] : [])] }),
  // @ts-expect-error an event may be no request
  desk.handlers({ ping: (_, { n }, { request }) => [{}, answer(request, { type: 'pong', n })] }),
  // a sender takes any message if the shape names no replies
  loose.handlers({ ping: (_, { n }, { from }) => [{}, tell(from, { type: 'pang', n })] }),
  // @ts-expect-error the context has no such field
  desk.handlers({ stop: ({ severd }) => [{ served: severd }] }),
  // @ts-expect-error the changes have the wrong type
  desk.handlers({ stop: () => [{ served: 'all' }] }),
  // @ts-expect-error the changes have a field that the context does not have
  desk.handlers({ stop: ({ served }) => [{ served, severd: 1 }] }),
  // @ts-expect-error so have those of one of two decisions
  desk.handlers({ ping: ({ served }, { n }) => (n > 1 ? [{}] : [{ served, severd: n }]) }),
  // @ts-expect-error so have those of the handler of a transition
  desk.handlers({ stop: { target: 'idle', handle: ({ served }) => [{ served, severd: 1 }] } }),
  // @ts-expect-error so have those of one of several
  desk.handlers({ stop: [{ handle: ({ served }) => [{ served, severd: 1 }] }, () => [{}]] }),
  // @ts-expect-error so have those of an object that was made before
  desk.handlers({ stop: () => [stranger] }),
  // @ts-expect-error so have those of an entry
  desk.onEntry(({ served }) => [{ served, severd: 1 }]),
  // a field that the context may have can be added
  optional.handlers({ stop: ({ served }) => [{ served, rest: 1 }] }),
  // @ts-expect-error a handler returns the changes first
  desk.handlers({ stop: () => tell('pong@there', { type: 'ping' }) }),
  // @ts-expect-error an event of this type has no such field
  desk.handlers({ stop: (_, { n }) => [{ served: n }] }),
  // @ts-expect-error the guard reads a field that its event does not have
  desk.handlers({ stop: { guard: ({ event }) => event.n > 1, target: 'idle' } }),
  // @ts-expect-error an entry has no event
  desk.onEntry((_, { n }: Ping) => [{ served: n }]),
]

/** Machines. */
export const machine = desk.createMachine({
  // the input is known where the context is made
  context: ({ input }) => ({ served: input.first }),
  on: desk.handlers({ stop: () => [{ served: 0 }] }),
})

export const unknownInput = desk.createMachine({
  // @ts-expect-error the input has no such field
  context: ({ input }) => ({ served: input.last }),
})

// @ts-expect-error a machine of this kit needs a context
export const withoutContext = desk.createMachine({ on: desk.handlers({ stop: () => [{}] }) })

export const otherEvent = desk.createMachine({
  context: { served: 0 },
  // @ts-expect-error the actor has no such event
  on: { pong: {} },
})

interface Raise {
  readonly type: 'raise'
  readonly by: number
}
const counter = actor<{ input: null; context: { readonly n: number }; event: Raise }>()

type Desk = { readonly default: typeof machine }
type Counter = { readonly default: ReturnType<typeof counter.createMachine> }
const wait: AskOptions = { deadline: 1 }

/** A system, called with the types of modules and without. */
export async function running(system: System): Promise<void> {
  // `spawn` with the type of a module gives a reference to its actor
  const desks = await system.spawn<Desk>('desk@m1', 'desk.ts', { first: 1 }, { restart: 'permanent' })
  await system.tell(desks, { type: 'tick', round: 1 })
  // @ts-expect-error the input has no such field
  await system.spawn<Desk>('desk@m1', 'desk.ts', { last: 1 })
  // @ts-expect-error the actor needs an input
  await system.spawn<Desk>('desk@m1', 'desk.ts')
  // @ts-expect-error there is no such option
  await system.spawn<Desk>('desk@m1', 'desk.ts', { first: 1 }, { restarts: 3 })
  // @ts-expect-error the module exports no machine
  await system.spawn<{ readonly default: number }>('desk@m1', 'desk.ts')
  // an actor whose input is null is spawned without one; its events may be interfaces
  const counting = await system.spawn<Counter>('counter@m1', new URL('counter.ts', 'file:///'))
  await system.tell(counting, { type: 'raise', by: 1 })
  // @ts-expect-error the message is misspelled
  await system.tell(counting, { type: 'rise', by: 1 })
  // the type of a module can be had from its file
  const echo = await system.spawn<typeof import('../fixtures/actors/echo.ts')>('echo@m1', 'echo.ts')
  // @ts-expect-error the actor of that file takes no such message
  await system.tell(echo, { type: 'nothing' })
  // a URL may know the type of its module
  const typed = await system.spawn('counter@m2', moduleUrl<Counter>(new URL('counter.ts', 'file:///')))
  await system.tell(typed, { type: 'raise', by: 1 })
  // @ts-expect-error the message is misspelled
  await system.tell(typed, { type: 'rise', by: 1 })
  await system.spawn('desk@m3', moduleUrl<Desk>(new URL('desk.ts', 'file:///')), { first: 1 })
  // @ts-expect-error the input has no such field
  await system.spawn('desk@m3', moduleUrl<Desk>(new URL('desk.ts', 'file:///')), { last: 1 })
  // @ts-expect-error the actor needs an input
  spawn('desk.1@m1', moduleUrl<Desk>(new URL('desk.ts', 'file:///')))
  // without the type of a module, `spawn` takes any input
  await system.spawn('desk@m2', 'desk.ts', { anything: 1 })

  // `ask` knows what a reference answers
  const { n }: Pong = await system.ask(desks, { type: 'ping', n: 1 }, wait)
  const answer = await system.ask(ref<Ping, Pong>('desk@m1'), { type: 'ping', n }, wait)
  // @ts-expect-error the answer has no such field
  await system.tell(desks, { type: 'ping', n: answer.m })
  // @ts-expect-error the question is misspelled
  await system.ask(desks, { type: 'pong', n: 1 }, wait)
  // an actor that names no replies answers with any message
  const { text } = await system.ask(counting, { type: 'raise', by: 1 }, wait)
  // a plain address takes any question, and answers with any message
  const { type } = await system.ask('desk@m2', { type: 'anything', text }, wait)
  await system.tell('desk@m2', { type })
}

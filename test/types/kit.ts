/** What compiles, and what must not, in groups, child charts and the other parts of the kit: `tsc` checks this file. */
import {
  type Address,
  actor,
  answered,
  asked,
  childChart,
  type Delivery,
  type Effect,
  eventSourced,
  type FailureDetector,
  type Gathering,
  heardOf,
  idleDetector,
  type Ref,
  ref,
  retry,
  type Turn,
  tell,
  turn,
} from '../../lib/actor.ts'

type Ask = { readonly type: 'ask'; readonly round: number }
type Answer = { readonly type: 'answer'; readonly round: number; readonly price: number }

declare const sellers: Ref<Ask, Answer>
declare const plain: Address

/** Groups. */
export const groups: readonly Effect[] = [
  // the reference of a group takes the messages of its members
  tell(ref<Ask>('seller@*'), { type: 'ask', round: 1 }),
  // @ts-expect-error no member of the group takes this message
  tell(ref<Ask>('seller@*'), { type: 'answer', round: 1 }),
  // @ts-expect-error a message to a group has its fields checked
  tell(sellers, { type: 'ask', round: 1, price: 2 }),
]

type Context = { readonly sold: number; readonly buyer: Ref<Answer> | null }
const desk = actor<{ input: null; context: Context; event: Ask | { type: 'close' } }>()

/** References in messages and contexts. */
export const kept = desk.handlers({
  // a reference of the context takes its messages
  close: ({ buyer }) => [{}, ...(buyer === null ? [] : [tell(buyer, { type: 'answer', round: 1, price: 2 })])],
  // @ts-expect-error a sender whose messages nobody names is no reference to keep
  ask: (_, __, { from }) => [{ buyer: from }],
})

/** Turns. */
export const turns = [
  // a turn assigns fields of the context, and knows its event
  turn((it: Turn<Context>, { round }: Ask, { from }: Delivery) => {
    it.context.sold += round
    it.do(tell(from, { type: 'answer', round, price: 1 }))
  }),
  // @ts-expect-error the context has no such field
  turn((it: Turn<Context>) => void it.context.seld),
  turn((it: Turn<Context>) => {
    // @ts-expect-error a field of the context has another type
    it.context.sold = 'all'
  }),
  // @ts-expect-error a turn does effects only
  turn((it: Turn<Context>) => it.do({ type: 'answer' })),
  // @ts-expect-error the turn is written for another context
  desk.handlers({ close: turn((it: Turn<{ readonly lost: number }>) => void it.context.lost) }),
  // @ts-expect-error the turn is written for another event
  desk.handlers({ close: turn((it: Turn<Context>, { round }: Ask) => it.do(tell(plain, { type: 'ask', round }))) }),
]

const lots = actor<{
  input: { readonly reserve: number }
  context: { readonly best: number }
  event: { type: 'close' }
}>()
const lot = childChart(
  lots.createMachine({
    id: 'lot',
    context: ({ input }) => ({ best: input.reserve }),
    initial: 'open',
    states: { open: {} },
  }),
)

/** Child charts. */
export function conversations(): readonly unknown[] {
  const [child] = lot.start(1, { reserve: 2 })
  // @ts-expect-error the conversation has no such field
  const misread = child.context.bets
  return [
    misread,
    lot.send(child, { type: 'close' }),
    // @ts-expect-error the input of the chart has no such field
    lot.start(1, { reserved: 2 }),
    // @ts-expect-error the key of a conversation is a text or a number
    lot.start({ lot: 1 }, { reserve: 2 }),
    // @ts-expect-error the chart has no such event
    lot.send(child, { type: 'closed' }),
    // @ts-expect-error this is no conversation of the chart
    lot.send({ key: 1, state: 'open', context: { worst: 1 } }, { type: 'close' }),
    // @ts-expect-error an actor names its charts, not their machines
    actor<{ input: null; context: Context; event: Ask }>({ charts: [lot.machine] }),
  ]
}

/** Requests to several actors. */
export const gathered: readonly Gathering<Answer>[] = [
  answered(asked(1, [sellers]), sellers, { type: 'answer', round: 1, price: 2 }),
  // @ts-expect-error this is no answer to the request
  answered(asked<Answer>(1, [sellers]), sellers, { type: 'answer', round: 1 }),
  // @ts-expect-error the number of a request is a number
  asked('first', [sellers]),
]

/** Failure detectors. */
export const detectors: readonly FailureDetector<Address>[] = [
  heardOf(idleDetector<Address>(), plain),
  // @ts-expect-error the members of this detector are addresses
  heardOf(idleDetector<Address>(), 1),
]

/** Repetitions. */
export const repetitions = [
  retry('again', 1, { type: 'ask', round: 1 }),
  // @ts-expect-error the event of a repetition is a message, which has a type
  retry('again', 1, { round: 1 }),
  // @ts-expect-error a pause is a time, or null for none
  retry('again', 'soon', { type: 'ask', round: 1 }),
]

type Sale = { readonly is: 'sale'; readonly price: number }
const book = eventSourced<{ readonly sum: number }, Sale>({
  empty: { sum: 0 },
  apply: ({ sum }, { price }) => ({ sum: sum + price }),
})

/** Event-sourced states. */
export const sums = [
  book.enter(book.recover([{ is: 'sale', price: 1 }]), { is: 'sale', price: 2 }, true),
  // @ts-expect-error this is no entry of the book
  book.enter({ sum: 0 }, { is: 'sale', prize: 2 }, true),
  // @ts-expect-error the records are entries of the book
  book.recover([{ is: 'purchase', price: 1 }]),
  // @ts-expect-error an entry changes the state to one of the same type
  eventSourced<{ readonly sum: number }, Sale>({ empty: { sum: 0 }, apply: () => ({ sum: 'much' }) }),
]

/** What compiles, and what must not: `tsc` checks this file, and nothing runs it. */
import { type Address, type Effect, type Ref, ref, tell } from '../../lib/actor.ts'

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

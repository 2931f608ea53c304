/** References: addresses that know which messages their actors take, and what these answer. */
import { type Address, faultOfAddress, isGroup, roleOf } from './address.ts'
import type { Message } from './data.ts'
import { BourseError } from './error.ts'
import { quoted } from './format.ts'

/** The types of a reference; nothing of this name exists at run time. */
declare const MESSAGES: unique symbol

/**
 * The address of an actor, or of a group, that takes the messages `Taken` and sends messages of `Reply` to whoever sends
 * them. At run time it is only the address, so it may travel in messages and be stored in a context.
 *
 * A reference to an actor that takes more messages may stand for one that takes fewer.
 */
export type Ref<Taken extends Message = Message, Reply extends Message = Message> = Address & {
  readonly [MESSAGES]: (message: Taken) => Reply
}

/** The messages that may be sent to an address: those that a reference names, and any message to a plain address. */
export type MessageTo<To extends Address> = [To] extends [Ref<infer Taken>] ? Taken : Message

/** The messages that an actor at this address answers with. */
export type ReplyOf<To extends Address> = [To] extends [Ref<never, infer Reply>] ? Reply : Message

/**
 * Makes a reference of an address.
 *
 * ```ts
 * const pong = ref<{ type: 'ping'; n: number }>('pong@there')
 * ```
 *
 * @throws BourseError for a text that is not the address of an actor or of a group
 */
export function ref<Taken extends Message = Message, Reply extends Message = Message>(
  address: Address,
): Ref<Taken, Reply> {
  if (isRef<Taken, Reply>(address)) return address
  throw new BourseError('BOURSE_ADDRESS', `the address ${quoted(address)} ${faultOf(address)}`)
}

const isRef = <Taken extends Message, Reply extends Message>(address: Address): address is Ref<Taken, Reply> =>
  sound.has(address) || isSound(address)

/** Addresses that are known to be sound, since actors make the same references again and again. */
const sound = new Set<Address>()
const SOUND_MAX = 1000

function isSound(address: Address): boolean {
  if (faultOf(address) !== undefined) return false
  if (sound.size === SOUND_MAX) sound.clear()
  sound.add(address)
  return true
}

const faultOf = (address: Address): string | undefined =>
  faultOfAddress(isGroup(address) ? `${roleOf(address).replace(/\.\*$/, '.any')}@any` : address)

/** Mail from one host to others: at most once and in order per pair; mail that does not arrive is reported as lost. */
import { LOST_NO_HOST, LOST_TOO_LONG, LOST_UNHEARD, UNHEARD_MAX } from '../../memory/envelope.ts'
import type { NodeChannel } from '../wire/node-channel.ts'
import type { Frames } from '../wire/protocol.ts'
import { AtMostOnceReceiver, type Gap, UnacknowledgedWindow } from '../wire/sequence.ts'
import type { Before } from '../wire/version-vector.ts'
import { lostOf, type WireEnvelope } from '../wire/wire-envelope.ts'

/** The number of frames after which the sender is told without waiting for the heartbeat. */
const FRAMES_PER_TALLY = 64

/** The most frames that are kept until their nodes are known. */
const EARLY_MAX = 256

interface SentFrame {
  readonly frame: Uint8Array
  /** The number of messages in the frame. */
  readonly count: number
}

interface PeerState {
  readonly sent: UnacknowledgedWindow<SentFrame>
  readonly heard: AtMostOnceReceiver
  /** The number of messages in `sent`. */
  unheard: number
  /** The number of frames since the last tally. */
  untold: number
}

export type MailLine = Pick<NodeChannel, 'packing' | 'limit' | 'publish' | 'tally'>

/** A frame of mail, and the node that sent it. */
export type Arrived = Frames['mail'] & { readonly from: number }

export class HostMail {
  readonly #line: MailLine
  readonly #peers = new Map<number, PeerState>()
  readonly #gone = new Set<number>()
  /** Frames of unknown nodes: mail of a new node may come before the note that it has joined. */
  readonly #early: Arrived[] = []

  constructor(line: MailLine) {
    this.#line = line
  }

  /** Adds a node; returns its frames that came before it was known. */
  meet(node: number): readonly Arrived[] {
    if (this.#gone.has(node) || this.#peers.has(node)) return []
    this.#peers.set(node, {
      sent: new UnacknowledgedWindow<SentFrame>(),
      heard: new AtMostOnceReceiver(),
      unheard: 0,
      untold: 0,
    })
    const early = this.#early.splice(0)
    this.#early.push(...early.filter(({ from }) => from !== node))
    return early.filter(({ from }) => from === node)
  }

  /** Forgets a node that is gone. It is unknown whether its actors had handled the mail that it did not acknowledge. */
  leave(node: number): void {
    this.#peers.delete(node)
    this.#gone.add(node)
  }

  /** The number of frames sent to all present nodes, and of frames from them that were received or are known to be lost. */
  get counts(): { readonly sent: number; readonly heard: number } {
    let [sent, heard] = [0, 0]
    for (const peer of this.#peers.values()) {
      sent += peer.sent.last
      heard += peer.heard.last
    }
    return { sent, heard }
  }

  /** Sends envelopes to one actor; `before` is their causal past. Returns those that cannot be sent, with the reason. */
  send(to: number, slot: number, parcels: readonly WireEnvelope[], before: Before): readonly WireEnvelope[] {
    const peer = this.#peers.get(to)
    if (!peer) return parcels.map((one) => lostOf(one, LOST_NO_HOST))
    if (peer.unheard + parcels.length > UNHEARD_MAX) return parcels.map((one) => lostOf(one, LOST_UNHEARD))
    const { packing, limit } = this.#line
    const n = peer.sent.last + 1
    const frame = packing.pack({ n, before, parcels })
    if (frame.length > limit) {
      if (parcels.length === 1) return parcels.map((one) => lostOf(one, LOST_TOO_LONG))
      const half = Math.ceil(parcels.length / 2)
      const halves = [parcels.slice(0, half), parcels.slice(half)]
      return halves.flatMap((some) => this.send(to, slot, some, before))
    }
    peer.sent.push({ frame, count: parcels.length })
    peer.unheard += parcels.length
    this.#line.publish(to, slot, frame)
    return []
  }

  /** Accepts a frame, and returns the gap before it; undefined for a duplicate, or for a frame of a node that is not in the run. */
  hear(frame: Arrived): { readonly lost: Gap | undefined } | undefined {
    const peer = this.#peers.get(frame.from)
    if (!peer) {
      // frames beyond the limit count as lost if the node joins
      if (!this.#gone.has(frame.from) && this.#early.length < EARLY_MAX) this.#early.push(frame)
      return undefined
    }
    const { isNew, lost } = peer.heard.hear(frame.n)
    if (++peer.untold >= FRAMES_PER_TALLY) this.#tell(frame.from, peer)
    return isNew ? { lost } : undefined
  }

  /**
   * Takes the tally of a peer, which says how much it has sent and received, and returns what was lost.
   *
   * @throws StreamError if the peer claims to have received more than was sent
   */
  tally(from: number, { sent, heard }: Frames['tally']): Gap | undefined {
    const peer = this.#peers.get(from)
    for (const { count } of peer?.sent.acknowledge(heard) ?? []) if (peer) peer.unheard -= count
    return peer?.heard.upTo(sent)
  }

  /** Takes the mail that did not arrive at a node. */
  take(to: number, gap: Gap): readonly WireEnvelope[] {
    const peer = this.#peers.get(to)
    const taken = peer?.sent.take(gap) ?? []
    for (const { count } of taken) if (peer) peer.unheard -= count
    return taken.flatMap(({ frame }) => this.#line.packing.read('mail', frame)?.parcels ?? [])
  }

  /** Sends a tally to every peer. */
  beat(): void {
    for (const [node, peer] of this.#peers) this.#tell(node, peer)
  }

  #tell(node: number, peer: PeerState): void {
    peer.untold = 0
    this.#line.tally(node, peer.sent.last, peer.heard.last)
  }
}

/**
 * Who of the hosts of a run is there, by the beats of a clock of one's own since each was heard of, and how long a host
 * may take itself for one. No messages and no clock here.
 */

/** Between two beats, in milliseconds. */
export const BEAT_MS = 1000
/** Who was not heard of for longer is doubted, */
export const SUSPECT_MS = 3 * BEAT_MS
/** and then taken for dead: somebody else gets his actors. */
export const DEAD_MS = 5 * BEAT_MS
/** A host that could not renew its lease for so long ends its actors: before anybody else may have them. */
export const LEASE_MS = 4 * BEAT_MS
/** A host that heard nothing of its run for so long lets go of it. A run may be busy: nobody else wants what it has. */
export const ALONE_MS = 3 * DEAD_MS

export type Standing = 'here' | 'suspect' | 'dead'

/** What `silentMs` of silence say. */
export const standingAfter = (silentMs: number): Standing => {
  if (silentMs >= DEAD_MS) return 'dead'
  return silentMs >= SUSPECT_MS ? 'suspect' : 'here'
}

/**
 * The right to have the actors of a run: an entry that is renewed each beat, by the revision it had. Whoever takes the
 * entry away makes the next renewal fail. The revision of the first is the holder's epoch: what a later one of the same
 * name sends is told by it from what an earlier one sent.
 */
export class Lease {
  readonly epoch: number
  revision: number
  /** When the last renewal that succeeded was sent, in milliseconds of a clock that never goes back. */
  #since: number
  #lost = false

  constructor(revision: number, sentAt: number) {
    this.epoch = revision
    this.revision = revision
    this.#since = sentAt
  }

  /** A renewal sent at `sentAt` has succeeded. */
  renewed(revision: number, sentAt: number): void {
    this.revision = revision
    this.#since = sentAt
  }

  /** Another has the entry, or nobody. */
  lose(): void {
    this.#lost = true
  }

  /** When it runs out unless it is renewed. */
  get expires(): number {
    return this.#since + LEASE_MS
  }

  isHeld(now: number): boolean {
    return !this.#lost && now < this.expires
  }
}

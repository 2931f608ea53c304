/**
 * The failure detector of the hosts of a run: how long a host may be silent before it is suspected and declared dead, and how
 * long a host may rely on its lease. No messages and no clock here.
 */

/** Milliseconds between two heartbeats. */
export const HEARTBEAT_MS = 1000
/** A host that was silent for longer is suspected. */
export const SUSPECT_MS = 3 * HEARTBEAT_MS
/** A host that was silent for longer is declared dead, and other hosts get its actors. */
export const DEAD_MS = 5 * HEARTBEAT_MS
/** A host that could not renew its lease for this long ends its actors, before another host may start them. */
export const LEASE_MS = 4 * HEARTBEAT_MS
/** A host that heard nothing of its run for this long leaves it. The time is long, because a run may be busy. */
export const ALONE_MS = 3 * DEAD_MS

export type Liveness = 'here' | 'suspect' | 'dead'

/** The state of a host after `silentMs` of silence. */
export const livenessAfter = (silentMs: number): Liveness => {
  if (silentMs >= DEAD_MS) return 'dead'
  return silentMs >= SUSPECT_MS ? 'suspect' : 'here'
}

/**
 * The right to have actors of a run: an entry that is renewed at each heartbeat, by its last revision. Removing the entry makes
 * the next renewal fail. The first revision is the holder's epoch, which distinguishes it from earlier holders of the same name.
 */
export class Lease {
  readonly epoch: number
  revision: number
  /** The send time of the last successful renewal, in milliseconds of a monotonic clock. */
  #since: number
  #isLost = false

  constructor(revision: number, sentAt: number) {
    this.epoch = revision
    this.revision = revision
    this.#since = sentAt
  }

  /** Notes that the renewal sent at `sentAt` has succeeded. */
  renewed(revision: number, sentAt: number): void {
    this.revision = revision
    this.#since = sentAt
  }

  /** Notes that the lease is lost: its entry belongs to another host, or was removed. */
  lose(): void {
    this.#isLost = true
  }

  /** Whether another host holds the entry of the lease, or it was removed. A lease that merely expires is not lost. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** The time when the lease expires unless it is renewed. */
  get expires(): number {
    return this.#since + LEASE_MS
  }

  isHeld(now: number): boolean {
    return !this.#isLost && now < this.expires
  }
}

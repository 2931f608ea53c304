/** Renews the lease of a host on a run while the server answers; only the holder may have actors of the run. */
import { setTimeout as pause } from 'node:timers/promises'
import { Lease } from '../failure-detector.ts'
import { Leases } from '../leases.ts'

/** The pause between a renewal without an answer and the next one. */
const AGAIN_MS = 100

export class LeaseKeeper {
  readonly #leases: Leases
  readonly #key: string
  /** The unique name of the holder. */
  readonly #holder: string
  readonly #lease: Lease
  #isRenewing = false
  #expiry: NodeJS.Timeout | undefined
  #look = (): void => {}

  private constructor(leases: Leases, key: string, holder: string, lease: Lease) {
    this.#leases = leases
    this.#key = key
    this.#holder = holder
    this.#lease = lease
  }

  /** Takes the lease. @throws if a host of that name holds it */
  static async begin(leases: Leases, run: string, host: string, holder: string): Promise<LeaseKeeper> {
    const key = Leases.keyOf(run, host)
    const sentAt = performance.now()
    return new LeaseKeeper(leases, key, holder, new Lease(await leases.take(key, holder), sentAt))
  }

  /** The node of the holder in the run; no other holder ever has this number. */
  get epoch(): number {
    return this.#lease.epoch
  }

  /** Calls `onOver` when the lease has expired or belongs to another holder. */
  watch(onOver: (why: string) => void): void {
    const look = (): void => {
      clearTimeout(this.#expiry)
      const now = performance.now()
      if (this.#lease.isHeld(now)) this.#expiry = setTimeout(look, Math.max(1, this.#lease.expires - now))
      else onOver(this.#lease.isLost ? 'its lease was taken away' : 'its lease could not be renewed')
    }
    this.#look = look
    look()
  }

  get isHeld(): boolean {
    return this.#lease.isHeld(performance.now())
  }

  /** Renews the lease; without an answer it tries again until the lease runs out. */
  async renew(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    for (let isAnswered = false; !isAnswered && this.isHeld; ) {
      const sentAt = performance.now()
      try {
        const revision = await this.#leases.renew(this.#key, this.#holder, this.#lease.revision)
        isAnswered = true
        if (revision === undefined) {
          this.#lease.lose()
          this.#look()
        } else this.#lease.renewed(revision, sentAt)
      } catch {
        await pause(AGAIN_MS)
      }
    }
    this.#isRenewing = false
  }

  /** Gives the lease back, so that the next host may have it. */
  async end(): Promise<void> {
    clearTimeout(this.#expiry)
    if (!this.isHeld) return
    this.#lease.lose()
    await this.#leases.end(this.#key).catch(() => {}) // then it runs out
  }
}

/** The lives of jobs, folded from facts: their times of running and sleeping, and the service of each burst. */
import { type Address, type Message, roleOf, type Time } from '../../../lib/actor.ts'

/** A burst: from waking, or from the end of the previous burst if the job does not sleep, to the end of the work. */
interface Burst {
  readonly woke: Time
  /** When the job first had the processor. */
  readonly began: Time
  readonly ended: Time
}

interface Lived {
  readonly ran: Time
  readonly slept: Time
  readonly bursts: readonly Burst[]
}

interface Living {
  ran: Time
  slept: Time
  asleepSince: Time | null
  woke: Time
  /** When the job first had the processor in this burst; null if it has not. */
  began: Time | null
  readonly bursts: Burst[]
}

export class Lives {
  readonly #run: Time
  readonly #lives = new Map<string, Living>()

  /** `run`: the work of every burst. */
  constructor(run: Time) {
    this.#run = run
  }

  fold(fact: Message, who: Address, at: Time): void {
    const { type, job, used } = fact
    if (roleOf(who) !== 'processor' || typeof job !== 'string') return
    const life = this.#of(job, at)
    if (type === 'joined' && life.asleepSince !== null) {
      life.slept += at - life.asleepSince
      life.asleepSince = null
      life.woke = at
    } else if (type === 'left' && fact['why'] === 'asleep') life.asleepSince = at
    else if (type === 'ran' && typeof used === 'number') this.#ran(life, used, at)
  }

  #ran(life: Living, used: Time, at: Time): void {
    const { woke, bursts, began } = life
    life.began = began ?? at - used
    life.ran += used
    if (life.ran < (bursts.length + 1) * this.#run) return
    bursts.push({ woke, began: life.began, ended: at })
    life.woke = at
    life.began = null
  }

  #of(job: string, at: Time): Living {
    const known = this.#lives.get(job)
    if (known) return known
    const life: Living = { ran: 0, slept: 0, asleepSince: null, woke: at, began: null, bursts: [] }
    this.#lives.set(job, life)
    return life
  }

  /** The life of a job until now. @throws if there never was such a job */
  of(job: string, now: Time): Lived {
    const life = this.#lives.get(job)
    if (!life) throw new Error(`there was no ${job}`)
    const { ran, slept, asleepSince, bursts } = life
    return { ran, slept: slept + (asleepSince === null ? 0 : now - asleepSince), bursts }
  }
}

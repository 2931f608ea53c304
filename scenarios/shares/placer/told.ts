/** What users were told of the jobs that they asked a placer to run. */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../../lib/actor.ts'

export interface Told {
  /** The machine where it is or was; null: it was refused. */
  readonly machine: string | null
  /** How it ended, why it was refused, or that it is missing; null while it runs. */
  readonly end: string | null
  readonly at: Time
}

/** The last that users were told of each job. */
export class Answers {
  readonly all = new Map<string, Told>()

  fold(fact: Message, who: Address, at: Time): void {
    const { type, job, processor, processors, reason, why } = fact
    if (roleOf(who) !== 'user' || typeof job !== 'string') return
    const known = this.all.get(job)
    // a job is placed once: what says so after its end is a late copy
    if (type === 'placed' && known?.end === 'done') return
    const machine = Array.isArray(processors) ? machineOf(String(processors[0])) : (known?.machine ?? null)
    if (type === 'placed') this.all.set(job, { machine, end: null, at })
    else if (type === 'found') this.all.set(job, { machine: machineOf(String(processor)), end: null, at })
    else if (type === 'refused' || type === 'exited' || type === 'missing')
      this.all.set(job, { machine, end: String(reason ?? why ?? type), at })
  }
}

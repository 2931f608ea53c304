/** The threads of runtime `threads`: one for each living actor. */

import { BourseError } from '../core/error.ts'
import { errorOf } from '../core/thrown.ts'
import { bundle } from './bundle.ts'
import type { SpawnSpec } from './runtime.ts'
import { Threads } from './threads.ts'

/** The default heap limit of an actor, in MB. Below 2 GB V8 begins with smaller spaces, which saves a tenth for an idle actor. */
const HEAP_MB = 2000
/** Threads that start at the same time; more only delay each other. */
const STARTING_MAX = 4

export class ActorThreads extends Threads {
  #starting: Promise<void>[] = []

  async start(spec: SpawnSpec): Promise<string> {
    const script = await bundle(spec.module)
    while (this.#starting.length >= STARTING_MAX) await Promise.race(this.#starting)
    if (this.isStopping) throw new BourseError('BOURSE_STOPPED', 'the system has stopped')
    const starting = this.#launch(script, spec)
    const settled = starting
      .then(() => {})
      .catch(() => {})
      .finally(() => {
        this.#starting = this.#starting.filter((other) => other !== settled)
      })
    this.#starting.push(settled)
    return starting
  }

  #launch(script: string, spec: SpawnSpec): Promise<string> {
    const { slot, incarnation, address, resourceLimits } = spec
    return new Promise((resolve, reject) => {
      const thread = this.open(slot, {
        script,
        name: address,
        data: spec,
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, ...resourceLimits },
        onMessage: (engine) => {
          hasLoaded()
          thread.seats.set(slot, incarnation)
          resolve(String(engine))
        },
        onEnd: (why) => {
          hasLoaded()
          reject(errorOf(why))
        },
      })
      const hasLoaded = this.expectLoading(thread, address)
    })
  }

  async kill(slot: number): Promise<void> {
    const thread = this.threadOf(slot)
    if (thread) await this.dismiss(thread)
  }
}

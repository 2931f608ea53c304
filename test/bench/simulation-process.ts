/** A simulation inline in a process of its own, which simulation-one.ts runs. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Cost, Settings } from './measure.ts'
import type { ModelName } from './models.ts'
import type { Order, Report } from './simulation-one.ts'

const PROGRAM = fileURLToPath(new URL('simulation-one.ts', import.meta.url))

export class SimulationProcess {
  readonly #process: ChildProcess
  readonly #ended: Promise<never>

  private constructor(child: ChildProcess) {
    this.#process = child
    this.#ended = new Promise((_, reject) => {
      child.once('exit', (code) => reject(new Error(`a simulation ended with exit code ${code}`)))
    })
    this.#ended.catch(() => {})
  }

  /** Starts the process, which runs the jobs before the measurement. */
  static async start(name: ModelName, { repeats, quick }: Settings): Promise<SimulationProcess> {
    const started = new SimulationProcess(fork(PROGRAM, [name, String(repeats), String(quick)]))
    await started.#hear()
    return started
  }

  async #hear(): Promise<Report> {
    const [report]: Report[] = await Promise.race([once(this.#process, 'message'), this.#ended])
    if (!report) throw new Error('a simulation says nothing')
    return report
  }

  async #tell(order: Order): Promise<Report> {
    this.#process.send(order)
    return this.#hear()
  }

  /** Runs until a job arrives. */
  async runTo(job: number): Promise<Cost> {
    return (await this.#tell({ job })).cost
  }

  /** Runs the rest, and returns the mean of all jobs. */
  async end(): Promise<number> {
    return (await this.#tell('end')).mean
  }

  kill(): void {
    this.#process.kill()
  }
}

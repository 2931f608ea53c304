/** Hosts as processes of their own, started as a user does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HostsOptions } from '../../lib/distributed/coordinator/coordinator.ts'
import { TYPESCRIPT } from '../typescript.ts'
import { accessTo, SECRET_FILE } from './secret.ts'

const command = fileURLToPath(new URL('../../scenarios/host.ts', import.meta.url))
const registered = fileURLToPath(new URL('../fixtures/registered.ts', import.meta.url))

/** The flags of every host, in addition to its name and its server. */
export const HOST_FLAGS: readonly string[] = ['--secret', SECRET_FILE, '--register', registered]

export class HostProcesses {
  readonly #flags: readonly string[]
  readonly #children = new Map<string, ChildProcess>()
  readonly #waiting: Promise<unknown>[] = []

  /** Starts hosts; `more` are additional flags. */
  constructor(more: readonly string[] = [], every = HOST_FLAGS) {
    this.#flags = [...every, ...more]
  }

  start(url: URL, ...names: readonly string[]): void {
    for (const name of names) this.startWith(url, name)
  }

  /** Starts a host whose stderr also goes to `onSaid`. */
  startWith(url: URL, name: string, onSaid: (text: string) => void = () => {}): void {
    const args = [...TYPESCRIPT, command, '--nats', String(url), '--name', name, '--parallel', '1', ...this.#flags]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', onSaid)
    this.#waiting.push(once(child.stderr, 'data'))
    this.#children.set(name, child)
  }

  /** Resolves when all hosts have reported that they wait. */
  async ready(): Promise<void> {
    await Promise.all(this.#waiting)
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#children.get(name)?.kill(signal)
  }

  async end(): Promise<void> {
    for (const child of this.#children.values()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    this.#children.clear()
  }
}

export const on = (url: URL, hosts: readonly string[], more: Partial<HostsOptions> = {}): HostsOptions => ({
  access: accessTo(url),
  hosts,
  places: [],
  note: () => {},
  ...more,
})

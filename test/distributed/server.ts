/** A private NATS server, on a free port of this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '../programs.ts'

const PATHS = [
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  '/usr/local/bin/nats-server',
  '/opt/homebrew/bin/nats-server',
]

export const NO_SERVER =
  'no nats-server was found: install it (Debian: apt-get install nats-server), or name it: NATS_SERVER=/path/to/nats-server'

export const serverPath = (): string | undefined => programPath('NATS_SERVER', PATHS)

export interface Server {
  readonly url: URL
  /** Kills the server at once. */
  stop(): Promise<void>
  /** Starts another server at the same port, with another config if one is given. */
  again(config?: string): Promise<void>
  /** Kills the server and removes its files. */
  remove(): Promise<void>
}

/** Starts a server; `config` is in the language of nats-server, such as `max_payload: 1024`. */
export async function startServer(program: string, config = '', jetstream = true): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-nats-'))
  const file = join(folder, 'server.conf')
  const store = jetstream ? `jetstream { store_dir: ${JSON.stringify(folder)} }` : ''
  const configure = (config: string): void => writeFileSync(file, `${store}\n${config}\n`)
  configure(config)
  const start = async (port: number) => {
    const child = spawn(program, ['-c', file, '-a', '127.0.0.1', '-p', String(port)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    return { child, port: await portOf(child) }
  }
  let { child, port } = await start(-1)
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    url: new URL(`nats://127.0.0.1:${port}`),
    stop,
    again: async (other) => {
      if (other !== undefined) configure(other)
      child = (await start(port)).child
    },
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const port = /Listening for client connections on [^ ]*:(\d+)/.exec(said)?.[1]
      if (port !== undefined && said.includes('Server is ready')) resolve(Number(port))
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`nats-server ended with ${code}: ${said.slice(-500)}`)))
  })
}

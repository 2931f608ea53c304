/** A process of a command with --live, from its first line to its end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TYPESCRIPT } from '../typescript.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Command {
  /** The address of its page. */
  readonly url: string
  /** Interrupts the process as Ctrl-C does. */
  interrupt(): void
  readonly ended: Promise<Ended>
}

/** @throws Error with its output, if it ends before it has a page */
export const liveCommand = (scenario: string, ...flags: readonly string[]): Promise<Command> =>
  liveCommandOf(root, scenario, ...flags)

/** A command of the project in a folder. */
export async function liveCommandOf(project: string, scenario: string, ...flags: readonly string[]): Promise<Command> {
  const args = [...TYPESCRIPT, join(project, 'scenarios', `${scenario}.ts`), '--time', 'real', '--live', ...flags]
  const child = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }))
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
      const [, address] = /live: (http:\S+)\n/.exec(err) ?? []
      if (address !== undefined) resolve(address)
    })
    ended.then(() => reject(new Error(err)), reject)
  })
  return { url, interrupt: () => void child.kill('SIGINT'), ended }
}

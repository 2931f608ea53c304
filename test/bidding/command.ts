/** Runs scenarios as people do. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface CommandRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Called whenever the process has said something on stderr; `seen` is all of it. */
export type Act = (send: (signal: NodeJS.Signals) => void, seen: string) => void

/** Runs `scenarios/<name>.ts`; ends when the process has, and all that holds its output. */
export function runScenario(name: string, args: readonly string[], act?: Act): Promise<CommandRun> {
  const child = spawn(process.execPath, ['--import', 'tsx', `scenarios/${name}.ts`, ...args], { cwd: root })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
    act?.((signal) => child.kill(signal), stderr)
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}

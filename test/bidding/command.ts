/** Runs scenarios as commands, in a process of their own or in the process of the test. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { execute } from '../../lib/cli/index.ts'
import type { Scenario } from '../../lib/scenario/scenario.ts'
import { TYPESCRIPT } from '../typescript.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface CommandRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Called after each output of the process on stderr; `seen` is all its output so far. */
export type Act = (send: (signal: NodeJS.Signals) => void, seen: string) => void

/** Runs `scenarios/<name>.ts`; resolves when the process and its output streams have ended. */
export function runScenario(name: string, args: readonly string[], act?: Act): Promise<CommandRun> {
  const child = spawn(process.execPath, [...TYPESCRIPT, `scenarios/${name}.ts`, ...args], { cwd: root })
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

/** Runs a scenario with a command line in the process of the test, which starts no process. */
export async function runHere(scenario: Scenario, args: readonly string[]): Promise<CommandRun> {
  let stdout = ''
  let stderr = ''
  const code = await execute(scenario, {
    args,
    stdout: {
      write: (text) => {
        stdout += text
      },
    },
    stderr: {
      write: (text) => {
        stderr += text
      },
      isTerminal: false,
    },
    onInterrupt: () => {},
  })
  return { code, stdout, stderr }
}

/** Command lines as a user types them. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const isInstalled = import.meta.url.endsWith('.js')

/** What a command line starts. */
export interface Program {
  /** A program of the project, such as `lab/explore`, `host` or the scenario `contracts/run`. */
  readonly name: string
  /** The path of a scenario's file as the user typed it; absent for a program of the project. */
  readonly path?: string
}

/**
 * The command line that starts a program: `npx tsx PROGRAM` in a checkout of the sources, `npx bourse` in the package. The file of
 * a scenario is given to the command that runs any scenario, since the file itself may run nothing.
 */
export function commandOf({ name, path }: Program): string {
  if (!isInstalled) return `npx tsx ${path === undefined ? `scenarios/${name}.ts` : `${runner()} ${path}`}`
  const tool = path === undefined ? /^(?:lab\/)?([a-z]+)$/.exec(name)?.[1] : undefined
  return tool === undefined ? `npx bourse run ${path ?? name}` : `npx bourse ${tool}`
}

/** The command of a checkout that runs any scenario, from the current folder. */
const runner = (): string => relative('', fileURLToPath(new URL('../../scenarios/lab/run.ts', import.meta.url)))

/** A word quoted for a shell. */
export const shellQuoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

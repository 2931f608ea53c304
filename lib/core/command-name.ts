/** Command lines as a user types them. */

const isInstalled = import.meta.url.endsWith('.js')

/** What a command line starts. */
export interface Program {
  /** A program of the project, such as `lab/explore`, `host` or the scenario `contracts/run`. */
  readonly name: string
  /** The path of a scenario's file as the user typed it; absent for a program of the project. */
  readonly path?: string
}

/** The command line that starts a program: `npx tsx FILE` in a checkout of the sources, `npx bourse` in the package. */
export function commandOf({ name, path }: Program): string {
  if (!isInstalled) return `npx tsx ${path ?? `scenarios/${name}.ts`}`
  const tool = path === undefined ? /^(?:lab\/)?([a-z]+)$/.exec(name)?.[1] : undefined
  return tool === undefined ? `npx bourse run ${path ?? name}` : `npx bourse ${tool}`
}

/** A word quoted for a shell. */
export const shellQuoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

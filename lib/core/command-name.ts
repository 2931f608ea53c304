/** The command lines that start programs: `npx tsx FILE` from the sources, `npx bourse` in the installed package. */

const isInstalled = import.meta.url.endsWith('.js')

/** Starts a program of the project, such as `lab/explore`, `host` or the scenario `contracts/run`. */
export function programNamed(name: string): string {
  if (!isInstalled) return `npx tsx scenarios/${name}.ts`
  const tool = /^(?:lab\/)?([a-z]+)$/.exec(name)?.[1]
  return tool === undefined ? `npx bourse run ${name}` : `npx bourse ${tool}`
}

/** Starts the scenario in a file of the user. */
export const programAt = (path: string): string => `npx ${isInstalled ? 'bourse run' : 'tsx'} ${path}`

/** The part of a package without types that merges the coverage of V8. */
declare module '@bcoe/v8-coverage' {
  import type { Profiler } from 'node:inspector'

  /** The sum of the counts of one script in several processes or threads. It may change what it is given. */
  export function mergeScriptCovs(scripts: Profiler.ScriptCoverage[]): Profiler.ScriptCoverage | undefined
}

/**
 * A family of protocols: what one paper describes. Each family hands over everything that the commands and tests about all
 * families need, so that none of them names a family of its own accord. The list of families is in families.ts.
 */
import type { AnyFlags } from '../lib/scenario/flags.ts'
import { runFlags } from '../lib/scenario/run-flags.ts'
import type { Scenario } from '../lib/scenario/scenario.ts'
import type { TaskReader } from './lab/trace/report.ts'

export interface Family {
  /** The name of its folders in actors, scenarios and test. */
  readonly name: string
  /** The paper: its authors and year. */
  readonly source: string
  /** The scenarios that can be explored, by the path of their program; the first is the example of the family. */
  readonly scenarios: Readonly<Record<string, Scenario>>
  /** The modules of its machines, below actors and without `.ts`. Data may name them. */
  readonly machines: readonly string[]
  /** The functions that a command may run in other processes and on other hosts: modules below scenarios, and exports. */
  readonly studies: readonly (readonly [module: string, name: string])[]
  /** The functions that its actors may call as computations, in the same form. */
  readonly computations?: readonly (readonly [module: string, name: string])[]
  readonly trace: TraceReading
  /** The run of its first scenario that a picture of the manual shows; null: the manual has none. */
  readonly picture: Picture | null
  /** The command that makes the figure which another picture shows, below scenarios; null: the manual has none. */
  readonly figure: string | null
}

/** A run that a picture shows. */
export interface Picture {
  readonly flags: readonly string[]
  /** The text of the link in the page's answer that is followed first; none: the picture begins with the run. */
  readonly link?: string
}

/** How the trace of a family is read. */
export interface TraceReading {
  /** Tells of the tasks of a run; a family without it has none to tell of. */
  readonly tasks?: TaskReader
  /** Fields of messages, facts, records and inputs that traces of version 2 call otherwise: the old name and the present one. */
  readonly renamed?: ReadonlyMap<string, string>
}

/** In traces of version 2 an attempt at a task is its incarnation, a word that now only actors have. */
export const ATTEMPTS: ReadonlyMap<string, string> = new Map([['incarnation', 'attempt']])

/** The flags that a scenario has in addition to those of every run. */
export const ownFlagsOf = ({ flags }: Scenario): AnyFlags =>
  Object.fromEntries(Object.entries(flags).filter(([key]) => !Object.hasOwn(runFlags, key)))

/** The example of a family: the name of its first scenario, and the scenario. */
export function exampleOf({ name, scenarios }: Family): readonly [name: string, scenario: Scenario] {
  const [first] = Object.entries(scenarios)
  if (!first) throw new Error(`the family ${name} has no scenario`)
  return first
}

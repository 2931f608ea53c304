import { type Mesh, meshOf, meshText, processorsOf, SIDE_MAX } from '../../actors/mesh/mesh.ts'
import {
  choice,
  fileFlag,
  integer,
  optional,
  outputFlags,
  type Parser,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { quoted } from '../../lib/core/format.ts'
import { reportFlags } from '../sweep-flags.ts'

export const meshParser: Parser<Mesh> = (given, flag) => {
  const mesh = meshOf(given)
  if (mesh === null)
    throw UsageError.invalid(flag, `rows x columns, powers of two up to ${SIDE_MAX}, such as 16x16`, quoted(given))
  return mesh
}

/** The largest mesh: models calculate every partition for every number of jobs. */
const PROCESSORS_MAX = 1024

/** A parser of meshes of at most so many processors. */
export const meshWithin =
  (most: number): Parser<Mesh> =>
  (given, flag) => {
    const mesh = meshParser(given, flag)
    if (processorsOf(mesh) > most) throw UsageError.tooMany(flag, `${most} processors`, `${processorsOf(mesh)}`)
    return mesh
  }

export const outFlags = {
  csv: fileFlag('result', 'write one line per value (CSV)'),
  ...reportFlags,
  ...outputFlags,
}

export const modelFlags = {
  mesh: value({
    metavar: 'RxC',
    fallback: '16x16',
    parse: meshWithin(PROCESSORS_MAX),
    help: 'rows and columns of processors, powers of two; known values are for 16x16',
  }),
  rules: choice({
    of: ['standard', 'R', 'H'],
    fallback: 'standard',
    help: 'how EQUI assigns leftover columns; R: the remainder is never doubled; H: ties go to the regular section',
  }),
}

export const jobsFlag = optional({
  metavar: 'N',
  parse: integer({ min: 1, max: PROCESSORS_MAX }),
  help: 'numbers of jobs from 1 to N (default 32, or as many as there are processors)',
})

/** @throws UsageError for more jobs than processors */
export function jobsOn(mesh: Mesh, given: number | undefined): number {
  const all = processorsOf(mesh)
  if (given !== undefined && given > all)
    throw UsageError.invalid('--jobs', `at most ${all} on ${meshText(mesh)}`, `${given}`)
  return given ?? Math.min(32, all)
}

/** The flags that all models of chapter 5 share. */
export const sharedModelFlags = { ...modelFlags, ...outFlags }

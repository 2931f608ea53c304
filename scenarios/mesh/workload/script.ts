/** Parses a script for a mesh, such as `arrive 1; arrive 2; rotate 3; depart 1`. */
import { type Mesh, meshText, processorsOf } from '../../../actors/mesh/mesh.ts'
import type { Step } from '../../../actors/mesh/operator.ts'
import { type Parser, UsageError } from '../../../lib/cli/index.ts'
import { quoted } from '../../../lib/core/format.ts'

export interface Op {
  /** The operation as text. */
  readonly op: string
  readonly steps: readonly Step[]
}

/** The number of leaders: each job of a script has its own. */
export const JOBS_MAX = 1000
const ROTATIONS_MAX = 10_000
const OPS_MAX = 10_000

const OPERATIONS = 'operations such as "arrive 1; arrive 2; rotate 3; depart 1"'

function opOf(text: string, flag: string): Op {
  const [, verb, digits] = /^(arrive|depart|rotate)(?: +(\d{1,6}))?$/.exec(text) ?? []
  const count = digits === undefined ? null : Number(digits)
  if (verb === 'rotate') {
    const times = count ?? 1
    if (times < 1 || times > ROTATIONS_MAX)
      throw new UsageError(`${flag} may have 1 to ${ROTATIONS_MAX} rotations, not ${quoted(text)}`)
    return { op: `rotate ${times}`, steps: Array.from({ length: times }, () => ({ type: 'rotate' })) }
  }
  if ((verb !== 'arrive' && verb !== 'depart') || count === null)
    throw UsageError.invalid(flag, OPERATIONS, quoted(text))
  if (count < 1 || count > JOBS_MAX) throw new UsageError(`${flag} may have jobs 1 to ${JOBS_MAX}, not ${quoted(text)}`)
  return { op: `${verb} ${count}`, steps: [{ type: verb, job: count }] }
}

export const scriptParser: Parser<readonly Op[]> = (given, flag) => {
  const texts = given.split(/[;\n]/).map((text) => text.trim())
  if (texts.at(-1) === '') texts.pop()
  if (texts.length === 0) throw UsageError.invalid(flag, OPERATIONS, quoted(given))
  if (texts.length > OPS_MAX) throw UsageError.tooMany(flag, `${OPS_MAX} operations`, `${texts.length}`)
  return texts.map((text) => opOf(text, flag))
}

/**
 * The most jobs that a script has at the same time.
 *
 * @param room the most jobs at the same time; null: further ones may wait
 * @throws UsageError for a job that arrives twice, departs without being there, or finds no processor
 */
export function mostOf(ops: readonly Op[], mesh: Mesh, mayWait: boolean, flag: string): number {
  const there = new Set<number>()
  let most = 0
  for (const { op, steps } of ops) {
    const [step] = steps
    if (step?.type === 'arrive') {
      if (there.has(step.job)) throw new UsageError(`${flag} has ${quoted(op)} of a job that is there already`)
      there.add(step.job)
      if (there.size > processorsOf(mesh) && !mayWait) {
        const room = `${processorsOf(mesh)} jobs at a time on ${meshText(mesh)}`
        throw UsageError.tooMany(flag, room, `${there.size} with ${quoted(op)}`)
      }
      most = Math.max(most, there.size)
    } else if (step?.type === 'depart' && !there.delete(step.job)) {
      throw new UsageError(`${flag} has ${quoted(op)} of a job that is not there`)
    }
  }
  return most
}

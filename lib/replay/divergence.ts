/** The first step of a replay that diverges from its trace. */

import { isMessage } from '../core/data.ts'
import { firstDifference } from '../core/difference.ts'
import { BourseError } from '../core/error.ts'
import type { Line } from '../trace/lines.ts'
import { incarnationName, type Step } from '../trace/run.ts'

export class Divergence extends BourseError {
  override readonly name = 'Drift'
  readonly step: Step
  /** The recorded line; `came` is the line of the replay, or a sentence about it. */
  readonly recorded: string
  readonly came: string

  constructor(step: Step, recorded: Line | undefined, came: Line | string | undefined) {
    super(
      'BOURSE_DIVERGENCE',
      `step ${step.index} (${incarnationName(step)}, its step ${step.n}): ${differenceText(recorded, came)}`,
    )
    this.step = step
    this.recorded = textOf(recorded)
    this.came = textOf(came)
  }
}

const textOf = (line: Line | string | undefined): string =>
  typeof line === 'string' ? line : line === undefined ? 'nothing' : JSON.stringify(line)

/** The difference of two lines in a few words. */
function differenceText(recorded: Line | undefined, came: Line | string | undefined): string {
  if (recorded && typeof came === 'object' && recorded.t === came.t) {
    const { what, values } = firstDifference(recorded, came) ?? {
      what: 'its fields',
      values: ['in one order', 'another'],
    }
    return `recorded ${recorded.t} with ${what} ${values[0]}, came ${values[1]}`
  }
  return `recorded ${nameOf(recorded)}, came ${typeof came === 'string' ? came : nameOf(came)}`
}

/** The name of a line, such as `send bid 4.0.3`, `fact awarded` or `timer evaluate:7`. */
function nameOf(line: Line | undefined): string {
  if (!line) return 'nothing'
  const { t, type, id, message, fact } = line
  const inner = [message, fact].flatMap((value) => (isMessage(value) ? [value.type] : []))
  return [t, type, ...inner, id].filter((word) => typeof word === 'string').join(' ')
}

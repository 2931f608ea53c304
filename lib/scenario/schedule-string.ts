/**
 * A schedule as a string that can be pasted: a digest of its settings, its seed, and its deviations from fifo.
 *
 * `b1:<digest of settings>:<seed>:<deviations>:<check>`. The digest is one of all settings, and after a dot two digits for
 * each of them, which tell those that differ. In the deviations, `THING+STEP` is an event held
 * until its actor has taken STEP steps, `-PASSAGE` a lost transmission, `=PASSAGE` a duplicated one and
 * `=PASSAGE+T` one whose copy comes T later. `@T` is the longest time
 * of a hold if it is not 250, and `%T` the instant after which nothing is held back; both are in units.
 */
import { createHash } from 'node:crypto'
import { type Deviations, HOLD_BOUNDS, type Hold, type LateCopy } from '../actor/schedule.ts'
import { isObject } from '../core/data.ts'
import { parseUnits, printUnits, quoted } from '../core/format.ts'
import { UsageError } from '../core/usage-error.ts'
import type { SystemInit } from '../system/system.ts'

/** A schedule that a user gave. */
export interface ScheduleString {
  readonly deviations: Deviations
  readonly seed: number
  /** The digest of the settings that it was made for. */
  readonly digest: string
}

const VERSION = 'b1'
const DIGEST_LENGTH = 8
const CHECK_LENGTH = 6
/** The most deviations of a schedule; they make a string of about a megabyte. */
const DEVIATIONS_MAX = 65_536

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The settings that a schedule depends on, in the order of their digits. The runtime and the engine are not among them. */
function settingsOf({ order, network, reliable, mailbox, about }: SystemInit) {
  const { faults = null, ...own } = isObject(about) ? about : {}
  return {
    '--order': order ?? 'fifo',
    'the network (--latency, --jitter, --loss, --duplicate)': network ?? {},
    '--reliable': reliable ?? false,
    'the option mailbox': mailbox ?? null,
    'the faults (--fault)': faults,
    "the scenario's own flags": own,
  }
}

const PART_LENGTH = 2

/** The digest of the settings that a schedule depends on. */
export function settingsDigest(options: SystemInit): string {
  const { seed = 1, order, network, reliable, mailbox, about } = options
  const all = [seed, order ?? 'fifo', network ?? {}, reliable ?? false, mailbox ?? null, about ?? null]
  const parts = Object.values(settingsOf(options)).map((value) => hashOf(JSON.stringify(value)).slice(0, PART_LENGTH))
  return `${hashOf(JSON.stringify(all)).slice(0, DIGEST_LENGTH)}.${parts.join('')}`
}

/** The names of the settings whose digits differ; none for a digest without digits, as older schedules have it. */
function differing(digest: string, own: string, options: SystemInit): string[] {
  const [, digits = ''] = digest.split('.')
  const [, ownDigits = ''] = own.split('.')
  const partOf = (text: string, i: number): string => text.slice(PART_LENGTH * i, PART_LENGTH * (i + 1))
  if (digits.length !== ownDigits.length) return []
  return Object.keys(settingsOf(options)).filter((_, i) => partOf(digits, i) !== partOf(ownDigits, i))
}

const wholeOf = (digest: string): string => digest.slice(0, DIGEST_LENGTH)

export function printSchedule({ deviations, seed, digest }: ScheduleString): string {
  const { holds, lost, doubled, late = [], bounds: { longest, calm } = HOLD_BOUNDS } = deviations
  const all = [
    ...holds.map(({ thing, until }) => `${thing}+${until}`),
    ...lost.map((passage) => `-${passage.replace('>', '/')}`),
    ...doubled.map((passage) => `=${passage.replace('>', '/')}`),
    ...late.map(({ passage, by }) => `=${passage.replace('>', '/')}+${printUnits(by)}`),
    ...(longest === HOLD_BOUNDS.longest ? [] : [`@${printUnits(longest)}`]),
    ...(calm === null ? [] : [`%${printUnits(calm)}`]),
  ]
  const text = [VERSION, digest, seed, all.join(',')].join(':')
  return `${text}:${hashOf(text).slice(0, CHECK_LENGTH)}`
}

const HOLD = /^(\d+\.\d+\.t?\d+)\+(\d{1,9})$/
const PASSAGE = /^([-=])(\d+\.\d+)\/(\d+\.\d+)(?:\+(.+))?$/
const BOUND = /^([@%])(.+)$/

/** Parses a schedule. @throws UsageError that names `flag`, for a text that is no schedule, or damaged */
export function parseSchedule(text: string, flag: string): ScheduleString {
  const [version, digest = '', seed = '', deviations = '', check, ...more] = text.split(':')
  if (check === undefined || more.length > 0 || !/^b\d+$/.test(version ?? '')) {
    throw UsageError.invalid(flag, 'fifo, an integer >= 0, or a schedule (b1:...)', quoted(text.slice(0, 80)))
  }
  if (version !== VERSION) throw UsageError.invalid(flag, `a schedule of version ${VERSION}`, `of version ${version}`)
  const own = hashOf(text.slice(0, text.lastIndexOf(':'))).slice(0, CHECK_LENGTH)
  if (own !== check)
    throw new UsageError(`${flag} is not a schedule as it was printed: its check is ${own}, not ${check}`)
  const words = deviations === '' ? [] : deviations.split(',')
  if (words.length > DEVIATIONS_MAX) throw UsageError.tooMany(flag, `${DEVIATIONS_MAX} deviations`, `${words.length}`)
  const holds: Hold[] = []
  const lost: string[] = []
  const doubled: string[] = []
  const late: LateCopy[] = []
  let { longest, calm } = HOLD_BOUNDS
  for (const word of words) {
    const [, thing, until] = HOLD.exec(word) ?? []
    const [, fate, from, to, after] = PASSAGE.exec(word) ?? []
    const [, bound, time = ''] = BOUND.exec(word) ?? []
    const at = parseUnits(time)
    const by = parseUnits(after ?? '')
    if (bound === '@' && at !== undefined) longest = at
    else if (bound === '%' && at !== undefined) calm = at
    else if (thing !== undefined && until !== undefined) holds.push({ thing, until: Number(until) })
    else if (fate === '=' && by !== undefined && by > 0) late.push({ passage: `${from}>${to}`, by })
    else if (fate === undefined || after !== undefined)
      throw UsageError.requires(
        flag,
        `deviations such as 7.0.2+3, -7.0/2.0, =7.0/2.0 or =7.0/2.0+5, not ${quoted(word)}`,
      )
    else (fate === '-' ? lost : doubled).push(`${from}>${to}`)
  }
  const fated = new Set<string>()
  for (const passage of [...lost, ...doubled, ...late.map((copy) => copy.passage)]) {
    if (fated.has(passage)) throw UsageError.requires(flag, `one fate for each message, not two for ${quoted(passage)}`)
    fated.add(passage)
  }
  if (!/^\d{1,16}$/.test(seed)) throw UsageError.requires(flag, `a seed, not ${quoted(seed)}`)
  const bounds = longest === HOLD_BOUNDS.longest && calm === HOLD_BOUNDS.calm ? undefined : { longest, calm }
  const read = { holds, lost, doubled, ...(late.length > 0 && { late }), ...(bounds && { bounds }) }
  return { deviations: read, seed: Number(seed), digest }
}

/**
 * The deviations of a schedule that was made for these settings.
 *
 * @throws UsageError that names the settings that differ
 */
export function deviationsFor(
  { deviations, digest, seed }: ScheduleString,
  options: SystemInit,
  flag: string,
): Deviations {
  const { seed: own = 1 } = options
  if (seed !== own) throw new UsageError(`${flag} is a schedule of seed ${seed}, but this run has seed ${own}`)
  const settings = settingsDigest(options)
  if (wholeOf(digest) === wholeOf(settings)) return deviations
  const names = differing(digest, settings, options)
  const which = names.length > 0 ? `: ${names.join(' and ')} differ` : ''
  throw new UsageError(
    `${flag} is a schedule of other settings (${wholeOf(digest)}) than those of this run (${wholeOf(settings)})${which}; give all flags of the command that was printed with it`,
  )
}

/**
 * The search for an order of operations that a sequential object explains: Wing and Gong (1993), with Lowe's memory of
 * configurations (2017). A configuration is how many operations of each process are placed, and the state of the object
 * after them.
 */
import { isDeepStrictEqual } from 'node:util'
import { canonical } from '../../core/difference.ts'
import { BourseError } from '../../core/error.ts'
import type { Operation } from './operations.ts'
import type { Key } from './safety.ts'

/** An object as a program without concurrency would know it. States, inputs and outputs are plain data. */
export interface SequentialObject<S, I, O> {
  readonly initial: S
  /** Carries an operation out: the next state, and the output. */
  apply(state: S, input: I): readonly [next: S, output: O]
  /** The part of the object that an operation is about, such as the key of a map. Parts do not affect each other. */
  partOf?(input: I): Key
}

/** The default of the option `configurations`. */
export const CONFIGURATIONS = 100_000

interface Terms {
  /** Whether an operation that returned before another was called must come before it. */
  readonly isRealTime: boolean
  readonly configurations: number
}

/** The operations of a process in its order, or one without a return, which may come at any later time or never. */
interface Line<I, O> {
  readonly operations: readonly Operation<I, O>[]
  /** The line of its process, and how many operations of it come before; undefined if all of its process are here. */
  readonly after?: { readonly line: number; readonly count: number }
}

/** A configuration on the way of the search: the next line to try, and how it was reached. */
interface Place<S, I, O> {
  readonly state: S
  readonly last: Operation<I, O> | undefined
  /** The number of the line of the last operation. */
  readonly from: number
  next: number
}

/** A text if no order explains the operations. */
export function explain<S, I, O>(
  operations: readonly Operation<I, O>[],
  object: SequentialObject<S, I, O>,
  { isRealTime, configurations }: Terms,
): readonly string[] {
  const lines = linesOf(operations)
  const placed = lines.map(() => 0)
  const seen = new Set<string>()
  const path: Place<S, I, O>[] = [{ state: object.initial, last: undefined, from: -1, next: 0 }]
  let longest: readonly Operation<I, O>[] = []
  let open = operations.filter(({ returned }) => returned).length
  while (open > 0) {
    const place = path.at(-1)
    if (!place) return [failure(longest, operations)]
    if (place.next === lines.length) {
      path.pop()
      if (!place.last) continue
      placed[place.from] = (placed[place.from] ?? 0) - 1
      if (place.last.returned) open++
      continue
    }
    const from = place.next++
    const operation = nextOf(lines, placed, from)
    if (!operation || (isRealTime && operation.called > firstReturn(lines, placed))) continue
    const [state, output] = object.apply(place.state, operation.input)
    if (operation.returned && !isDeepStrictEqual(output, operation.returned.output)) continue
    placed[from] = (placed[from] ?? 0) + 1
    const configuration = `${placed.join()} ${canonical(state)}`
    if (seen.has(configuration)) {
      placed[from] -= 1
      continue
    }
    seen.add(configuration)
    if (seen.size > configurations) throw tooLong(operations.length, configurations)
    path.push({ state, last: operation, from, next: 0 })
    if (operation.returned) open--
    if (path.length - 1 > longest.length) longest = path.flatMap(({ last }) => last ?? [])
  }
  return []
}

function linesOf<I, O>(operations: readonly Operation<I, O>[]): readonly Line<I, O>[] {
  const ended = new Map<Key, Operation<I, O>[]>()
  const open: { readonly operation: Operation<I, O>; readonly count: number }[] = []
  for (const operation of operations) {
    const own = ended.get(operation.process) ?? []
    ended.set(operation.process, own)
    if (operation.returned) own.push(operation)
    else open.push({ operation, count: own.length })
  }
  const processes = [...ended.keys()]
  return [
    ...[...ended.values()].map((own) => ({ operations: own })),
    ...open.map(({ operation, count }) => ({
      operations: [operation],
      after: { line: processes.indexOf(operation.process), count },
    })),
  ]
}

/** The next operation of a line; undefined if there is none, or if its process has to do others before it. */
function nextOf<I, O>(
  lines: readonly Line<I, O>[],
  placed: readonly number[],
  from: number,
): Operation<I, O> | undefined {
  const line = lines[from]
  if (!line) return undefined
  const { operations, after } = line
  if (after && (placed[after.line] ?? 0) < after.count) return undefined
  return operations[placed[from] ?? 0]
}

/** The first return of an operation that is not placed. An operation that was called later cannot come next. */
function firstReturn<I, O>(lines: readonly Line<I, O>[], placed: readonly number[]): number {
  let first = Number.POSITIVE_INFINITY
  for (const [i, { operations }] of lines.entries()) {
    const at = operations[placed[i] ?? 0]?.returned?.at
    if (at !== undefined && at < first) first = at
  }
  return first
}

/** The most operations that a violation shows. */
const SHOWN = 8

const shown = <I, O>({ process, input, returned }: Operation<I, O>): string =>
  `${process} ${canonical(input)} -> ${returned ? canonical(returned.output) : '(no return)'}`

function failure<I, O>(longest: readonly Operation<I, O>[], all: readonly Operation<I, O>[]): string {
  const rest = all.filter((operation) => operation.returned && !longest.includes(operation))
  const before = longest.length === 0 ? 'at first' : `after ${listOf(longest)}`
  return `no order explains the ${all.length} operations: ${before}, none of these can come next: ${listOf(rest)}`
}

function listOf<I, O>(operations: readonly Operation<I, O>[]): string {
  const cut = operations.length > SHOWN ? [`${operations.length - SHOWN} more`] : []
  return [...operations.slice(0, SHOWN).map(shown), ...cut].join('; ')
}

const tooLong = (operations: number, most: number): BourseError =>
  new BourseError(
    'BOURSE_LIMIT',
    `the order of ${operations} operations needs more than ${most} configurations (option configurations): let a run do fewer operations, give the object parts (partOf), or raise the option`,
  )

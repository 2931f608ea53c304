/**
 * A failure detector by probes (Chandra and Toueg 1996, of class eventually perfect where messages arrive in time). The
 * actor probes its members at intervals. A member that has not answered by the next inspection has missed a probe; one that
 * missed enough in a row is suspected. Any message of a member shows that it is alive.
 *
 * The detector decides nothing else: the actor sends the probes, and says what becomes of a suspected member.
 */
import type { Effect } from './effect.ts'
import type { Turn } from './turn.ts'

/** What a detector knows of its members. Each function returns the detector after an event. */
export interface FailureDetector<Member> {
  /** The members that were probed and have not answered. */
  readonly silent: readonly Member[]
  /** For each silent member, how many probes in a row it missed before this one; absent for none. */
  readonly missed: ReadonlyMap<Member, number>
  /** Whether the timer of the next inspection is set. */
  readonly isWatching: boolean
}

/** A detector before its first probe. */
export const idleDetector = <Member>(): FailureDetector<Member> => ({
  silent: [],
  missed: new Map(),
  isWatching: false,
})

/** The detector after a member was heard of. */
export const heardOf = <Member>(detector: FailureDetector<Member>, member: Member): FailureDetector<Member> => ({
  ...detector,
  silent: detector.silent.filter((one) => one !== member),
})

/** The detector after these members were probed. */
export const probed = <Member>(
  detector: FailureDetector<Member>,
  members: Iterable<Member>,
): FailureDetector<Member> => ({ ...detector, silent: [...new Set(members)] })

/** Sets the timer of the next inspection, unless it is set, in a turn whose context has a field `detector`. Returns whether it was not. */
export function awaitInspection<Member>(
  { context, do: perform }: Turn<{ readonly detector: FailureDetector<Member> }>,
  ...timers: readonly Effect[]
): boolean {
  if (context.detector.isWatching) return false
  context.detector = { ...context.detector, isWatching: timers.length > 0 }
  perform(...timers)
  return true
}

/**
 * An inspection: the detector after it, and the members that are suspected now.
 *
 * @param patienceWith how many probes in a row a member must miss until it is suspected; default 1
 */
export function inspected<Member>(
  detector: FailureDetector<Member>,
  patienceWith: (member: Member) => number = () => 1,
): readonly [FailureDetector<Member>, suspects: readonly Member[]] {
  const missed = new Map<Member, number>()
  const suspects: Member[] = []
  for (const member of detector.silent) {
    const count = 1 + (detector.missed.get(member) ?? 0)
    if (count < patienceWith(member)) missed.set(member, count)
    else suspects.push(member)
  }
  return [{ silent: [], missed, isWatching: false }, suspects]
}

/** The promises of a mesh that its facts can break, in the words of the library of promises. Places are checked in places.ts. */
import { type Address, roleOf } from '../../../lib/actor.ts'
import type { Circumstances } from '../../../lib/scenario/definition.ts'
import { disturbanceOf, isStruck, until, whileAsPlanned } from '../../../lib/scenario/disturbance.ts'
import { about, inEachRun, type ObservedFact, type Property } from '../../../lib/scenario/oracle.ts'
import { mutualExclusion } from '../../../lib/scenario/promises/exclusion.ts'
import { strongAccuracy } from '../../../lib/scenario/promises/failure-detector.ts'
import { atMostOnce } from '../../../lib/scenario/promises/once.ts'
import { increasing, precedence } from '../../../lib/scenario/promises/order.ts'
import { toldOnce } from '../../told-once.ts'
import { ALLOCATOR, USER } from '../model.ts'

/** Reads the attempt at a job of a fact, if an actor of this role tells one of these types. */
const attemptIn =
  (role: string, ...types: readonly string[]) =>
  ({ fact, who }: ObservedFact): string | undefined =>
    roleOf(who) === role && types.includes(fact.type) ? `job ${fact['job']}, attempt ${fact['attempt']}` : undefined

const isHanded = attemptIn('user', 'handed')
const isHeard = attemptIn('user', 'over', 'failed')
const isBegun = attemptIn('job', 'began')
const isLeft = attemptIn('job', 'ended', 'failed')

/**
 * A leader leads one job at a time: the user hands it the next one after it has heard of the end of the last one, or taken the leader for
 * dead. Users tell whom they hand a job to where they have patience.
 */
const oneJobAtATime: Property = inEachRun(() => {
  const leaders = new Map<string, string>()
  const exclusion = mutualExclusion('a leader is handed one job at a time', (observed) => {
    const { fact } = observed
    const handed = isHanded(observed)
    const leader = handed === undefined ? undefined : fact['leader']
    if (handed !== undefined && typeof leader === 'string') {
      leaders.set(handed, leader)
      return { type: 'enters', resource: leader, holder: handed }
    }
    const attempt = isHeard(observed)
    const from = attempt === undefined ? undefined : leaders.get(attempt)
    return attempt === undefined || from === undefined ? undefined : { type: 'leaves', resource: from, holder: attempt }
  })
  return about(['handed', 'over', 'failed'], exclusion)
})

/** The promises of a user, who remembers nothing: one that is restarted hands all jobs over again. */
const OF_USERS: readonly Property[] = [
  oneJobAtATime,
  about(
    ['handed'],
    increasing(
      'a job that is handed over again has the next attempt',
      (observed) =>
        isHanded(observed) === undefined
          ? undefined
          : { key: `job ${observed.fact['job']}`, number: Number(observed.fact['attempt']) },
      { first: 1, by: 1 },
    ),
  ),
  about(['over', 'failed'], atMostOnce('a user hears of the end of an attempt once', isHeard)),
  about(
    ['began', 'ended', 'failed'],
    mutualExclusion('an attempt at a job has one leader', (observed) => {
      const attempt = isBegun(observed) ?? isLeft(observed)
      if (attempt === undefined) return undefined
      return { type: isBegun(observed) ? 'enters' : 'leaves', resource: attempt, holder: observed.who }
    }),
  ),
]

/** The promises of one run, under its options and its planned faults. `hasUser`: jobs arrive, and no script makes them. */
export function promisesOf(hasUser: boolean, circumstances: Circumstances): readonly Property[] {
  const { faults } = circumstances
  const { isSafe, isCalm } = disturbanceOf(circumstances)
  const observers: readonly Address[] = hasUser ? [ALLOCATOR, USER] : [ALLOCATOR]
  return [
    ...toldOnce(circumstances),
    ...(hasUser ? until({ death: (who) => roleOf(who) === 'user' }, OF_USERS) : []),
    ...(hasUser
      ? [
          about(
            ['handed', 'began'],
            precedence('a leader begins only what was handed over', { cause: isHanded, effect: isBegun }),
          ),
        ]
      : []),
    ...(hasUser && isCalm
      ? whileAsPlanned(faults, [
          about(
            ['failed'],
            precedence('an attempt fails only if its leader says so', {
              cause: attemptIn('job', 'failed'),
              effect: attemptIn('user', 'failed'),
            }),
          ),
        ])
      : []),
    ...(isSafe && !observers.some((who) => isStruck(who, faults))
      ? whileAsPlanned(faults, [
          about(
            ['gave-up'],
            strongAccuracy('no living leader is taken for dead', ({ fact, who }) => {
              if (who !== ALLOCATOR || fact.type !== 'gave-up') return undefined
              const whom = String(fact['leader'])
              return isStruck(whom, faults) ? undefined : { type: 'suspects', whom }
            }),
          ),
        ])
      : []),
  ]
}

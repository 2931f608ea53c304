/**
 * The promises about the decisions of an allocator: which part of the mesh is shared, which job gets which partition, which jobs wait, and
 * which make room for others. They are recomputed from the facts alone, so they are asked in every run, however it is disturbed.
 */

import type { EquiFact } from '../../../actors/mesh/allocator/equi/book.ts'
import type { FoldFact, RingFact } from '../../../actors/mesh/allocator/fold/book.ts'
import type { SwapFact, Swaps, WaitingJob, WithWaiting } from '../../../actors/mesh/allocator/terms.ts'
import { equi } from '../../../actors/mesh/equi.ts'
import { exponentsOf, healthyOf, roomIn } from '../../../actors/mesh/fold/cells.ts'
import { isIn, type Place } from '../../../actors/mesh/mapping.ts'
import { processorsOf, wholeOf } from '../../../actors/mesh/mesh.ts'
import { areaOf, areEqual, type Rectangle, textOf } from '../../../actors/mesh/rectangle.ts'
import { type Address, type Message, roleOf, type Time } from '../../../lib/actor.ts'
import { byTheClock, type Ending, until } from '../../../lib/scenario/disturbance.ts'
import { about, type ObservedFact, type Property } from '../../../lib/scenario/oracle.ts'
import { type Automaton, instant, safety } from '../../../lib/scenario/promises/safety.ts'
import type { Multicomputer } from '../model.ts'

type Dealt = Extract<EquiFact, { type: 'dealt' }>
type Rested = Extract<EquiFact, { type: 'rested' }>
type Swapped = Extract<SwapFact, { type: 'swapped' }>

/** The facts of an allocator that divides the mesh among the jobs that are there. */
type Fact = Dealt | FoldFact | Rested

/** A job with its partition. */
type Owned = Dealt['partitions'][number]

const isOneOf = (types: readonly Fact['type'][], fact: Message, who: Address): fact is Fact =>
  roleOf(who) === 'allocator' && types.some((type) => type === fact.type)

const isDealt = (fact: Message, who: Address): fact is Dealt => roleOf(who) === 'allocator' && fact.type === 'dealt'

const isSwap = (fact: Message, who: Address): fact is Swapped => roleOf(who) === 'allocator' && fact.type === 'swapped'

/** An automaton that sees only the facts of the allocator. Its death ends all that is known. */
const ofAllocator = (
  name: string,
  types: readonly Fact['type'][],
  begin: () => { fold(fact: Fact, at: Time): string | undefined; forget?(): void } & Pick<Automaton, 'died'>,
): Property =>
  about(
    types,
    safety(name, () => {
      const { fold, forget, died } = begin()
      return {
        fold: ({ fact, who, at }: ObservedFact) => (isOneOf(types, fact, who) ? fold(fact, at) : undefined),
        died: (who, at) => {
          if (roleOf(who) === 'allocator') forget?.()
          died?.(who, at)
        },
      }
    }),
  )

const ownedIn = (fact: Dealt | RingFact): readonly Owned[] =>
  fact.type === 'dealt' ? fact.partitions : fact.rings.flat()

/** A leader that is dead, or taken for dead, may be admitted again for another job while the allocator still knows it for the last one. */
const ANY_LOSS: Ending = { death: () => true, fact: ({ fact }) => fact.type === 'gave-up' || fact.type === 'failed' }

/** The promises about the decisions of the allocator of a run. */
export function allocationOf({ allocator }: Multicomputer): readonly Property[] {
  if (allocator.policy === 'table') return []
  const { mesh, limit = processorsOf(mesh), swaps = null, policy } = allocator
  const isEqui = policy === 'equi'
  return [
    healthyOnly(),
    atOnce(),
    largestPart(wholeOf(mesh)),
    noIdleRoom(limit, isEqui),
    inOrder(),
    ...(swaps ? [byTheClock(afterQuantum(swaps)), ...until(ANY_LOSS, [longestFirst()])] : []),
    ...(isEqui ? [byTheRule()] : []),
    ...(isEqui && allocator.deal === 'arrival' ? until(ANY_LOSS, [inOrderOfArrival()]) : []),
  ]
}

// --- processors that die ----------------------------------------------------------------------------------------------

/** From the moment when the allocator hears that a processor is dead, no partition that it knows or hands out has it. */
const healthyOnly = (): Property =>
  ofAllocator('no partition has a processor that is known to be dead', ['down', 'dealt', 'ring', 'rested'], () => {
    const down: Place[] = []
    let last: readonly Owned[] = []
    return {
      fold: (fact, at) => {
        if (fact.type === 'down') down.push(fact)
        if (fact.type === 'dealt' || fact.type === 'ring') last = ownedIn(fact)
        if (fact.type === 'down') return undefined
        const lost = last.flatMap(({ job, partition }) =>
          down.flatMap((place) =>
            isIn(partition, place) ? [`${job} has ${textOf(partition)} with ${place.row},${place.column}`] : [],
          ),
        )
        return lost.length > 0 ? `${lost.join(', ')} at ${instant(at)}` : undefined
      },
      forget: () => {
        last = []
      },
    }
  })

/**
 * An allocator at rest that hears of a dead processor gives orders in the same step, where a job may have that processor. Whether it
 * rests is known where it tells its orders.
 */
const atOnce = (): Property => {
  const name = 'an allocator at rest reacts at once to a processor that dies'
  return safety(name, () => {
    let isResting = false
    let due: { readonly place: string; readonly at: Time } | null = null
    const late = (): string | undefined => {
      const text = due ? `${due.place} is dead at ${instant(due.at)}, and no orders follow` : undefined
      due = null
      return text
    }
    return {
      fold: ({ fact, who, at }) => {
        const isOwn = roleOf(who) === 'allocator'
        if (isOwn && fact.type === 'ordered') {
          isResting = false
          due = null
        }
        const broken = due && (at > due.at || (isOwn && fact.type !== 'down')) ? late() : undefined
        if (isOwn && (fact.type === 'rested' || fact.type === 'ring')) isResting = true
        if (isOwn && fact.type === 'down' && isResting) due = { place: `${fact['row']},${fact['column']}`, at }
        return broken
      },
      died: (who) => {
        if (roleOf(who) !== 'allocator') return
        isResting = false
        due = null
      },
    }
  })
}

/** The shared part of the mesh is the largest cell without a processor that is known to be dead. */
const largestPart = (whole: Rectangle): Property =>
  ofAllocator('the largest healthy part of the mesh is shared', ['down', 'dealt', 'ring'], () => {
    const down: Place[] = []
    return {
      fold: (fact, at) => {
        if (fact.type === 'down') down.push(fact)
        if ((fact.type !== 'dealt' && fact.type !== 'ring') || ownedIn(fact).length === 0) return undefined
        const healthy = healthyOf(whole, down)
        return healthy && areEqual(healthy, fact.area)
          ? undefined
          : `${textOf(fact.area)} at ${instant(at)}, not ${healthy ? textOf(healthy) : 'nothing'}`
      },
    }
  })

// --- who gets which partition -----------------------------------------------------------------------------------------

/** Under EQUI the partitions are those of the rule, in its order. */
const byTheRule = (): Property =>
  ofAllocator('partitions follow the rule of EQUI', ['dealt'], () => ({
    fold: (fact, at) => {
      if (fact.type !== 'dealt' || fact.partitions.length === 0) return undefined
      const { area, partitions } = fact
      const expected = equi(exponentsOf(area), partitions.length).map((one) =>
        textOf({ ...one, row: area.row + one.row, column: area.column + one.column }),
      )
      const told = partitions.map(({ partition }) => textOf(partition))
      return told.join() === expected.join()
        ? undefined
        : `${told.join(', ')} at ${instant(at)}, not ${expected.join(', ')}`
    },
  }))

/** The pairs of keys that two lists have in another order. */
function swappedPair(before: readonly string[], after: readonly string[]): readonly [string, string] | undefined {
  const places = new Map(before.map((key, place) => [key, place]))
  const common = after.filter((key) => places.has(key))
  const i = common.findIndex((key, n) => n > 0 && (places.get(key) ?? 0) < (places.get(common[n - 1] ?? '') ?? 0))
  const [one, other] = [common[i - 1], common[i]]
  return i < 0 || one === undefined || other === undefined ? undefined : [one, other]
}

/** Under EQUI jobs that stay keep their order, and newcomers get the last partitions. It is asked until an actor dies or a job fails. */
const inOrderOfArrival = (): Property =>
  about(
    ['dealt', 'began', 'swapped'],
    safety('jobs that stay keep their order, before those that come', () => {
      let last: readonly Address[] = []
      return {
        fold: ({ fact, who, at }) => {
          // the leader may be admitted again, for another job
          if (fact.type === 'began') last = last.filter((leader) => leader !== who)
          if (isSwap(fact, who)) last = last.filter((leader) => !fact.out.includes(leader))
          if (!isDealt(fact, who)) return undefined
          const now = fact.partitions.map(({ job }) => job)
          const before = last
          last = now
          const pair = swappedPair(before, now)
          if (pair) return `${pair[0]} before ${pair[1]} at ${instant(at)}`
          const firstNew = now.findIndex((leader) => !before.includes(leader))
          const behind = firstNew < 0 ? undefined : now.slice(firstNew).find((leader) => before.includes(leader))
          return behind === undefined || before.length === 0
            ? undefined
            : `${now[firstNew]} before ${behind} at ${instant(at)}`
        },
      }
    }),
  )

// --- who waits --------------------------------------------------------------------------------------------------------

/** No job waits at rest while fewer jobs run than there is room for. */
const noIdleRoom = (limit: number, isEqui: boolean): Property =>
  ofAllocator('no job waits while there is room', ['dealt', 'rested', 'ring'], () => {
    let last: Dealt | null = null
    return {
      fold: (fact, at) => {
        if (fact.type === 'dealt') last = fact
        const placed = fact.type === 'rested' ? last : fact.type === 'ring' ? fact : null
        if (!placed || (fact.type !== 'rested' && fact.type !== 'ring') || !fact.waiting) return undefined
        const running = ownedIn(placed).length
        const room = Math.min(limit, isEqui ? areaOf(placed.area) : roomIn(placed.area))
        return running >= room
          ? undefined
          : `${fact.waiting.map(({ job }) => `job ${job}`).join()} at ${instant(at)}, with ${running} of ${room} jobs running`
      },
      forget: () => {
        last = null
      },
    }
  })

/** A job that has been placed before one that has waited longer and still waits, and that one. */
function earlyIn(before: readonly WaitingJob[], now: readonly string[], placed: readonly Address[]) {
  const left = before.findIndex((one) => now.includes(keyOf(one)))
  const longer = before[left]
  const early = longer && before.slice(left).find(({ leader }) => placed.includes(leader))
  return early && ([early, longer] as const)
}

const keyOf = ({ leader, job, attempt }: WaitingJob): string => `job ${job}, attempt ${attempt} of ${leader}`

/**
 * Jobs wait in a queue: none is placed before another one that has waited longer and still waits, and those that wait keep their
 * order. After questions to all jobs, those that have lost their places wait before others.
 */
const inOrder = (): Property =>
  ofAllocator(
    'jobs that wait are placed in their order',
    ['rested', 'ring', 'dealt', 'swapped', 'gave-up', 'planned'],
    () => {
      let last: readonly WaitingJob[] = []
      const leave = (leaders: readonly Address[]): void => {
        last = last.filter(({ leader }) => !leaders.includes(leader))
      }
      /** The jobs that have been placed since the last rest. A job among them that waits has lost its place. */
      let placed: readonly Address[] = []
      return {
        fold: (fact, at) => {
          if (fact.type === 'planned') last = []
          if (fact.type === 'swapped') leave(fact.out)
          if (fact.type === 'gave-up') leave([fact.leader])
          if (fact.type === 'dealt' || fact.type === 'ring')
            placed = [...placed, ...ownedIn(fact).map(({ job }) => job)]
          if (fact.type !== 'rested' && fact.type !== 'ring') return undefined
          const { waiting = [] }: WithWaiting = fact
          const now = waiting.map(keyOf)
          const before = last.filter((one) => !placed.includes(one.leader) || !now.includes(keyOf(one)))
          const early = earlyIn(before, now, placed)
          last = waiting
          placed = []
          const pair = swappedPair(before.map(keyOf), now)
          if (pair) return `${pair[0]} before ${pair[1]} at ${instant(at)}`
          return early && `${keyOf(early[0])} before ${keyOf(early[1])} at ${instant(at)}`
        },
        forget: () => {
          last = []
          placed = []
        },
      }
    },
  )

// --- swaps ------------------------------------------------------------------------------------------------------------

/**
 * Jobs make room for others only after jobs have waited at each rest for a quantum, or a quantum after the last time. A swap is made
 * once for each time that it becomes due.
 */
const afterQuantum = ({ every }: Swaps): Property =>
  ofAllocator(
    'jobs make room only when others have waited for a quantum',
    ['rested', 'ring', 'swap-due', 'swapped'],
    () => {
      let since: Time | null = null
      let isDue = false
      return {
        fold: (fact, at) => {
          if (fact.type === 'rested' || fact.type === 'ring') {
            since = fact.waiting ? (since ?? at) : null
            isDue &&= fact.waiting !== undefined
          }
          if (fact.type === 'swap-due') {
            const from = since
            since = at
            isDue = true
            if (from === null) return `a swap is due at ${instant(at)}, and no job waits`
            if (at < from + every) return `a swap is due at ${instant(at)}, and jobs wait since ${instant(from)}`
          }
          if (fact.type === 'swapped') {
            const wasDue = isDue
            isDue = false
            if (!wasDue) return `${fact.out.join()} at ${instant(at)}, and no swap is due`
          }
          return undefined
        },
        forget: () => {
          since = null
          isDue = false
        },
      }
    },
  )

/**
 * A job that makes room has come no later than any job that stays. Jobs that come between two rests of an allocator of FOLD count as
 * coming together. It is asked until an actor dies or a job fails. After questions to all jobs they count as coming together.
 */
const longestFirst = (): Property =>
  about(
    ['dealt', 'ring', 'began', 'swapped', 'asked'],
    safety('the jobs that make room have run longest', () => {
      /** The jobs on the mesh, with the number of the fact that first told of each. */
      let since: ReadonlyMap<Address, number> = new Map()
      let out: readonly { readonly leader: Address; readonly came: number }[] = []
      let facts = 0
      return {
        fold: ({ fact, who, at }) => {
          // the leader may be admitted again, for another job
          if (fact.type === 'began') since = new Map([...since].filter(([leader]) => leader !== who))
          if (fact.type === 'asked') since = new Map()
          if (isSwap(fact, who)) {
            out = fact.out.flatMap((leader) => {
              const came = since.get(leader)
              return came === undefined ? [] : [{ leader, came }]
            })
            since = new Map([...since].filter(([leader]) => !fact.out.includes(leader) && !fact.in.includes(leader)))
          }
          if (!isOneOf(['dealt', 'ring'], fact, who) || (fact.type !== 'dealt' && fact.type !== 'ring'))
            return undefined
          facts++
          const before = since
          since = new Map(ownedIn(fact).map(({ job }) => [job, before.get(job) ?? facts]))
          const pair = out.flatMap(({ leader, came }) => {
            const longer = [...since].find(([, other]) => other < came)
            return longer ? [`${leader} at ${instant(at)}, before ${longer[0]}`] : []
          })
          out = []
          return pair[0]
        },
      }
    }),
  )

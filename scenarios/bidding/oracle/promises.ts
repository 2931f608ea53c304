/** The promises of a market that its facts can break, in the words of the library of promises. */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../../lib/actor.ts'
import type { Circumstances } from '../../../lib/scenario/definition.ts'
import {
  byTheClock,
  disturbanceOf,
  ifNothingIsLost,
  isStruck,
  whileAsPlanned,
} from '../../../lib/scenario/disturbance.ts'
import type { Fault } from '../../../lib/scenario/faults.ts'
import { about, type ObservedFact, type Property } from '../../../lib/scenario/oracle.ts'
import { mutualExclusion } from '../../../lib/scenario/promises/exclusion.ts'
import { eventualAccuracy, strongAccuracy } from '../../../lib/scenario/promises/failure-detector.ts'
import { atMostOnce } from '../../../lib/scenario/promises/once.ts'
import { increasing, precedence } from '../../../lib/scenario/promises/order.ts'
import { noOrphans } from '../../../lib/scenario/promises/orphans.ts'
import { instant, invariant, safety } from '../../../lib/scenario/promises/safety.ts'
import { complete } from '../../../lib/system/options.ts'
import { notBeforeArrival } from '../../arrival.ts'
import { toldOnce } from '../../told-once.ts'
import type { Market, MarketTask } from '../model.ts'
import { bestBids } from './choices.ts'
import { isEnd, isOver, isStart, placedOn, placeOf, taskIn, taskOf } from './facts.ts'
import { lateBids } from './late-bids.ts'
import { lateStarts } from './late-starts.ts'
import { dropsTheDead } from './orphans.ts'
import { silenceAwaited } from './silence.ts'
import { stopsInTime } from './stops.ts'
import { startsInTurn } from './turns.ts'

/** The facts of a client that places a task, of a client whose task is over, and of a processor. */
const PLACINGS = ['awarded', 'moved', 'replaced']
const ENDS = ['done', 'ended']
const EXECUTIONS = ['started', 'finished', 'aborted']

/** Reads the attempt of a fact, if an actor of this role tells one of these types. */
const attemptIn = (role: string, ...types: readonly string[]) => {
  const isOne = taskIn(role, ...types)
  return (observed: ObservedFact): string | undefined => isOne(observed) && attemptOf(observed.fact)
}

const attemptOf = ({ task, attempt }: Message): string => `task ${task}, attempt ${attempt}`

const isAnnounced = taskIn('client', 'announced')
const isEarned = taskIn('client', 'earned')
const isDone = taskIn('client', 'done')
const isEnded = taskIn('client', 'ended')
const isFinished = taskIn('processor', 'finished')
const isAborted = taskIn('processor', 'aborted')
const isExecuted = taskIn('processor', ...EXECUTIONS)
const triedOrFailed = attemptIn('client', 'announced', 'bumped', 'failed')

/** A client announces a task again after a refusal or a failure. One that died announces all its tasks again. */
const announcedForReason: Property = about(
  ['announced', 'bumped', 'failed'],
  safety('a task is announced again only if its last attempt failed', () => {
    const announced = new Set<string>()
    const failed = new Set<string>()
    const died = new Set<Address>()
    return {
      fold: (observed) => {
        const attempt = triedOrFailed(observed)
        if (attempt === undefined || died.has(observed.who)) return undefined
        const { fact, at } = observed
        if (fact.type !== 'announced') {
          failed.add(attempt)
          return undefined
        }
        announced.add(attempt)
        const last = attemptOf({ ...fact, attempt: Number(fact['attempt']) - 1 })
        return announced.has(last) && !failed.has(last) ? `${attempt} at ${instant(at)}` : undefined
      },
      died: (who) => {
        died.add(who)
      },
    }
  }),
)

/** A contractor refuses all tasks while its processor is silent. One whose processor lives must hear of it in the end. */
const worksAgain: Property = ifNothingIsLost(
  about(
    ['stranded', 'recovered'],
    eventualAccuracy('a contractor whose processor lives works again in the end', ({ fact, who }) => {
      if (fact.type !== 'stranded' && fact.type !== 'recovered') return undefined
      return { type: fact.type === 'stranded' ? 'suspects' : 'trusts', whom: `processor@${machineOf(who)}` }
    }),
  ),
)

/** The promises of every market, whatever its tasks and its terms. */
export const OF_ALL_MARKETS: readonly Property[] = [
  about(
    ['announced'],
    increasing(
      'a new announcement has a greater attempt',
      (observed) =>
        isAnnounced(observed) === undefined
          ? undefined
          : { key: `task ${taskOf(observed)}`, number: Number(observed.fact['attempt']) },
      { by: 1 },
    ),
  ),
  about(
    EXECUTIONS,
    mutualExclusion('a machine executes one task at a time', (observed) => {
      const { fact, who } = observed
      if (isExecuted(observed) === undefined) return undefined
      const resource = machineOf(who)
      return { type: fact.type === 'started' ? 'enters' : 'leaves', resource, holder: placeOf(observed, resource) }
    }),
  ),
  about(ENDS, atMostOnce('a task ends once', isOver)),
  about(
    [...PLACINGS, 'started'],
    precedence('a task starts only where it was awarded', {
      cause: (observed) => {
        const machine = placedOn(observed)
        return machine === undefined ? undefined : placeOf(observed, machine)
      },
      effect: (observed) => isStart(observed) && placeOf(observed, machineOf(observed.who)),
    }),
  ),
  about(
    ['earned'],
    atMostOnce(
      "a machine's owner earns the points of an attempt once",
      (observed) => isEarned(observed) && placeOf(observed, machineOf(observed.who)),
    ),
  ),
  about(
    ['finished', 'earned'],
    precedence('points are earned for tasks that were done', {
      cause: isFinished,
      effect: isEarned,
    }),
  ),
  about(
    ['bumped', 'replaced'],
    precedence('a task is replaced only after a bump', {
      cause: attemptIn('client', 'bumped'),
      effect: attemptIn('client', 'replaced'),
    }),
  ),
  announcedForReason,
  worksAgain,
]

/** The name of a promise that the scenario's checks show on their own. */
export const BEGUN_ONCE = 'a task that may not be begun twice is begun once'

/** The promises of one run of a market, under its options and its planned faults. */
export function promisesOf(market: Market, circumstances: Circumstances): readonly Property[] {
  const { options, faults } = circumstances
  const { jobs, terms, speeds, protocol } = market
  const { network } = complete(options)
  const { isTimed, isSafe, isCalm } = disturbanceOf(circumstances)
  const jobIn = (observed: ObservedFact): MarketTask | undefined => jobs[taskOf(observed)]
  const delayTo = (one: Address, other: Address): Time => (machineOf(one) === machineOf(other) ? 0 : network.latency)
  return [
    ...toldOnce(circumstances),
    about(
      ['started'],
      atMostOnce(BEGUN_ONCE, (observed) => (jobIn(observed)?.restartable === false ? isStart(observed) : undefined)),
    ),
    about(
      ['announced'],
      notBeforeArrival('no task is announced before it arrives', isAnnounced, (observed) => jobIn(observed)?.arrival),
    ),
    byTheClock(
      about(
        ['done'],
        invariant('the flow time of a task is counted from its arrival', (observed) => {
          const name = isDone(observed)
          const flow = observed.at - (jobIn(observed)?.arrival ?? 0)
          return name && observed.fact['flow'] !== flow ? `${name}: ${observed.fact['flow']}, not ${flow}` : undefined
        }),
      ),
    ),
    about(
      ['ended'],
      invariant('a task ends without a result only for a reason', (observed) => {
        const name = isEnded(observed)
        const { reason } = observed.fact
        const isReason =
          (reason === 'not restartable' && jobIn(observed)?.restartable === false) ||
          (reason === 'cut off' && terms.cutoff !== null) ||
          (reason === 'threw' && typeof jobIn(observed)?.work === 'object')
        return name && !isReason ? `${name}: ${reason}` : undefined
      }),
    ),
    about(
      ['started'],
      invariant('an execution is given the work of its task', (observed) => {
        const name = isStart(observed)
        const work = jobIn(observed)?.work
        return name && typeof work === 'number' && observed.fact['work'] !== work
          ? `${name}: ${observed.fact['work']}, not ${work}`
          : undefined
      }),
    ),
    about(
      ['earned'],
      invariant('a machine earns at most what the task of another client is worth', (observed) => {
        const name = isEarned(observed)
        const { value = 0, client } = jobIn(observed) ?? {}
        const points = Number(observed.fact['points'])
        return name && !(points > 0 && points <= value && client !== machineOf(observed.who))
          ? `${name}: ${points} for ${observed.who}, worth ${value}`
          : undefined
      }),
    ),
    ...(typeof protocol === 'string' && terms.timeout !== null
      ? [about(['announced', 'repeated', 'bumped', 'heard', 'awarded', 'replaced'], bestBids(market))]
      : []),
    byTheClock(about([...PLACINGS, 'rejected'], lateBids(market))),
    byTheClock(about([...PLACINGS, 'failed'], silenceAwaited(market))),
    ...(isTimed && !faults.some(({ type }) => type === 'pause')
      ? [
          byTheClock(
            about(
              ['finished'],
              invariant('an execution takes the work of its task', (observed) => {
                const name = isFinished(observed)
                const { work, files = [] } = jobIn(observed) ?? {}
                const speed = speeds[Number(machineOf(observed.who).slice(1)) - 1] ?? 1
                if (!name || typeof work !== 'number' || files.length > 0) return undefined
                const takes = Math.round(work / speed)
                return observed.fact['busy'] === takes
                  ? undefined
                  : `${name} took ${observed.fact['busy']}, not ${takes}`
              }),
            ),
          ),
        ]
      : []),
    ...(isSafe && terms.silence !== null && !complete(options).reliable && !faults.some(isLate)
      ? [byTheClock(dropsTheDead(market, terms.silence, network.latency + network.jitter))]
      : []),
    ...whileAsPlanned(faults, [
      ...(isSafe
        ? [
            about(
              ['failed', 'abandoned', 'stranded'],
              strongAccuracy('no living machine and no living client is taken for dead', (observed) => {
                const whom = suspectIn(observed)
                if (whom === undefined || isStruck(observed.who, faults) || isStruck(whom, faults)) return undefined
                return { type: 'suspects', whom }
              }),
            ),
          ]
        : []),
      ...(isCalm
        ? [
            about(
              [...PLACINGS, ...EXECUTIONS, ...ENDS, 'bumped', 'failed', 'announced'],
              startsInTurn(market, delayTo),
            ),
            ...noOrphans(
              'no machine begins a task that is over',
              (observed) => {
                const [begins, ends, over] = [isStart(observed), isEnd(observed), isOver(observed)]
                if (begins) return { type: 'begins', work: begins }
                if (ends) return { type: 'ends', work: ends }
                return over ? { type: 'unwanted', work: over } : undefined
              },
              { grace: network.latency },
            ).map((one) => about([...EXECUTIONS, ...ENDS], one)),
            about(
              ['stopped', 'aborted'],
              precedence('an execution ends early only if its contractor stops it', {
                cause: (observed) =>
                  observed.fact.type === 'stopped' ? placeOf(observed, machineOf(observed.who)) : undefined,
                effect: (observed) => isAborted(observed) && placeOf(observed, machineOf(observed.who)),
              }),
            ),
            ...(terms.abort ? [about([...PLACINGS, ...ENDS, 'finished'], stopsInTime(network.latency))] : []),
            ...(protocol === 'eager'
              ? [about([...PLACINGS, ...ENDS, 'bumped', 'started'], lateStarts(market, network.latency))]
              : []),
          ]
        : []),
    ]),
  ]
}

/** Whether a fault makes living actors handle messages later than the network delivers them. */
const isLate = ({ type }: Fault): boolean => type === 'pause' || type === 'slow links'

/** The actor that a fact takes for dead. */
function suspectIn({ fact, who }: ObservedFact): Address | undefined {
  if (roleOf(who) === 'client' && fact.type === 'failed') return String(fact['contractor'])
  if (roleOf(who) !== 'contractor') return undefined
  if (fact.type === 'abandoned') return String(fact['client'])
  return fact.type === 'stranded' ? `processor@${machineOf(who)}` : undefined
}

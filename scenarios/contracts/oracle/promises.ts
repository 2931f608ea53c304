/** The promises of a market of contracts that its facts can break, in the words of the library of promises. */
import { type Address, machineOf, roleOf } from '../../../lib/actor.ts'
import type { Circumstances } from '../../../lib/scenario/definition.ts'
import { byTheClock, disturbanceOf, isStruck, whileAsPlanned } from '../../../lib/scenario/disturbance.ts'
import { about, inEachRun, type ObservedFact, type Property } from '../../../lib/scenario/oracle.ts'
import { conservation, type Transfer } from '../../../lib/scenario/promises/conservation.ts'
import { type Move, mutualExclusion } from '../../../lib/scenario/promises/exclusion.ts'
import { strongAccuracy } from '../../../lib/scenario/promises/failure-detector.ts'
import { atMostOnce } from '../../../lib/scenario/promises/once.ts'
import { precedence } from '../../../lib/scenario/promises/order.ts'
import { noOrphans, type WorkEvent } from '../../../lib/scenario/promises/orphans.ts'
import { complete } from '../../../lib/system/options.ts'
import { notBeforeArrival } from '../../arrival.ts'
import { toldOnce } from '../../told-once.ts'
import { type ContractsMarket, processorsOf, siteOf } from '../model.ts'
import { brokerDecisions, heardOffers } from './broker-decisions.ts'
import { restOfWork, siteDecisions } from './site-decisions.ts'
import { isValued } from './valuing.ts'

/** Reads the task of a fact, if an actor of this role tells one of these types. */
const taskIn =
  (role: string, ...types: readonly string[]) =>
  ({ fact, who }: ObservedFact): string | undefined =>
    roleOf(who) === role && types.includes(fact.type) ? `task ${fact['task']}` : undefined

/** A contract is one of a task with a site. */
const contractOf = (task: string, site: string): string => `${task} at ${machineOf(site)}`

/** Reads the contract of a fact of a site. */
const contractIn =
  (...types: readonly string[]) =>
  (observed: ObservedFact): string | undefined => {
    const task = taskIn('site', ...types)(observed)
    return task && contractOf(task, observed.who)
  }

const isVoided = contractIn('voided')
const isReneged = contractIn('reneged')
const isDeclined = taskIn('broker', 'declined')
const isReceived = contractIn('received')
const isEarned = contractIn('earned')
const isFailed = taskIn('site', 'failed')
const isOrdered = taskIn('site', 'began')
const isPaid = taskIn('client', 'paid')
const isBegun = taskIn('processor', 'started')
const isDone = taskIn('processor', 'finished', 'aborted')

/**
 * Money moves when a site books a payment: what the site has earned must be what its client has paid. Each of the two said so
 * before, on its own.
 */
const payments: Property = inEachRun(() => {
  const earned = new Map<string, number>()
  const paid = new Map<string, number>()
  function transferIn(observed: ObservedFact): Transfer | undefined {
    const { fact, who } = observed
    const [earns, pays] = [isEarned(observed), isPaid(observed)]
    if (earns) earned.set(earns, Number(fact['paid']))
    if (pays) paid.set(contractOf(pays, String(fact['site'])), Number(fact['paid']))
    const settled = isReceived(observed) ?? isVoided(observed)
    if (settled === undefined) return undefined
    const receives = isReceived(observed) ? (earned.get(settled) ?? 0) : 0
    return new Map([
      [who, receives],
      ['clients', -(paid.get(settled) ?? 0)],
    ])
  }
  const name = 'what a site receives is what its client has paid'
  const all = conservation(name, transferIn, { least: Number.NEGATIVE_INFINITY })
  return about(['earned', 'paid', 'received', 'voided'], all)
})

/** The facts of processors. */
const EXECUTIONS = ['started', 'finished', 'aborted']

/** A processor and an attempt at a task. */
const executionOf = ({ fact }: ObservedFact, processor: string): string =>
  `task ${fact['task']}, attempt ${fact['attempt']}, on ${processor}`

/** An attempt that its site has given up may go on for a while: its work is wasted. */
const oneProcessor = (siteOf: (processor: Address) => Address | undefined): Property =>
  inEachRun(() => {
    const lost = new Set<string>()
    function moveIn(observed: ObservedFact): Move | undefined {
      const { fact, who } = observed
      const failed = isFailed(observed)
      if (failed !== undefined) {
        const processor = String(fact['processor'])
        lost.add(executionOf(observed, processor))
        return { type: 'leaves', resource: contractOf(failed, who), holder: processor }
      }
      const begun = isBegun(observed)
      const [task, site] = [begun ?? isDone(observed), siteOf(who)]
      if (!task || !site || (begun && lost.has(executionOf(observed, who)))) return undefined
      return { type: begun ? 'enters' : 'leaves', resource: contractOf(task, site), holder: who }
    }
    return about([...EXECUTIONS, 'failed'], mutualExclusion('a task runs on one processor at a time', moveIn))
  })

/** The promises of every market of contracts, whatever its tasks and its terms. */
const OF_ALL_MARKETS: readonly Property[] = [
  about(
    ['reneged', 'declined'],
    precedence('a site declines an award only if it has reneged in that round', {
      cause: (observed) => {
        const contract = isReneged(observed)
        return contract && `${contract}, round ${observed.fact['round']}`
      },
      effect: (observed) => {
        const { fact } = observed
        const task = isDeclined(observed)
        return task && `${contractOf(task, String(fact['site']))}, round ${fact['round']}`
      },
    }),
  ),
  about(['received', 'voided'], atMostOnce('a contract is settled once', contractIn('received', 'voided'))),
  payments,
  about(
    EXECUTIONS,
    mutualExclusion('a processor runs one task at a time', (observed) => {
      const { who } = observed
      const begun = isBegun(observed)
      if ((begun ?? isDone(observed)) === undefined) return undefined
      return { type: begun ? 'enters' : 'leaves', resource: who, holder: executionOf(observed, who) }
    }),
  ),
  about(
    ['began', 'started'],
    precedence('a processor runs only the tasks that its site began', {
      cause: (observed) => {
        const task = isOrdered(observed)
        return task && `${task} on ${observed.fact['processor']}`
      },
      effect: (observed) => {
        const task = isBegun(observed)
        return task && `${task} on ${observed.who}`
      },
    }),
  ),
]

/** Whether all mail takes equally long. Then sites and processors agree on how long a task ran. */
export function isEven(circumstances: Circumstances): boolean {
  const { options, faults } = circumstances
  const isSteady = disturbanceOf(circumstances).isSafe && options.network.jitter === 0
  return isSteady && faults.every(({ type }) => type === 'kill' || type === 'restart')
}

/** The promises about decisions. They need the times at which actors decide, which are those of their facts in virtual time. */
function decisionsOf(market: ContractsMarket, { options }: Circumstances): readonly Property[] {
  if (complete(options).time !== 'virtual') return []
  const { patience, broker } = market
  return [
    restOfWork(market),
    ...(market.tasks.every(isValued) ? [siteDecisions(market)] : []),
    ...(patience !== null || broker.wait !== null ? [brokerDecisions(market), heardOffers] : []),
  ].map(byTheClock)
}

/** The promises of one run of a market, under its options and its planned faults. */
export function promisesOf(market: ContractsMarket, circumstances: Circumstances): readonly Property[] {
  const { options, faults } = circumstances
  const { latency, jitter } = complete(options).network
  const { isSafe } = disturbanceOf(circumstances)
  const sites = new Map<Address, Address>(
    market.sites.flatMap(({ processors }, i) => processorsOf(i, processors).map((one) => [one, siteOf(i)])),
  )
  const arrivals = new Map(market.tasks.map(({ task, arrival }) => [task, arrival]))
  const processorsAt = (site: Address): Address[] => [...sites].flatMap(([one, at]) => (at === site ? [one] : []))
  // deaths and restarts take no time: an order to stop arrives as late as any other message
  const isPrompt = isSafe && !options.reliable && faults.every(({ type }) => type === 'kill' || type === 'restart')

  function workIn(observed: ObservedFact): WorkEvent | undefined {
    const voided = isVoided(observed)
    if (voided) return { type: 'unwanted', work: voided }
    const task = isBegun(observed) ?? isDone(observed)
    const site = sites.get(observed.who)
    return task && site ? { type: isBegun(observed) ? 'begins' : 'ends', work: contractOf(task, site) } : undefined
  }

  return [
    ...toldOnce(circumstances),
    ...OF_ALL_MARKETS,
    ...decisionsOf(market, circumstances),
    ...(isEven(circumstances) ? [oneProcessor((processor) => sites.get(processor))] : []),
    about(
      ['started'],
      notBeforeArrival('no task begins before it arrives', isBegun, ({ fact }) => arrivals.get(Number(fact['task']))),
    ),
    ...whileAsPlanned(faults, [
      ...(isSafe
        ? [
            about(
              ['failed', 'lost', 'passed'],
              strongAccuracy('no living processor and no working site is taken for dead', ({ fact, who }) => {
                const isOfSite = roleOf(who) === 'site' && fact.type === 'failed'
                const isOfMarket = (roleOf(who) === 'client' && fact.type === 'lost') || fact.type === 'passed'
                if (!isOfSite && !isOfMarket) return undefined
                const whom = String(isOfSite ? fact['processor'] : fact['site'])
                // a site whose processors are dead keeps silent
                const concerned = isOfSite ? [who, whom] : [who, whom, ...processorsAt(whom)]
                return concerned.some((one) => isStruck(one, faults)) ? undefined : { type: 'suspects', whom }
              }),
            ),
          ]
        : []),
      ...(isPrompt
        ? noOrphans('no processor begins or continues a task that is void', workIn, {
            grace: latency + jitter,
            stops: true,
          }).map((one) => about([...EXECUTIONS, 'voided'], one))
        : []),
    ]),
  ]
}

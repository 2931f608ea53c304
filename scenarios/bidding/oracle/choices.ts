/**
 * The promise about choices: a client places a task with the bidder that its protocol prefers among the bids that it has heard since it
 * asked. It holds in all runs whose clients tell the bids, which they do with a timeout.
 */
import type { ClientFact } from '../../../actors/bidding/messages.ts'
import { type Address, type Message, roleOf, type Time, toUnits } from '../../../lib/actor.ts'
import type { Property } from '../../../lib/scenario/oracle.ts'
import { safety } from '../../../lib/scenario/promises/safety.ts'
import type { Market } from '../model.ts'

interface Heard {
  readonly contractor: Address
  readonly start: Time
  readonly completion: Time
}

/** The conversation about a task: the client that asks, and the last bid of each contractor since then. */
interface Asked {
  readonly client: Address
  readonly isOpen: boolean
  readonly bids: ReadonlyMap<Address, Heard>
}

const NONE: ReadonlyMap<Address, Heard> = new Map()

/** The bidders that a client may choose; `holder` has the task already. */
function preferred({ protocol }: Pick<Market, 'protocol'>, bids: readonly Heard[], holder: Address | null): Heard[] {
  if (protocol === 'random') return [...bids]
  const earliest = Math.min(...bids.map(({ completion }) => completion))
  const best = bids.filter(({ completion }) => completion === earliest)
  if (protocol === 'dsp') return best
  const own = best.filter(({ contractor }) => contractor === holder)
  // the fastest machine begins last, since all of them end together
  const latest = Math.max(...best.map(({ start }) => start))
  return own.length > 0 ? own : best.filter(({ start }) => start === latest)
}

const textOf = ({ contractor, start, completion }: Heard): string =>
  `${contractor} from ${toUnits(start)} to ${toUnits(completion)}`

const isClient = (_: Message, who: Address): _ is ClientFact => roleOf(who) === 'client'

type Chosen = Extract<ClientFact, Heard & { readonly type: 'awarded' | 'replaced' }>

export const bestBids = (market: Pick<Market, 'protocol' | 'jobs'>): Property =>
  safety('a client takes the best bid that it has heard', () => {
    const all = new Map<unknown, Asked>()

    function judge(fact: Chosen, { bids }: Asked): string | undefined {
      const holder = fact.type === 'replaced' ? fact.previous : null
      const mustStay = holder !== null && market.jobs[fact.task]?.restartable === false
      const possible = [...bids.values()].filter(({ contractor }) => !mustStay || contractor === holder)
      const best = preferred(market, possible, holder).map(textOf)
      const chosen = textOf(fact)
      return best.includes(chosen) ? undefined : `task ${fact.task}: ${chosen}, not ${best.join(' or ') || 'none'}`
    }

    return {
      fold: ({ fact, who }) => {
        if (!isClient(fact, who)) return undefined
        const { task } = fact
        const asked = all.get(task)
        switch (fact.type) {
          case 'announced':
          case 'repeated':
          case 'bumped':
            all.set(task, { client: who, isOpen: true, bids: NONE })
            return undefined
          case 'heard':
            if (asked?.isOpen) all.set(task, { ...asked, bids: new Map(asked.bids).set(fact.contractor, fact) })
            return undefined
          case 'awarded':
          case 'replaced':
            all.set(task, { client: who, isOpen: false, bids: NONE })
            return asked && asked.bids.size > 0 ? judge(fact, asked) : undefined
          default:
            return undefined
        }
      },
      died: (who) => {
        for (const [task, { client }] of all) if (client === who) all.delete(task)
      },
    }
  })

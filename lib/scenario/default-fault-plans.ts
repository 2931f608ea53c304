/** The fault plans of a scenario that defines none: drawn from its actors, and from what they do without faults. */
import { type Address, machineOf } from '../core/address.ts'
import { type Time, toUnits, UNIT } from '../core/time.ts'
import type { System } from '../system/system.ts'
import type { Handled } from '../trace/entries.ts'
import { Dice, delays, kills, lossesIn, partitions, pauses, restarts, slowDisks } from './dice.ts'
import type { FaultPlan, FaultPlans } from './fault-plans.ts'
import type { Given } from './flags.ts'
import type { Oracle } from './oracle.ts'
import { runScenario } from './run-scenario.ts'
import type { Specification } from './specification.ts'

/**
 * - `deaths`, `restarts`: actors or machines die for good, or come back (or are restarted alive), at any time or right
 *   after a message;
 * - `pauses`: actors handle nothing for a while;
 * - `partitions`: machines cannot be reached for a while;
 * - `delays`: mail between some machines and all others takes longer for a while;
 * - `disks`: actors whose disk is slow for a while, and half of them are restarted, so that a step may die with its write;
 * - `losses`: up to 20 % of the messages are lost, and up to 40 % are duplicated;
 * - `mixed`: some of these together, but no slow links and no slow disks.
 */
const KINDS = ['deaths', 'restarts', 'pauses', 'partitions', 'delays', 'disks', 'losses', 'mixed'] as const
type Kind = (typeof KINDS)[number]

/** The most rounds of a run. A run that has more does not come to rest. */
const ROUNDS = 100_000

/** What happens without faults. */
interface Undisturbed {
  readonly addresses: readonly Address[]
  /** The messages and timers that each actor handles, in their order. */
  readonly handled: ReadonlyMap<Address, readonly Handled[]>
  /** The instants at which actors handle messages, in their order. */
  readonly instants: readonly Time[]
  readonly span: Time
}

async function undisturbed({ options, until, open }: Specification): Promise<Undisturbed> {
  const handled = new Map<Address, Handled[]>()
  const instants = new Set<Time>([0])
  let opened: System | undefined
  const { end } = await runScenario({
    options: { ...options, runtime: 'inline', trace: false, rounds: ROUNDS },
    faults: [],
    until,
    open: async (system) => {
      system.onHandling((one) => {
        if (!one.isTimer) instants.add(one.at)
        const own = handled.get(one.who)
        if (own) own.push(one)
        else handled.set(one.who, [one])
      })
      await open(system)
      opened = system
    },
  })
  // with the children that actors have spawned
  const addresses = opened?.actors.map(({ address }) => address) ?? []
  return { addresses, handled, instants: [...instants].sort((a, b) => a - b), span: Math.max(end.now, UNIT) }
}

/**
 * The moment after one of the messages that an actor handles; null for none, in one of `cases` cases. A run whose messages
 * take no time may be over at the instant at which it begins, and only such a moment lies within it.
 */
function afterMessage(dice: Dice, handled: readonly Handled[], cases: number): string | null {
  const messages = handled.filter(({ isTimer }) => !isTimer)
  if (messages.length === 0 || dice.below(cases) === 0) return null
  const message = messages[dice.below(messages.length)]
  if (!message) return null
  const { type } = message
  // a fault counts timers with events of the type too
  const count = handled.slice(0, handled.indexOf(message) + 1).filter((one) => one.type === type).length
  // a fault is written in words
  return /^\S+$/.test(type) ? `after ${count} ${type}` : null
}

function faultsOf(kind: Kind, dice: Dice, calm: Undisturbed): string[] {
  const { addresses, handled, instants, span } = calm
  const longest = toUnits(span) / 4
  const cases = instants.length > 1 ? 2 : 8
  const machines = [...new Set(addresses.map(machineOf))]
  const some = (): Address[] => {
    const first = dice.below(addresses.length)
    return addresses.filter((_, i) => i === first || dice.below(addresses.length) === 0)
  }
  const orMachine = (who: Address): string => dice.oneOf(who, who, `@${machineOf(who)}`)
  switch (kind) {
    case 'deaths':
    case 'restarts':
      return some().flatMap((who) => {
        const moment = afterMessage(dice, handled.get(who) ?? [], cases)
        if (kind === 'deaths') return moment ? [`kill ${who} ${moment}`] : kills(dice, orMachine(who))
        return moment ? [`restart ${who} ${moment}`] : restarts(dice, orMachine(who), longest)
      })
    case 'pauses':
      return some().flatMap((who) => pauses(dice, orMachine(who), longest))
    case 'partitions':
      return machines.length > 1 ? partitions(dice, machines, longest) : []
    case 'delays':
      return machines.length > 1 ? delays(dice, machines, longest) : []
    case 'disks':
      return some().flatMap((who) => [
        ...slowDisks(dice, who, longest),
        ...(dice.below(2) === 0 ? restarts(dice, who, longest) : []),
      ])
    case 'losses':
      return []
    case 'mixed':
      return dice
        .someOf(['deaths', 'restarts', 'pauses', 'partitions'] as const)
        .flatMap((one) => faultsOf(one, dice, calm))
  }
}

/** The flags of a network that loses messages; none for other kinds. */
function lossFlags(kind: Kind, dice: Dice): [string, readonly string[]][] {
  const isLossy = kind === 'losses' || (kind === 'mixed' && dice.below(2) === 0)
  return isLossy ? Object.entries(lossesIn(dice)).map(([key, rate]) => [key, [String(rate)]]) : []
}

/** The fault plans of a scenario with the given flags; `planFrom` makes a run from flags. */
export function defaultFaultPlans<M, W extends Oracle>(
  given: Given,
  planFrom: (given: Given) => FaultPlan<M>,
  specify: (plan: FaultPlan<M>) => Specification,
): FaultPlans<M, W> {
  const draw = async (kind: Kind, seed: number): Promise<FaultPlan<M>> => {
    const seeded: Given = new Map([...given, ['seed', [`${seed}`]]])
    const calm = await undisturbed(specify(planFrom(seeded)))
    const setting = new Dice(seed, 'setting')
    const faults = [...new Set(faultsOf(kind, new Dice(seed, 'faults', calm.instants), calm))]
    const drawn: Given = new Map([
      ['schedule', [setting.oneOf('fifo', `${seed}`)]],
      ...seeded,
      ...lossFlags(kind, setting),
      ['fault', [...(given.get('fault') ?? []), ...faults]],
    ])
    const plan = planFrom(drawn)
    return { ...plan, options: { ...plan.options, rounds: ROUNDS }, span: calm.span, given: drawn }
  }
  return { kinds: new Map(KINDS.map((kind) => [kind, (seed) => draw(kind, seed)])) }
}

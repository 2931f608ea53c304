/** Mistakes in contracts. */
import { fileURLToPath } from 'node:url'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import type { Bug } from './bug.ts'

const may = (...faults: string[]) => faults.map((fault) => parseAllowed(fault, 'allowed'))
const COMMON = {
  scenario: 'contracts/run',
  args: `--workload ${fileURLToPath(new URL('contracts.csv', import.meta.url))} --sites 2 --processors 1 --latency 1 --patience 8`,
  within: 60,
} as const

/** Enters entries of this type in the book without persisting them. */
const forgetting = (type: string): string =>
  `.enterIn({ ...it, do: (...effects) => it.do(...(entry.type === '${type}' ? [] : effects)) }, entry`

export const CONTRACTS_BUGS: readonly Bug[] = [
  {
    ...COMMON,
    name: 'end forgotten',
    what: 'a new incarnation of a site has forgotten a settlement, and does and bills the task again',
    file: 'contracts/site-state.ts',
    find: '.enterIn(it, entry',
    replace: forgetting('settled'),
    allowed: may('restart any site'),
    property: 'a task is done once',
  },
  {
    ...COMMON,
    name: 'award forgotten',
    what: 'a new incarnation of a broker has forgotten an award, and asks all sites again',
    file: 'contracts/broker-state.ts',
    find: '.enterIn(it, entry',
    replace: forgetting('awarded'),
    allowed: may('restart any broker'),
    property: 'a task has one contract',
  },
  {
    ...COMMON,
    name: 'payment forgotten',
    what: 'a new incarnation of a client has forgotten a payment, and pays again',
    file: 'contracts/client-state.ts',
    find: '.enterIn(it, entry',
    replace: forgetting('paid'),
    allowed: may('restart any client'),
    property: 'a task is paid once',
  },
  {
    ...COMMON,
    name: 'end of another attempt',
    what: 'a site takes the end of a stopped attempt for the end of the running one',
    file: 'contracts/inspection.ts',
    find: 'return running?.on === place && isSame(attemptOf(running), attempt) ? running : null',
    replace: 'return running?.on === place ? running : null',
    allowed: may('restart any processor'),
    property: 'a task runs for its runtime',
  },
  {
    ...COMMON,
    name: 'contract given up and relied on',
    what: 'a client relies on the contract of a site that it has given up, and looks for no other',
    file: 'contracts/client.ts',
    find: "  it.do(observe({ type: 'lost', task, site }))\n  request(it, task)",
    replace: "  it.do(observe({ type: 'lost', task, site }))",
    allowed: may('kill any site'),
    property: 'every contract is settled, or a claim recorded',
  },
  {
    ...COMMON,
    name: 'receipt for the wrong site',
    what: 'a client gives a receipt to every site that bills it, although it paid another',
    file: 'contracts/client.ts',
    find: 'return get(over, task)?.context.by === site ? receipt',
    replace: 'return get(over, task) ? receipt',
    allowed: may('restart any site'),
    property: 'only the paid site gets a receipt',
  },
  {
    ...COMMON,
    name: 'work lost by a preemption',
    what: 'a preempted task begins from the start again',
    file: 'contracts/dispatch.ts',
    find: 'work: of.remaining',
    replace: 'work: of.runtime',
    args: `${COMMON.args} --preempt 2 --heuristic SRPT`,
    allowed: may('pause any processor'),
    property: 'a task goes on with the work that it has left',
  },
  {
    ...COMMON,
    name: 'site silent for ever',
    what: 'a broker that has waited for a site in vain never waits for it again, although it answers',
    file: 'contracts/broker.ts',
    find: '  it.context.silent = it.context.silent.filter((site) => site !== from)\n',
    replace: '',
    allowed: may('pause any site'),
    property: 'a broker decides by its terms and the answers that it has heard',
  },
  {
    ...COMMON,
    name: 'expired offer taken',
    what: 'a site takes a task although its offer has expired',
    file: 'contracts/site.ts',
    find: '(offer.expires !== null && offer.expires < now())',
    replace: 'false',
    args: `${COMMON.args} --expiry 4`,
    allowed: may('pause any site'),
    property: 'a site decides by its terms and its tasks',
  },
]

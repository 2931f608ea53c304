/** The messages between ticket servers; the test plays processors and users. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { closesCycle } from '../../actors/processor/currencies.ts'
import { inForce, MAX_TICKETS } from '../../actors/shares/tickets/in-force.ts'
import type { Ticket, ToTicketServer } from '../../actors/shares/tickets/messages.ts'
import type { TicketServerInput } from '../../actors/shares/tickets/ticket-server.ts'
import type { Order, UserInput } from '../../actors/shares/user.ts'
import type { Message } from '../../lib/actor.ts'
import { type Time, units } from '../../lib/core/time.ts'
import type { System } from '../../lib/system.ts'
import { twiceIn } from '../mutants/trace-promises.ts'
import {
  does,
  factsOf,
  linesOf,
  network,
  type Options,
  both as onBoth,
  spawnPuppets,
  tellTo,
} from '../system/harness.ts'

const actors = new URL('../../actors/shares/', import.meta.url)
const KEEP = units(3000)

/** Declares a test for threads and one for inline, in which no step may do anything twice. */
function both(title: string, use: (system: System) => Promise<void>, options: Options = {}): void {
  const watched = async (system: System) => {
    const lines = linesOf(system)
    await use(system)
    assert.equal(twiceIn(lines), [])
  }
  onBoth(title, watched, { ...options, trace: true })
}

async function serve(system: System, machines: number): Promise<void> {
  const input: TicketServerInput = { keep: KEEP, funding: { alice: 200, bob: 100 } }
  for (let n = 1; n <= machines; n++) {
    await system.spawn(`ticket-server@m${n}`, new URL('tickets/ticket-server.ts', actors), input)
  }
}

const say = (system: System, server: number, message: ToTicketServer): Promise<Message> =>
  system.ask(`ticket-server@m${server}`, message, { deadline: units(1) })

/** The answer to a processor that reports `issued`, after the shares have arrived. */
async function tick(system: System, server: number, issued: Record<string, number> = {}): Promise<Message> {
  const table = await say(system, server, { type: 'report', issued })
  await system.run({ until: system.now + units(1) })
  return table
}

const issue = (currency: string, amount: number, holder: string, ticket = `${currency}>${holder}`) => ({
  type: 'issue' as const,
  ticket,
  currency,
  amount,
  holder,
})

const issuedIn = async (system: System, server: number) => (await tick(system, server))['issued']
const backingIn = async (system: System, server: number) => (await tick(system, server))['backing']

both(
  "a table has the others' last reports, and nothing of its own machine",
  async (system) => {
    await serve(system, 3)
    assert.equal(await tick(system, 1, { alice: 1, bob: 2 }), { type: 'table', issued: {}, backing: [] })
    assert.equal((await tick(system, 2, { alice: 10 }))['issued'], { alice: 1, bob: 2 })
    assert.equal(await issuedIn(system, 3), { alice: 11, bob: 2 })
    await tick(system, 1, { bob: 7 })
    assert.equal(await issuedIn(system, 3), { bob: 7, alice: 10 })
    assert.equal(await issuedIn(system, 1), { alice: 10 })
  },
  { network: network(0.5) },
)

both('the report of a silent peer counts until it is too old', async (system) => {
  await serve(system, 2)
  await tick(system, 1, { alice: 4 })
  await system.kill('ticket-server@m1')
  await system.run({ until: KEEP })
  assert.equal(await issuedIn(system, 2), { alice: 4 })
  assert.equal(await issuedIn(system, 2), {})
})

both('a late copy of a report does not make it count for longer', async (system) => {
  await serve(system, 1)
  const peer = 'ticket-server@m2'
  await spawnPuppets(system, peer)
  const share = { type: 'share', at: 1, issued: { alice: 4 }, tickets: [] }
  const shares = () => system.tell(peer, does(tellTo('ticket-server@m1', share)))
  await shares()
  await system.run({ until: KEEP - units(2) })
  await shares()
  assert.equal(await issuedIn(system, 1), { alice: 4 })
  await system.run({ until: KEEP + units(1) })
  assert.equal(await issuedIn(system, 1), {})
})

both('the clocks of machines do not decide which reports count', async (system) => {
  await serve(system, 2)
  await tick(system, 1, { alice: 4 })
  await system.jumpClock('m2', 2 * KEEP)
  assert.equal(await issuedIn(system, 2), { alice: 4 }, 'the clock of the server jumped ahead')
  await system.jumpClock('m1', -2 * KEEP)
  for (const alice of [5, 6]) {
    await tick(system, 1, { alice })
    assert.equal(await issuedIn(system, 2), { alice }, 'the clock of its peer jumped back')
  }
  await system.kill('ticket-server@m1')
  await system.jumpClock('m2', -2 * KEEP)
  await system.run({ until: system.now + KEEP })
  assert.equal(await issuedIn(system, 2), {}, 'the clock of the server jumped back')
})

both(
  'a server that is restarted knows of no jobs elsewhere until they are reported, and has lost no ticket',
  async (system) => {
    await serve(system, 2)
    await say(system, 1, issue('alice', 300, 'proj'))
    await say(system, 2, issue('bob', 10, 'proj'))
    await tick(system, 1, { alice: 1 })
    await tick(system, 2, { bob: 2 })
    await system.restart('ticket-server@m1')
    const both = [
      { currency: 'alice', amount: 300, holder: 'proj' },
      { currency: 'bob', amount: 10, holder: 'proj' },
    ]
    assert.equal(await tick(system, 1), { type: 'table', issued: {}, backing: both })
    await tick(system, 2, { bob: 2 })
    assert.equal(await tick(system, 1), { type: 'table', issued: { bob: 2 }, backing: both })
    assert.equal(await say(system, 1, issue('alice', 300, 'proj')), { type: 'issued', ticket: 'alice>proj' })
    assert.equal(await backingIn(system, 2), both, 'asking again issues nothing')
  },
)

both('a ticket that was asked of two servers counts once', async (system) => {
  await serve(system, 2)
  for (const server of [1, 2]) {
    assert.equal(await say(system, server, issue('alice', 300, 'proj')), { type: 'issued', ticket: 'alice>proj' })
  }
  for (const server of [1, 2]) await tick(system, server)
  const once = [{ currency: 'alice', amount: 300, holder: 'proj' }]
  for (const server of [1, 2]) assert.equal(await backingIn(system, server), once)
})

both('tickets of a dead server stay in force, though its report is forgotten', async (system) => {
  await serve(system, 2)
  await say(system, 1, issue('alice', 300, 'proj'))
  await tick(system, 1, { alice: 1 })
  await system.kill('ticket-server@m1')
  await system.run({ until: 2 * KEEP })
  const backing = [{ currency: 'alice', amount: 300, holder: 'proj' }]
  assert.equal(await tick(system, 2), { type: 'table', issued: {}, backing })
})

const NOT_BASE = "tickets between users' currencies are issued, not of or to base"
const REFUSALS: readonly (readonly [what: string, order: ReturnType<typeof issue>, reason: string])[] = [
  ['an amount of nothing', issue('alice', 0, 'proj'), 'tickets must be more than 0, not 0'],
  ['a negative amount', issue('alice', -3, 'proj'), 'tickets must be more than 0, not -3'],
  ['a currency that is worth nothing', issue('carol', 1, 'proj'), 'unknown currency carol'],
  ['a currency that holds itself', issue('alice', 1, 'alice'), 'alice would hold itself'],
  ['a circle through others', issue('b', 1, 'alice'), 'alice would hold itself'],
  ['base tickets', issue('base', 1, 'proj'), NOT_BASE],
  ['backing of the base', issue('alice', 1, 'base'), NOT_BASE],
]
both('a ticket that cannot be issued is refused with the reason, and changes nothing', async (system) => {
  await serve(system, 2)
  await say(system, 1, issue('alice', 3, 'a'))
  await say(system, 1, issue('a', 3, 'b'))
  const before = await backingIn(system, 1)
  for (const [what, order, reason] of REFUSALS) {
    assert.equal(await say(system, 1, order), { type: 'refused', ticket: order.ticket, reason }, what)
  }
  assert.equal(await backingIn(system, 1), before)
  assert.equal(await backingIn(system, 2), before)
})

both('a server has a limit on tickets, and names it', async (system) => {
  await serve(system, 1)
  for (let n = 0; n < MAX_TICKETS; n++) await system.tell('ticket-server@m1', issue('alice', 1, `c${n}`))
  const refused = await say(system, 1, issue('alice', 1, 'more'))
  assert.equal(refused['reason'], `${MAX_TICKETS} tickets (MAX_TICKETS) are issued here already`)
})

const spawnUser = (system: System, machine: string, orders: readonly Order[]) => {
  const input: UserInput = { orders }
  return system.spawn(`user@${machine}`, new URL('user.ts', actors), input)
}

both(
  'if two halves of a cycle are accepted at once, the same one is void everywhere, and its issuer is told',
  async (system) => {
    await serve(system, 3)
    const facts = factsOf(system)
    for (const [server, currency, holder] of [
      [1, 'bob', 'alice'],
      [2, 'alice', 'bob'],
    ] as const) {
      await spawnUser(system, `m${server}`, [
        { at: units(5), to: `ticket-server@m${server}`, message: issue(currency, 1, holder) },
      ])
    }
    await system.run({ until: units(6) })
    const heard = () => facts.map(({ who, type, ticket }) => `${who} ${type} ${ticket}`)
    assert.equal(heard(), ['user@m1 issued bob>alice', 'user@m2 issued alice>bob'])
    for (const server of [1, 2, 3]) await tick(system, server)
    assert.equal(heard().slice(2), ['user@m2 refused alice>bob'])
    assert.is(facts[2]?.['reason'], 'with a ticket issued before elsewhere bob would hold itself')
    const valid = [{ currency: 'bob', amount: 1, holder: 'alice' }]
    for (const server of [1, 2, 3]) assert.equal(await backingIn(system, server), valid, `server ${server}`)
    // a refusal is final, even if its server is restarted
    await system.restart('ticket-server@m2')
    assert.is((await say(system, 2, issue('alice', 1, 'bob')))['type'], 'refused')
    for (const server of [1, 2, 3]) await tick(system, server)
    for (const server of [1, 2, 3]) assert.equal(await backingIn(system, server), valid, `server ${server}`)
  },
  { network: network(0.5) },
)

both(
  'the next reports repair losses, duplicates and reordering by the network',
  async (system) => {
    await serve(system, 4)
    const amounts = [1, 20, 300, 4000]
    for (let round = 0; round < 12; round++) {
      for (const [i, alice] of amounts.entries()) await tick(system, i + 1, { alice: alice + (round === 0 ? 7 : 0) })
    }
    for (const [i, alice] of amounts.entries()) {
      assert.equal((await tick(system, i + 1, { alice }))['issued'], { alice: 4321 - alice })
    }
  },
  { network: { ...network(0.1, 0.5), loss: 0.3, duplicate: 0.3 } },
)

// --- the rule that every server applies ------------------------------------------------------------------------------

const ticketAt = fc.record({
  server: fc.constantFrom('s1', 's2', 's3'),
  at: fc.integer({ min: 0, max: 3 }),
  currency: fc.constantFrom('a', 'b', 'c', 'd'),
  holder: fc.constantFrom('a', 'b', 'c', 'd'),
})

test('servers that know the same tickets have the same ones in force, without a cycle, and with the earliest', () => {
  fc.assert(
    fc.property(fc.array(ticketAt, { maxLength: 12 }), fc.func(fc.integer()), (given, rank) => {
      const issues = new Map<string, Ticket[]>()
      for (const [n, { server, ...ticket }] of given.entries()) {
        const list = issues.get(server) ?? []
        // a server's clock does not go back
        const at: Time = Math.max(ticket.at, list.at(-1)?.at ?? 0)
        issues.set(server, [...list, { ...ticket, at, amount: 1, ticket: `t${n}` }])
      }
      const other = new Map([...issues].sort(([one], [two]) => rank(one) - rank(two)))
      const valid = inForce(issues)
      assert.equal(inForce(other), valid)
      for (const [i, ticket] of valid.entries()) assert.not(closesCycle(valid.slice(0, i), ticket))
      const [first] = [...issues.values()]
        .flat()
        .filter(({ currency, holder }) => currency !== holder)
        .sort((a, b) => a.at - b.at)
      assert.is(valid[0]?.at, first?.at)
    }),
  )
})

test.run()

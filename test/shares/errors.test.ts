/** The errors of stride scheduling against ideal shares, and of doubles against exact numbers. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { STRIDE1 } from '../../actors/processor/sharing.ts'
import { stream } from '../../lib/core/random.ts'
import { ExactNode } from './exact.ts'
import { Node } from './node.ts'

const test = suite('errors of stride scheduling')

const counts = (names: readonly string[]) => new Map(names.map((name) => [name, 0]))
const add = (sums: Map<string, number>, name: string, amount: number) => sums.set(name, (sums.get(name) ?? 0) + amount)

const tickets = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 7 })

test('of any two that stay, each is within a quantum of its part of what both have, after every quantum', () => {
  fc.assert(
    fc.property(tickets, fc.constantFrom('stride' as const, 'zero' as const), (amounts, start) => {
      const node = new Node(STRIDE1)
      const clients = amounts.map((amount, i) => ({ name: String(i), amount }))
      for (const { name, amount } of clients) node.create(name, amount, start)
      const got = counts(clients.map(({ name }) => name))
      const of = (name: string) => got.get(name) ?? 0
      for (let quantum = 0; quantum < 3 * amounts.reduce((sum, amount) => sum + amount); quantum++) {
        add(got, node.pick(), 1)
        for (const one of clients)
          for (const other of clients.slice(Number(one.name) + 1)) {
            const due = ((of(one.name) + of(other.name)) * one.amount) / (one.amount + other.amount)
            assert.ok(Math.abs(of(one.name) - due) <= 1, `${one.name} and ${other.name} after ${quantum + 1} quanta`)
          }
      }
    }),
    { numRuns: 200 },
  )
})

/** The most that any client is ahead of or behind its tickets' part of all quanta. */
function absoluteError(amounts: readonly number[], quanta: number): number {
  const node = new Node(STRIDE1)
  for (const [i, amount] of amounts.entries()) node.create(String(i), amount)
  const total = amounts.reduce((sum, amount) => sum + amount)
  const got = amounts.map(() => 0)
  let worst = 0
  for (let quantum = 1; quantum <= quanta; quantum++) {
    const name = Number(node.pick())
    got[name] = (got[name] ?? 0) + 1
    for (const [i, amount] of amounts.entries()) {
      worst = Math.max(worst, Math.abs((got[i] ?? 0) - (quantum * amount) / total))
    }
  }
  return worst
}

test('against all others together the error grows with their number: 25 quanta for 50 tickets among 50 of one', () => {
  assert.is(absoluteError([50, ...Array.from({ length: 50 }, () => 1)], 300), 25)
  for (const others of [4, 10, 20])
    assert.is(absoluteError([others, ...Array.from({ length: others }, () => 1)], 6 * others), others / 2)
})

interface Visits {
  readonly seed: number
  readonly quanta: number
  /** The probability that a client comes or goes before a quantum. */
  readonly change: number
}

/** Runs doubles and fractions in parallel; returns the choices of each, and the worst absolute error of doubles. */
function sideBySide({ seed, quanta, change }: Visits, stride1 = STRIDE1) {
  const uniform = stream(seed, 'visits')
  const upTo = (n: number) => Math.floor(uniform() * n)
  const [node, exact] = [new Node(stride1), new ExactNode()]
  const names = Array.from({ length: 2 + upTo(6) }, (_, i) => String(i))
  const held = new Map(names.map((name) => [name, 1 + upTo(20)]))
  for (const [name, amount] of held) {
    node.create(name, amount)
    exact.create(name, amount)
  }
  const away = new Set<string>()
  const [got, due] = [counts(names), counts(names)]
  const picked: [string, string] = ['', '']
  let worst = 0
  for (let quantum = 0; quantum < quanta; quantum++) {
    const name = String(upTo(names.length))
    const isChange = uniform() < change
    if (isChange && away.delete(name)) {
      const amount = uniform() < 0.3 ? 1 + upTo(20) : (held.get(name) ?? 1)
      held.set(name, amount)
      node.comeBack(name, { tickets: amount })
      exact.comeBack(name, amount)
    } else if (isChange && away.size < names.length - 1) {
      away.add(name)
      node.leave(name)
      exact.leave(name)
    }
    const next = node.pick()
    picked[0] += next
    picked[1] += exact.pick()
    add(got, next, 1)
    for (const [name, amount] of held) {
      if (!away.has(name)) add(due, name, amount / node.net)
      worst = Math.max(worst, Math.abs((got.get(name) ?? 0) - (due.get(name) ?? 0)))
    }
  }
  return { doubles: picked[0], fractions: picked[1], worst }
}

const SEEDS = Array.from({ length: 10 }, (_, i) => i + 1)

test('with tickets of 1 to 20 doubles pick as exact fractions do, for 10000 quanta', () => {
  const { doubles, fractions } = sideBySide({ seed: 1, quanta: 10_000, change: 0 })
  assert.is(doubles, fractions)
})

test('doubles pick as exact fractions do where clients come, go and change their tickets', () => {
  for (const seed of SEEDS) {
    const { doubles, fractions } = sideBySide({ seed, quanta: 1000, change: 0.2 })
    assert.is(doubles, fractions, `seed ${seed}`)
  }
})

test('with a power of two as the stride of one ticket, doubles break ties that exact fractions have', () => {
  const { doubles, fractions } = sideBySide({ seed: 1, quanta: 10_000, change: 0 }, 1_048_576)
  assert.is.not(doubles, fractions)
})

test('up to seven that come and go are never seen more than 2.32 quanta from their part', () => {
  const worst = Math.max(...SEEDS.map((seed) => sideBySide({ seed, quanta: 1000, change: 0.2 }).worst))
  assert.ok(worst <= 2.32, `${worst}`)
  assert.ok(worst > 1, `${worst}: nothing came or went`)
})

test.run()

/** The rules of runs on several hosts, tested without hosts: numbers, places, silence, leases, causality, termination. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { CausalMerge } from '../../lib/distributed/coordinator/causal-merge.ts'
import { Placement, parseHosts, parsePlace } from '../../lib/distributed/coordinator/placement.ts'
import { TerminationDetector } from '../../lib/distributed/coordinator/termination.ts'
import {
  DEAD_MS,
  HEARTBEAT_MS,
  LEASE_MS,
  Lease,
  livenessAfter,
  SUSPECT_MS,
} from '../../lib/distributed/failure-detector.ts'
import { type Note, packing } from '../../lib/distributed/wire/protocol.ts'
import { AtMostOnceReceiver, UnacknowledgedWindow } from '../../lib/distributed/wire/sequence.ts'
import { VersionVector } from '../../lib/distributed/wire/version-vector.ts'
import { isWireEnvelope, Unpacking, type WireEnvelope } from '../../lib/distributed/wire/wire-envelope.ts'
import { Codec } from '../../lib/memory/codec.ts'
import { Board } from '../../lib/memory/layout.ts'
import { throwsSaying } from '../throws.ts'

test('a duplicate or late frame is dropped, and a gap before a frame counts as lost', () => {
  const heard = new AtMostOnceReceiver()
  const said = [1, 1, 2, 5, 4, 3, 6].map((n) => heard.hear(n))
  assert.equal(
    said.map(({ isNew }) => isNew),
    [true, false, true, true, false, false, true],
  )
  assert.equal(
    said.map(({ lost }) => lost),
    [undefined, undefined, undefined, { first: 3, last: 4 }, undefined, undefined, undefined],
  )
  assert.is(heard.upTo(6), undefined)
  assert.equal(heard.upTo(8), { first: 7, last: 8 })
  assert.is(heard.hear(8).isNew, false)
})

test('a sent item is kept until it is acknowledged, and given up at most once', () => {
  const sent = new UnacknowledgedWindow<string>()
  for (const item of ['a', 'b', 'c', 'd']) sent.push(item)
  assert.equal(sent.acknowledge(1), ['a'])
  assert.equal(sent.acknowledge(1), [])
  throwsSaying(() => sent.acknowledge(9), 'number 9 was heard')
  assert.equal(sent.take({ first: 1, last: 2 }), ['b'])
  assert.equal(sent.take({ first: 1, last: 2 }), [])
  assert.equal(sent.acknowledge(4), ['c', 'd'])
})

test('workstations without a place are distributed in turn, and stay on their hosts', () => {
  const placement = new Placement([parsePlace('m2=h3', '--place')])
  const hosts = ['h1', 'h2', 'h3']
  const on = (machine: string, living = hosts) => placement.hostOf(machine, living)
  assert.equal(
    ['m1', 'm2', 'm3', 'm4', 'm1'].map((machine) => on(machine)),
    ['h1', 'h3', 'h2', 'h3', 'h1'],
  )
  assert.is(placement.text, 'h1 has m1; h3 has m2, m4; h2 has m3')
  assert.is(on('m3', ['h1', 'h3']), 'h3', 'its host is gone, so it is on the next in turn')
  assert.is(on('m3'), 'h3', 'it does not go back by itself')
  assert.is(on('m2', ['h1']), 'h1')
  assert.is(on('m9', []), undefined)
})

test('malformed host names and places are refused in one line', () => {
  assert.equal(parseHosts('h1,h-2.example', '--hosts'), ['h1', 'h-2.example'])
  for (const bad of ['', 'h1,', 'h1,h1', 'h 1', 'h1.*', '>']) {
    throwsSaying(() => parseHosts(bad, '--hosts'), '--hosts must be different names of hosts such as h1,h2')
  }
  const many = Array.from({ length: 33 }, (_, i) => `h${i}`).join()
  throwsSaying(() => parseHosts(many, '--hosts'), '--hosts may have at most 32 hosts, but has 33')
  for (const bad of ['m1', 'm1=', '=h1', 'm1=h1=h2']) {
    throwsSaying(() => parsePlace(bad, '--place'), '--place must be a workstation and its host such as m1=h2')
  }
})

test('a silent host becomes suspect, then dead, and its lease ends before that', () => {
  assert.equal([0, SUSPECT_MS - 1, SUSPECT_MS, DEAD_MS - 1, DEAD_MS].map(livenessAfter), [
    'here',
    'here',
    'suspect',
    'suspect',
    'dead',
  ])
  const lease = new Lease(7, 100)
  assert.ok(lease.isHeld(100 + LEASE_MS - 1))
  assert.not.ok(lease.isHeld(100 + LEASE_MS))
  lease.renewed(9, 1100)
  assert.ok(lease.isHeld(1100 + LEASE_MS - 1))
  assert.equal([lease.epoch, lease.revision], [7, 9])
  // a host with a lease sends a heartbeat; the lease ends before a run that got this heartbeat at once takes the host for dead
  assert.ok(LEASE_MS + HEARTBEAT_MS <= DEAD_MS)
  lease.lose()
  assert.not.ok(lease.isHeld(1100))
})

test('the past of a report has the earlier reports of every host', () => {
  const past = new VersionVector()
  past.merge([2, 5, 3, 1])
  past.merge([2, 4, 3, 2])
  assert.equal(past.before, [2, 5, 3, 2])
  const isNever = () => false
  assert.ok(past.includes([2, 5], isNever))
  assert.not.ok(past.includes([2, 6], isNever))
  assert.ok(
    past.includes([2, 6], (node) => node === 2),
    'a host that is gone reports nothing more',
  )
})

const letters = (name: string, before: readonly number[]): Note => ({ type: 'letters', before, parcels: [[name]] })
const nameOf = (note: Note): string => (note.type === 'letters' ? String(note.parcels[0]?.[0]) : note.type)

test('reports of hosts are passed on in causal order, in whatever order they arrive', () => {
  const told: string[] = []
  const merge = new CausalMerge((_, note) => told.push(nameOf(note)))
  for (const node of [2, 3, 4]) merge.join(node)
  merge.add(3, letters('an answer', [2, 1]), 1)
  merge.add(4, letters('what came of the answer', [2, 1, 3, 1]), 1)
  merge.add(4, letters('behind it', []), 2)
  assert.equal(told, [])
  merge.add(2, letters('a question', []), 1)
  assert.equal(told, ['a question', 'an answer', 'what came of the answer', 'behind it'])
})

test('reports that wait for a host that is gone are passed on', () => {
  const told: string[] = []
  const merge = new CausalMerge((_, note) => told.push(nameOf(note)))
  for (const node of [2, 3]) merge.join(node)
  merge.add(3, letters('an answer', [2, 2]), 1)
  merge.add(2, letters('something else', [3, 9]), 1)
  merge.leave(2)
  assert.equal(told, ['something else', 'an answer'])
  merge.add(2, letters('too late', []), 2)
  assert.is(told.length, 2)
})

test('a host that leaves while its reports are read is read once', () => {
  const told: string[] = []
  const merge: CausalMerge = new CausalMerge((node, note) => {
    told.push(nameOf(note))
    if (note.type === 'left') merge.leave(node)
  })
  for (const node of [2, 3]) merge.join(node)
  merge.add(3, letters('an answer', [2, 1]), 1)
  merge.add(3, { type: 'left' }, 2)
  merge.add(3, letters('behind it', []), 3)
  merge.add(2, letters('a question', []), 1)
  assert.equal(told, ['a question', 'an answer', 'left', 'behind it'])
})

const state = (n: number, more: Partial<{ isQuiet: boolean; steps: number; sent: number; heard: number }> = {}) => ({
  n,
  isQuiet: true,
  steps: 10,
  sent: 0,
  heard: 0,
  ...more,
})

test('a run has terminated when all hosts were quiet twice, with no message on its way and no step in between', () => {
  const rounds = (...all: readonly (readonly [ReturnType<typeof state>, ReturnType<typeof state>])[]): boolean => {
    const rest = new TerminationDetector()
    for (const answers of all) {
      const n = rest.ask(3, [2, 3])
      for (const [i, answer] of answers.entries()) rest.answer(i + 2, { ...answer, n })
    }
    return rest.holds(3)
  }
  const still = [state(0), state(0)] as const
  assert.not.ok(rounds(still))
  assert.ok(rounds(still, still))
  assert.not.ok(rounds(still, [state(0, { isQuiet: false }), state(0)]))
  assert.not.ok(rounds(still, [state(0), state(0, { steps: 11 })]), 'an actor took a step')
  const underWay = [state(0, { sent: 2 }), state(0, { heard: 1 })] as const
  assert.not.ok(rounds(underWay, underWay), 'a message is on its way')
  const arrived = [state(0, { sent: 2 }), state(0, { heard: 2 })] as const
  assert.not.ok(rounds(underWay, arrived))
  assert.ok(rounds(underWay, arrived, arrived))
})

test('a host that was sent a message since does not count as quiet', () => {
  const rest = new TerminationDetector()
  for (let i = 0; i < 2; i++) rest.answer(2, state(rest.ask(1, [2])))
  assert.ok(rest.holds(1))
  assert.not.ok(rest.holds(2))
  const n = rest.ask(2, [2, 3])
  assert.not.ok(rest.holds(2))
  rest.answer(2, state(n))
  assert.not.ok(rest.isOver)
  rest.leave(3)
  assert.ok(rest.isOver, 'a host that is gone is not waited for')
})

test('a malformed note is ignored', async () => {
  const pack = await packing('--nats')
  for (const bad of [null, 1, {}, { type: 'kill' }, { type: 'kill', slot: 'one' }, { type: 'run', code: '1' }]) {
    assert.is(pack.note(pack.pack(bad)), undefined)
  }
  assert.is(pack.note(new Uint8Array([0xc1])), undefined)
  assert.is(pack.note(new Uint8Array()), undefined)
  const short: WireEnvelope = [1, 2, 3]
  assert.is(pack.read('mail', pack.pack({ from: 2, n: 1, before: [], parcels: [short] })), undefined)
})

test('an envelope that no actor could have sent is not put into memory', () => {
  const board = Board.create({ slots: 8, definitionWords: 1024, pages: 4, mailbox: 10 }, true)
  const unpacking = new Unpacking(board, new Codec(board.block, board.definitions))
  const whole: WireEnvelope = [7, 0, 3, 0, 1, 0, -1, 0, 0, 0, 0, 1, 1, { type: 'hello' }]
  assert.type(unpacking.put(whole), 'number')
  for (const [field, slot] of [
    [0, 8],
    [0, -1],
    [2, 1e9],
    [2, -3],
  ] as const)
    assert.is(unpacking.put(whole.with(field, slot)), undefined)
  const strange: readonly unknown[] = [...whole.slice(0, -1), { type: 'hello', at: new Date(0) }]
  assert.ok(isWireEnvelope(strange) && unpacking.put(strange) === undefined)
})

test.run()

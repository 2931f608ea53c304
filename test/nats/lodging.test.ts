/** One run on a host, without a server: what it says, and what it does not say any more. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Lodging } from '../../lib/nats/lodging/lodging.ts'
import { ALONE_MS, BEAT_MS } from '../../lib/nats/members.ts'
import { COORDINATOR, type Frames, packing } from '../../lib/nats/wire/wire.ts'
import { PERFECT_NETWORK } from '../../lib/network.ts'
import { Clock } from '../clock.ts'

const INVITATION: Frames['enlist'] = {
  ...{ run: 'run', digest: '', watchdogMs: 1000 },
  size: { slots: 8, definitionWords: 1024, pages: 4, mailbox: 10 },
  cells: {
    ...{ seed: 1, time: 'real', order: 'fifo', schedule: 'fifo', reliable: null, trace: false, count: [] },
    network: PERFECT_NETWORK,
  },
}

test('a host says that it is there while it has its lease; of who is given up nothing is heard any more', async () => {
  let isTaken = false
  const said: string[] = []
  const noted: string[] = []
  const connection = Object.assign(Object.create(null), {
    info: { max_payload: 2 ** 20 },
    isClosed: () => false,
    request: () => Promise.reject(new Error('nobody answers')),
    subscribe: () => ({ unsubscribe: () => {} }),
    publish: (subject: string) => said.push(`${subject}${isTaken ? ' by who is given up' : ''}`),
  })
  const leases = Object.assign(Object.create(null), {
    take: async () => 7,
    renew: async () => {
      isTaken = true
    },
  })
  const surroundings = { connection, leases, packing: await packing('--nats'), name: 'h1', id: 'id' }
  const note = (text: string) => noted.push(text)
  const { node, over } = await Lodging.open({ ...surroundings, note }, INVITATION, new AbortController().signal)
  await over
  assert.is(node, 7)
  assert.equal(said, ['bourse.live.run.0.tally'])
  assert.equal(noted, ['h1 lets go of the run run: its lease was taken away'])
})

test('a host whose server takes too little to report what became of an actor lets go of the run, and says why', async () => {
  const said: string[] = []
  const noted: string[] = []
  const info = { max_payload: 2 ** 20 }
  const packs = await packing('--nats')
  const connection = Object.assign(Object.create(null), {
    info,
    isClosed: () => false,
    request: () => Promise.reject(new Error('nobody answers')),
    subscribe: (_: string, { callback }: { readonly callback: (refused: null, message: object) => void }) => {
      info.max_payload = 512
      const start = {
        slot: 1,
        life: 0,
        address: 'a@m1',
        path: 'no/module.ts',
        engine: 'xstate',
        sums: [],
        heapMB: undefined,
      }
      const bytes = packs.pack({ type: 'start', ...start })
      const data = packs.pack({ from: 0, at: 0, isLast: true, bytes })
      callback(null, { subject: 'bourse.live.run.7.flow', data })
      return { unsubscribe: () => {} }
    },
    publish: (subject: string) => said.push(subject),
  })
  const leases = Object.assign(Object.create(null), {
    take: async () => 7,
    renew: async () => {},
    end: async () => {},
  })
  const surroundings = { connection, leases, packing: packs, name: 'h1', id: 'id' }
  const note = (text: string) => noted.push(text)
  const { over } = await Lodging.open({ ...surroundings, note }, INVITATION, new AbortController().signal)
  await over
  const why = '--nats: expected a server that takes 1024 bytes or more (max_payload), got 512'
  assert.equal(noted, [`h1 lets go of the run run: ${why}`])
  assert.not(said.includes('bourse.live.run.0.flow'))
})

test('a host that has its lease lets go of a run of which nothing was heard for long; what it hears of other hosts is nothing of the run', async () => {
  const noted: string[] = []
  const packs = await packing('--nats')
  const heardFrom = new Map<number, () => void>()
  const connection = Object.assign(Object.create(null), {
    info: { max_payload: 2 ** 20 },
    isClosed: () => false,
    request: () => Promise.reject(new Error('nobody answers')),
    subscribe: (_: string, { callback }: { readonly callback: (refused: null, message: object) => void }) => {
      for (const from of [COORDINATOR, 8]) {
        const data = packs.pack({ from, sent: 0, heard: 0 })
        heardFrom.set(from, () => callback(null, { subject: 'bourse.live.run.7.tally', data }))
      }
      return { unsubscribe: () => {} }
    },
    publish: () => {},
  })
  const leases = Object.assign(Object.create(null), { take: async () => 7, renew: async () => 8, end: async () => {} })
  const clock = new Clock('setInterval')
  const end = new AbortController()
  try {
    const surroundings = { connection, leases, packing: packs, name: 'h1', id: 'id' }
    const note = (text: string) => noted.push(text)
    const { over } = await Lodging.open({ ...surroundings, note }, INVITATION, end.signal)
    const beats = ALONE_MS / BEAT_MS
    const pass = async (count: number) => {
      for (let i = 0; i < count; i++) await clock.pass(BEAT_MS)
    }
    await pass(beats - 1)
    heardFrom.get(COORDINATOR)?.()
    await pass(beats - 1)
    heardFrom.get(8)?.()
    assert.equal(noted, [])
    await pass(1)
    assert.equal(noted, ['h1 lets go of the run run: nobody waits for it'])
    await over
  } finally {
    clock.release()
    end.abort()
  }
})

test.run()

/** The pairs that race at the actors of a market, and those that commute by a rule of its protocol. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import dspClient from '../../actors/bidding/dsp/client.ts'
import dspContractor from '../../actors/bidding/dsp/contractor.ts'
import eagerClient from '../../actors/bidding/eager/client.ts'
import { STANDARD, type Terms } from '../../actors/bidding/terms.ts'
import processor from '../../actors/processor/processor.ts'
import { units } from '../../lib/core/time.ts'
import { Alone, fires, mail, said } from './alone.ts'

const one = { task: 0, attempt: 1 }
const delay = units(1)

const bid = (machine: number, completion: number) =>
  mail(`contractor@m${machine}`, {
    type: 'bid',
    ...one,
    index: machine,
    start: units(2),
    completion: units(completion),
  })
const result = (machine: number) => mail(`contractor@m${machine}`, { type: 'result', ...one })

/** A client just after the announcement of its only task; it evaluates the bids at 2. */
function soliciting(machine: unknown = dspClient, terms: Partial<Terms> = {}) {
  const task = { id: 0, arrival: 0, work: units(10), estimate: units(10) }
  const input = { tasks: [task], terms: { ...STANDARD, delay, wait: 2 * delay, ...terms } }
  return new Alone(machine, 'client@c1', input).at(0, fires('arrival'))
}

const client = suite('at a client')

client('bids of different completion commute', () => {
  for (const machine of [dspClient, eagerClient]) {
    assert.is(said(soliciting(machine).commute(units(2), bid(1, 12), bid(2, 13))), 'commute')
  }
})

client('bids of one completion commute before the evaluation: the tie goes by index or by a draw for the task', () => {
  for (const ties of ['index', 'random'] as const) {
    assert.is(said(soliciting(dspClient, { ties }).commute(units(2), bid(1, 12), bid(2, 12))), 'commute')
  }
})

client('any two bids race after an evaluation that found none: the first gets the task', () => {
  for (const completion of [12, 13]) {
    const verdict = soliciting().at(units(2), fires('evaluate:0')).commute(units(3), bid(1, 12), bid(2, completion))
    assert.is(said(verdict), 'context.live.0.context.holder.contractor')
  }
})

client('the only bid commutes with the evaluation: it gets the task anyway', () => {
  assert.is(said(soliciting().commute(units(2), bid(1, 12), fires('evaluate:0'))), 'commute')
  const eager = soliciting(eagerClient, { retry: units(3) })
  assert.is(said(eager.commute(units(2), bid(1, 12), fires('evaluate:0'))), 'commute')
})

client('a second bid races with the evaluation, be it better or worse', () => {
  const heard = () => soliciting().at(units(1), bid(1, 12))
  const better = heard().commute(units(2), bid(2, 11), fires('evaluate:0'))
  assert.is(said(better), 'context.live.0.context.holder.contractor')
  const worse = heard().commute(units(2), bid(2, 13), fires('evaluate:0'))
  assert.is(
    said(worse),
    'sends to contractor@m2',
    'in one order the contractor is told that it lost, and in the other not',
  )
})

client('a late bid races with the result, whether it would move the task or not', () => {
  for (const [i0, differs] of [
    [0.1, 'sends to contractor@m1'],
    [null, 'sends to contractor@m2'],
  ] as const) {
    const awarded = soliciting(dspClient, { i0 }).at(units(2), bid(1, 20), fires('evaluate:0'))
    assert.is(said(awarded.commute(units(12), bid(2, 14), result(1))), differs)
  }
})

client('results of one task race: the first counts', () => {
  const moved = soliciting(dspClient, { i0: 0.1 }).at(units(2), bid(1, 20), fires('evaluate:0'), bid(2, 10))
  assert.is(said(moved.commute(units(12), result(1), result(2))), 'facts')
})

client.run()

const contractor = suite('at a contractor')

type Given = { readonly priority?: number; readonly arrival?: number }

const wanted = (task: number, { priority = task, arrival = 0 }: Given) => ({
  task,
  attempt: 1,
  priority,
  arrival,
  estimate: units(10),
})
const asked = (task: number, given: Given = {}) => mail(`client@c${task}`, { type: 'rfb', ...wanted(task, given) })
const awarded = (task: number, given: Given = {}) =>
  mail(`client@c${task}`, { type: 'task', ...wanted(task, given), start: units(2), work: units(10) })

const idle = (terms: Partial<Terms> = {}) =>
  new Alone(dspContractor, 'contractor@m1', { index: 1, speed: 1, terms: { ...STANDARD, delay, ...terms } })
const busy = (terms: Partial<Terms> = {}) => idle(terms).at(0, awarded(9))

const CLASHES = ['hold', 'bump', 'commit'] as const

contractor('two awards race while it is free, under every rule for a clash: one is executed first', () => {
  for (const clash of CLASHES) {
    assert.is(said(idle({ clash }).commute(units(1), awarded(1), awarded(2))), 'context.executing.client')
  }
})

contractor('two awards commute while it is busy, unless they are equals: held by priority, or both refused', () => {
  const equals = { priority: 1, arrival: 0 }
  for (const clash of CLASHES) {
    assert.is(said(busy({ clash }).commute(units(1), awarded(1), awarded(2))), 'commute')
    const verdict = busy({ clash }).commute(units(1), awarded(1, equals), awarded(2, equals))
    assert.is(said(verdict), clash === 'bump' ? 'commute' : 'context.held.0.client')
  }
})

contractor('two requests commute while it is free, unless an open bid counts as busy', () => {
  for (const clash of CLASHES) {
    const verdict = idle({ clash }).commute(units(1), asked(1), asked(2))
    assert.is(said(verdict), clash === 'commit' ? 'context.queue.0.client' : 'commute')
  }
})

contractor('two requests race while it is busy if they are equals: the first that was heard of comes first', () => {
  assert.is(said(busy().commute(units(1), asked(1), asked(2))), 'commute')
  const equals = { priority: 1, arrival: 0 }
  assert.is(said(busy().commute(units(1), asked(1, equals), asked(2, equals))), 'context.queue.0.client')
})

contractor('a request races with an award: it is bid for at once, or queued', () => {
  assert.is(said(idle().commute(units(1), asked(1), awarded(2))), 'context.queue')
})

contractor(
  'cancel races with completion, also where it does not free the machine: then the result is dropped, or sent',
  () => {
    const cancel = mail('client@c9', { type: 'cancel', task: 9, attempt: 1 })
    const finished = mail('processor@m1', { type: 'finished', task: 9, attempt: 1 })
    assert.is(said(busy().commute(units(10), cancel, finished)), 'sends to processor@m1')
    assert.is(said(busy({ abort: false }).commute(units(10), cancel, finished)), 'sends to client@c9')
  },
)

contractor('cancels of different tasks commute while a third is executed', () => {
  const cancel = (task: number) => mail(`client@c${task}`, { type: 'cancel', task, attempt: 1 })
  assert.is(said(busy().at(1, awarded(1), awarded(2)).commute(2, cancel(1), cancel(2))), 'commute')
})

contractor.run()

const machine = suite('at a processor')

machine('abort races with completion', () => {
  const attempt = { task: 9, attempt: 1 }
  const running = new Alone(processor, 'processor@m1', { speed: 1 })
  running.at(0, mail('contractor@m1', { type: 'run', ...attempt, work: units(10), setup: 0 }))
  const verdict = running.commute(units(10), mail('contractor@m1', { type: 'abort', ...attempt }), fires('slice'))
  assert.is(said(verdict), 'context.done')
})

machine.run()

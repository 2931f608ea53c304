/** The limits of a page, and how it reports omissions. */
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { namesOf } from '../../lib/report/command.ts'
import { fairShares } from '../../lib/report/fair-shares.ts'
import { LIMITS, readRuns, shownRun } from '../../lib/report/model.ts'
import type { ShownRun } from '../../lib/report/types.ts'
import { type Line, TRACE_VERSION } from '../../lib/trace/lines.ts'
import { marketLines } from '../trace/traces.ts'

/** A run with `pairs` pairs of actors that write to each other, with `events` events in total. */
function chatter(pairs: number, events: number, note = ''): Line[] {
  const head: Line = { t: 'trace', version: TRACE_VERSION, seed: 1, ends: true }
  const lines: Line[] = [head]
  for (let slot = 1; slot <= 2 * pairs; slot++) {
    const who = `contractor@machine${slot}`
    lines.push({ t: 'spawn', at: 0, who, slot, life: 0, module: 'nowhere.ts', input: null }, { t: 'start', at: 0, who })
  }
  const counts = new Array<number>(2 * pairs + 1).fill(0)
  const letters = new Array<string>(2 * pairs + 1).fill('')
  for (let n = 0; n < events - 4 * pairs; n++) {
    const at = 123_457 * Math.floor(n / 4)
    const slot = 1 + (n % (2 * pairs))
    const [other, own] = [slot % 2 === 0 ? slot - 1 : slot + 1, letters[slot]]
    const [who, to] = [`contractor@machine${slot}`, `contractor@machine${other}`]
    if (own) lines.push({ t: 'deliver', at, who, id: own, type: 'request' })
    else lines.push({ t: 'timer', at, who, id: `timer:${n}`, n, kind: 'protocol', event: { type: 'wake', task: n } })
    const id = `${slot}.0.${counts[slot]}`
    const message = {
      type: 'request',
      task: Math.floor(n / 20),
      attempt: 1,
      estimate: 61_234_567 + n,
      priority: -n,
      client: who,
      ...(note !== '' && { note }),
    }
    lines.push({ t: 'send', at, id, from: who, to, cause: null, due: at + 1_000_000, message })
    counts[slot] = (counts[slot] ?? 0) + 1
    letters[other] = id
  }
  return [...lines, { t: 'end' }]
}

/** The bytes of a run in a page. */
const writtenSize = (run: ShownRun): number => gzipSync(JSON.stringify(run)).toString('base64').length

test('a page holds all events of a run of 100,000, and says which messages it leaves out', async () => {
  const run = await shownRun({ name: '', lines: chatter(16, 100_000) })
  assert.is(run.events.lane.length, 100_000)
  const size = writtenSize(run)
  assert.ok(size < 4_000_000, `${size} bytes`)
  assert.match(run.omissions.join('\n'), /^The contents of [\d,]+ later messages and facts did not fit on the page\.$/)
})

test('a page never holds more of a run than its limit', async () => {
  const run = await shownRun({ name: '', lines: chatter(16, 2000) }, { ...LIMITS, size: 20_000 })
  const [size, events] = [writtenSize(run), run.events.lane.length]
  assert.ok(size <= 20_000 && size > 12_000 && events > 500 && events < 2000, `${size} bytes, ${events} events`)
  assert.match(
    run.omissions[0] ?? '',
    new RegExp(`^The page has the first ${events.toLocaleString('en')} of 2,000 events`),
  )
})

test('a run that needs less than its part leaves the rest to the others', () => {
  assert.equal(fairShares([10, 20, 30], 60), [10, 20, 30])
  assert.equal(fairShares([100, 5, 100], 65), [30, 5, 30])
  assert.equal(fairShares([100, 10, 40], 100), [50, 10, 40])
  assert.equal(fairShares([9, 9], 5), [2, 3])
  assert.equal(fairShares([], 5), [])
})

test('runs share the room of a page by their needs, and together stay within its limits', async () => {
  const [small, large] = [chatter(2, 100), chatter(4, 1200)]
  const page = () => ({})
  const wholes = await readRuns([{ name: '', lines: small, page }], LIMITS)
  const limits = { ...LIMITS, events: 600, contents: 20_000 }
  const recorded = [large, small, large].map((lines, i) => ({ name: `run ${i}`, lines, page }))
  const runs = (await readRuns(recorded, limits)).map(({ run }) => run)
  assert.equal(
    runs.map(({ events }) => events.lane.length),
    [250, 100, 250],
  )
  assert.equal(runs[1], { ...wholes[0]?.run, name: 'run 1' }, 'the small run is whole')
  const [one = 0, two = 0, three = 0] = runs.map(({ contents }) => JSON.stringify(contents.values).length)
  assert.ok(one + two + three <= 20_000 && one + two + three > 19_000, `${one}, ${two}, ${three}`)
  assert.ok(Math.abs(one - three) < 200)
  const few = (await readRuns(recorded, { ...limits, size: 12_000 })).map(({ run }) => writtenSize(run))
  assert.ok(few.reduce((sum, size) => sum + size) <= 12_000, few.join())
})

test('a page has the beginning of a longer run, and says what it leaves out', async () => {
  const lines = chatter(2, 500)
  const run = await shownRun({ name: '', lines }, { ...LIMITS, events: 300 })
  assert.is(run.events.lane.length, 300)
  assert.match(run.omissions.join(), /^The page has the first 300 of 500 events, up to time 8\.89 of 15\.06\./)
  assert.equal([run.seen, run.until], [8_888_904, 15_061_754])
})

test('statecharts count the events of a whole run, also of one whose page has only its beginning', async () => {
  const lines = await marketLines({ tasks: 6 })
  const whole = await shownRun({ name: '', lines })
  const cut = await shownRun({ name: '', lines }, { ...LIMITS, events: 100 })
  assert.equal([whole.beyond, cut.beyond], [0, whole.events.lane.length - 100])
  assert.ok(whole.machines.some(({ moves }) => moves.some(([, , , count]) => count > 5)))
  assert.equal(cut.machines, whole.machines)
})

test('a run that sends more than it handles is cut where the room for messages ends', async () => {
  const lines: Line[] = chatter(1, 20).flatMap((line) =>
    line.t === 'send' ? [line, { ...line, id: `${line['id']}9` }] : [line],
  )
  const run = await shownRun({ name: '', lines }, { ...LIMITS, events: 20 })
  assert.ok(run.sends.to.length <= 20 && run.sends.to.length >= 18, `${run.sends.to.length} messages`)
  assert.match(run.omissions[0] ?? '', /^The page has the first 1\d of 20 events/)
})

test('a broadcast is stored once for all recipients', async () => {
  const { sends } = await shownRun({ name: '', lines: await marketLines({ tasks: 6 }) })
  assert.ok(sends.content.every((place) => place >= 0))
  const stored = new Set(sends.content).size
  assert.ok(stored < sends.to.length, `${stored} of ${sends.to.length}`)
})

test('a trace that was cut off is shown as far as it goes', async () => {
  const cut: Line = { t: 'truncated', limit: 1000, option: 'traceBytes' }
  const run = await shownRun({ name: '', lines: [...chatter(1, 20).slice(0, -1), cut] })
  assert.equal(run.omissions, ['The record of the run itself was cut off at its limit of bytes.'])
})

test('runs are named by the settings that differ', () => {
  const one = { scenario: 'x', mode: 'a', load: 1, list: [1] }
  assert.equal(namesOf([one]), [''])
  assert.equal(namesOf([one, { ...one, mode: 'b', list: [2] }]), ['mode a', 'mode b'])
  assert.equal(namesOf([one, one]), ['run 1', 'run 2'])
  assert.equal(namesOf([null, one]), ['run 1', 'run 2'])
  const within = (credit: string) => ({ ...one, parameters: { credit, spin: 5 } })
  assert.equal(namesOf([within('none'), within('formula')]), ['credit none', 'credit formula'])
  const alike = { ...one, list: [2] }
  assert.equal(namesOf([one, alike, { ...one, mode: 'b' }]), ['mode a, run 1', 'mode a, run 2', 'mode b'])
})

test.run()

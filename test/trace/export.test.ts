/** Exports for other tools: they pass checkers of the tools' rules, which refuse the files that the tools would refuse. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { toDot } from '../../lib/trace/export/dot.ts'
import { MOST } from '../../lib/trace/export/limit.ts'
import { toMermaid } from '../../lib/trace/export/mermaid.ts'
import { toPerfetto } from '../../lib/trace/export/perfetto.ts'
import { toShiviz } from '../../lib/trace/export/shiviz.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { runOf } from '../../lib/trace/steps.ts'
import { perfettoFaults } from '../explore/checkers/perfetto.ts'
import { shivizFaults } from '../explore/checkers/shiviz.ts'
import { does, note, notes, spawnPuppets } from '../system/harness.ts'
import { throwsSaying } from '../throws.ts'
import { linesOf, marketRun } from './traces.ts'

const FAULTS = [
  'kill @m3 at 20',
  'restart @m3 at 60',
  'kill contractor@m1 after 3 rfb',
  'partition c1 | m2 at 30 until 90',
]
const ALL = { most: 100_000 }

const RUNS = {
  'a market': await marketRun(),
  'a market with faults': await marketRun({ tasks: 12, faults: FAULTS }),
  'a market whose mail is lost and duplicated': await marketRun({
    tasks: 12,
    network: { latency: 1_000_000, jitter: 500_000, loss: 0.1, duplicate: 0.1 },
  }),
  'an eager market of another schedule': await marketRun({ protocol: 'eager', schedule: 7, seed: 3 }),
  'a market in real time': await marketRun({
    time: 'real',
    runtime: 'threads',
    scale: 1,
    query: units(200),
    faults: FAULTS.slice(0, 2),
  }),
  'instants with many messages at once': runOf(
    traceOf(
      await linesOf({}, async (system) => {
        await spawnPuppets(system, 'a@m1', 'b@m2', 'c@m3')
        await system.tell('a@m1', does(...notes('b@m2', 40), ...notes('c@m3', 40)))
        await system.tell('b@m2', does(note('c@m3', 1)))
        await system.run()
      }),
    ),
  ),
}

for (const [name, run] of Object.entries(RUNS)) {
  test(`ShiViz accepts ${name}`, () => {
    assert.equal(shivizFaults(toShiviz([{ name: 'run', run }], ALL)), [])
  })
  test(`Perfetto accepts ${name}`, () => {
    assert.equal(perfettoFaults(toPerfetto(run, ALL)), [])
  })
}

const run = RUNS['a market with faults']

test('ShiViz accepts two named executions in one file', () => {
  const both = [
    { name: 'one', run },
    { name: 'other', run: RUNS['a market'] },
  ]
  const file = toShiviz(both, ALL)
  assert.equal(shivizFaults(file), [])
  assert.match(file, /\n=== other ===\n/)
  assert.equal(shivizFaults(file.replace('=== other', '=== one')), ['two executions have one name'])
})

// --- the checkers find faults ----------------------------------------------------------------------------------------

const log = (...events: readonly string[]): string =>
  ['(?<event>.*)\\n(?<host>\\S+) (?<clock>\\{.*\\})', '', ...events, ''].join('\n')

for (const [what, file, said] of [
  ['an own entry that does not begin at 1', log('e', 'a {"a":2}'), 'event 1 of a has its own entry at 2'],
  ['an own entry that skips one', log('e', 'a {"a":1}', 'e', 'a {"a":3}'), 'event 2 of a has its own entry at 3'],
  ['an own entry that stands still', log('e', 'a {"a":1}', 'e', 'a {"a":1}'), 'event 2 of a has its own entry at 1'],
  ['an event without its own entry', log('e', 'a {"b":1}', 'e', 'b {"b":1}'), 'without its own entry'],
  ['an entry of another that is not in the log', log('e', 'a {"a":1,"b":1}'), 'knows event 1 of b, which has 0'],
  ['a cycle', log('e', 'a {"a":1,"b":1}', 'e', 'b {"a":1,"b":1}'), 'a cycle'],
  ['a clock that is no JSON', log('e', 'a {a}'), 'no clock'],
  ['an event of one line', log('e', 'a {"a":1}', 'b {"b":1}'), 'what is no event'],
  ['a host with a space', log('e', 'a b {"a b":1}'), 'no event'],
  ['no group for the clock', '(?<event>.*)\\n(?<host>\\S+)\n\ne\na\n', 'no group clock'],
] as const) {
  test(`the checker of ShiViz's rules refuses ${what}`, () => {
    assert.ok(shivizFaults(file).join().includes(said), shivizFaults(file).join() || 'no fault')
  })
}

const slice = (more: object) => ({ ph: 'X', name: 's', pid: 1, tid: 2, ts: 0, dur: 10, ...more })
const sent = (more: object = {}) => slice({ bind_id: 1, flow_out: true, ...more })
const came = (more: object = {}) => slice({ tid: 3, ts: 20, bind_id: 1, flow_in: true, ...more })
const state = (ph: string, more: object = {}) => ({ ph, name: 'n', cat: 'c', id: 1, pid: 1, tid: 2, ts: 0, ...more })

test("the checker of Perfetto's rules accepts a flow between two slices", () => {
  assert.equal(perfettoFaults(JSON.stringify({ traceEvents: [sent(), came(), state('b'), state('e')] })), [])
})

for (const [what, events, said] of [
  ['a flow whose id is a text', [sent({ bind_id: 'm1' }), came()], 'bind_id'],
  ['a flow that never begins', [came()], 'flow 1 never begins'],
  ['a flow that never ends', [sent()], 'flow 1 never ends'],
  ['a flow that begins twice', [sent(), sent({ ts: 20 }), came({ ts: 40 })], 'flow 1 begins twice'],
  ['a flow that ends before it begins', [sent({ ts: 30 }), came()], 'flow 1 ends before it begins'],
  ['slices that overlap', [slice({}), slice({ ts: 5, dur: 6 })], 'overlaps another'],
  ['a slice without a duration', [{ ...slice({}), dur: undefined }], 'dur'],
  ['a time that is a text', [slice({ ts: '0' })], 'ts'],
  ['a thread 0', [slice({ tid: 0 })], 'tid'],
  ['a state that never ends', [state('b')], 'never ends'],
  ['a state that ends without its begin', [state('e')], 'ends without its begin'],
  ['two states at once', [state('b'), state('b', { name: 'm' }), state('e', { name: 'm' })], 'begins within'],
  ['an instant of no scope', [{ ...state('i'), s: 'x' }], 's: '],
  ['a phase that is not drawn', [state('q')], 'ph'],
] as const) {
  test(`the checker of Perfetto's rules refuses ${what}`, () => {
    const faults = perfettoFaults(JSON.stringify({ traceEvents: events })).join()
    assert.ok(faults.includes(said), faults || 'no fault')
  })
}

// --- the contents of exports -----------------------------------------------------------------------------------------

test('ShiViz gets one event for every step and for every action of the system', () => {
  const lines = toShiviz([{ name: 'run', run }], ALL).split('\n')
  assert.is((lines.length - 4) / 2, run.steps.length + run.system.length)
  assert.ok(lines.some((line) => line.startsWith('contractor@m3#2 {')))
  assert.ok(lines.includes('fault: kill @m3 at 20'))
})

test('Perfetto gets an arrow for every handled message', () => {
  const { traceEvents } = JSON.parse(toPerfetto(run, ALL))
  const handled = run.steps.filter(({ on }) => on.what === 'mail' && run.sends.has(on.id))
  const ends = traceEvents.filter((event: { flow_in?: boolean }) => event.flow_in)
  assert.is(ends.length, handled.length)
})

test('Perfetto gets one slice for each stay in a state', () => {
  const { traceEvents } = JSON.parse(toPerfetto(run, ALL))
  const begins = traceEvents.filter(({ ph }: { ph: string }) => ph === 'b')
  const changes = run.steps.filter(({ before, state }) => JSON.stringify(before) !== JSON.stringify(state))
  assert.is(begins.length, changes.length)
})

test('a run beyond the limit is refused for ShiViz and Perfetto, which need all of it', () => {
  throwsSaying(() => toShiviz([{ name: 'run', run }], { most: 50 }), 'may have at most 50 events')
  throwsSaying(() => toPerfetto(run, { most: 50 }), 'may have at most 50 steps')
})

test('a diagram of a run beyond the limit says how many steps are missing', () => {
  const text = toMermaid(run, { most: 50 })
  const [head = '', ...lines] = text.trimEnd().split('\n')
  assert.is(head, 'sequenceDiagram')
  const drawn = lines.filter((line) => !line.includes('participant'))
  assert.is(drawn.length, 51)
  assert.match(drawn[50] ?? '', /^ {2}Note over a0: \d+ more events are not shown \(--most 50\)$/)
  assert.match(toDot(run, { most: 50 }), /label="\d+ more steps are not shown \(--most 50\)"/)
  assert.not.match(toMermaid(run, ALL), /not shown/)
})

test('Mermaid gets arrows between declared incarnations, crosses for lost mail, and no character that it would misread', () => {
  const lines = toMermaid(run, ALL).trimEnd().split('\n').slice(1)
  const ids = new Set(lines.flatMap((line) => line.match(/participant (\w+) as/)?.[1] ?? []))
  for (const line of lines) {
    const [, from, , to] = line.match(/^ {2}(\w+)(->>|-x)(\w+): /) ?? []
    if (from !== undefined) assert.ok(ids.has(from) && ids.has(to ?? ''), line)
    else assert.match(line, /^ {2}(participant|Note over) /)
    assert.not.match(line.replace(/#(35|59);/g, ''), /[#;]/)
  }
  assert.ok(lines.some((line) => line.includes('-x')))
})

test('Graphviz gets a node for every step, and edges between nodes only', () => {
  const text = toDot(run, ALL)
  const nodes = new Set([...text.matchAll(/^ {4}(s\d+) \[/gm)].map(([, node]) => node))
  assert.is(nodes.size, run.steps.length)
  for (const [, from, to] of text.matchAll(/^ {2}(s\d+) -> (s\d+) \[label/gm))
    assert.ok(nodes.has(from) && nodes.has(to))
  assert.is((text.match(/\{/g) ?? []).length, (text.match(/\}/g) ?? []).length)
})

test('the limits suit human readers: those of Mermaid and ShiViz are small', () => {
  assert.ok(MOST.mermaid <= 500 && MOST.shiviz <= 10_000)
})

test.run()

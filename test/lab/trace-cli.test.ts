/** The commands on traces, as they are typed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { execute } from '../../lib/cli/index.ts'
import { TRACE_VERSION } from '../../lib/trace/lines.ts'
import { scenario } from '../../scenarios/lab/trace/main.ts'
import { runScenario } from '../bidding/command.ts'
import { perfettoFaults } from '../explore/checkers/perfetto.ts'
import { shivizFaults } from '../explore/checkers/shiviz.ts'
import { runsIn } from '../report/html.ts'
import { fixture, withSystem } from '../system/harness.ts'
import { marketLines } from '../trace/traces.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-trace-'))
test.after(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'a.jsonl')
const other = join(folder, 'b.jsonl')
const broken = join(folder, 'c.jsonl')
await marketLines({ tasks: 12, trace: file, faults: ['kill @m3 at 60', 'restart @m3 at 100'] })
await marketLines({ tasks: 12, trace: other, faults: ['kill @m3 at 60', 'restart @m3 at 100'], schedule: 3 })

async function run(...args: readonly string[]) {
  let [out, err] = ['', '']
  const code = await execute(scenario, {
    args,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text), isTerminal: false },
    onInterrupt: () => {},
  })
  return { code, out, err }
}

/** The results of a command, from --json. */
async function results(...args: readonly string[]) {
  const { code, out, err } = await run(...args, '--json')
  assert.is(code, 0, err)
  return JSON.parse(out).results
}

// --- summary ---------------------------------------------------------------------------------------------------------

test('the summary has actors, messages, a line per task, losses, and faults', async () => {
  const { code, out } = await run(file)
  assert.is(code, 0)
  assert.match(out, /^contractor@m3 +actors\/bidding\/dsp\/contractor.ts +2 /m)
  assert.match(out, /^rfb +\d+ +\d+ +0 +\d+$/m)
  assert.is(out.match(/^task \d+ of client@c[12]: at [\d.]+ announced; \d+ bids?/gm)?.length, 12)
  assert.match(out, /^ {2}\d+ the recipient is dead$/m)
  assert.match(out, /^ {2}60 fault: kill @m3 at 60$/m)
  assert.match(out, /^ok {5}invariants: none violated$/m)
})

test('the summary counts a message that no transition took as unhandled', async () => {
  const path = join(folder, 'unhandled.jsonl')
  await withSystem({ runtime: 'inline', trace: path }, async (system) => {
    await system.spawn('lamp@m1', fixture('one-way.ts'))
    for (let i = 0; i < 3; i++) await system.tell('lamp@m1', { type: 'leave' })
    await system.run()
  })
  const { out } = await run(path)
  assert.match(out, /^type +sent +handled +unhandled +lost$/m)
  assert.match(out, /^leave +\d +1 +2 +0$/m)
  assert.match(out, /^lamp@m1 +\S+ +1 +2 +2 +0/m)
})

test('the command may stand on either side of the file', async () => {
  const first = await run('summary', file)
  assert.equal([await run(file, 'summary'), await run(file)], [first, first])
})

test('a long list is cut and says so', async () => {
  const { out } = await run(file, '--most', '3')
  assert.match(out, /^\.\.\. and 9 more tasks \(--most 3\)$/m)
})

test('a broken promise fails the summary', async () => {
  const done = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"done"') && line.includes('"fact"'))
  const end = '{"t":"end"}\n'
  writeFileSync(broken, readFileSync(file, 'utf8').replace(end, `${done[0]}\n${end}`))
  const { code, out } = await run(broken)
  assert.is(code, 1)
  assert.match(out, /^FAILED invariants: .*task \d+/m)
})

// --- task ------------------------------------------------------------------------------------------------------------

test('the life of a task is shown from its announcement to its end, with the fate of every bid', async () => {
  const { events, bids, client } = await results('task', file, '3')
  assert.match(events[0].said, /^announced; sends rfb .*to contractor@m1, contractor@m2, contractor@m3$/)
  assert.ok(events.some(({ who, said }: Told) => who === client && /done by contractor@m\d, flow/.test(said)))
  assert.ok(events.some(({ who, said }: Told) => who.startsWith('processor@') && said.includes('finished after')))
  const times = events.map(({ at }: { at: number }) => at)
  assert.equal(
    times,
    [...times].sort((a, b) => a - b),
  )
  assert.is(bids.filter(({ fate }: { fate: string }) => fate.startsWith('won')).length, 1)
  const { out } = await run('task', file, '3')
  for (const { fate } of bids) assert.ok(out.includes(fate), fate)
})

test('a trace of a family without descriptions of tasks is refused with its scenario', async () => {
  const mesh = join(folder, 'mesh.jsonl')
  const lines = readFileSync(file, 'utf8').replace('"about":{', '"about":{"scenario":"mesh/run",')
  writeFileSync(mesh, lines)
  const { code, err } = await run('task', mesh, '3')
  assert.is(code, 2)
  assert.match(err, /task cannot read .*mesh\.jsonl: it is a trace of mesh\/run; it reads traces of bidding/)
  assert.not.match((await run(mesh)).out, /^tasks$/m)
})

interface Told {
  readonly who: string
  readonly said: string
}

// --- actor, causes ---------------------------------------------------------------------------------------------------

test('an actor is shown incarnation by incarnation', async () => {
  const { incarnations } = await results('actor', file, 'contractor@m3')
  assert.equal(
    incarnations.map(({ incarnation, end }: { incarnation: number; end: { type: string } | null }) => [
      incarnation,
      end?.type ?? null,
    ]),
    [
      [0, 'died'],
      [1, null],
    ],
  )
  const { out } = await run('actor', file, 'contractor@m3', '--most', '2')
  assert.match(out, /^contractor@m3#2 \(actors\/bidding\/dsp\/contractor.ts\), from 100$/m)
  assert.match(out, /trading\.free -> trading\.busy|start/)
  const whole = await run('actor', file, 'contractor@m3')
  assert.match(whole.out, / {2}rfb from client@c\d \{"task":.{0,60}\.\.\. {2}/)
})

test('the cone of an award has the announcement and the bids, and the chain that led to it', async () => {
  const { out } = await run('task', file, '0')
  assert.match(out, /awarded to/)
  const award = readFileSync(file, 'utf8').match(
    /"t":"send","at":\d+,"id":"([\d.]+)"[^\n]*"type":"task","task":0,/,
  )?.[1]
  const { steps, chain } = await results('causes', file, award ?? '')
  const types = steps.map(({ on }: { on: { type?: string } }) => on.type)
  assert.is(types.filter((type: string) => type === 'bid').length, 3)
  assert.is(types.filter((type: string) => type === 'rfb').length, 3)
  assert.match(chain[0], /\.t\d+$/)
  const cone = await run('causes', file, award ?? '')
  assert.match(cone.out, / {2}bid from contractor@m\d \{"task":0,/)
  assert.match(cone.out, /sends rfb to 3 \{"task":0,/)
})

// --- diff ------------------------------------------------------------------------------------------------------------

test('two schedules diverge at the first delivery that differs', async () => {
  assert.equal(await results('diff', file, file), { divergence: null })
  const { divergence } = await results('diff', file, other)
  assert.is(divergence.of, 'handled')
  const [one, another] = divergence.steps
  assert.is(one.n, another.n)
  assert.is.not(one.thing, another.thing)
  const { out } = await run(file, 'diff', other)
  const page = join(folder, 'diff.html')
  await run('diff', file, other, '--report', page)
  const { runs } = runsIn(readFileSync(page, 'utf8'))
  assert.equal(
    runs.map(({ focus, events, lanes }) => lanes[events.lane[focus] ?? -1]?.name),
    [divergence.who, divergence.who],
    'the page opens where the runs diverge',
  )
  assert.match(out, `the runs diverge at ${divergence.who}: after ${divergence.alike} identical steps`)
  assert.match(out, /state before: serving/)
})

test('runs with the same events diverge at the first different outcome', async () => {
  const state = '"value":{"trading":"busy"}'
  writeFileSync(broken, readFileSync(file, 'utf8').replace(state, '"value":"stranded"'))
  const { divergence } = await results('diff', file, broken)
  assert.equal(
    [divergence.of, divergence.steps.map(({ after }: { after: unknown }) => after)],
    ['outcome', [{ trading: 'busy' }, 'stranded']],
  )
})

// --- export ----------------------------------------------------------------------------------------------------------

test('exports are accepted by their tools', async () => {
  assert.equal(shivizFaults((await run('export', file, '--to', 'shiviz')).out), [])
  assert.equal(shivizFaults((await run('export', file, other, '--to', 'shiviz')).out), [])
  assert.equal(perfettoFaults((await run('export', file, '--to', 'perfetto')).out), [])
  assert.match((await run('export', file, '--to', 'mermaid')).out, /^sequenceDiagram\n/)
  assert.match((await run('export', file, '--to', 'dot')).out, /^digraph run \{\n/)
  const out = join(folder, 'run.json')
  assert.is((await run('export', file, '--to', 'perfetto', '--out', out)).code, 0)
  assert.equal(perfettoFaults(readFileSync(out, 'utf8')), [])
})

// --- coverage --------------------------------------------------------------------------------------------------------

test('coverage counts the pairs that the machines define, and more runs never cover fewer', async () => {
  const one = await results('coverage', file)
  const both = await results('coverage', file, other)
  const client = one.machines.find(({ module }: { module: string }) => module.endsWith('dsp/client.ts'))
  // 13 events in serving with the two of the root, and 11 in done
  assert.equal([client.defined, client.unhandled], [25, []])
  for (const [i, { covered, defined, missing }] of both.machines.entries()) {
    assert.ok(covered >= one.machines[i].covered && covered + missing.length === defined && covered > 0)
  }
})

// --- refusals --------------------------------------------------------------------------------------------------------

const text = readFileSync(file, 'utf8')
const refused = async (said: string, ...args: readonly string[]) => {
  const { code, out, err } = await run(...args)
  assert.equal([code, out], [2, ''], err)
  assert.ok(err.includes(said), err)
  assert.is(err.trimEnd().split('\n').length, 1)
}

test('wrong use is reported in one line', async () => {
  await refused('this command needs FILE [COMMAND [...]]')
  await refused('unknown command "tasks"; did you mean task? (known: summary, task, actor', file, 'tasks')
  await refused('unknown command "tasks"; did you mean task?', 'tasks', file)
  await refused('the command task takes FILE ID, not', 'task', file)
  await refused('the command diff takes FILE FILE, not', 'diff', file)
  await refused('unknown task "99" in ', 'task', file, '99')
  await refused('; tasks 0 to 11 were announced', 'task', file, 'three')
  await refused('unknown actor "contractor@m9" in ', 'actor', file, 'contractor@m9')
  await refused('unknown envelope or timer "99.0.0" in ', 'causes', file, '99.0.0')
  await refused('the command export needs --to with shiviz, perfetto, mermaid or dot', 'export', file)
  await refused('--to dot takes one FILE, not 2', 'export', file, other, '--to', 'dot')
  await refused('--to needs the command export, not summary', file, '--to', 'dot')
  await refused(
    'events (--most), since ShiViz needs all of them, but has',
    'export',
    file,
    '--to',
    'shiviz',
    '--most',
    '9',
  )
  await refused('may have at most 99 bytes (option bytes), but has', file, '--bytes', '99')
})

test('a file that is not a complete trace of this version is refused in one line', async () => {
  await refused(': no such file', join(folder, 'none.jsonl'))
  for (const [content, said] of [
    [
      text.replace(`"version":${TRACE_VERSION}`, '"version":1'),
      `must be a trace of version 2 to ${TRACE_VERSION}, not version 1`,
    ],
    [`${text}{"t":"truncated","limit":9,"option":"traceBytes"}\n`, 'cut off at 9 bytes (option traceBytes)'],
  ] as const) {
    writeFileSync(broken, content)
    await refused(said, broken)
  }
})

test('coverage runs no file that is not registered', async () => {
  const evil = join(folder, 'evil.ts')
  writeFileSync(evil, 'process.exit(77)')
  for (const module of [evil, `../../../../../..${evil}`, 'lib/../../x.ts', 'lib/core/format.ts']) {
    writeFileSync(broken, text.replaceAll('actors/processor/processor.ts', module))
    await refused('is not a registered module', 'coverage', broken)
  }
})

test('the command runs as a process, and its help has every form', async () => {
  const { code, stdout } = await runScenario('lab/trace', ['--help'])
  assert.is(code, 0)
  for (const form of ['trace.ts FILE [COMMAND [...]] [flags]', 'diff FILE FILE', 'coverage FILE...', '--to FORMAT']) {
    assert.ok(stdout.includes(form), form)
  }
  assert.ok(stdout.split('\n').every((line) => line.length <= 120))
})

test.run()

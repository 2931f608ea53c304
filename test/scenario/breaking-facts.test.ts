/** The facts that broke promises: found without another run, kept in the trace, and shown wherever a step is. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { execute } from '../../lib/cli/index.ts'
import { explore, PromiseBroken } from '../../lib/explore/laboratory.ts'
import { shownRun } from '../../lib/report/model.ts'
import { BROKE } from '../../lib/report/types.ts'
import { always, defineScenario, type Oracle, promises } from '../../lib/scenario.ts'
import type { SystemInit } from '../../lib/system.ts'
import { readTrace } from '../../lib/trace/read.ts'
import { runOf } from '../../lib/trace/steps.ts'
import { scenario as traceCommand } from '../../scenarios/lab/trace/main.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-breaking-'))
test.after(() => rmSync(folder, { recursive: true }))

const MODULE = new URL('../fixtures/adding/register.ts', import.meta.url)
const BELOW = 'the number stays below 2'
const EVEN = 'the number is even'

/** Three clients that add 1 to a register, one after the other, so the number becomes 1, 2 and 3. */
const counting = (oracle: () => Oracle, clients = 3) =>
  defineScenario({
    name: 'counting',
    open: async (system) => {
      await system.spawn('register@r', MODULE)
      for (let i = 1; i <= clients; i++) await system.spawn(`client@c${i}`, MODULE, units(4 * i))
    },
    oracle,
  })

const below = always(BELOW, ({ facts }) => facts.flatMap(({ fact: { n } }) => (Number(n) < 2 ? [] : [`it was ${n}`])))
const even = always(EVEN, ({ facts }) => (Number(facts.at(-1)?.fact['n'] ?? 0) % 2 === 0 ? [] : ['it is odd']))

async function traceOf(oracle: () => Oracle, { clients = 3, ...init }: SystemInit & { clients?: number } = {}) {
  const file = join(folder, 'run.jsonl')
  const options: SystemInit = { runtime: 'inline', ...init, trace: file }
  const scenario = counting(oracle, clients)
  const { broken, traceHash } = await scenario.run(scenario.modelOf(new Map()), options)
  const trace = readTrace(file)
  const marks = runOf(trace).steps.flatMap(({ who, facts, broken }) =>
    broken.map((promise) => ({ who, n: facts[0]?.['n'], promise })),
  )
  return { file, trace, traceHash, marks, broken: [...new Set(broken.map(({ property }) => property))] }
}

for (const runtime of ['inline', 'threads'] as const) {
  test(`a trace marks the step from whose fact on a promise is broken (${runtime})`, async () => {
    const { marks, broken } = await traceOf(promises(below, even), { runtime })
    assert.equal(broken, [BELOW, EVEN])
    // 1 was odd as well, but 2 was even again
    assert.equal(marks, [
      { who: 'register@r', n: 2, promise: BELOW },
      { who: 'register@r', n: 3, promise: EVEN },
    ])
  })
}

test('the trace of a broken promise is the same on threads and inline', async () => {
  const [inline, threads] = [await traceOf(promises(below)), await traceOf(promises(below), { runtime: 'threads' })]
  assert.is(threads.traceHash, inline.traceHash)
})

test('the trace of a run that breaks no promise of safety has no mark', async () => {
  const { trace, broken } = await traceOf(promises(even), { clients: 2 })
  assert.equal(broken, [])
  assert.not(trace.lines.some(({ t }) => t === 'broken'))
})

test('an oracle without a name for its promises is asked once, and one that is no new oracle is not asked', async () => {
  let questions = 0
  const violations = (): { property: string; text: string }[] => {
    questions++
    return [{ property: BELOW, text: 'always' }]
  }
  await traceOf(() => ({ violations }))
  const each = questions
  const shared: Oracle = { violations }
  const { marks } = await traceOf(() => shared)
  assert.equal([each > 1, questions - each, marks], [true, 1, []])
})

test('the mark is in the lists of steps, in every export and on the page', async () => {
  const { file, trace } = await traceOf(promises(below))
  const said = `breaks the promise '${BELOW}'`
  for (const words of ['actor register@r', 'causes 1.0.2', 'export --to perfetto', 'export --to shiviz'].map(wordsOf))
    assert.match(await told(file, words), said, words.join(' '))
  for (const format of ['mermaid', 'dot']) assert.match(await told(file, ['export', '--to', format]), said)
  assert.match(
    await told(file, []),
    `broken promises\n  8 register@r breaks '${BELOW}' as it handles write from client@c2`,
  )
  const { events, texts } = await shownRun({ name: '', lines: trace.lines })
  const place = events.flags.findIndex((flags, i) => i % 2 === 1 && (flags & BROKE) > 0)
  const [event, text] = events.remarks
  assert.equal([event, texts[text ?? 0]], [events.flags[place - 1], BELOW])
})

test('a found case names the step, and its trace has the mark', async () => {
  const error = await explore(counting(promises(below)), { schedules: 20 }).then(
    () => undefined,
    (error) => error,
  )
  assert.ok(error instanceof PromiseBroken)
  assert.match(error.case.brokenBy ?? '', /^the promise breaks at 8, when register@r handles write from client@c2 \(/)
})

const wordsOf = (text: string): string[] => text.split(' ')

async function told(file: string, [command = 'summary', ...rest]: readonly string[]): Promise<string> {
  let out = ''
  await execute(traceCommand, {
    args: [command, file, ...rest],
    stdout: { write: (text) => (out += text) },
    stderr: { write: () => true, isTerminal: false },
    onInterrupt: () => {},
  })
  return out
}

test.run()

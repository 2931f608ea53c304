import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Check,
  execute,
  type Invocation,
  is,
  number,
  type OptionsOf,
  type Outcome,
  runFlags,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { progressOn } from '../../lib/cli/progress.ts'
import { System } from '../../lib/system.ts'
import { TYPESCRIPT } from '../typescript.ts'

const flags = {
  ...runFlags,
  load: value({ metavar: 'U', fallback: '0.5', parse: number({ above: 0 }), help: 'load' }),
}
const held: Check = { name: 'no task lost', ok: true, measured: 0, expected: 0, tolerance: null }
const failed: Check = { name: 'mean flow', ok: false, measured: 3.5, expected: 3, tolerance: 0.25 }
const outcome: Outcome = { results: { meanFlow: 3.5 }, checks: [held], messages: 12, text: 'a table' }

/** Runs a scenario with strings for stdout and stderr. */
const run = async (args: string[], result: Outcome | (() => never) = outcome, isTerminal = false) => {
  let out = ''
  let err = ''
  let demonstration: boolean | undefined
  const scenario = {
    name: 'test/scenario',
    summary: 'Tests.',
    flags,
    main: async ({ options, note, progress, isDemonstration }: Invocation<OptionsOf<typeof flags>>) => {
      demonstration = isDemonstration
      note(`load ${options.load}`)
      progress(1, 2, 'tasks')
      return typeof result === 'function' ? result() : result
    },
  }
  const code = await execute(scenario, {
    args,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text), isTerminal },
    onInterrupt: () => {},
  })
  return { code, out, err, demonstration }
}

test('a run whose checks hold prints its text and its checks and ends with 0', async () => {
  const { code, out, err, demonstration } = await run([])
  assert.is(code, 0)
  assert.is(out, 'a table\nok     no task lost: 0, expected 0\n')
  assert.is(err, 'load 0.5\n')
  assert.is(demonstration, true)
})

test('--json prints one document, with the options as they were typed, and nothing else on stdout', async () => {
  const { code, out, demonstration } = await run(['--json', '--load', '0.7', '--latency', '2.5', '--schedule', '3'])
  assert.is(code, 0)
  assert.is(demonstration, false)
  const document: unknown = JSON.parse(out)
  assert.ok(typeof document === 'object' && document !== null && 'options' in document && 'wallSeconds' in document)
  const { options, wallSeconds, ...rest } = document
  assert.ok(typeof wallSeconds === 'number' && wallSeconds >= 0)
  assert.ok(typeof options === 'object' && options !== null && 'load' in options && 'latency' in options)
  assert.equal([options.load, options.latency], [0.7, 2.5])
  assert.equal(rest, {
    scenario: 'test/scenario',
    seed: 1,
    schedule: 3,
    results: { meanFlow: 3.5 },
    checks: [held],
    messages: 12,
    version: '0.1.0',
  })
})

test('a failed check ends with 1, prints the failure and the command that shows it again', async () => {
  const broken = { ...outcome, checks: [held, failed] }
  const { code, err } = await run(['--json', '--quiet', '--kill', '@m1 at 3'], broken)
  assert.is(code, 1)
  assert.match(err, 'FAILED mean flow: 3.5, expected 3 ± 0.25\n')
  assert.match(err, "again: npx tsx scenarios/test/scenario.ts --json --quiet --kill '@m1 at 3'\n")
  assert.match((await run([], broken)).out, 'FAILED mean flow')
})

test('wrong use ends with 2 and one line, whether a parser or main finds it', async () => {
  const flag = await run(['--load', 'x'])
  assert.equal([flag.code, flag.out, flag.err], [2, '', 'bourse: --load must be a number > 0, not "x"\n'])
  const late = await run(['--quiet'], () => {
    throw UsageError.invalid('--load', 'less than 1', '1.2', 'give --tasks')
  })
  assert.equal([late.code, late.err], [2, 'bourse: --load must be less than 1, not 1.2: give --tasks\n'])
})

test('any other error than wrong use is thrown', async () => {
  const bug = (): never => {
    throw new TypeError('a bug')
  }
  try {
    await run([], bug)
    assert.unreachable()
  } catch (error) {
    assert.instance(error, TypeError)
  }
})

test('--help prints to stdout and ends with 0, even with wrong flags', async () => {
  const { code, out, err } = await run(['--nonsense', '--help'])
  assert.equal([code, err], [0, ''])
  assert.match(out, '--load U')
})

test('the bar is drawn only on a terminal, and --quiet suppresses the bar and the notes', async () => {
  assert.match((await run([], outcome, true)).err, '50 % tasks')
  assert.not.match((await run([], outcome, false)).err, '50 %')
  assert.is((await run(['--quiet'], outcome, true)).err, '')
})

test('the bar is redrawn at most ten times a second, and a note erases it first', () => {
  let drawn = ''
  let now = 0
  const { note, progress, clear } = progressOn({ write: (text) => (drawn += text), isTerminal: true }, false, () => now)
  for (; now < 1000; now++) progress(now, 2000)
  assert.is(drawn.split('%').length - 1, 10)
  drawn = ''
  note('hello')
  assert.is(drawn, '\r\x1b[Khello\n')
  drawn = ''
  clear()
  assert.is(drawn, '')
})

test('where there is no terminal, a line tells the progress once in ten seconds', () => {
  let drawn = ''
  let now = 0
  const { progress } = progressOn({ write: (text) => (drawn += text), isTerminal: false }, false, () => now)
  for (; now <= 25_000; now += 100) progress(now, 100_000, `${now} runs`)
  assert.is(drawn, '10 % 10000 runs\n20 % 20000 runs\n')
})

test('progress of unknown length has no per cent', () => {
  for (const [isTerminal, says] of [
    [true, '\rat 7 units\x1b[K'],
    [false, 'at 7 units\n'],
  ] as const) {
    let drawn = ''
    let now = 0
    const { progress } = progressOn({ write: (text) => (drawn += text), isTerminal }, false, () => now)
    now = 10_000
    progress(0, null, 'at 7 units')
    progress(0, null, 'at 8 units')
    assert.is(drawn, says)
  }
})

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/cli/${name}.ts`, import.meta.url))

/** Runs a fixture in its own process, and sends it `signals` when it prints that it is running. */
const ended = async (name: string, args: string[], ...signals: NodeJS.Signals[]) => {
  const command = [...TYPESCRIPT, fixture(name), ...args]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', (text) => (out += text))
  const running = new Promise<void>((resolve) => {
    child.stderr.on('data', (text) => {
      err += text
      if (err.includes('running')) resolve()
    })
  })
  const exit = once(child, 'exit')
  await Promise.race([running, exit])
  for (const signal of signals) child.kill(signal)
  const [code] = await exit
  return { code, out, err }
}

const interrupted = (args: string[], ...signals: NodeJS.Signals[]) => ended('waiting', args, ...signals)

test('an interrupt calls the registered stops, last first, and exits with 130', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { code, err } = await interrupted([], signal)
    assert.is(code, 130)
    assert.match(err, /second stopped\s+first stopped/)
  }
})

test('an interrupt exits with 130 even if a stop never ends', async () => {
  const { code } = await interrupted(['--load', '9'], 'SIGINT')
  assert.is(code, 130)
})

test('a process with wrong flags exits with 2 and prints one line without a stack', async () => {
  const { code, out, err } = await interrupted(['--load', 'x'])
  assert.equal([code, out], [2, ''])
  assert.is(err.trim().split('\n').at(-1), 'bourse: --load must be a number > 0, not "x"')
  assert.not.match(err, ' at ')
})

test('an error without a stack is reported by its message, and exits with 1', async () => {
  const { code, err } = await ended('failing', [])
  assert.is(code, 1)
  assert.match(err, 'bourse: Hung: the module of pong@there did not load')
})

for (const runtime of ['threads', 'inline'] as const) {
  test(`a module without a machine and a message that cannot be sent are wrong use (${runtime})`, async () => {
    const trying = async (use: (system: System) => Promise<void>) => {
      const system = new System({ runtime, memoryMB: 16 })
      let stderr = ''
      const code = await execute(
        {
          name: 'test/scenario',
          summary: 'Tests.',
          flags: runFlags,
          main: async () => {
            await use(system)
            return outcome
          },
        },
        {
          args: ['--quiet'],
          stdout: { write: () => {} },
          stderr: { write: (text) => (stderr += text), isTerminal: false },
          onInterrupt: () => {},
        },
      )
      await system.stop()
      assert.is(code, 2)
      assert.is(stderr.trimEnd().split('\n').length, 1, stderr)
      return stderr
    }
    const actors = new URL('../fixtures/actors/', import.meta.url)
    assert.match(
      await trying((system) => system.spawn('nobody@m1', new URL('no-machine.ts', actors))),
      /does not export a machine/,
    )
    const unsendable = { type: 'note', lines: [{ text: () => 'hello' }] } as const
    assert.match(
      await trying(async (system) => {
        await system.spawn('puppet@m1', new URL('puppet.ts', actors))
        // @ts-expect-error a function is no plain data, which JavaScript does not notice
        await system.tell('puppet@m1', unsendable)
      }),
      /message\.lines\[0\]\.text is a function/,
    )
  })
}

test('a command keeps no system that has stopped', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const systems: WeakRef<System>[] = []
  let stop = async (): Promise<void> => {}
  const code = await execute(
    {
      name: 'test/scenario',
      summary: 'Tests.',
      flags: runFlags,
      main: async ({ onSystem }) => {
        const runOnce = async () => {
          const system = new System({ runtime: 'inline', memoryMB: 16 })
          onSystem(system)
          systems.push(new WeakRef(system))
          await system.stop()
        }
        for (let i = 0; i < 3; i++) await runOnce()
        await setTimeout()
        collectGarbage()
        const kept = systems.filter((system) => system.deref() !== undefined)
        return { ...outcome, checks: [is('systems kept', kept.length, 0)] }
      },
    },
    {
      args: ['--quiet'],
      stdout: { write: () => {} },
      stderr: { write: () => {}, isTerminal: false },
      onInterrupt: (act) => {
        const before = stop
        stop = async () => void (await Promise.all([act(), before()]))
      },
    },
  )
  assert.is(code, 0)
  await stop()
})

test.run()

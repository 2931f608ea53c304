/** What a definition can have beside its name, `open` and oracle: flags, a model, tasks, results, a demonstration. */
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { execute, integer, parseFlags, runFlags, value } from '../../lib/cli/index.ts'
import { csvText } from '../../lib/core/csv.ts'
import { caseOf } from '../../lib/explore/counterexample.ts'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { random } from '../../lib/explore/strategies/random.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { eventually, promises } from '../../lib/scenario/oracle.ts'
import { defineScenario, isScenario } from '../../lib/scenario/scenario.ts'
import { sometime } from '../../lib/scenario/specification.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import { additionsPage } from '../fixtures/adding/page.ts'
import { elementIn, linksIn, textIn } from '../report/html.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('a definition with flags, a model and tasks')

const REGISTER = new URL('../fixtures/adding/register.ts', import.meta.url)
const flags = {
  ...runFlags,
  clients: value({ metavar: 'N', fallback: '3', parse: integer({ min: 1, max: 9 }), help: 'number of clients' }),
}

const adders = defineScenario({
  name: 'adders',
  flags,
  small: { clients: 2, latency: 1 },
  setUp: ({ clients }) => ({ model: { clients: Array.from({ length: clients }, (_, i) => i + 1) } }),
  about: ({ clients }) => ({ clients }),
  addresses: ({ clients }) => ['register@r', ...clients.map((i) => `client@c${i}` as const)],
  open: async (system, { clients }) => {
    await system.spawn('register@r', REGISTER)
    for (const i of clients) await system.spawn(`client@c${i}`, REGISTER, units(4 * i))
  },
  oracle: ({ clients }) =>
    promises(
      eventually('no addition is lost', ({ facts, dead }) => {
        const last = facts.at(-1)?.fact['n']
        return dead.size > 0 || last === clients.length ? [] : [`the register has ${last}`]
      }),
    )(),
  tasks: { name: 'client', of: ({ clients }) => clients, only: (_, clients) => ({ clients: [...clients] }) },
  isDone: ({ type }) => type === 'written',
  sometimes: [sometime('number written', 'register', 'written')],
  notes: ({ clients }, { seed }) => [`adders, seed ${seed}: ${clients.length} clients`],
  results: ({ oracle, options }) => ({
    values: { asked: options.clients, written: oracle.facts.length },
    tables: [{ columns: [{ name: 'clients' }, { name: 'written' }], rows: [[options.clients, oracle.facts.length]] }],
    text: `${oracle.facts.length} written`,
  }),
  page: additionsPage,
  jobs: ({ oracle }) => csvText([['n'], ...oracle.facts.map(({ fact }) => [Number(fact['n'])])]),
  demonstration: async ({ show, options }) => {
    const shown = [await show('one', { ...options, clients: 1 }), await show('two', { ...options, clients: 2 })]
    return {
      results: Object.fromEntries(shown.map(({ name, run }) => [name, run.oracle.facts.length])),
      checks: shown.flatMap(({ checks }) => checks),
      messages: 0,
      text: 'one and two',
    }
  },
})

async function command(...args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await execute(adders, {
    args,
    stdout: { write: (text) => void out.push(text) },
    stderr: { write: (text) => void err.push(text), isTerminal: false },
    onInterrupt: () => {},
  })
  return { code, stdout: out.join(''), stderr: err.join('') }
}

const given = (line: string) => parseFlags(flags, line === '' ? [] : line.split(' ')).given

test('prints its results, in text, as JSON and as a file of jobs', async () => {
  const file = join(tmpdir(), `bourse-adders-${process.pid}.csv`)
  const { code, stdout, stderr } = await command('--clients', '2', '--runtime', 'inline', '--jobs-out', file)
  assert.equal([code, stderr], [0, 'adders, seed 1: 2 clients\n'])
  assert.match(stdout, /^clients {2}written\n2 {14}2\n\n2 written\nok +invariants: none violated/)
  assert.is(readFileSync(file, 'utf8').trim(), 'n\n1\n2')
  rmSync(file)
  const { results } = JSON.parse((await command('--seed', '2', '--runtime', 'inline', '--json', '--quiet')).stdout)
  assert.equal(results, { asked: 3, written: 3, deadLetters: {}, faultsThatNeverStruck: [] })
})

test('prints its dead letters, and the faults that never struck, after its results', async () => {
  const faults = ['--fault', 'kill register@r at 5', '--fault', 'kill client@c1 after 9 number']
  const { stdout } = await command('--clients', '2', '--runtime', 'inline', '--quiet', ...faults)
  assert.match(
    stdout,
    /\n1 written\ndead letters: 1 \(the recipient is dead\)\nfaults that never struck: kill client@c1 after 9 number\nok +inv/,
  )
})

test('hands its answer to its page, beside the numbers of the same run without faults', async () => {
  const file = join(tmpdir(), `bourse-adders-${process.pid}.html`)
  const flags = ['--clients', '2', '--runtime', 'inline', '--quiet', '--report', file]
  await command(...flags, '--kill', 'client@c2 at 3')
  const html = readFileSync(file, 'utf8')
  rmSync(file)
  assert.match(
    textIn(html, 'story'),
    /^client@c2 died at 3\.00 and stayed dead\. The register was written 1 times, at last at [\d.]+\.$/,
  )
  assert.match(elementIn(html, 'answer'), '<dt>additions</dt><dd>1</dd><dd class="without bad">2 without faults</dd>')
  assert.equal(linksIn(elementIn(html, 'story')).slice(0, 2), [
    ['client@c2', '#actor=client%40c2'],
    ['3.00', '#at=3000000'],
  ])
})

test('the answer of its page begins with the faults that never struck, which are not called harmless', async () => {
  const file = join(tmpdir(), `bourse-adders-${process.pid}.html`)
  const flags = ['--clients', '2', '--runtime', 'inline', '--quiet', '--report', file]
  await command(...flags, '--fault', 'kill client@c1 after 9 number')
  const alone = readFileSync(file, 'utf8')
  assert.match(
    textIn(alone, 'story'),
    /^The fault "kill client@c1 after 9 number" never struck, so that this is the run without faults\. The register /,
  )
  assert.not.match(elementIn(alone, 'answer'), 'the same without faults')
  await command(...flags, '--fault', 'kill client@c1 after 9 number', '--kill', 'client@c2 at 3')
  const html = readFileSync(file, 'utf8')
  rmSync(file)
  assert.match(textIn(html, 'story'), /^The fault "kill client@c1 after 9 number" never struck\. client@c2 died /)
  assert.match(elementIn(html, 'answer'), '2 without faults')
})

test('shows its demonstration without flags', async () => {
  const { code, stdout } = await command()
  assert.is(code, 0)
  assert.match(stdout, 'ok     two: invariants: none violated')
})

test('leaves out tasks by a flag that it need not declare', async () => {
  const { stdout } = await command('--only-clients', '0,2', '--runtime', 'inline', '--quiet')
  assert.match(stdout, '2 written')
  throwsSaying(() => adders.modelOf(new Map([['onlyClients', ['3']]])), '--only-clients must be numbers below 3, not 3')
  assert.is(adders.specification(given('')).only([1]).tasks, 1)
})

test('is explored, and a failure is shrunk to the tasks that it needs', async () => {
  const specification = adders.specification(given('--clients 4'))
  const search = { specification, strategy: random, seed: 1, allowed: [], from: 0, until: 50 }
  const { failures, seen } = await explore(search, await baselineOf(specification))
  assert.equal([...seen], ['number written'])
  const [first] = failures
  assert.ok(first)
  const failure = { ...first, faults: first.faults.map(printFault) }
  const quest = { given: [...given('--clients 4')], limits: { livelock: 1000 } }
  const { tasks, command } = await caseOf({ name: 'adders', path: 'adders.ts', scenario: adders }, quest, failure)
  assert.ok(tasks < 4, `${tasks}`)
  assert.match(command, /^npx tsx scenarios\/lab\/run\.ts adders\.ts .*--only-clients [\d,]+ --schedule b1:/)
})

test('has the flags of its small instance where the command line gives no others, contradicts none and reads no file', () => {
  const smallOf = (line: string) =>
    Object.fromEntries(adders.small(collect(adders.flags, line === '' ? [] : line.split(' ')).given))
  assert.equal(smallOf(''), { clients: ['2'], latency: ['1'] })
  assert.equal(smallOf('--clients 4 --seed 3'), { clients: ['4'], seed: ['3'], latency: ['1'] })
  assert.equal(smallOf('--only-clients 2'), { onlyClients: ['2'], latency: ['1'] }, 'two clients have no third one')
  assert.equal(smallOf('--secret file'), { secret: ['file'] })
  const small: Record<string, number> = { latensy: 1 }
  const wrong = () => defineScenario({ name: 'wrong', open: async () => {}, oracle: promises(), small })
  throwsSaying(wrong, 'unknown flag "latensy" in wrong; did you mean latency?')
})

test('knows itself, and refuses faults of actors that it does not have', () => {
  assert.ok(isScenario(adders))
  assert.not(isScenario({ ...adders }))
  throwsSaying(() => adders.specification(new Map([['kill', ['client@c7 at 3']]])), 'client@c7')
  throwsSaying(() => adders.specification(given('--time real')), '--time must be virtual')
})

test('a reachability goal is met by a fact of its role and type that is as it says', () => {
  const five = sometime('five written', 'register', 'written', ({ n }) => n === 5)
  assert.ok(five.isSeen({ type: 'written', n: 5 }, 'register@r'))
  assert.not.ok(five.isSeen({ type: 'written', n: 4 }, 'register@r'))
  assert.not.ok(five.isSeen({ type: 'written', n: 5 }, 'client@c1'))
  assert.not.ok(five.isSeen({ type: 'asked', n: 5 }, 'register@r'))
  assert.ok(sometime('any written', 'register', 'written').isSeen({ type: 'written', n: 4 }, 'register@r'))
})

test('a run has room for all actors that its scenario lists', () => {
  const actorsOf = (contractors: number) => {
    const { flags, specification } = scenarioNamed('bidding/market')
    const speeds = Array.from({ length: contractors }, () => 1).join()
    return specification(collect(flags, ['--speeds', speeds, '--tasks', '1']).given).options.actors
  }
  assert.is(actorsOf(511), undefined, 'the default of 1,023')
  assert.is(actorsOf(2000), 4001, 'a client, and a contractor and a processor on each machine')
})

for (const [name, line, actors] of [
  ['contracts/run', '--sites 100 --processors 100', 10_102],
  ['economy/run', '--users 1000 --span 50', 1130],
] as const) {
  test(`a run of ${name} has room for more than 1,023 actors unless they are threads`, () => {
    const { flags, specification } = scenarioNamed(name)
    const actorsWith = (more: readonly string[]) =>
      specification(collect(flags, [...line.split(' '), ...more]).given).options.actors
    assert.is(actorsWith(['--runtime', 'inline']), actors)
    assert.throws(() => actorsWith([]), /at most \d+ .*\(--runtime pool or inline has room for more\)$/)
  })
}

test.run()

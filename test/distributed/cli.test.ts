/** The commands for several machines: their output and their exit codes. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isObject } from '../../lib/core/data.ts'
import { connectTo } from '../../lib/distributed/connect.ts'
import { until } from '../system/harness.ts'
import { TYPESCRIPT } from '../typescript.ts'
import { SECRET_FILE } from './secret.ts'
import { NO_SERVER, type Server, serverPath, startServer } from './server.ts'

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const run = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [...TYPESCRIPT, ...args], (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testCommands(program)

function testCommands(program: string): void {
  const test = suite('work on several machines')
  let server: Server
  const hosts: ChildProcess[] = []

  test.before(async () => {
    server = await startServer(program)
  })
  test.after(async () => {
    for (const host of hosts) host.kill('SIGKILL')
    await server.remove()
  })

  test('wrong use is reported in one line', async () => {
    const secret = ['--secret', SECRET_FILE]
    const explore = ['scenarios/lab/explore.ts', '--schedules', '10']
    const market = ['scenarios/bidding/market.ts', '--tasks', '2', '--time', 'real']
    const on = (...hosts: string[]) => [...market, '--nats', String(server.url), '--hosts', hosts.join()]
    const named = (name: string): [string, ...string[]] => [
      'scenarios/host.ts',
      '--nats',
      'nats://127.0.0.1:1',
      '--name',
      name,
    ]
    const cases: readonly (readonly [string, ...string[]])[] = [
      ['a host needs --nats URL', 'scenarios/host.ts'],
      ['unknown flag --report', 'scenarios/host.ts', '--report', 'host.html'],
      ['--nats must be an address such as nats://127.0.0.1:4222, not "hub"', 'scenarios/host.ts', '--nats', 'hub'],
      [
        '--nats needs a secret (--secret FILE) for',
        'scenarios/host.ts',
        '--nats',
        'nats://192.0.2.1:4222',
        '--insecure',
      ],
      ['--nats needs credentials (--creds FILE', 'scenarios/host.ts', ...secret, '--nats', 'nats://192.0.2.1:4222'],
      ['--nats needs a secret (--secret FILE), or --insecure', 'scenarios/host.ts', '--nats', String(server.url)],
      ['--secret needs --hosts', ...market, ...secret],
      ['cannot read --secret nowhere: ENOENT', 'scenarios/host.ts', '--secret', 'nowhere'],
      [
        'cannot load --register nowhere.ts',
        'scenarios/host.ts',
        '--nats',
        String(server.url),
        '--register',
        'nowhere.ts',
      ],
      ['--name must be the name of a host such as h1, not "h 1.*"', ...named('h 1.*')],
      [
        'cannot use the NATS server of --workers at 127.0.0.1:1',
        ...explore,
        '--workers',
        'nats://127.0.0.1:1',
        ...secret,
      ],
      ['--parallel cannot be combined with --workers', ...explore, '--workers', String(server.url), '--parallel', '2'],
      ['--hosts needs --nats URL', ...market, '--hosts', 'h1'],
      ['--nats needs --hosts', ...market, '--nats', String(server.url)],
      ['--creds needs --hosts', ...market, '--creds', 'hub.creds'],
      ['--insecure needs --workers', ...explore, '--insecure'],
      ['--ca needs --workers', ...explore, '--strategy', 'exhaustive', '--ca', 'hub.pem'],
      ['unknown host "h3" in --place; known: h1, h2', ...on('h1', 'h2'), '--place', 'm1=h3'],
      ['--hosts must be different names of hosts such as h1,h2, not "h1,h1"', ...on('h1', 'h1')],
      ['--hosts needs --order fifo', ...on('h1'), '--order', 'causal'],
      [
        '--hosts needs --time real, since in virtual time every round would wait for every host',
        ...on('h1').filter((word) => word !== '--time' && word !== 'real'),
      ],
      [
        '--hosts names h9, but no host with that name and the same secret answers; start it: npx tsx',
        ...on('h9'),
        ...secret,
      ],
      [
        'cannot use the NATS server of --nats at 127.0.0.1:1',
        ...market,
        ...secret,
        '--nats',
        'nats://127.0.0.1:1',
        '--hosts',
        'h1',
      ],
      [
        '--nats needs credentials (--creds FILE',
        ...market,
        ...secret,
        '--nats',
        'nats://192.0.2.1:4222',
        '--hosts',
        'h1',
      ],
      [
        'cannot read --creds nowhere',
        'scenarios/host.ts',
        ...secret,
        '--nats',
        String(server.url),
        '--creds',
        'nowhere',
      ],
    ]
    const ends = await Promise.all(cases.map(([, ...args]) => run(...args)))
    for (const [i, { code, stderr }] of ends.entries()) {
      const said = stderr.split('\n').filter((line) => line.startsWith('bourse: '))
      assert.is(said.length, 1, stderr)
      assert.ok(said[0]?.includes(cases[i]?.[0] ?? ''), stderr)
      assert.is(code, 2)
    }
  })

  test('a server with users accepts the ones that it knows, and others are refused in one line', async () => {
    const guarded = await startServer(program, 'authorization { user: bourse, password: "a b" }')
    const at = (who: string) =>
      connectTo({ url: new URL(`nats://${who}127.0.0.1:${guarded.url.port}`), insecure: true }, 'me', '--nats')
    try {
      const stranger = await at('').then(String, String)
      assert.match(
        stranger,
        /^UsageError: cannot use the NATS server of --nats at 127.0.0.1:\d+: '?Authorization Violation/,
      )
      const friend = await at('bourse:a%20b@')
      await friend.flush()
      await friend.close()
    } finally {
      await guarded.remove()
    }
  })

  test('a search on a host gives the same results as here, and an interrupted host leaves nothing behind', async () => {
    const host = spawn(
      process.execPath,
      [...TYPESCRIPT, 'scenarios/host.ts', '--nats', String(server.url), '--insecure', '--name', 'h2'],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    hosts.push(host)
    const args = 'scenarios/lab/explore.ts --tasks 2 --speeds 1,1 --latency 1 --schedules 60 --json'.split(' ')
    const [here, there] = [await run(...args), await run(...args, '--workers', String(server.url), '--insecure')]
    assert.match(there.stderr, /^h2 takes part, with \d+ at a time$/m)
    assert.equal(resultsOf(there), resultsOf(here))
    host.kill('SIGINT')
    const [code] = await once(host, 'exit')
    assert.is(code, 130)
  })

  test('a market on two hosts gives the same results as here, and after an interrupt its hosts serve the next run', async () => {
    const said: string[] = []
    for (const name of ['h3', 'h4']) {
      const args = [...TYPESCRIPT, 'scenarios/host.ts', '--nats', String(server.url), '--insecure', '--name', name]
      const host = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
      host.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
      hosts.push(host)
    }
    const market = [
      'scenarios/bidding/market.ts',
      '--time',
      'real',
      '--nats',
      String(server.url),
      '--insecure',
      '--hosts',
      'h3,h4',
    ]
    const begun = spawn(process.execPath, [...TYPESCRIPT, ...market, '--scale', '100'], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const heard = (pattern: RegExp) => until(() => pattern.test(said.join('')))
    await heard(/h3 has actors of the run/)
    await heard(/h4 has actors of the run/)
    begun.kill('SIGINT')
    const [code] = await once(begun, 'exit')
    assert.is(code, 130)
    await heard(/h3 leaves the run \S+ it is over/)
    await heard(/h4 leaves the run \S+ it is over/)
    const { code: ended, stdout, stderr } = await run(...market, '--tasks', '10', '--json', '--place', 'm1=h4')
    assert.is(ended, 0, stderr)
    assert.match(stderr, /^h4 has [^;]*m1\b[^;]*; h3 has |^h3 has [^;]*; h4 has [^;]*m1\b/m)
    const { checks, results }: { checks: readonly { ok: boolean }[]; results: { tasks: number } } = JSON.parse(stdout)
    assert.ok(checks.every(({ ok }) => ok))
    assert.is(results.tasks, 10)
  })

  test.run()
}

/** The results of a command, without its speed. */
function resultsOf({ code, stdout, stderr }: Ended): unknown {
  assert.is(code, 0, stderr)
  const { results }: { results: unknown } = JSON.parse(stdout)
  if (!isObject(results)) throw new TypeError('expected results')
  const { schedulesPerSecond: _, ...rest } = results
  return rest
}

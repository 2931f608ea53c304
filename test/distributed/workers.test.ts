/** Points that hosts run over a real NATS server: the same results, with any deaths. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nanoid } from 'nanoid'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nameOfModule } from '../../lib/core/code-registry.ts'
import { codeDigest } from '../../lib/core/source-digest.ts'
import { connectTo } from '../../lib/distributed/connect.ts'
import { answerTo, requireFree } from '../../lib/distributed/names.ts'
import type { Pool } from '../../lib/experiment/pool.ts'
import { poolOf } from '../../lib/experiment/pool.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { distributed } from '../../lib/experiment/work-queue/distribute.ts'
import { serve } from '../../lib/experiment/work-queue/host.ts'
import { decode, encode, SUBJECTS } from '../../lib/experiment/work-queue/messages.ts'
import { isGone, processOf } from '../../lib/runtime/process-identity.ts'
import '../fixtures/registered.ts'
import { until } from '../system/harness.ts'
import { TYPESCRIPT } from '../typescript.ts'
import { HOST_FLAGS } from './hosts.ts'
import { accessTo, meeting } from './secret.ts'
import { NO_SERVER, type Server, serverPath, startServer } from './server.ts'

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testWorkers(program)

function testWorkers(program: string): void {
  const test = suite('workers')
  const folder = mkdtempSync(join(tmpdir(), 'bourse-workers-test-'))
  const module = new URL('../fixtures/experiment/study.ts', import.meta.url)
  const ends: (() => Promise<unknown>)[] = []
  let server: Server
  let files = 0

  test.before(async () => {
    server = await startServer(program)
  })
  test.after.each(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  test.after(async () => {
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const linesOf = (log: string): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
  const pointsUpTo = (count: number) => {
    const log = join(folder, `log-${files++}`)
    return { log, points: Array.from({ length: count }, (_, n) => ({ n, log })) }
  }

  /** The study `stuck` has a point that never ends. */
  async function begun(log: string): Promise<void> {
    while (!linesOf(`${log}.first`).join()) await new Promise(setImmediate)
  }

  interface Noted {
    readonly notes: string[]
    /** Resolves when a matching note has come. */
    heard(pattern: RegExp): Promise<void>
    readonly note: (text: string) => void
  }
  function noted(): Noted {
    const notes: string[] = []
    const waiting: { readonly pattern: RegExp; readonly resolve: () => void }[] = []
    return {
      notes,
      note: (text) => {
        notes.push(text)
        for (const { pattern, resolve } of waiting) if (pattern.test(text)) resolve()
      },
      heard: (pattern) =>
        new Promise((resolve) => {
          if (notes.some((text) => pattern.test(text))) resolve()
          else waiting.push({ pattern, resolve })
        }),
    }
  }

  /** Short heartbeats, so that a death is noticed soon. */
  const QUICK = { heartbeatMs: 50 }

  function pool(more: { readonly server?: Server; readonly heartbeatMs?: number } = {}): Pool & Noted {
    const said = noted()
    const access = accessTo((more.server ?? server).url)
    const hosts = distributed({ ...more, access, where: '--workers', note: said.note })
    return Object.assign(Object.create(hosts), said, { run: hosts.run })
  }

  interface HostMore {
    readonly lanes?: number
    readonly digest?: string
    readonly heartbeatMs?: number
    readonly at?: Server
  }

  /** Starts a host in this process. */
  async function host(name: string, more: HostMore = {}) {
    const { at = server, lanes = 1, ...rest } = more
    const end = new AbortController()
    const said = noted()
    const connection = await connectTo(accessTo(at.url), name, '--nats')
    const id = nanoid()
    const serving = serve({
      ...rest,
      channel: meeting(connection, id),
      name,
      lanes,
      note: said.note,
      signal: end.signal,
    })
    const stop = async (): Promise<number> => {
      end.abort()
      const points = await serving.catch(() => 0)
      await connection.close()
      return points
    }
    ends.push(stop)
    return { ...said, stop, id }
  }
  const program_ = fileURLToPath(new URL('../../scenarios/host.ts', import.meta.url))

  /** Starts a host in a process of its own. */
  function hostProcess(name: string, flags = HOST_FLAGS): ChildProcess {
    const args = [...TYPESCRIPT, program_, '--nats', String(server.url), '--name', name, '--parallel', '1', ...flags]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    ends.push(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    return child
  }

  test('results are the same as here, byte for byte, and every point is run once', async () => {
    const { log, points } = pointsUpTo(12)
    const hosts = pool()
    const [h2, h3] = [await host('h2', { lanes: 2 }), await host('h3')]
    const over = await sweep({ module, export: 'logged', points, pool: hosts })
    assert.is(JSON.stringify(over), JSON.stringify(await sweep({ module, export: 'logged', points, pool: poolOf(2) })))
    assert.equal(linesOf(log).length, 24)
    assert.is((await h2.stop()) + (await h3.stop()), 12)
    assert.match(hosts.status, /^h[23] \d+(, h[23] \d+)?$/)
  })

  test('kept results are not computed again', async () => {
    const { log, points } = pointsUpTo(4)
    const keep = join(folder, 'keep.jsonl')
    const first = await sweep({ module, export: 'logged', points: points.slice(1), keep, pool: poolOf(1) })
    const h2 = await host('h2')
    const all = await sweep({ module, export: 'logged', points, keep, pool: pool() })
    assert.equal(all.slice(1), first)
    assert.is(await h2.stop(), 1)
    assert.is(linesOf(log).length, 4)
  })

  test('the point of a killed host is assigned to another host, and counts once', async () => {
    const { log, points } = pointsUpTo(3)
    const hosts = pool(QUICK)
    const done: number[] = []
    const doomed = hostProcess('doomed')
    assert.ok(doomed.stderr)
    await once(doomed.stderr, 'data')
    const sweeping = sweep({ module, export: 'stuck', points, pool: hosts, onDone: (count) => done.push(count) })
    await hosts.heard(/^doomed takes part/)
    await begun(log)
    const h3 = await host('h3', QUICK)
    doomed.kill('SIGKILL')
    assert.equal((await sweeping).length, 3)
    assert.equal(done, [0, 1, 2, 3])
    assert.equal(linesOf(log).toSorted(), ['0', '1', '2'])
    await h3.stop()
  })

  test('a host without progress does not delay a run', async () => {
    const { log, points } = pointsUpTo(5)
    const hosts = pool(QUICK)
    await host('slow', QUICK)
    const sweeping = sweep({ module, export: 'stuck', points, pool: hosts })
    await begun(log)
    await host('fast', QUICK)
    assert.is((await sweeping).length, 5)
    assert.equal(linesOf(log).toSorted(), ['0', '1', '2', '3', '4'])
  })

  test('a worker runs the next point while the acknowledgement of a result is lost, and the host still has both', async () => {
    const { log, points } = pointsUpTo(2)
    const { id, stop } = await host('h2')
    const run = meeting(await connectTo(accessTo(server.url), 'run', '--nats'), 'run')
    ends.push(() => run.connection.close())
    const results = new Set<number>()
    const listening = run.listen(
      SUBJECTS.resultOf('run'),
      ({ body }) => results.add(decode('result', body)?.n ?? -1),
      () => {},
    )
    const call = () => run.publish(SUBJECTS.call, encode({ type: 'call', digest: codeDigest() }))
    const calling = setInterval(call, 200)
    const offer = async (n: number) => {
      const body = encode({
        type: 'offer',
        n,
        point: points[n] ?? null,
        module: nameOfModule(module.href),
        export: 'logged',
      })
      const answer = await run.ask(SUBJECTS.workOf(id), body, 10_000)
      return answer && decode('here', answer.body)
    }
    try {
      assert.equal((await offer(0))?.points, [0])
      await until(() => results.has(0))
      const here = await offer(1)
      assert.equal(here?.points.toSorted(), [0, 1])
      assert.is(here?.free, 0)
      await until(() => results.has(1))
      assert.equal(linesOf(log), ['0', '1'])
    } finally {
      clearInterval(calling)
      listening.unsubscribe()
    }
    run.publish(SUBJECTS.over, new Uint8Array())
    await run.connection.flush()
    assert.is(await stop(), 2)
  })

  test('a host that runs other code is refused by name, and is told so', async () => {
    const { log, points } = pointsUpTo(2)
    const hosts = pool()
    const other = await host('stranger', { digest: '0123456789abcdef' })
    const sweeping = sweep({ module, export: 'logged', points, pool: hosts })
    await hosts.heard(
      /^stranger is refused: it runs other code \(0123456789abcdef, not [0-9a-f]{16}\): start it again from the same checkout$/,
    )
    await other.heard(/^a run is refused: it is of other code \([0-9a-f]{16}, not 0123456789abcdef\)$/)
    assert.equal(linesOf(log), [])
    await host('h2')
    assert.is((await sweeping).length, 2)
    assert.is(await other.stop(), 0)
  })

  test('a run with only a host of other code does not wait for ever', async () => {
    const { points } = pointsUpTo(1)
    await host('stranger', { digest: '0123456789abcdef' })
    const failed = await sweep({ module, export: 'logged', points, pool: pool({ heartbeatMs: 1 }) }).then(
      String,
      String,
    )
    assert.match(
      failed,
      /^BourseError: no host of the same code and secret for 60 calls: start one with npx tsx scenarios\/host.ts/,
    )
  })

  test('failures of points are reported as they are here', async () => {
    const points = [1, 2, 3, 4, 6, 5].map((n) => ({ n }))
    const failureOf = async (where: Pool) =>
      sweep({ module, export: 'faulty', points, pool: where }).then(
        () => 'nothing',
        (error: unknown) => String(error),
      )
    await host('h2')
    const over = await failureOf(pool())
    assert.match(over, /two is too many/)
    assert.is(over, await failureOf(poolOf(1)))
  })

  test('a study that cannot be loaded ends the sweep, and leaves the host as it was', async () => {
    const { points } = pointsUpTo(2)
    await host('h2')
    const failed = await sweep({ module, export: 'number', points, pool: pool() }).then(String, String)
    assert.match(failed, /cannot run the study .*the export "number" must be a function/)
    assert.is((await sweep({ module, export: 'logged', points, pool: pool() })).length, 2)
  })

  test('an interrupt also ends the points on hosts, and the next points are run', async () => {
    const { log, points } = pointsUpTo(1)
    const interrupt = new AbortController()
    const h2 = await host('h2')
    const hosts = pool()
    const sweeping = sweep({ module, export: 'stuck', points, pool: hosts, signal: interrupt.signal }).then(
      String,
      String,
    )
    await begun(log)
    const stuck = Number(readFileSync(`${log}.first`, 'utf8'))
    const start = processOf(stuck)?.start
    interrupt.abort(new Error('interrupted'))
    assert.is(await sweeping, 'Error: interrupted')
    // the only lane is free again when the stuck process is gone
    assert.is((await sweep({ module, export: 'stuck', points, pool: pool() })).length, 1)
    await h2.stop()
    assert.ok(isGone(stuck, start))
  })

  test('a server that is stopped and started again loses nothing', async () => {
    const own = await startServer(program)
    ends.push(() => own.remove())
    const { log, points } = pointsUpTo(6)
    const hosts = pool({ server: own })
    await host('h2', { at: own })
    let stopped: Promise<void> | undefined
    const results = await sweep({
      module,
      export: 'logged',
      points,
      pool: hosts,
      onDone: (done) => {
        if (done === 2) stopped ??= own.stop().then(() => own.again())
      },
    })
    await stopped
    assert.is(results.length, 6)
    assert.equal([...new Set(linesOf(log))].toSorted(), ['0', '1', '2', '3', '4', '5'])
  })

  test('points and results beyond the message limit of the server fail, and the error names the limit', async () => {
    const small = await startServer(program, 'max_payload: 2048')
    ends.push(() => small.remove())
    await host('h2', { at: small })
    const points = [{ n: 10 }, { n: 4000 }, { n: 1, filler: 'y'.repeat(4000) }]
    const failed = await sweep({ module, export: 'long', points, pool: pool({ server: small }) }).then(String, String)
    assert.match(failed, /2 of 3 points failed/)
    assert.match(failed, /the result is \d+ bytes long, more than the server takes \(max_payload 2048\)/)
    assert.match(failed, /the point is \d+ bytes long, more than the server takes \(max_payload 2048\)/)
  })

  test('a study that is not registered is not offered, and one that a host has not registered is refused by name', async () => {
    const own = await sweep({ module, export: 'leaves', points: [{ n: 1 }], pool: pool() }).then(String, String)
    assert.match(own, /hosts run registered studies only: register leaves of test\/fixtures\/experiment\/study\.ts/)
    const { log, points } = pointsUpTo(1)
    const hosts = pool()
    hostProcess('bare', HOST_FLAGS.slice(0, 2))
    const theirs = await sweep({ module, export: 'logged', points, pool: hosts }).then(String, String)
    assert.match(
      theirs,
      /bare runs no study logged of test\/fixtures\/experiment\/study\.ts: it is not a registered module/,
    )
    assert.equal(linesOf(log), [])
  })

  test('only one host can have a name', async () => {
    const [first, second] = await Promise.all(
      ['first', 'second'].map(async (id) => meeting(await connectTo(accessTo(server.url), id, '--nats'), id)),
    )
    assert.ok(first && second)
    ends.push(
      () => first.connection.close(),
      () => second.connection.close(),
    )
    answerTo(first, 'twin')
    await first.connection.flush()
    assert.is(
      await requireFree(second, 'twin', 1000).then(String, String),
      'UsageError: --name twin is taken by another host: choose another name',
    )
    await requireFree(second, 'single', 1000)
  })

  test.run()
}

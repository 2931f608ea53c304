/** Logs in files: what actors persist outlives the run. */
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Plain, units } from '../../lib/actor.ts'
import { isPlain } from '../../lib/core/data.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { processOf } from '../../lib/runtime/process-identity.ts'
import { LogDamaged, lineOf, logOf, readLog } from '../../lib/system/log-format.ts'
import { RecordLog } from '../../lib/system/record-log.ts'
import { System, type SystemInit } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import { sampled } from '../repeats.ts'
import { TYPESCRIPT } from '../typescript.ts'
import {
  does,
  errorOf,
  type Fact,
  factsOf,
  fixture,
  later,
  nextRuntimes,
  note,
  RUNTIMES,
  spawnPuppets,
  withSystem,
} from './harness.ts'

const persist = (record: Plain): Act => ({ act: 'persist', record })
const snapshot = (record: Plain): Act => ({ act: 'snapshot', record })
const newId: Act = { act: 'look', key: 'k' }

/** Calls `use` with a folder that is removed afterwards. */
async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-log-'))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const beganWith = (facts: readonly Fact[], who = 'a@m1'): unknown[] =>
  facts.filter((fact) => fact.type === 'began' && fact.who === who).map((fact) => fact['records'])

/** One run on a log: a takes steps at units after its beginning. Returns the facts. */
async function run(options: SystemInit, ...steps: readonly (readonly Act[])[]): Promise<Fact[]> {
  return withSystem(options, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    const timers = steps.map((acts, i) => later(units(i + 1), does(...acts), { id: `step ${i}` }))
    await system.tell('a@m1', does(...timers))
    await system.run()
    return facts
  })
}

const VARIANTS: readonly SystemInit[] = [...RUNTIMES.map((runtime) => ({ runtime })), { time: 'real', scale: 0.1 }]
const nameOf = ({ runtime = 'threads', time = 'virtual' }: SystemInit): string => `${runtime}, ${time} time`

for (const options of VARIANTS) {
  test(`a run begins with the records that earlier runs on its log have left (${nameOf(options)})`, () =>
    inFolder(async (log) => {
      const own = { ...options, log }
      assert.equal(beganWith(await run(own, [persist(1), persist({ n: -0, text: 'é€😀\n' })], [persist(3)])), [[]])
      const second = await run(own, [persist(new Uint8Array([7, 8]))])
      assert.equal(beganWith(second), [[1, { n: -0, text: 'é€😀\n' }, 3]])
      assert.equal(beganWith(second, 'r@m9'), [[]])
      const third = await run(own, [snapshot('all'), persist('more')])
      assert.equal(beganWith(third), [[1, { n: -0, text: 'é€😀\n' }, 3, new Uint8Array([7, 8])]])
      assert.equal(beganWith(await run(own)), [['all', 'more']])
    }))
}

for (const runtime of nextRuntimes()) {
  test(`a run on a log goes on in time, and its ids are new (${runtime})`, () =>
    inFolder(async (log) => {
      const first = await run({ runtime, log }, [persist(1)], [newId])
      const second = await run({ runtime, log }, [newId, persist(2)], [])
      const third = await run({ runtime, log }, [newId])
      const looks = [first, second, third].map((facts) => facts.find(({ type }) => type === 'looked'))
      assert.equal(
        looks.map((fact) => fact && fact.at / units(1)),
        [2, 2, 3],
      )
      assert.is(new Set(looks.map((fact) => JSON.stringify(fact?.['first']).replace(/"now":\d+/, ''))).size, 3)
    }))

  test(`the trace of a run that began with records has them, and replays (${runtime})`, () =>
    inFolder(async (log) => {
      await run({ runtime, log }, [persist({ bytes: new Uint8Array(2000) })], [persist(2)])
      await withSystem({ runtime, log, record: true }, async (system) => {
        await spawnPuppets(system, 'a@m1')
        await system.tell('a@m1', does(persist(3), newId))
        system.at(units(9), () => system.restart('a@m1'))
        await system.run()
        await system.stop()
        const trace = traceOf([...system.recorded()])
        assert.is(trace.head['run'], 1)
        assert.is(trace.lines.filter(({ t }) => t === 'recovered').length, 1)
        const replay = await Replay.open(trace)
        assert.is([...replay].length, 3)
        const [born, again] = replay.run.incarnations.map(({ records }) => records)
        assert.equal([born?.length, again?.length], [2, 3])
      })
    }))
}

test('a log changes nothing in a run that it does not give records to', () =>
  inFolder(async (log) => {
    const hashes = new Set<string>()
    for (const options of [{}, { log }, { log: { folder: join(log, 'other'), fsync: true } }]) {
      await withSystem({ ...options, runtime: 'inline', trace: true }, async (system) => {
        await spawnPuppets(system, 'a@m1')
        await system.tell('a@m1', does(persist(1), snapshot(2), newId))
        await system.run()
        await system.stop()
        hashes.add(system.traceHash)
      })
    }
    assert.is(hashes.size, 1)
  }))

test('records are in their file before a listener hears of the step, and before an answer', () =>
  inFolder(async (folder) => {
    for (const options of VARIANTS) {
      const log = join(folder, nameOf(options))
      await withSystem({ ...options, log }, async (system) => {
        const read = () => readFileSync(join(log, 'a@m1.log'), 'utf8')
        let seen = 0
        system.onFact((fact) => {
          if (fact.type !== 'noted') return
          assert.match(read(), `"records":[${fact['n']}]`)
          seen++
        })
        await spawnPuppets(system, 'a@m1')
        for (const n of [1, 2]) await system.tell('a@m1', does(persist(n), note('a@m1', n)))
        await system.run()
        assert.is(seen, 2)
        const answer = system.ask('a@m1', does(persist(3), { act: 'tell', to: 'system', message: { type: 'ok' } }), {
          deadline: units(1000),
        })
        assert.is((await answer).type, 'ok')
        assert.match(read(), '"records":[3]')
      })
    }
  }))

// --- the format -------------------------------------------------------------------------------------------------------

const ENTRIES = [
  { at: 0, records: [1, 'two'] },
  { at: units(3), records: [{ three: [3, null, -0, 1e300], text: 'é\u2028"\\\n' }] },
  { at: units(3), records: [new Uint8Array([0, 255])] },
]
const LOG = Buffer.concat([
  logOf(ENTRIES[0] ?? { at: 0, records: [] }, 'a@m1'),
  ...ENTRIES.slice(1).map((one) => Buffer.from(lineOf(one, 'a@m1'))),
])
const entriesIn = (contents: Buffer) => readLog(contents, 'a@m1', 'a.log').entries

test('a log is read as it was written', () => {
  assert.equal(readLog(LOG, 'a@m1', 'a.log'), { entries: ENTRIES, end: LOG.length })
  assert.ok(Object.is(entriesIn(logOf({ at: 0, records: [-0] }, 'a@m1'))[0]?.records[0], -0))
  const plain = fc.jsonValue({ maxDepth: 3 })
  fc.assert(
    fc.property(fc.array(plain), (values) => {
      const records = values.filter(isPlain)
      assert.equal(entriesIn(logOf({ at: 5, records }, 'a@m1')), records.length > 0 ? [{ at: 5, records }] : [])
    }),
  )
})

test('a log that is cut off anywhere has the writes before, and tells where the torn one begins', () => {
  const ends = [...LOG.entries()].flatMap(([i, byte]) => (byte === 10 ? [i + 1] : []))
  for (let length = 0; length <= LOG.length; length++) {
    const { entries, end } = readLog(LOG.subarray(0, length), 'a@m1', 'a.log')
    const whole = ends.filter((one) => one <= length)
    assert.equal(entries, ENTRIES.slice(0, Math.max(0, whole.length - 1)))
    assert.is(end, whole.at(-1) ?? 0)
  }
})

test('a log in which any byte is wrong is refused with an offset, or only its last write is missing', () => {
  const last = LOG.lastIndexOf(10, LOG.length - 2) + 1
  for (let place = 0; place < LOG.length; place++) {
    for (const wrong of [1, 0x80, 0xff]) {
      const contents = Buffer.from(LOG)
      contents[place] = (contents[place] ?? 0) ^ wrong
      try {
        assert.equal(entriesIn(contents), ENTRIES.slice(0, -1), `byte ${place}`)
        assert.is(place, LOG.length - 1)
      } catch (error) {
        if (!(error instanceof LogDamaged)) throw error
        assert.ok(error.offset <= place && place <= LOG.length, `byte ${place}: ${error.message}`)
        assert.match(error.message, /^a\.log is damaged at offset \d+: /)
        if (place >= last) assert.is(error.offset, last)
      }
    }
  }
})

test('a torn write is cut off with a note when the next run opens the log; a damaged one is refused with its offset', () =>
  inFolder(async (log) => {
    await run({ runtime: 'inline', log }, [persist(1)], [persist(2)])
    const path = join(log, 'a@m1.log')
    const whole = readFileSync(path)
    appendFileSync(path, '0badc0de {"at":1,"rec')
    const note = await stderrOf(() =>
      run({ runtime: 'inline', log }).then((facts) => assert.equal(beganWith(facts), [[1, 2]])),
    )
    assert.match(note, `${path}: cut off 21 bytes of a torn write at offset ${whole.length}\n`)
    assert.equal(readFileSync(path), whole)
    const contents = Buffer.from(whole)
    const second = whole.indexOf(10) + 1
    contents[second + 12] = 0
    writeFileSync(path, contents)
    assert.throws(
      () => new System({ runtime: 'inline', log }),
      new RegExp(
        `a@m1.log is damaged at offset ${second}: the checksum of a write is wrong. Restore the file, or move it away`,
      ),
    )
    truncateSync(path, 5)
    assert.equal(await run({ runtime: 'inline', log }, [persist(9)]).then(beganWith), [[]])
    assert.equal(await run({ runtime: 'inline', log }).then(beganWith), [[9]])
  }))

async function stderrOf(act: () => Promise<void>): Promise<string> {
  const { write } = process.stderr
  let said = ''
  process.stderr.write = (text: string | Uint8Array) => {
    said += String(text)
    return true
  }
  try {
    await act()
  } finally {
    process.stderr.write = write
  }
  return said
}

// --- the folder -------------------------------------------------------------------------------------------------------

test('a folder has one run at a time, and the lock of a process that has died counts for nothing', () =>
  inFolder(async (log) => {
    await withSystem({ runtime: 'inline', log }, async (system) => {
      assert.throws(
        () => new System({ runtime: 'inline', log }),
        /is the log of a run in process \d+: wait until it has ended/,
      )
      await system.stop()
      await withSystem({ runtime: 'inline', log }, async () => {})
    })
    const locks = () => readdirSync(log).filter((name) => name.startsWith('lock'))
    assert.equal(locks(), [])
    const dead = await pidOfDead()
    const living = processOf(1)?.start ?? '0'
    // Linux tells when a process began, and so whether another one had its id before
    const others = process.platform === 'linux' ? [`lock-1-${living}0-0`, `lock-${process.pid}-0-0`] : []
    for (const name of [`lock-${dead}-0-0`, ...others]) {
      writeFileSync(join(log, name), '')
      await withSystem({ runtime: 'inline', log }, async () => assert.is(locks().length, 1))
    }
    writeFileSync(join(log, `lock-1-${living}-0`), '')
    assert.throws(() => new System({ runtime: 'inline', log }), /process 1: .* remove .*lock-1-\d+-0/)
  }))

async function pidOfDead(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => child.on('exit', resolve))
  return child.pid ?? 0
}

test('a file beyond the limit of bytes ends the run, and the error names the option and the mend', () =>
  inFolder(async (folder) => {
    const log = { folder, bytes: 200 }
    const many = Array.from({ length: 9 }, () => [persist('x'.repeat(20))])
    assert.match(
      (await errorOf(run({ runtime: 'inline', log }, ...many))).message,
      /a@m1\.log would have \d+ bytes, and the limit is 200 \(option log\.bytes\): raise it, or let the actor use snapshots/,
    )
    await run({ runtime: 'inline', log }, ...Array.from({ length: 9 }, () => [snapshot('x'.repeat(20))]))
  }))

test('what a log cannot hold, and a folder that cannot be used, end in one line', () =>
  inFolder(async (log) => {
    assert.match(
      (await errorOf(run({ runtime: 'inline', log }, [persist({ a: [Number.NaN] })]))).message,
      'a log in files (option log) cannot hold what a@m1 persists: records[0].a[0] is NaN',
    )
    const file = join(log, 'file')
    writeFileSync(file, '')
    assert.throws(() => new System({ runtime: 'inline', log: file }), /file cannot be used as a log: /)
    assert.throws(
      () => new System({ log: Object.assign({ folder: log }, { fsnc: true }) }),
      /option log has no option fsnc; did you mean fsync\?/,
    )
    assert.throws(() => new System({ log: '' }), /option log must be a folder/)
    assert.ok(existsSync(log))
  }))

// --- deaths of the process --------------------------------------------------------------------------------------------

const COUNTER = fixture('counter.ts')

/** Lets two actors count in turns on a log, up to a number; returns the last number that each was heard to count. */
async function counting(options: SystemInit, most: number): Promise<ReadonlyMap<string, number>> {
  const heard = new Map<string, number>()
  await withSystem(options, async (system) => {
    system.onFact((fact, { who }) => fact.type === 'counted' && heard.set(who, Number(fact['n'])))
    await system.spawn('a@m1', COUNTER, { peer: 'b@m2', isFirst: true, most })
    await system.spawn('b@m2', COUNTER, { peer: 'a@m1', isFirst: false, most })
    await system.run()
  }).catch((error: unknown) => {
    if (!String(error).includes('the process died')) throw error
  })
  return heard
}

/** Opens a log, and returns the last number in each file. */
function lastIn(folder: string): { a: number; b: number } {
  const log = new RecordLog({ folder, fsync: false, bytes: 1e6 })
  try {
    const [a, b] = ['a@m1', 'b@m2'].map((who) => Number(log.take(who).at(-1) ?? 0))
    return { a: a ?? 0, b: b ?? 0 }
  } finally {
    log.close()
  }
}

/** Whether a write to any file implies all that it depends on, and whatever was heard of is in its file. */
function requireWhole(folder: string, heard: ReadonlyMap<string, number>, what: string): void {
  const { a, b } = lastIn(folder)
  assert.ok(b <= a && a <= b + 1, `${what}: a has ${a}, and b has ${b}`)
  assert.ok(a >= (heard.get('a@m1') ?? 0) && b >= (heard.get('b@m2') ?? 0), `${what}: heard of more than ${a} and ${b}`)
}

/** Lets `act` run while the process dies at its write operation number `last`: half of a text is written, and then nothing more. */
async function dyingAt(last: number, act: () => Promise<void>): Promise<number> {
  const fs: typeof import('node:fs') = createRequire(import.meta.url)('node:fs')
  const { writeSync, writeFileSync: writeFile, renameSync, fsyncSync, ftruncateSync } = fs
  let count = 0
  const die = (): never => {
    throw new Error('the process died')
  }
  const dead = () => count++ >= last
  try {
    fs.renameSync = (...args) => (dead() ? die() : renameSync(...args))
    fs.fsyncSync = (...args) => (dead() ? die() : fsyncSync(...args))
    fs.ftruncateSync = (...args) => (count > last ? die() : ftruncateSync(...args))
    fs.writeFileSync = (path, data, options) => {
      if (!dead()) return writeFile(path, data, options)
      if (count === last + 1) writeFile(path, String(data).slice(0, String(data).length / 2), options)
      die()
    }
    fs.writeSync = (file: number, text: NodeJS.ArrayBufferView | string): number => {
      const all = String(text)
      if (!dead()) return writeSync(file, all)
      if (count === last + 1) writeSync(file, all.slice(0, all.length / 2))
      return die()
    }
    syncBuiltinESMExports()
    await act()
    return count
  } finally {
    Object.assign(fs, { writeSync, writeFileSync: writeFile, renameSync, fsyncSync, ftruncateSync })
    syncBuiltinESMExports()
  }
}

for (const fsync of sampled([false, true])) {
  test(`wherever a process dies in writing, its log opens, and no file has an effect without its cause (fsync: ${fsync})`, async () => {
    let deaths = 0
    for (let last = 4; ; last++) {
      let isOver = false
      await inFolder(async (folder) => {
        const options = { runtime: 'inline', log: { folder, fsync } } as const
        let heard: ReadonlyMap<string, number> = new Map()
        const count = await dyingAt(last, async () => {
          heard = await counting(options, 12)
        })
        isOver = count <= last
        requireWhole(folder, heard, `death at write ${last}`)
        await counting(options, 14)
        assert.equal(lastIn(folder), { a: 14, b: 13 })
      })
      if (isOver) break
      deaths++
    }
    assert.ok(deaths > 20, `${deaths} deaths`)
  })
}

for (const isFull of [false, true]) {
  const then = isFull ? 'and then none, fails the run, and the log opens' : 'and then the rest, keeps all'
  test(`a disk that takes a part of each write, ${then}`, () =>
    inFolder(async (folder) => {
      const options = { runtime: 'inline', log: folder } as const
      assert.equal(beganWith(await run(options, [persist('first')])), [[]])
      const fs: typeof import('node:fs') = createRequire(import.meta.url)('node:fs')
      const { writeSync } = fs
      fs.writeSync = (file: number, bytes: NodeJS.ArrayBufferView | string): number => {
        const text = String(bytes)
        if (isFull && text.length < 20) throw new Error('ENOSPC: no space left on device, write')
        return writeSync(file, text.slice(0, Math.ceil(text.length / 2)))
      }
      syncBuiltinESMExports()
      try {
        const second = run(options, [persist('second')])
        if (isFull) assert.match((await errorOf(second)).message, 'a@m1.log cannot be used as a log: ENOSPC')
        else await second
      } finally {
        Object.assign(fs, { writeSync })
        syncBuiltinESMExports()
      }
      const kept = isFull ? ['first'] : ['first', 'second']
      assert.equal(beganWith(await run(options, [persist('third')])), [kept])
      assert.equal(beganWith(await run(options)), [[...kept, 'third']])
    }))
}

test('with fsync a file is on the disk before anything is heard of its writes', () =>
  inFolder(async (folder) => {
    const fs: typeof import('node:fs') = createRequire(import.meta.url)('node:fs')
    const { fsyncSync, writeSync } = fs
    const unsafe = new Set<number>()
    fs.writeSync = (file: number, text: NodeJS.ArrayBufferView | string): number => {
      unsafe.add(file)
      return writeSync(file, String(text))
    }
    fs.fsyncSync = (file) => {
      unsafe.delete(file)
      fsyncSync(file)
    }
    syncBuiltinESMExports()
    try {
      await withSystem({ runtime: 'inline', log: { folder, fsync: true } }, async (system) => {
        let heard = 0
        system.onFact(() => {
          assert.is(unsafe.size, 0)
          heard++
        })
        await system.spawn('a@m1', COUNTER, { peer: 'b@m2', isFirst: true, most: 4 })
        await system.spawn('b@m2', COUNTER, { peer: 'a@m1', isFirst: false, most: 4 })
        await system.run()
        assert.is(heard, 9)
      })
    } finally {
      Object.assign(fs, { fsyncSync, writeSync })
      syncBuiltinESMExports()
    }
  }))

const PROGRAM = fileURLToPath(new URL('../fixtures/log/counting.ts', import.meta.url))

/** Runs the counting program and kills it when it has printed some lines. Returns the last number that each actor was heard to count. */
async function killedAfter(lines: number, args: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const child = spawn(process.execPath, [...TYPESCRIPT, PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)))
  const heard = new Map<string, number>()
  let left = lines
  for await (const line of createInterface(child.stdout)) {
    const { who, type, n } = JSON.parse(line)
    if (type === 'counted') heard.set(who, n)
    if (--left === 0) child.kill('SIGKILL')
  }
  assert.is(await gone, 'SIGKILL')
  return heard
}

for (const [runtime, time] of [
  ['inline', 'virtual'],
  ['threads', 'virtual'],
  ['threads', 'real'],
] as const) {
  test(`a process that is killed leaves a log that opens, with all that was heard (${runtime}, ${time} time)`, () =>
    inFolder(async (folder) => {
      for (const [run, lines] of sampled([700, 3, 40]).entries()) {
        const most = 3000 * (1 + run) // a run goes on with the numbers of the one before
        const heard = await killedAfter(lines, [folder, runtime, time, `${most}`])
        assert.ok(heard.size > 0)
        requireWhole(folder, heard, `killed after ${lines} lines`)
      }
      assert.ok(lastIn(folder).a > 300)
    }))
}

test.run()

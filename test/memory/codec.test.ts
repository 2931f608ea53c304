import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { buildSync } from 'esbuild'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { NotPlainError, type Plain } from '../../lib/core/data.ts'
import { type Block, blockOf } from '../../lib/memory/block.ts'
import { Codec } from '../../lib/memory/codec.ts'
import { throwsSaying } from '../throws.ts'

/** The size of the definitions in words; the message follows them. */
const DEFINITIONS = 2 ** 17
const AT = DEFINITIONS

function memory(make: (bytes: number) => ArrayBufferLike = (bytes) => new SharedArrayBuffer(bytes)): Block {
  const block = blockOf(make(8 * 2 ** 22))
  block.i32[0] = 1
  return block
}

function codecOn(block: Block, end = DEFINITIONS): Codec {
  return new Codec(block, { pointer: 0, start: 1, end })
}

/** Encodes with one codec and decodes with another; the words around the message must not change. */
function roundTrip(value: Plain, writer: Codec, reader: Codec, block: Block): Plain {
  const length = writer.encode(value)
  block.f64[AT] = 7
  block.f64[AT + 1 + length] = 8
  writer.store(AT + 1)
  assert.is(block.f64[AT], 7)
  assert.is(block.f64[AT + 1 + length], 8)
  return reader.decode(AT + 1)
}

/** Asserts equal values, also for -0 and NaN, and an equal order of keys. */
function same(actual: Plain, expected: Plain): void {
  assert.is(JSON.stringify(actual), JSON.stringify(expected))
  assert.ok(isDeepStrictEqual(actual, expected))
}

/** Passes a value that the types would refuse. */
function foreign(value: unknown): Plain {
  return value as Plain
}

function refusal(value: unknown): string {
  try {
    codecOn(memory()).encode(foreign(value))
  } catch (error) {
    assert.instance(error, NotPlainError)
    return error instanceof Error ? error.message : ''
  }
  return 'accepted'
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 70 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    'type',
    'contractor@m3',
    '\ud800',
    'é'.repeat(24),
    'é'.repeat(25),
    '\u0100'.repeat(24),
    'x'.repeat(33),
  ),
)
const key = fc
  .oneof(text, fc.constantFrom('type', 'task', 'price', 'toString', 'constructor', '7', '07'))
  .filter((k) => k !== '__proto__')
const plain = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<Plain>(
      null,
      true,
      false,
      0,
      -0,
      Number.NaN,
      Infinity,
      -Infinity,
      2 ** 31,
      -(2 ** 31),
      2 ** 53,
      5e-324,
    ),
    fc.double(),
    fc.integer(),
    text,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(key, tie('value'), { maxKeys: 8, noNullPrototype: true }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 40 }).map((pairs) => Object.fromEntries(pairs)),
  ),
})).value

for (const [name, make] of [
  ['shared memory', (bytes: number) => new SharedArrayBuffer(bytes)],
  ['an ArrayBuffer', (bytes: number) => new ArrayBuffer(bytes)],
] as const) {
  test(`plain data comes back from ${name} unchanged, with its keys in order`, () => {
    const block = memory(make)
    // The same codecs throughout: shapes and remembered strings of earlier messages must not leak into later ones.
    const writer = codecOn(block)
    const reader = codecOn(block)
    fc.assert(
      fc.property(plain, (value) => same(roundTrip(value, writer, reader, block), value)),
      { numRuns: 1500 },
    )
  })
}

test('a number keeps every significant bit', () => {
  const block = memory()
  const codec = codecOn(block)
  // A NaN with unusual bits, as a computation may produce, must not be taken for a tag.
  const bits = new Float64Array(new Int32Array([5, 0x7ff90006]).buffer)
  for (const number of [
    0,
    -0,
    1,
    -1,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31),
    0.1,
    Infinity,
    -Infinity,
    Number.NaN,
    bits[0] ?? 0,
  ])
    assert.ok(Object.is(roundTrip(number, codec, codec, block), number))
})

test('a list encoded item by item decodes like one encoded at once, also with other messages in between', () => {
  const block = memory()
  const writer = codecOn(block)
  const reader = codecOn(block)
  fc.assert(
    fc.property(fc.array(fc.tuple(plain, fc.boolean())), plain, (pieces, first) => {
      writer.beginList()
      for (const [piece, isEncoded] of pieces) {
        writer.encode(piece)
        if (isEncoded) writer.addEncoded()
        else writer.addToList(piece)
      }
      const length = writer.endList(first)
      block.f64[AT + length] = 8
      writer.store(AT)
      assert.is(block.f64[AT + length], 8)
      same(reader.decode(AT), [first, ...pieces.map(([piece]) => piece)])
      same(reader.decodeFirst(AT), first)
    }),
  )
})

test('the first item of a value that is no list is the value', () => {
  const block = memory()
  const codec = codecOn(block)
  for (const value of [null, 5, 'text', { type: 'bid', prices: [1, 2] }]) {
    codec.encode(value)
    codec.store(AT)
    same(codec.decodeFirst(AT), value)
  }
})

test('strings of every length survive, with one or two bytes per character', () => {
  const block = memory()
  const writer = codecOn(block)
  const reader = codecOn(block)
  for (const unit of ['a', 'é', '漢', '\udc00', '😀'])
    for (let length = 0; length < 130; length++) {
      const text = unit.repeat(length)
      same(roundTrip([text, `${text}!`, 1], writer, reader, block), [text, `${text}!`, 1])
    }
  const long = 'ab漢'.repeat(300_000)
  assert.is(roundTrip(long, writer, reader, block), long)
})

test('decoded data is a new object each time', () => {
  const block = memory()
  const codec = codecOn(block)
  codec.encode({ type: 'a', list: [{}] })
  codec.store(AT)
  const [one, two] = [codec.decode(AT), codec.decode(AT)]
  assert.equal(one, two)
  assert.is.not(one, two)
})

test('an undefined field is left out', () => {
  const block = memory()
  const codec = codecOn(block)
  same(roundTrip({ type: 'bid', gone: undefined, price: 1 }, codec, codec, block), { type: 'bid', price: 1 })
})

test('a type may be any value', () => {
  const block = memory()
  const codec = codecOn(block)
  for (const type of ['a', 'b', 'a', 5, null, 'x'.repeat(65), ['a'], 'a'])
    same(roundTrip({ n: 1, type, m: 2 }, codec, codec, block), { n: 1, type, m: 2 })
})

test('an object without a prototype is plain, and comes back as an ordinary one', () => {
  const block = memory()
  const codec = codecOn(block)
  const bare = Object.assign(Object.create(null), { a: 1 })
  assert.equal(roundTrip(foreign(bare), codec, codec, block), { a: 1 })
})

test('getters are read; symbols as keys do not travel', () => {
  const block = memory()
  const codec = codecOn(block)
  const value = {
    get a() {
      return 1
    },
    [Symbol('s')]: 2,
  }
  assert.equal(roundTrip(value, codec, codec, block), { a: 1 })
})

test('data that is used as keys does not fill the definitions, and messages keep their shapes', () => {
  const block = memory()
  const writer = codecOn(block)
  const reader = codecOn(block)
  for (let i = 0; i < 5_000; i++) {
    const table = { [`machine${i}`]: i, b: { [`x${i}`]: 1 }, c: 'c' }
    same(roundTrip(table, writer, reader, block), table)
  }
  const used = block.i32[0] ?? 0
  assert.ok(used < 5_000, `${used} words`)
  same(roundTrip({ type: 'bid', task: 't', price: 2 }, writer, reader, block), { type: 'bid', task: 't', price: 2 })
  assert.is(writer.encode({ type: 'bid', task: 't', price: 2 }), 4, 'only values: head, two words of task, price')
  for (let i = 0; i < 5_000; i++) same(roundTrip({ type: `t${i}`, i }, writer, reader, block), { type: `t${i}`, i })
  assert.ok((block.i32[0] ?? 0) < 20_000)
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, [i]]))
  same(roundTrip(wide, writer, reader, block), wide)
})

test('bytes of every length are read as they were written, whatever was in memory before', () => {
  const block = memory()
  const codec = codecOn(block)
  for (let length = 0; length < 40; length++) {
    const bytes = new Uint8Array(length).fill(255)
    same(roundTrip({ before: 1, bytes, list: [bytes], after: 'x' }, codec, codec, block), {
      before: 1,
      bytes,
      list: [bytes],
      after: 'x',
    })
  }
})

test('a large table does not overflow the stack', () => {
  const block = memory()
  const codec = codecOn(block)
  const rows = Array.from({ length: 200_000 }, (_, id) => ({
    id,
    machine: `m${id % 7}`,
    start: id / 3,
    end: id,
    ok: id % 2 > 0,
  }))
  assert.is(JSON.stringify(roundTrip(rows, codec, codec, block)), JSON.stringify(rows))
})

test('data that is not plain is refused with its path', () => {
  const rest = ': only plain data travels (null, booleans, numbers, strings, arrays, plain objects, Uint8Array)'
  const run = () => 1
  assert.is(refusal({ type: 'a', bids: [1, {}, { run }] }), `message.bids[2].run is a function${rest}`)
  assert.is(refusal({ a: { 'b c': 1n } }), `message.a["b c"] is a bigint${rest}`)
  assert.is(refusal([Symbol('s')]), `message[0] is a symbol${rest}`)
  assert.is(refusal(undefined), `message is undefined${rest}`)
  assert.is(refusal([1, undefined]), `message[1] is undefined${rest}`)
  // biome-ignore lint/suspicious/noSparseArray: this tests a hole
  assert.is(refusal({ a: [1, , 2] }), `message.a[1] is undefined${rest}`)
  assert.is(refusal({ at: new Date() }), `message.at is an instance of Date${rest}`)
  assert.is(refusal({ at: new Map() }), `message.at is an instance of Map${rest}`)
  assert.is(refusal({ at: new Uint16Array(2) }), `message.at is an instance of Uint16Array${rest}`)
  assert.is(refusal({ at: new (class Own extends Array {})() }), `message.at is an instance of Own${rest}`)
  assert.is(refusal({ at: Object.create({}) }), `message.at is an instance of Object${rest}`)
  assert.is(
    refusal(JSON.parse('{"a":{"__proto__":1}}')),
    `message.a.__proto__ is a key with a meaning of its own${rest}`,
  )
})

test('a cycle ends at the limit of depth', () => {
  const self: { a?: unknown } = {}
  self.a = self
  assert.match(refusal(self), /^message(\.a){64} is nested more than 64 deep, or holds itself/)
  const block = memory()
  const codec = codecOn(block)
  let deep: Plain = 1
  for (let i = 0; i < 64; i++) deep = [deep]
  same(roundTrip(deep, codec, codec, block), deep)
})

test('a codec still works after a refusal', () => {
  const block = memory()
  const codec = codecOn(block)
  throwsSaying(() => codec.encode(foreign({ type: 'a', b: [{ c: () => 1 }] })), 'message.b[0].c is a function')
  same(roundTrip({ type: 'a', b: [{ c: 1 }] }, codec, codec, block), { type: 'a', b: [{ c: 1 }] })
})

test('full definitions memory is reported, and existing definitions stay usable', () => {
  const block = memory()
  const codec = codecOn(block, 7)
  const task = { type: 'a', task: 1 }
  same(roundTrip(task, codec, codec, block), task)
  for (let i = 0; i < 3; i++)
    assert.throws(
      () => codec.encode({ other: 1, keys: 2 }),
      /^definitions memory full: 6 words \(option memoryMB, --max-memory\)$/,
    )
  same(roundTrip(task, codec, codec, block), task)
})

test('two writers share the definitions memory, and another thread reads both', async () => {
  const block = memory()
  const writers = [codecOn(block), codecOn(block)]
  const messages = Array.from({ length: 40 }, (_, i) => ({
    type: `t${i % 5}`,
    [`k${i % 7}`]: `contractor@m${i}`,
    list: [i, 'é漢', { i }],
  }))
  let at = AT
  const places = messages.map((message, i) => {
    const length = writers[i % 2]?.encode(message) ?? 0
    const place = at
    writers[i % 2]?.store(place)
    at += length
    return place
  })
  const contents = `
    import { parentPort, workerData } from 'node:worker_threads'
    import { blockOf } from './block.ts'
    import { Codec } from './codec.ts'
    const codec = new Codec(blockOf(workerData.buffer), { pointer: 0, end: ${DEFINITIONS} })
    parentPort.postMessage(JSON.stringify(workerData.places.map((place) => codec.decode(place))))`
  const bundle = buildSync({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../../lib/memory', import.meta.url)) },
    bundle: true,
    platform: 'node',
    write: false,
  })
  const worker = new Worker(bundle.outputFiles[0]?.text ?? '', {
    eval: true,
    execArgv: [],
    workerData: { buffer: block.i32.buffer, places },
  })
  const [read] = await once(worker, 'message')
  assert.is(read, JSON.stringify(messages))
})

test.run()

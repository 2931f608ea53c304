// As nats.cjs, but that who plays has a thread of his own: the main thread hands on what comes and goes, through shared memory.
const { Worker, isMainThread, workerData } = require('node:worker_threads')
const { game } = require('./game.cjs')

/** Messages on their way through a queue, at most, and bytes of each. */
const SLOTS = 16384
const SLOT = 256
/** Words of a queue that its two sides wait on and write, each in a cache line. */
const [WRITTEN, READ, BELL, ASLEEP] = [0, 16, 32, 48]
const HEAD = 256

/** A queue of bytes: one thread puts, another takes. */
class Queue {
  constructor(buffer) {
    this.words = new Int32Array(buffer, 0, HEAD / 4)
    this.lengths = new Int32Array(buffer, HEAD, SLOTS)
    this.bytes = new Uint8Array(buffer, HEAD + 4 * SLOTS)
  }

  static buffer = () => new SharedArrayBuffer(HEAD + (4 + SLOT) * SLOTS)

  put(bytes) {
    const written = this.words[WRITTEN]
    if (written - Atomics.load(this.words, READ) === SLOTS) throw new Error(`more than ${SLOTS} messages wait`)
    this.lengths[written % SLOTS] = bytes.length
    this.bytes.set(bytes, SLOT * (written % SLOTS))
    Atomics.store(this.words, WRITTEN, written + 1)
    if (Atomics.load(this.words, ASLEEP) === 0) return
    Atomics.add(this.words, BELL, 1)
    Atomics.notify(this.words, BELL)
  }

  /** All that is there. */
  *take() {
    for (let read = this.words[READ]; read !== Atomics.load(this.words, WRITTEN); ) {
      const at = SLOT * (read % SLOTS)
      const bytes = this.bytes.slice(at, at + this.lengths[read % SLOTS])
      Atomics.store(this.words, READ, ++read)
      yield bytes
    }
  }

  /** Calls `wait` with the bell as it was, unless there is something to take. */
  sleep(wait) {
    const rung = Atomics.load(this.words, BELL)
    Atomics.store(this.words, ASLEEP, 1)
    return this.words[READ] === Atomics.load(this.words, WRITTEN) ? wait(this.words, BELL, rung) : undefined
  }

  wake() {
    Atomics.store(this.words, ASLEEP, 0)
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const encoded = (value) => encoder.encode(JSON.stringify(value))

async function main() {
  const { connect } = require('@nats-io/transport-node')
  const [, , port, me, other] = process.argv
  const buffers = [Queue.buffer(), Queue.buffer()]
  const [inward, outward] = buffers.map((buffer) => new Queue(buffer))
  const worker = new Worker(__filename, { workerData: buffers })
  await new Promise((resolve) => worker.once('online', resolve))
  const connection = await connect({ servers: `127.0.0.1:${port}` })
  connection.subscribe(`bench.${me}`, { callback: (_, { data }) => inward.put(data) })
  process.on('message', (order) => inward.put(encoded({ order })))
  await connection.flush()
  process.send('ready')
  while (true) {
    const waited = outward.sleep(Atomics.waitAsync)
    if (waited?.async) await waited.value
    outward.wake()
    for (const bytes of outward.take()) {
      if (bytes.length === 0) process.send('over')
      else connection.publish(`bench.${other}`, bytes)
    }
  }
}

function play() {
  const [inward, outward] = workerData.map((buffer) => new Queue(buffer))
  const { take, hear } = game(
    (message) => outward.put(encoded(message)),
    () => outward.put(new Uint8Array(0)),
  )
  while (true) {
    inward.sleep(Atomics.wait)
    inward.wake()
    for (const bytes of inward.take()) {
      const message = JSON.parse(decoder.decode(bytes))
      if (message.order) take(message.order)
      else hear(message)
    }
  }
}

if (isMainThread) void main()
else play()

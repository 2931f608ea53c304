/** Bad connections to the server of a live page: silent or slow ones, too large ones, and ones that do not read. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { LiveServer, type Pages } from '../../lib/live/server.ts'
import { ask, askFault, Viewer } from './client.ts'

const PAGES: Pages = {
  page: async () => ({ html: '<p>a run</p>', policy: "default-src 'none'" }),
  report: async () => ({ html: '<p>a report</p>', policy: "default-src 'none'", name: 'a-report.html' }),
  onViewer: () => {},
  metrics: () => '',
  ask: async () => 'kill a@m1 at 1',
}

async function onServer(
  use: (url: string, server: LiveServer) => Promise<void>,
  pages: Partial<Pages> = {},
  patienceMs?: number,
): Promise<void> {
  const server = new LiveServer({ ...PAGES, ...pages }, patienceMs)
  try {
    await use(await server.open(), server)
  } finally {
    await server.close()
  }
}

/** A raw connection: it sends any bytes, and collects the answer until it is closed. */
class Raw {
  readonly socket: Socket
  readonly #closed: Promise<unknown>
  text = ''

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk
    })
    socket.on('error', () => {})
    this.#closed = once(socket, 'close')
  }

  static async at(url: string, text = ''): Promise<Raw> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(text)
    return new Raw(socket)
  }

  async untilClosed(): Promise<string> {
    await this.#closed
    return this.text
  }
}

const requestOf = (url: string, method: string, path: string, rest = ''): string => {
  const { host, pathname } = new URL(url)
  return `${method} ${pathname}${path} HTTP/1.1\r\nHost: ${host}\r\n${rest}\r\n`
}
const FAULT = '{"type":"kill","who":"a@m1"}'
const faultOf = (url: string, bytes = FAULT.length): string =>
  requestOf(url, 'POST', 'faults', `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n`)

test('silent connections do not lock viewers out: the oldest is closed, and is told why', () =>
  onServer(async (url) => {
    const silent = []
    for (let i = 0; i < 100; i++) silent.push(await Raw.at(url))
    assert.is((await ask(url)).status, 200)
    const viewer = await Viewer.at(url)
    assert.is((await askFault(url, {})).status, 200)
    assert.match(
      (await silent[0]?.untilClosed()) ?? '',
      /^HTTP\/1\.1 503 .*at most 32 connections may be silent at once/s,
    )
    assert.is(silent.at(-1)?.text, '')
    assert.not(viewer.isOver, 'a viewer is never the one that is closed')
    for (const { socket } of silent) socket.destroy()
    viewer.leave()
  }))

test('a request without the key takes no place of a viewer either', () =>
  onServer(async (url) => {
    const wrong = requestOf(url, 'POST', '../scenario', 'Content-Length: 9\r\n')
    for (let i = 0; i < 100; i++) await Raw.at(url, wrong)
    assert.is((await ask(url)).status, 200)
  }))

for (const [what, text] of [
  ['says nothing', () => ''],
  ['sends half of its headers', (url: string) => requestOf(url, 'GET', '').slice(0, 20)],
  ['sends half of its body', (url: string) => faultOf(url) + FAULT.slice(0, 5)],
] as const) {
  test(`a connection that ${what} is closed soon, and is told the time limit`, () =>
    onServer(
      async (url) => {
        const slow = await Raw.at(url, text(url))
        assert.match(await slow.untilClosed(), /^HTTP\/1\.1 408 .*a request must arrive within 0\.05 s/s)
      },
      {},
      50,
    ))
}

const socketsOpen = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a connection that does not read its page is closed', () =>
  onServer(
    async (url) => {
      while (socketsOpen() > 0) await turn()
      const slow = await Raw.at(url)
      slow.socket.pause()
      slow.socket.write(requestOf(url, 'GET', ''))
      while (socketsOpen() < 2) await turn()
      while (socketsOpen() > 1) await turn()
      slow.socket.destroy()
    },
    { page: async () => ({ html: 'x'.repeat(64e6), policy: "default-src 'none'" }) },
    50,
  ))

test('a malformed request, or one with too large a head, is refused with the limit', () =>
  onServer(async (url) => {
    assert.match(await (await Raw.at(url, 'HELO\r\n\r\n')).untilClosed(), /^HTTP\/1\.1 400 .*the request must be HTTP/s)
    const large = await Raw.at(url, requestOf(url, 'GET', '', `X: ${'x'.repeat(9000)}\r\n`))
    assert.match(await large.untilClosed(), /^HTTP\/1\.1 431 .*at most 8192 bytes of headers/s)
  }))

test('a connection carries one request: further ones are not answered, and take no place', () => {
  let asked = 0
  const pages = {
    page: () => new Promise<never>(() => {}),
    ask: async () => {
      asked++
      return ''
    },
  }
  return onServer(async (url, server) => {
    const many = await Raw.at(url, (faultOf(url) + FAULT).repeat(50))
    await many.untilClosed()
    assert.ok(asked <= 1, `${asked} faults`)
    for (let i = 0; i < 8; i++) {
      await (await Raw.at(url, requestOf(url, 'GET', '') + requestOf(url, 'GET', 'events'))).untilClosed()
    }
    assert.ok(server.viewers.isEmpty)
  }, pages)
})

test('requests beyond the limit of simultaneous answers are refused, and the error names the limit', () =>
  onServer(
    async (url) => {
      const waiting = []
      for (let i = 0; i < 32; i++) waiting.push(await Raw.at(url, requestOf(url, 'GET', '')))
      let answer = await ask(url, { path: 'elsewhere' })
      while (answer.status === 404) answer = await ask(url, { path: 'elsewhere' })
      assert.equal(
        [answer.status, JSON.parse(answer.text)],
        [503, { error: 'at most 32 requests may be answered at once' }],
      )
      waiting[0]?.socket.destroy()
      while (answer.status === 503) answer = await ask(url, { path: 'elsewhere' })
      assert.is(answer.status, 404)
      for (const { socket } of waiting) socket.destroy()
    },
    { page: () => new Promise<never>(() => {}) },
  ))

test('only 127.0.0.1 is accepted as the host name, since another program may listen at localhost', () =>
  onServer(async (url) => {
    const { port } = new URL(url)
    const { status, text } = await ask(url, { headers: { host: `localhost:${port}` } })
    assert.equal([status, JSON.parse(text)], [403, { error: `Host is 127.0.0.1:${port} here` }])
  }))

test('one report is made at a time, and one that cannot be made makes room for the next', async () => {
  let begun = 0
  let goOn = () => {}
  let fail = (_: Error): void => {}
  const report = async () => {
    begun++
    await new Promise<void>((resolve, reject) => {
      goOn = resolve
      fail = reject
    })
    return PAGES.report()
  }
  await onServer(
    async (url) => {
      const save = () => ask(url, { path: 'report' })
      const first = save()
      while (begun < 1) await new Promise((resolve) => setImmediate(resolve))
      const { status, text } = await save()
      assert.equal([status, JSON.parse(text)], [429, { error: 'one page is saved at a time: try again' }])
      fail(new Error('no room'))
      assert.is((await first).status, 500)
      const next = save()
      while (begun < 2) await new Promise((resolve) => setImmediate(resolve))
      goOn()
      const saved = await next
      assert.equal(
        [saved.status, saved.headers['content-disposition'], saved.text],
        [200, 'attachment; filename="a-report.html"', '<p>a report</p>'],
      )
    },
    { report },
  )
})

test.run()

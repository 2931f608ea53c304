/** The server of a live page: its messages, its faults and its refusals. No test here waits for real time. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { Live } from '../../lib/live/live.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { deltaOf } from '../../lib/report/delta.ts'
import type { LiveMessage } from '../../lib/report/live-messages.ts'
import { shownRun } from '../../lib/report/model.ts'
import type { ShownAs } from '../../lib/scenario/command.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import type { PageReader } from '../../lib/scenario/page.ts'
import { headOf } from '../../lib/system/options.ts'
import { System, type SystemInit } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { readOpenMetrics } from '../openmetrics.ts'
import { does, note, PUPPET } from '../system/harness.ts'
import { ask, askFault, Viewer } from './client.ts'

const HEAD = {
  scenario: 'test/scenario',
  summary: 'Tests.',
  command: 'npx tsx test',
  version: '0',
  options: [['--seed', '1']],
} as const
const RESULT = { ...HEAD, text: 'a table', checks: [], exhibits: {} }

interface Stage {
  readonly live: Live
  readonly system: System
  readonly url: string
  readonly lines: Line[]
}

/** Without bars, texts of a page that grows have the order of a page that is made at once. */
const NO_BARS: PageReader = { marks: () => [], rowOf: () => undefined }

/** Three actors on three machines in real time, whose run continues until it is stopped. */
async function onStage(
  use: (stage: Stage) => Promise<void>,
  more: SystemInit = {},
  promises?: ShownAs['promises'],
): Promise<void> {
  const system = new System({ time: 'real', trace: true, memoryMB: 16, ...more })
  const lines: Line[] = [headOf(system.options)]
  let live: Live | undefined
  const opened = new Promise<string>((resolve, reject) => {
    live = new Live({ head: HEAD, onOpen: resolve, onFailure: reject })
  })
  if (!live) throw new Error('there is no live page')
  const started = new Promise<void>((resolve) => {
    system.onLine((line) => {
      lines.push(line)
      if (lines.filter(({ t }) => t === 'start').length === 3) resolve()
    })
  })
  live.watch(system, NO_BARS, promises)
  for (const who of ['a@m1', 'b@m2', 'c@m3']) await system.spawn(who, PUPPET)
  system.at(units(1e9), async () => {})
  const running = system.run()
  running.catch(() => {})
  try {
    await started
    await use({ live, system, url: await opened, lines })
  } finally {
    await live.close()
    await system.stop()
    await running
  }
}

const HEALTHY = { dead: [], faults: [] }
const seen = async (url: string) => {
  const viewer = await Viewer.at(url)
  await viewer.until(({ status }) => status !== undefined)
  viewer.leave()
  const { dead, status } = viewer
  return { dead, faults: status?.faults }
}

const KILL = { type: 'kill', who: 'a@m1' }

const REFUSED: readonly (readonly [
  what: string,
  status: number,
  says: RegExp,
  asked: Parameters<typeof askFault>[2],
  body?: object,
])[] = [
  ['another host', 403, /^Host is 127/, { headers: { host: 'bourse.example:80' } }],
  ['a name that is made to point here', 403, /^Host is 127/, { headers: { host: 'rebound.example' } }],
  ['another port of this machine', 403, /^Host is 127/, { headers: { host: '127.0.0.1:1' } }],
  ['a page from elsewhere', 403, /^Origin is/, { headers: { origin: 'http://evil.example' } }],
  ['a page from a file', 403, /^Origin is/, { headers: { origin: 'null' } }],
  ['no key', 403, /not the key/, { path: '/faults' }],
  ['another key', 403, /not the key/, { path: '/AAAAAAAAAAAAAAAAAAAAAAAA/faults' }],
  ['another place', 404, /^there is GET/, { path: 'elsewhere' }],
  ['another method', 404, /^there is GET/, { method: 'PUT' }],
  ['a form', 415, /application\/json/, { headers: { 'content-type': 'text/plain' } }],
  ['a large body', 413, /^at most 1000 bytes/, { body: JSON.stringify({ ...KILL, more: 'x'.repeat(2000) }) }],
  ['no JSON', 400, /^expected JSON$/, { body: '{' }],
  ['an unknown actor', 400, /^unknown actor or machine "z@m9" in fault /, {}, { type: 'kill', who: 'z@m9' }],
  [
    'an unknown machine',
    400,
    /^unknown actor or machine "@m9" in fault /,
    {},
    { type: 'partition', one: 'm1', other: 'm9', for: 5 },
  ],
  [
    'a partition from itself',
    400,
    /a list of distinct machines such as m1,m2 belongs there/,
    {},
    { type: 'partition', one: 'm1', other: 'm1', for: 5 },
  ],
  [
    'a partition without end',
    400,
    /"for" must be a number of units > 0, but is 0/,
    {},
    { type: 'partition', one: 'm1', other: 'm2', for: 0 },
  ],
  [
    'a pause without end',
    400,
    /"for" must be a number of units > 0, but is -1/,
    {},
    { type: 'pause', who: 'a@m1', for: -1 },
  ],
  ['a pause of nobody', 400, /^unknown actor or machine "z@m9" in fault /, {}, { type: 'pause', who: 'z@m9', for: 1 }],
  ['more than one fault', 400, /must end before/, {}, { type: 'kill', who: 'a@m1 at 3' }],
  ['an endless fault', 400, /has "at" after "3"; "until" belongs there/, {}, { type: 'kill', who: 'random every 3' }],
  ['another fault', 400, /"type" must be kill, restart, pause or partition, but is "stop"/, {}, { type: 'stop' }],
  ['nothing', 400, /but is missing/, { body: 'null' }],
]

test('with option metrics a collector gets the numbers of the actors as OpenMetrics text, and only with the key', () =>
  onStage(
    async ({ url, system }) => {
      await system.tell('a@m1', does(note('b@m2', 1)))
      const { status, headers, text } = await ask(url, { path: 'metrics' })
      assert.equal(
        [status, headers['content-type']],
        [200, 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
      )
      const alive = readOpenMetrics(text)
        .get('bourse_actors')
        ?.samples.filter(({ value }) => value === 1)
      assert.equal(
        alive?.map(({ labels }) => labels.get('role')),
        ['a', 'b', 'c'],
      )
      assert.is((await ask(url, { path: '/metrics' })).status, 403)
    },
    { metrics: true },
  ))

test('without option metrics a collector is told how to have them', () =>
  onStage(async ({ url }) => {
    const { status, text } = await ask(url, { path: 'metrics' })
    assert.equal([status, JSON.parse(text)], [404, { error: 'the run has no metrics: begin it with --metrics' }])
  }))

test('with option metrics viewers get the numbers of the actors with the run, and without it none', async () => {
  const shown = async ({ url, system }: Stage, isEnough: (viewer: Viewer) => boolean) => {
    const viewer = await Viewer.at(url)
    await system.tell('a@m1', does(note('b@m2', 1), note('b@m2', 2), note('nobody@m9', 3)))
    await viewer.until(isEnough)
    viewer.leave()
    return viewer.status?.metrics ?? []
  }
  const counts = ({ status }: Viewer): string =>
    JSON.stringify(status?.metrics.slice(1).map(({ rows }) => rows.map(([what, count]) => `${what} ${count}`)))
  await onStage(
    async (stage) => {
      const all = JSON.stringify([['do 1', 'note 2'], ['no such actor 1']])
      const [roles, messages] = await shown(stage, (viewer) => counts(viewer) === all)
      assert.equal([roles?.head[0], roles?.rows.map(([role]) => role)], ['role', ['a', 'b', 'c']])
      assert.is(messages?.head.at(-1), 'per second')
    },
    { metrics: true },
  )
  await onStage(async (stage) => {
    assert.equal(await shown(stage, ({ run }) => JSON.stringify(run).includes('nobody@m9')), [])
  })
})

test('while nothing happens viewers go on getting the numbers, and their rates fall to 0', () =>
  onStage(
    async ({ url, system }) => {
      await system.tell('a@m1', does(note('b@m2', 1)))
      const viewer = await Viewer.at(url)
      await viewer.until(({ status }) => {
        const rates = status?.metrics[1]?.rows ?? []
        return rates.length === 2 && rates.every(([, , rate]) => Number(rate) === 0)
      })
      viewer.leave()
    },
    { metrics: true },
  ))

test('a request from another origin, without the key or with an impossible fault is refused and has no effect', () =>
  onStage(async ({ url, live, system }) => {
    for (const [what, status, says, asked, body = KILL] of REFUSED) {
      const answer = await askFault(url, { ...body }, asked)
      assert.is(answer.status, status, `${what}: ${answer.status} ${answer.text}`)
      assert.match(JSON.parse(answer.text).error, says, what)
    }
    for (const headers of [{ host: 'rebound.example' }, { origin: 'http://evil.example' }]) {
      assert.is((await ask(url, { headers })).status, 403)
      assert.is((await ask(url, { headers, path: 'events' })).status, 403)
    }
    assert.is((await ask(url, { path: '/' })).status, 403)
    assert.ok(system.actors.every(({ status }) => status.type === 'alive'))
    assert.equal(live.faults, [])
    assert.equal(await seen(url), HEALTHY)
  }))

test('the page is self-contained, may contact only its own server, and cannot be framed', () =>
  onStage(async ({ url }) => {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/$/)
    const { status, headers, text } = await ask(url)
    assert.is(status, 200)
    const policy = String(headers['content-security-policy'])
    assert.match(
      policy,
      /^default-src 'none'; img-src data:; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect-src 'self'; frame-ancestors 'none'/,
    )
    assert.match(text, policy.slice(0, policy.indexOf('; frame-ancestors')))
    assert.equal([headers['cache-control'], headers['referrer-policy']], ['no-store', 'no-referrer'])
    assert.not.match(text, /<(link|script)[^>]+(href|src)=(?!"data:,")/)
  }))

test('the report of the run so far can be saved as one file that loads nothing, with its promises, and only with the key', async () => {
  const standing = {
    named: [
      { name: 'kept', eventually: false },
      { name: 'of the end', eventually: true },
    ],
    broken: [{ property: 'one holder', text: 'a@m1 held it, too' }],
  }
  await onStage(
    async ({ url, system }) => {
      await system.tell('a@m1', does(note('b@m2', 1)))
      const { status, headers, text } = await ask(url, { path: 'report' })
      assert.is(status, 200)
      assert.match(String(headers['content-disposition']), /^attachment; filename="test-scenario-at-[\d.]+\.html"$/)
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; .*; frame-ancestors 'none'/)
      assert.not.match(text, /connect-src|EventSource/)
      assert.match(text, /✗ 1 of 2 promises broken, 1 is asked at the end/)
      assert.match(text, /The run went on when this page was saved, at [\d.]+\./)
      const [, data = ''] = /id="data">([^<]+)</.exec(text) ?? []
      const { runs } = JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString())
      assert.equal(
        runs[0].lanes.map(({ name }: { readonly name: string }) => name),
        ['system', 'a@m1', 'b@m2', 'c@m3'],
      )
      for (const [asked, why] of [
        [{ path: '/report' }, 403],
        [{ path: 'report', method: 'POST' }, 404],
        [{ path: 'report?at=1' }, 404],
        [{ path: 'report', headers: { host: 'rebound.example' } }, 403],
        [{ path: 'report', headers: { origin: 'http://evil.example' } }, 403],
      ] as const) {
        const answer = await ask(url, asked)
        assert.is(answer.status, why, JSON.stringify(asked))
      }
    },
    {},
    () => standing,
  )
})

test('a viewer gets the run so far, then each change, and holds at the end the data of a report', () =>
  onStage(async ({ url, live, system, lines }) => {
    const viewer = await Viewer.at(url)
    const countOf = ({ run }: Viewer): number => JSON.parse(JSON.stringify(run))?.events.lane.length ?? 0
    await viewer.until((one) => countOf(one) >= 3)
    const before = countOf(viewer)
    await system.tell('a@m1', does(note('b@m2', 1), note('c@m3', 2)))
    await viewer.until((one) => countOf(one) > before + 2)
    await system.stop()
    await live.end(RESULT)
    await viewer.until(({ messages }) => messages.at(-1)?.type === 'end')
    const types = viewer.messages.map(({ type }) => type)
    assert.equal([types[0], types.slice(1, -1).filter((type) => type !== 'more')], ['whole', []])
    const whole = await shownRun({ name: '', lines, page: () => NO_BARS })
    assert.equal(deltaOf(JSON.parse(JSON.stringify(whole)), viewer.run), undefined)
    const last: LiveMessage | undefined = viewer.messages.at(-1)
    assert.is(last?.type === 'end' && last.front.text, 'a table')
  }))

test('a kill and a restart by hand act on the run, are in its trace, and are replayed', () =>
  onStage(async ({ url, live, system, lines }) => {
    const viewer = await Viewer.at(url)
    await viewer.until(({ status }) => status !== undefined)
    const killed = await askFault(url, KILL)
    assert.is(killed.status, 200, killed.text)
    const { done } = JSON.parse(killed.text)
    assert.match(done, /^kill a@m1 at \d+(\.\d+)?$/)
    await viewer.until(({ dead }) => dead.includes('a@m1'))
    await system.tell('b@m2', does(note('a@m1', 1)))
    assert.is((await askFault(url, { type: 'restart', who: '@m1' })).status, 200)
    await viewer.until(({ dead, status }) => dead.length === 0 && status?.faults.length === 2)
    await system.tell('b@m2', does(note('a@m1', 2)))
    await viewer.until(() => lines.some(({ fact }) => JSON.stringify(fact)?.includes('"n":2') === true))
    assert.equal(
      live.faults.map((fault) => printFault(fault).replace(/ at .*/, '')),
      ['kill a@m1', 'restart @m1'],
    )
    await system.stop()
    const told = lines.filter(({ t }) => t === 'fault')
    assert.equal(
      told.map(({ fault, by }) => [fault, by]),
      live.faults.map((fault) => [printFault(fault), 'hand']),
    )
    let steps = 0
    for (const _ of await Replay.open(traceOf(lines))) steps++
    assert.ok(steps >= 7, `${steps} steps`)
  }))

test('a partition by hand loses mail between the two machines, and ends', () =>
  onStage(async ({ url, system, lines }) => {
    const partition = await askFault(url, { type: 'partition', one: 'm1', other: 'm2', for: 0.001 })
    assert.is(partition.status, 200, partition.text)
    assert.match(JSON.parse(partition.text).done, /^partition m1 \| m2 at \S+ until \S+$/)
    await askFault(url, { type: 'partition', one: 'm1', other: 'm2', for: 1e6 })
    await system.tell('a@m1', does(note('b@m2', 1), note('c@m3', 1)))
    const viewer = await Viewer.at(url)
    const lost = () => lines.filter(({ t }) => t === 'dead').map(({ to }) => to)
    await viewer.until(() => lost().length > 0)
    assert.equal(lost(), ['b@m2'])
    viewer.leave()
  }))

test('a pause by hand keeps an actor from handling mail for a time, and the dead cannot be paused', () =>
  onStage(async ({ url, live, system, lines }) => {
    const pause = { type: 'pause', who: 'a@m1', for: 1e6 }
    const { status, text } = await askFault(url, pause)
    assert.is(status, 200, text)
    assert.match(JSON.parse(text).done, /^pause a@m1 for 1000000 at \S+$/)
    const viewer = await Viewer.at(url)
    await viewer.until(({ status }) => status?.actors[0]?.life === 'paused')
    const { at, life } = viewer.status?.actors[0] ?? {}
    assert.ok(life === 'paused' && Number(at) > units(1e6))
    await system.tell('a@m1', does(note('b@m2', 1)))
    await system.tell('c@m3', does(note('b@m2', 2)))
    await viewer.until(() => lines.some(({ who, fact }) => who === 'b@m2' && fact !== undefined))
    assert.not.ok(lines.some(({ t, who }) => t === 'deliver' && who === 'a@m1'))
    assert.is(live.faults.length, 1)
    assert.is((await askFault(url, KILL)).status, 200)
    const late = await askFault(url, pause)
    assert.equal([late.status, JSON.parse(late.text)], [409, { error: 'a@m1 is not alive: restart it first' }])
    await viewer.until(({ dead }) => dead.includes('a@m1'))
    viewer.leave()
  }))

test('viewers get each actor with its state, its mailbox and its rate', () =>
  onStage(async ({ url, system }) => {
    const viewer = await Viewer.at(url)
    await viewer.until(({ status }) => status?.actors.length === 3)
    assert.equal(
      viewer.status?.actors.map(({ address, life, at }) => [address, life, at]),
      ['a@m1', 'b@m2', 'c@m3'].map((address) => [address, 'alive', null]),
    )
    await system.tell('a@m1', does(note('b@m2', 1), note('b@m2', 2)))
    await viewer.until(({ status }) => (status?.actors[1]?.rate ?? 0) > 0)
    viewer.leave()
  }))

test('partitions beyond the limit are refused, and the run continues', () =>
  onStage(async ({ url, live, system }) => {
    const partition = () => askFault(url, { type: 'partition', one: 'm1', other: 'm2', for: 1e6 })
    for (let i = 0; i < 32; i++) assert.is((await partition()).status, 200)
    const { status, text } = await partition()
    assert.equal([status, JSON.parse(text)], [409, { error: 'too many partitions and slow links at once: 32' }])
    assert.is(live.faults.length, 32)
    await system.tell('c@m3', does(note('a@m1', 1)))
    assert.is((await askFault(url, KILL)).status, 200)
  }))

test('a kill of an actor that is not alive is refused until it is restarted, and counts as no fault', () =>
  onStage(async ({ url, live }) => {
    const statuses: number[] = []
    for (const type of ['kill', 'kill', 'restart', 'kill'])
      statuses.push((await askFault(url, { type, who: 'a@m1' })).status)
    assert.equal(statuses, [200, 409, 200, 200])
    const { text } = await askFault(url, KILL)
    assert.equal(JSON.parse(text), { error: 'a@m1 is not alive: restart it first' })
    assert.is(live.faults.length, 3)
  }))

test('faults by hand beyond the limit are refused, also while others are pending', () =>
  onStage(async ({ url, live, system }) => {
    const strike = () => askFault(url, { type: 'partition', one: 'm1', other: 'm2', for: 0.000001 })
    for (let i = 0; i < 990; i++) assert.is((await strike()).status, 200)
    let goOn = () => {}
    system.at(system.now, () => new Promise<void>((resolve) => (goOn = resolve)))
    let refused = 0
    const answers = Array.from({ length: 20 }, async () => {
      const { status, text } = await strike()
      if (status === 200) return
      assert.equal([status, JSON.parse(text)], [429, { error: 'at most 1000 faults by hand in a run' }])
      if (++refused === 10) goOn()
    })
    await Promise.all(answers)
    assert.is(live.faults.length, 1000)
  }))

test('pages beyond the limit of viewers are refused, and one that leaves makes room', () =>
  onStage(async ({ url }) => {
    const viewers = await Promise.all(Array.from({ length: 8 }, () => Viewer.at(url)))
    const { status, text } = await ask(url, { path: 'events' })
    assert.equal([status, JSON.parse(text)], [503, { error: 'at most 8 pages may look on at once' }])
    viewers[0]?.leave()
    let room = 503
    // the server notices this a moment later
    while (room === 503)
      room = await Viewer.at(url).then((viewer) =>
        viewer
          .until(({ status }) => status !== undefined)
          .then(
            () => 200,
            () => 503,
          ),
      )
    assert.is(room, 200)
    for (const viewer of viewers) viewer.leave()
  }))

test('after its run the server has no open port or connection, and has answered all requests', () =>
  onStage(async ({ url, live, system }) => {
    const viewer = await Viewer.at(url)
    await viewer.until(({ status }) => status !== undefined)
    await system.stop()
    const late = askFault(url, KILL)
    await live.end(RESULT)
    await late.then(
      ({ status, text }) => assert.equal([status, JSON.parse(text)], [409, { error: 'the run is over' }]),
      () => {},
    )
    await viewer.until(({ messages }) => messages.at(-1)?.type === 'end')
    const { hostname, port } = new URL(url)
    const [error] = await once(connect(Number(port), hostname), 'error')
    assert.is(error.code, 'ECONNREFUSED')
    await live.close()
    assert.not.ok(process.getActiveResourcesInfo().includes('TCPServerWrap'), String(process.getActiveResourcesInfo()))
  }))

test.run()

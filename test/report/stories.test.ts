/** The answers of pages: what a run tells of its jobs and tasks, and of those that a death cost their end. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { STANDARD } from '../../actors/processor/sharing.ts'
import { isMessage } from '../../lib/core/data.ts'
import { figure } from '../../lib/core/table.ts'
import { sum } from '../../lib/core/tally.ts'
import { toUnits, units } from '../../lib/core/time.ts'
import { shownRun } from '../../lib/report/model.ts'
import { verdict } from '../../lib/report/view/front.ts'
import { outOf, type PageReader, textOf } from '../../lib/scenario/page.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { marketPage } from '../../scenarios/bidding/page.ts'
import { comparisonOf as contractsComparison } from '../../scenarios/contracts/demonstration.ts'
import { comparisonOf as economyComparison } from '../../scenarios/economy/demonstration.ts'
import { economyPage } from '../../scenarios/economy/page.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { meshPage } from '../../scenarios/mesh/page.ts'
import { meshRun } from '../../scenarios/mesh/run.ts'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import { coschedulingPage } from '../../scenarios/shares/coscheduling/page.ts'
import { coscheduling } from '../../scenarios/shares/coscheduling.ts'
import { clusterPage } from '../../scenarios/shares/page.ts'
import { stridePage } from '../../scenarios/shares/stride/page.ts'
import { stride } from '../../scenarios/shares/stride.ts'
import { linesOf, marketLines, smallMarket } from '../trace/traces.ts'

/** The story of the lines of a run. */
function toldOf(lines: readonly Line[], page: PageReader): string[] {
  let now = 0
  for (const { t, who, at, fact } of lines) {
    if (typeof who !== 'string' || typeof at !== 'number') continue
    now = at
    if (t === 'fact' && isMessage(fact)) page.fold?.(fact, who, at)
    if (t === 'died') page.died?.(who, at)
    if (t === 'spawn') page.began?.(who, at)
  }
  return (page.story?.(now) ?? []).map(textOf)
}

test('a task that was lost with its machine is told with its client, who has not noticed it', async () => {
  const lines = await marketLines({ tasks: 12, faults: ['kill @m3 at 60'], query: null })
  const told = toldOf(lines, marketPage())
  const [, task] = /^task (\d+) was lost with m3; its client client@c\d has not noticed it\.$/.exec(told[0] ?? '') ?? []
  assert.ok(task, told.join('\n'))
  assert.match(told.at(-1) ?? '', /^Of the announced tasks, /, 'the task is told once')
})

test('a task that its client missed is not told as unnoticed', async () => {
  const lines = await marketLines({ tasks: 12, faults: ['kill @m3 at 60'] })
  const told = toldOf(lines, marketPage())
  assert.match(told[0] ?? '', /^client@c\d missed task \d+ at /)
  assert.not.ok(
    told.some((text) => text.includes('has not noticed')),
    told.join('\n'),
  )
})

test('the delay of a client is told from the first death of the machine, although its actors die one after another', async () => {
  const lines = await marketLines({ tasks: 12, faults: ['kill @m3 at 60'] })
  const last = lines.findLast(({ t }) => t === 'died')
  const apart = lines.map((line) => (line === last ? { ...line, at: units(61.5) } : line))
  const [first = ''] = toldOf(apart, marketPage())
  const missed = /^client@c\d missed task \d+ at (\S+), (\S+) units after m3 died; m\d did it instead\.$/
  const [, at, late] = missed.exec(first) ?? []
  assert.is(late, (Number(at) - 60).toFixed(2), first)
})

test('the mean that a market tells is that of all tasks, beside that of the results, which leave out the first', async () => {
  const flags = { tasks: '60' }
  const options = new Map(Object.entries(flags).map(([key, value]) => [key, [value]]))
  const page = marketPage(biddingMarket.modelOf(options))
  const lines = await linesOf({}, async (system) => {
    await biddingMarket.specification(options).open(system)
    await system.run()
  })
  const told = toldOf(lines, page)[0]
  const flows = lines.flatMap(({ fact }) =>
    isMessage(fact) && fact.type === 'done' ? [[Number(fact['task']), toUnits(Number(fact['flow']))] as const] : [],
  )
  const meanFrom = (first: number) => {
    const kept = flows.filter(([task]) => task >= first)
    return sum(kept, ([, flow]) => flow) / kept.length
  }
  assert.is(flows.length, 60)
  assert.is(
    told,
    `Of the tasks, all 60 were done, on average ${figure(meanFrom(0))} units after they came (${figure(meanFrom(3))} without the first 5 %).`,
  )
  const [tile] = page.tiles?.(0) ?? []
  assert.is(tile?.label, 'mean flow time of all tasks')
  assert.ok(Math.abs(Number(tile?.value) - meanFrom(0)) < 1e-6)
})

test('where only the contractor of a machine died, it is named, and the execution it loses is done in vain', async () => {
  const calm = await marketLines({ tasks: 12 })
  const started = calm.find(({ fact, who }) => isMessage(fact) && fact.type === 'started' && who === 'processor@m3')
  const died = toUnits(Number(started?.['at'])) + 1
  const lines = await marketLines({ tasks: 12, faults: [`kill contractor@m3 at ${died}`] })
  const page = marketPage()
  const [first = ''] = toldOf(lines, page)
  assert.match(first, /^client@c\d missed task \d+ at \S+, \S+ units after contractor@m3 died; m\d did it instead\.$/)
  const run = await shownRun({ name: '', lines, page: marketPage })
  assert.is(run.bars.tone.filter((tone) => run.texts[tone] === 'done in vain').length, 1)
  const task = Number(/task (\d+)/.exec(first)?.[1])
  const row = page.objects?.(units(2000))[0]?.rows.find(({ id }) => id === task)
  assert.ok(row?.phases?.some(({ label, tone }) => label === 'runs on m3' && tone === 'done in vain'))
})

/** The first award to m3: its task, and its time in units. */
async function firstAward() {
  const lines = await marketLines({ tasks: 12, query: null })
  for (const { fact, at } of lines) {
    if (!isMessage(fact) || fact.type !== 'awarded' || fact['contractor'] !== 'contractor@m3') continue
    return { task: Number(fact['task']), awarded: toUnits(Number(at)) }
  }
  throw new Error('m3 gets no task')
}

test('a task that waits at a machine is lost when it dies, and its life and its row say so', async () => {
  const { task, awarded } = await firstAward()
  for (const [died, before] of [
    [awarded + 0.5, `waits at m3 ${awarded}-${awarded + 0.5} lost in a death`],
    [awarded - 0.5, `looks for a machine ${awarded - 2}-${awarded} waiting`],
  ] as const) {
    const page = marketPage()
    const told = toldOf(await marketLines({ tasks: 12, query: null, faults: [`kill @m3 at ${died}`] }), page)
    assert.match(told.join('\n'), `task ${task} was lost with m3; `)
    const [objects] = page.objects?.(units(2000)) ?? []
    const row = objects?.rows.find(({ id }) => id === task)
    assert.is(row?.values.at(-1), 'lost with m3')
    const phases = row?.phases?.map(
      ({ label, from, until, tone }) => `${label} ${toUnits(from)}-${toUnits(until)} ${tone}`,
    )
    assert.is(phases?.at(-1), `lost with m3 ${Math.max(died, awarded)}-2000 down`)
    assert.is(phases?.at(-2), before)
  }
})

test('a task that is awarded to a machine after its death is not told as answered late', async () => {
  const { task, awarded } = await firstAward()
  const told = toldOf(await marketLines({ tasks: 12, faults: [`kill @m3 at ${awarded - 0.5}`] }), marketPage())
  assert.match(told[0] ?? '', new RegExp(`^client@c\\d missed task ${task} at .* units after m3 died; `))
  assert.not.match(told.join('\n'), 'answered late')
})

test('tasks are counted of all that the model has, and those that no client announced are told', async () => {
  const faults = ['kill client@c1 at 20', 'kill client@c2 at 20']
  const lines = await marketLines({ tasks: 12, faults })
  const announced = new Set(
    lines.flatMap(({ fact }) => (isMessage(fact) && fact.type === 'announced' ? [fact['task']] : [])),
  )
  const [known, page] = [marketPage(smallMarket({ tasks: 12 })), marketPage()]
  const [told, unknown] = [toldOf(lines, known), toldOf(lines, page)]
  const tileOf = ({ tiles }: PageReader) => tiles?.(0).find(({ label }) => label.includes('tasks done'))
  const done = lines.filter(({ fact }) => isMessage(fact) && fact.type === 'done').length
  assert.equal(tileOf(known), { label: 'tasks done', value: outOf(done, 12) })
  assert.equal(tileOf(page), { label: 'announced tasks done', value: outOf(done, announced.size) })
  const never = 12 - announced.size
  assert.ok(never > 1)
  assert.ok(told.includes(`${never} tasks were never announced, because client@c1, client@c2 died.`), told.join('\n'))
  assert.match(told.join('\n'), `Of the tasks, ${outOf(done, 12)} were done`)
  assert.match(unknown.join('\n'), `Of the announced tasks, ${outOf(done, announced.size)} were done`)
})

test('an economy of many users tells who waited least and most, and what a processor-minute cost', async () => {
  const options = new Map(
    Object.entries({ policy: 'ECON', users: '7', processors: '8', span: '500' }).map(([key, value]) => [key, [value]]),
  )
  const page = economyPage()
  const lines = await linesOf({}, async (system) => {
    await economyRun.specification(options).open(system)
    await system.run()
  })
  const told = toldOf(lines, page)
  const [, least, shortest, most, longest] =
    /^user (u\d) waited least, ([\d.]+) minutes, and user (u\d) most, ([\d.]+) minutes\.$/.exec(told.at(-2) ?? '') ?? []
  const users = page.objects?.(0).find(({ name }) => name === 'user')?.rows ?? []
  const waits = users.map(({ id, values }) => ({ id, wait: Number(values[1]) })).toSorted((a, b) => a.wait - b.wait)
  assert.is(users.length, 7)
  assert.equal([least, most], [waits[0]?.id, waits.at(-1)?.id], told.join('\n'))
  assert.equal([shortest, longest], [figure(waits[0]?.wait ?? 0), figure(waits.at(-1)?.wait ?? 0)])
  assert.match(told.at(-1) ?? '', /^A processor-minute cost [\d.]+ dollars on average over the jobs\.$/)
})

test('without its scheduler an economy says which jobs cannot finish, and how many were submitted in vain', async () => {
  const flags = { policy: 'FCFS', users: '2', processors: '8', span: '500' }
  const options = new Map(Object.entries(flags).map(([key, value]) => [key, [value]]))
  const linesWith = (kill: boolean) =>
    linesOf({}, async (system) => {
      await economyRun.specification(options).open(system)
      if (kill) system.at(units(150), () => system.kill('scheduler@hub'))
      await system.run({ until: units(1000) })
    })
  const told = toldOf(await linesWith(true), economyPage())
  assert.match(told[0] ?? '', /^Without the scheduler job 4 cannot finish\.$/)
  assert.is(told[1], 'It accepts no new jobs; 14 were submitted in vain.')
  assert.match(told[2] ?? '', /^Of the jobs, 4 of 19 finished\. /)
  assert.match(toldOf(await linesWith(false), economyPage()).join(), /^Of the jobs, all 19 finished\. /)
})

/** The story of a run of `shares/stride` with these flags, and its page. */
async function strided(flags: Record<string, string>) {
  const options = new Map(Object.entries(flags).map(([key, value]) => [key, [value]]))
  const specification = stride.specification(options)
  const lines = await linesOf({}, async (system) => {
    await specification.open(system)
    await system.run()
  })
  const page = stridePage({ machines: 1, sharing: { ...STANDARD, quantum: units(1) }, orders: [] })
  return { told: toldOf(lines, page), page }
}

test('the page of a shared machine tells what each client had and was due, with the farthest from it', async () => {
  const { told, page } = await strided({ clients: 'A:1,B:2,C:3', quanta: '10' })
  assert.equal(told, [
    'Of 10.00 units of processor time, job A had 20.0 % (due 16.7 %), job B had 30.0 % (due 33.3 %), job C had 50.0 % (due 50.0 %).',
    'At the end job A was farthest from its due: 0.33 quanta ahead.',
  ])
  assert.equal(
    page.tiles?.(units(10)).map(({ label }) => label),
    ['job A, due 16.7 %', 'job B, due 33.3 %', 'job C, due 50.0 %'],
  )
  const [picture] = page.pictures?.(units(10)) ?? []
  const ends = picture?.series.map(({ name, points }) => `${name} ${points.at(-1)?.y.toFixed(3)}`)
  assert.equal(ends, ['A 2.000', 'B 3.000', 'C 5.000', 'due 1.667', 'due 3.333', 'due 5.000'])
})

test('a cluster in which each user had what was due names none of them', async () => {
  const toldWith = async (flags: Record<string, string>) => {
    const options = new Map(
      Object.entries({ until: '12000', latency: '1', ...flags }).map(([key, value]) => [key, [value]]),
    )
    const specification = sharesCluster.specification(options)
    const lines = await linesOf({}, async (system) => {
      await specification.open(system)
      await system.run({ until: units(12_000) })
    })
    return toldOf(lines, clusterPage(sharesCluster.modelOf(options)))
  }
  const [alone = ''] = await toldWith({ independent: 'true' })
  assert.is(alone, 'Shares were met: from 0 to 12000 ms each of 5 users had the machines that were due.')
  // until ticket servers know of each other, shares are not as due, and this time does not count
  const [first = '', second = ''] = await toldWith({})
  assert.is(first, 'Shares were met: from 3000 to 12000 ms each of 5 users had the machines that were due.')
  assert.match(second, /^Machines: user A 0\.800 \(due 0\.800\), user B 0\.800 \(due 0\.800\), /)
})

test('parallel jobs are told with the ratio of their tickets, without the time before the measurement', async () => {
  const options = new Map(Object.entries({ machines: '2', measure: '2000' }).map(([key, value]) => [key, [value]]))
  const specification = coscheduling.specification(options)
  const model = coscheduling.modelOf(options)
  const lines = await linesOf({}, async (system) => {
    await specification.open(system)
    await system.run({ until: model.until ?? 0 })
  })
  const [first = '', second = ''] = toldOf(lines, coschedulingPage(model))
  const [, ...ratio] =
    /^Tickets ask for 1\.00 : 2\.00 : 3\.00; the jobs passed barriers as (.*) : (.*) : (.*)\.$/.exec(first) ?? []
  const [, ...rates] = /job j1 ([\d.]+), job j2 ([\d.]+), job j3 ([\d.]+)\./.exec(second) ?? []
  assert.is(rates.length, 3, second)
  for (const [i, rate] of rates.entries())
    assert.ok(Math.abs(Number(rate) / Number(rates[0]) - Number(ratio[i])) < 0.02, `${first} ${second}`)
  const passed = lines.filter(
    ({ fact, at }) => isMessage(fact) && fact.type === 'opened' && fact['job'] === 'j1' && Number(at) > model.warmUp,
  )
  assert.ok(Math.abs(passed.length / 2 - Number(rates[0])) < 0.2, `${passed.length} in 2 s, ${second}`)
})

test('a run of a market that is too short for its load says that its mean is not reliable', async () => {
  const doubtIn = async (load: string) => {
    const flags = { tasks: '150', load, speeds: '1,1' }
    const options = new Map(Object.entries(flags).map(([key, value]) => [key, [value]]))
    const page = marketPage(biddingMarket.modelOf(options))
    const lines = await linesOf({}, async (system) => {
      await biddingMarket.specification(options).open(system)
      await system.run()
    })
    const told = toldOf(lines, page).join(' ')
    return told.includes('This mean is not reliable')
  }
  assert.is(await doubtIn('0.9'), true)
  assert.is(await doubtIn('0.05'), false)
})

test('a comparison of policies begins with the shortest wait, and says who waits less because of money', () => {
  const measures = (wait: number) => ({ jobs: 3, response: null, slowdown: null, wait })
  const results = (wait: number, income: number, u1: number, u2: number) => {
    const ofUser = (own: number) => ({ ...measures(own), received: 0, paid: 0, savings: 0 })
    const all = measures(wait)
    return { all, income, users: { u1: ofUser(u1), u2: ofUser(u2) } }
  }
  const told = economyComparison([
    ['FCFS', results(21.58, 0, 18.9, 24.5)],
    ['ECON', results(10.42, 99, 11.87, 8.87)],
  ]).map(textOf)
  assert.equal(told.slice(0, 2), [
    'Users wait least under ECON: 10.42 minutes per job on average, against 21.58 under FCFS.',
    'Under ECON user u1, who earns 50 dollars a minute, waits 11.87 minutes and user u2, who earns 200 dollars a minute, waits 8.87 minutes.',
  ])
  assert.match(told[2] ?? '', 'one run')
})

test('a comparison of rules is ordered by yield, and by the part of the promises that they break', () => {
  const told = contractsComparison([
    ['FCFS', { yield: 8516.03, late: 0, accepted: 120, refused: 0 }],
    ['slack', { yield: 9033.3, late: 30, accepted: 88, refused: 32 }],
    ['FirstPrice', { yield: 6134.49, late: 54, accepted: 120, refused: 0 }],
  ]).map(textOf)
  assert.equal(told.slice(0, 2), [
    'slack yields 9033.30 dollars, which is most; FCFS yields 8516.03 dollars; FirstPrice yields 6134.49 dollars.',
    'FCFS breaks 0 of its 120 promises, which is the smallest part; slack breaks 30 of its 88 promises and refuses 32 tasks; FirstPrice breaks 54 of its 120 promises.',
  ])
})

test('the page of a mesh draws how many jobs shared it until the end of the run, and how long each took', async () => {
  const specification = meshRun.specification(new Map([['jobs', ['6']]]))
  const page = meshPage()
  toldOf(
    await linesOf({}, async (system) => {
      await specification.open(system)
      await system.run()
    }),
    page,
  )
  const [present, took] = page.pictures?.(units(1_000_000)) ?? []
  const steps = present?.series[0]?.points ?? []
  assert.is(steps.length, 2 * 6 + 2)
  assert.equal([steps[0]?.x, steps[0]?.y], [0, 0], 'no job is there before the first arrival')
  assert.equal(page.objects?.(0)[0]?.columns.slice(3, 5), [{ name: 'partitions' }, { name: 'attempts' }])
  assert.equal(
    steps.slice(-2).map(({ y }) => y),
    [0, 0],
  )
  assert.is(steps.at(-1)?.x, units(1_000_000))
  assert.is(took?.series[0]?.points.length, 6)
  assert.match(took?.series[0]?.points[0]?.name ?? '', /^job \d$/)
})

test('the verdict of a run that goes on says what is asked at the end', () => {
  const check = { name: 'a', measured: [], expected: '', evidence: [], repeat: '' }
  const [good, bad] = [
    { ...check, ok: true },
    { ...check, ok: false },
  ]
  assert.is(verdict([good, good]), '✓ 2 checks held')
  assert.is(verdict([good, good], ['x']), '✓ 2 promises kept so far, 1 is asked at the end')
  assert.is(verdict([good, bad], ['x', 'y']), '✗ 1 of 2 promises broken, 2 are asked at the end')
  assert.is(verdict([good], []), '✓ 1 promise kept so far')
})

test.run()

/** What the page of a contracts market tells: which promises were broken, what was refused, and what it earned. */
import type { ClientFact } from '../../actors/contracts/client-state.ts'
import type { SiteFact } from '../../actors/contracts/site-state.ts'
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { type Address, type Message, machineOf, type Time, toUnits } from '../../lib/actor.ts'
import { figure } from '../../lib/core/table.ts'
import { sum } from '../../lib/core/tally.ts'
import { Lives } from '../../lib/scenario/lives.ts'
import {
  few,
  type ObjectRow,
  outOf,
  type PageReader,
  type Picture,
  type PictureSeries,
  type Sentence,
  type Tile,
} from '../../lib/scenario/page.ts'
import type { Mark } from '../../lib/scenario/timeline.ts'
import type { ContractsMarket } from './model.ts'
import { isClient, isSite } from './oracle/facts.ts'
import { Ledger, type TaskRecord } from './oracle/ledger.ts'

type Done = TaskRecord & { readonly finish: Time; readonly promised: Time }

const isDone = (task: TaskRecord): task is Done => task.finish !== null && task.promised !== null
const lateness = ({ finish, promised }: Done): Time => finish - promised
const isLate = (task: Done): boolean => lateness(task) > 0

export function contractsPage(market?: ContractsMarket): PageReader {
  const ledger = new Ledger({ claimCap: market?.claimCap ?? Number.POSITIVE_INFINITY, isEven: false })
  const lives = new Lives()
  /** The completion that is promised for each task. */
  const promises = new Map<number, Time>()
  const timeline = processorTimeline()()

  function ofSite(fact: SiteFact, site: string, at: Time): void {
    if (!('task' in fact)) return
    const { task } = fact
    switch (fact.type) {
      case 'taken':
        promises.set(task, fact.completion)
        return lives.begin(task, at, `waits at ${site}`, 'waiting')
      case 'began':
        return lives.begin(task, at, `runs on ${machineOf(fact.processor)}`, 'running')
      case 'preempted':
        return lives.begin(task, at, `waits at ${site}, preempted`, 'waiting')
      case 'failed':
        lives.end(task, at, 'lost in a death')
        return lives.begin(task, at, `waits at ${site} again`, 'waiting')
      case 'earned':
        return lives.end(task, fact.finish, toneOf(task, fact.finish))
    }
  }

  const toneOf = (task: number, at: Time): string => (at > (promises.get(task) ?? at) ? 'late' : 'on time')

  function ofClient({ type, task }: ClientFact, at: Time): void {
    if (type === 'requested') lives.begin(task, at, 'looks for a site', 'waiting')
    else if (type === 'unplaced') lives.end(task, at, 'refused')
    else if (type === 'lost') lives.begin(task, at, 'its site was given up', 'down')
  }

  /** The bars of processors. A bar that ends well says whether the promise was kept. */
  function marks(fact: Message, who: Address, at: Time): readonly Mark[] {
    return timeline.marks(fact, who, at).map((mark) => {
      const { type, task } = fact
      const isEnd = mark.type === 'ends' && type === 'finished' && typeof task === 'number'
      return isEnd ? { ...mark, tone: toneOf(task, at) } : mark
    })
  }

  return {
    ...timeline,
    marks,
    fold(fact, who, at) {
      ledger.fold(fact, who, at)
      if (isSite(fact, who)) ofSite(fact, machineOf(who), at)
      else if (isClient(fact, who)) ofClient(fact, at)
    },
    story: () => storyOf(ledger),
    tiles: () => tilesOf(ledger),
    pictures: (now) => picturesOf([...ledger.tasks.values()], now),
    objects: (now) => [
      {
        name: 'task',
        columns: [
          { name: 'came', digits: 1 },
          { name: 'site', align: 'left' },
          ...['promised', 'finished', 'late by'].map((name) => ({ name, unit: 'units', digits: 1 })),
          ...['price', 'yield', 'paid'].map((name) => ({ name, unit: 'dollars', digits: 2 })),
          { name: 'fate', align: 'left' },
        ],
        rows: [...ledger.tasks.values()].map((task) => rowOf(task, lives.of(task.task, now))),
      },
    ],
  }
}

function rowOf(task: TaskRecord, phases: NonNullable<ObjectRow['phases']>): ObjectRow {
  const { of, site, promised, finish, price, paid } = task
  const units = (time: Time | null): number | null => (time === null ? null : toUnits(time))
  const late = finish === null || promised === null ? null : toUnits(finish - promised)
  return {
    id: task.task,
    values: [
      ...[toUnits(of.arrival), site ?? '', units(promised), units(finish), late],
      ...[price, task.yield, paid, fateOf(task)],
    ],
    isBad: fateOf(task) !== 'on time',
    isOver: isDone(task),
    phases,
  }
}

function fateOf(task: TaskRecord): string {
  if (isDone(task)) return isLate(task) ? 'late' : 'on time'
  if (task.answer === 'unplaced') return 'refused'
  return task.site === null ? 'not placed' : 'not done'
}

function storyOf(ledger: Ledger): Sentence[] {
  const all = [...ledger.tasks.values()]
  const done = all.filter(isDone)
  const late = done.filter(isLate).toSorted((one, other) => lateness(other) - lateness(one))
  const unplaced = all.filter(({ answer }) => answer === 'unplaced')
  const refused = unplaced.length
  const lost = all.flatMap(({ task, deals }) =>
    deals.filter(({ isLost }) => isLost).map(({ site }) => ({ task, site })),
  )
  const claimed = sum(
    all.flatMap(({ deals }) => deals),
    ({ claim }) => claim ?? 0,
  )
  const penalties = -sum(all, ({ paid }) => Math.min(0, paid ?? 0)) + 0
  const sites = [...new Set(lost.map(({ site }) => site))]
  return [
    `Sites accepted ${all.length - refused} of ${all.length} tasks${refused === 0 ? '' : `; no site took ${few(unplaced.map(({ task }) => `task ${task}`))}`}.`,
    late.length === 0
      ? 'Every promise was kept.'
      : `Of the promises, ${late.length} were broken, by ${figure(sum(late, (task) => toUnits(lateness(task))) / late.length)} units on average, the worst those of ${few(late.map(({ task }) => `task ${task}`))}${penalties > 0 ? `; penalties were ${figure(penalties)} dollars` : ''}.`,
    ...(lost.length > 0
      ? [
          `${sites.join(', ')} ${sites.length === 1 ? 'was' : 'were'} given up with ${few(lost.map(({ task }) => `task ${task}`))}, and ${sites.length === 1 ? 'owes' : 'owe'} ${figure(claimed)} dollars.`,
        ]
      : []),
    `The tasks yielded ${figure(sum(done, (task) => task.yield ?? 0))} of ${figure(sum(all, ({ of }) => of.worth.value))} dollars that they are worth without delay.`,
  ]
}

/** What was promised for each task beside what came, and what the tasks have yielded so far. */
function picturesOf(tasks: readonly TaskRecord[], now: Time): Picture[] {
  const done = tasks.filter(isDone)
  const refused = tasks.filter(({ answer }) => answer === 'unplaced').length
  const longest = Math.max(0, ...done.map(({ promised, of }) => promised - of.arrival))
  const dots = (name: string, some: readonly Done[]): PictureSeries => ({
    name,
    shape: 'dots',
    points: some.map(({ task, of, promised, finish }) => ({
      x: toUnits(promised - of.arrival),
      y: toUnits(finish - of.arrival),
      name: `task ${task}`,
      to: { object: `task ${task}` },
    })),
  })
  let sum = 0
  const yields = done.toSorted((one, other) => one.finish - other.finish)
  const sums = yields.map((task) => {
    sum += task.yield ?? 0
    return { x: task.finish, y: sum }
  })
  return [
    {
      title: 'When each task was done, by when it was promised',
      x: { label: 'promised after', unit: 'units', min: 0 },
      y: { label: 'done after', unit: 'units', min: 0 },
      series: [
        { name: 'as promised', shape: 'reference', points: [0, toUnits(longest)].map((at) => ({ x: at, y: at })) },
        dots(
          'on time',
          done.filter((task) => !isLate(task)),
        ),
        dots('late', done.filter(isLate)),
      ],
      ...(refused > 0 && {
        note: `Without ${refused === 1 ? '1 task' : `${refused} tasks`} that all sites refused, for which nothing was promised.`,
      }),
    },
    {
      title: 'Yield so far',
      y: { label: 'yield', unit: 'dollars' },
      isShared: true,
      series: [{ name: 'yield', shape: 'steps', points: [{ x: 0, y: 0 }, ...sums, { x: now, y: sum }] }],
    },
  ]
}

function tilesOf(ledger: Ledger): Tile[] {
  const all = [...ledger.tasks.values()]
  const done = all.filter(isDone)
  return [
    { label: 'yield', value: sum(done, (task) => task.yield ?? 0), unit: 'dollars', digits: 2, better: 'more' },
    { label: 'tasks done', value: outOf(done.length, all.length) },
    { label: 'taken by no site', value: all.filter(({ answer }) => answer === 'unplaced').length, better: 'less' },
    { label: 'late', value: done.filter(isLate).length, better: 'less' },
    { label: 'executions lost', value: sum(all, ({ failures }) => failures), better: 'less' },
  ]
}

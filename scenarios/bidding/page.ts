/** What the page of a market tells: which tasks a death cost their clients, who did them in the end, and what it cost. */
import type { ClientFact } from '../../actors/bidding/messages.ts'
import type { ProcessorFact } from '../../actors/processor/messages.ts'
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { type Address, type Message, machineOf, roleOf, type Time, toUnits } from '../../lib/actor.ts'
import { figure, type Interval } from '../../lib/core/table.ts'
import { meanOf, sum } from '../../lib/core/tally.ts'
import { batchMeans } from '../../lib/experiment/batch-means.ts'
import { Lives } from '../../lib/scenario/lives.ts'
import {
  few,
  type ObjectRow,
  outOf,
  type PageReader,
  type Picture,
  type PicturePoint,
  type Sentence,
  say,
  type Tile,
  time,
  timeBetween,
} from '../../lib/scenario/page.ts'
import { comingTasks, type Market } from './model.ts'
import { isClientFact, Ledger } from './oracle/ledger.ts'
import { flowsOf, isTrusted, offeredLoadOf } from './results.ts'

const isProcessorFact = (_: Message, who: Address): _ is ProcessorFact => roleOf(who) === 'processor'

/** A contractor that a client has given up. */
interface Failure {
  readonly client: Address
  readonly task: number
  readonly machine: string
  readonly at: Time
  /** The death that cost it the task; undefined if there was none. */
  readonly death: Death | undefined
}

/** A death on a machine that cost it a task. */
interface Death {
  readonly at: Time
  /** What died: the machine, or some of its actors. */
  readonly who: string
}

/** Where a task was placed, and what became of it there. */
interface Place {
  readonly machine: string
  /** When its client placed it there, or when its execution began there. */
  readonly since: Time
  readonly state: 'waiting' | 'running' | 'finished' | 'lost'
}

/** The last time in which actors of a machine were dead: from the first death until all of them were back. */
interface Downtime {
  readonly from: Time
  readonly dead: Set<Address>
  /** All that died in it, also those that are back. */
  readonly died: Set<Address>
  until: Time | null
}

/** A task as its client told of it. */
interface Task {
  readonly client: Address
  readonly announced: Time
  attempts: number
  isOver: boolean
}

/** The tone of an execution whose result no client gets. */
const IN_VAIN = 'done in vain'

/** The most tasks that are told one by one. */
const TOLD_MAX = 3

export function marketPage(market?: Market): PageReader {
  const ledger = new Ledger()
  /** All tasks of the model; without one, only those that are announced are known. */
  const asked = market && comingTasks(market)
  /** The actors of each machine. */
  const actors = new Map<string, Set<Address>>()
  const lives = new Lives()
  const tasks = new Map<number, Task>()
  const failures: Failure[] = []
  /** The last downtime of each machine, the task that each processor runs, and the place of each task that is not over. */
  const downtimes = new Map<string, Downtime>()
  const running = new Map<string, number>()
  const places = new Map<number, Place>()
  /** The clients that are dead. */
  const dead = new Set<Address>()
  /** The number of tasks that are announced and not over, whenever it changes. */
  const inFlight: PicturePoint[] = []
  const timeline = processorTimeline()()

  const count = (by: number, at: Time): void => void inFlight.push({ x: at, y: (inFlight.at(-1)?.y ?? 0) + by })

  /** The death at a place after the task was placed there, or before if it was still dead. */
  function deathAt({ machine, since }: Place): Death | undefined {
    const down = downtimes.get(machine)
    if (!down || (down.until !== null && down.until <= since)) return undefined
    const isWhole = down.died.size >= (actors.get(machine)?.size ?? 0)
    return { at: down.from, who: isWhole ? machine : few([...down.died].sort()) }
  }

  /** Whether an execution that ends on a machine has no use: its client does not get the result from there. */
  function isInVain(task: number, machine: string): boolean {
    const place = places.get(task)
    return place?.machine === machine ? deathAt(place) !== undefined : tasks.has(task)
  }

  function lose(task: number, { machine, since }: Place, at: Time): void {
    places.set(task, { machine, since, state: 'lost' })
    lives.begin(task, at, `lost with ${machine}`, 'down')
  }

  function placed(task: number, contractor: Address, at: Time): void {
    const place: Place = { machine: machineOf(contractor), since: at, state: 'waiting' }
    if (downtimes.get(place.machine)?.dead.has(contractor)) return lose(task, place, at)
    places.set(task, place)
    lives.begin(task, at, `waits at ${place.machine}`, 'waiting')
  }

  function ofClient(fact: ClientFact, client: Address, at: Time): void {
    const { task } = fact
    switch (fact.type) {
      case 'announced': {
        const known = tasks.get(task) ?? { client, announced: at, attempts: 0, isOver: false }
        if (!tasks.has(task)) count(1, at)
        tasks.set(task, { ...known, attempts: fact.attempt })
        return lives.begin(task, at, 'looks for a machine', 'waiting')
      }
      case 'awarded':
      case 'moved':
      case 'replaced':
        return placed(task, fact.contractor, at)
      case 'failed': {
        const place = places.get(task)
        failures.push({ client, task, machine: machineOf(fact.contractor), at, death: place && deathAt(place) })
        places.delete(task)
        return lives.end(task, at)
      }
      case 'done':
      case 'ended': {
        const known = tasks.get(task)
        if (known && !known.isOver) count(-1, at)
        if (known) tasks.set(task, { ...known, isOver: true })
        places.delete(task)
        return lives.end(task, at)
      }
    }
  }

  function ofProcessor({ type, task }: ProcessorFact, machine: string, at: Time): void {
    const place = places.get(task)
    const own = place?.machine === machine ? place : undefined
    if (type === 'started') {
      running.set(machine, task)
      if (own) places.set(task, { machine, since: at, state: 'running' })
      return lives.begin(task, at, `runs on ${machine}`, 'running')
    }
    running.delete(machine)
    lives.end(task, at, type === 'finished' && isInVain(task, machine) ? IN_VAIN : type)
    if (type !== 'finished') return
    if (own && deathAt(own) !== undefined) return lose(task, own, at)
    if (own) places.set(task, { ...own, state: 'finished' })
    lives.begin(task, at, 'result under way', 'moving')
  }

  function rowOf(task: number, { client, announced, attempts }: Task, now: Time): ObjectRow {
    const ending = ledger.endings.get(task)
    const ended = ledger.ended.get(task)
    const place = places.get(task)
    const open = place?.state === 'lost' ? `lost with ${place.machine}` : 'not over'
    const fate = ending ? 'done' : ended === undefined ? open : `ended: ${ended}`
    const span = (from: Time, until: Time | undefined) => (until === undefined ? null : toUnits(until - from))
    return {
      id: task,
      values: [
        ...[client, toUnits(announced), ending?.machine ?? '', attempts],
        ...[span(announced, ending?.start), span(ending?.start ?? 0, ending?.finish)],
        ending ? toUnits(ending.flow) : null,
        fate,
      ],
      isBad: !ending,
      isOver: ending !== undefined || ended !== undefined,
      phases: lives.of(task, now),
    }
  }

  const unfinished = (): number[] =>
    [...tasks.keys()].filter((task) => !ledger.endings.has(task) && !ledger.ended.has(task))

  function missed(): Sentence[] {
    const real = failures.flatMap(({ death, ...rest }) => (death === undefined ? [] : [{ ...rest, death }]))
    const wrong = failures.filter(({ death }) => death === undefined)
    const told = real.slice(0, TOLD_MAX).map(({ client, task, at, death }): Sentence => {
      const end = ledger.endings.get(task)
      const fate = end ? `${end.machine} did it instead` : 'nobody did it'
      return say`${client} missed ${`task ${task}`} at ${time(at)}, ${timeBetween(death.at, at)} units after ${death.who} died; ${fate}.`
    })
    const more = real.length - told.length
    return [
      ...told,
      ...(more > 0 ? [`Clients missed ${more} more tasks in this way.`] : []),
      ...wrong
        .slice(0, TOLD_MAX)
        .map(
          ({ task, machine, at }): Sentence =>
            say`${machine} was alive but answered late for task ${task}, and was given up at ${time(at)}.`,
        ),
    ]
  }

  /** The tasks that a death cost without their clients having noticed. */
  const unnoticedTasks = () =>
    unfinished().flatMap((task) => {
      const place = places.get(task)
      const death = place && deathAt(place)
      return death ? [{ task, who: death.who }] : []
    })

  function unnoticed(): Sentence[] {
    const lost = unnoticedTasks()
    const told = lost.slice(0, TOLD_MAX).map(({ task, who }): Sentence => {
      const client = tasks.get(task)?.client ?? ''
      const fate = dead.has(client) ? 'is dead itself' : 'has not noticed it'
      return `task ${task} was lost with ${who}; its client ${client} ${fate}.`
    })
    const more = lost.length - told.length
    return more > 0 ? [...told, `So were ${more} more tasks.`] : told
  }

  /** The tasks that no client has announced, since theirs is dead. */
  function neverAnnounced(): Sentence[] {
    const left = (asked ?? []).flatMap(([task, { client }]) =>
      !tasks.has(task) && dead.has(`client@${client}`) ? [`client@${client}`] : [],
    )
    if (left.length === 0) return []
    const clients = [...new Set(left)]
    return [
      `${left.length === 1 ? '1 task was' : `${left.length} tasks were`} never announced, because ${few(clients)} died.`,
    ]
  }

  function outcome(): Sentence[] {
    const done = ledger.endings.size
    const lost = new Set(unnoticedTasks().map(({ task }) => task))
    const open = unfinished().filter((task) => !lost.has(task))
    const named = open.map((task) => `task ${task}`)
    return [
      `Of the ${asked ? '' : 'announced '}tasks, ${outOf(done, asked?.length ?? tasks.size)} were done${done > 0 ? `, on average ${averageIn(ledger)}` : ''}.`,
      ...(isDoubtful(ledger, market) ? ['This mean is not reliable: the run is too short for its load.'] : []),
      ...neverAnnounced(),
      ...(open.length > 0 ? [`Not over: ${few(named)}.`] : []),
    ]
  }

  return {
    ...timeline,
    marks: (fact, who, at) =>
      timeline.marks(fact, who, at).map((mark) => {
        const isEnd = mark.type === 'ends' && isProcessorFact(fact, who) && fact.type === 'finished'
        return isEnd && isInVain(fact.task, machineOf(who)) ? { ...mark, tone: IN_VAIN } : mark
      }),
    fold(fact, who, at) {
      ledger.fold(fact, who, at)
      if (isClientFact(fact, who)) ofClient(fact, who, at)
      else if (isProcessorFact(fact, who)) ofProcessor(fact, machineOf(who), at)
    },
    died(who, at) {
      ledger.died(who, at)
      const machine = machineOf(who)
      if (roleOf(who) === 'client') return void dead.add(who)
      const down = downtimes.get(machine)
      if (down?.until === null) {
        down.dead.add(who)
        down.died.add(who)
      } else downtimes.set(machine, { from: at, dead: new Set([who]), died: new Set([who]), until: null })
      if (roleOf(who) === 'processor') running.delete(machine)
      for (const [task, place] of places) {
        const isLost = place.state === 'waiting' || (place.state === 'running' && roleOf(who) === 'processor')
        if (!isLost || place.machine !== machine) continue
        lives.end(task, at, 'lost in a death')
        lose(task, place, at)
      }
    },
    began(who, at) {
      dead.delete(who)
      const own = actors.get(machineOf(who))
      if (own) own.add(who)
      else actors.set(machineOf(who), new Set([who]))
      const down = downtimes.get(machineOf(who))
      if (down?.dead.delete(who) && down.dead.size === 0) down.until = at
    },
    story: () => [...missed(), ...unnoticed(), ...outcome()],
    tiles: () => tilesOf(ledger, { announced: tasks.size, asked: asked?.length }, failures.length, market),
    pictures: () => picturesOf(ledger, inFlight),
    objects: (now) => [
      {
        name: 'task',
        columns: [
          ...[
            { name: 'client', align: 'left' as const },
            { name: 'came', digits: 2 },
          ],
          ...[{ name: 'machine', align: 'left' as const }, { name: 'attempts' }],
          ...['wait', 'run', 'flow'].map((name) => ({ name, digits: 2 })),
          { name: 'fate', align: 'left' as const },
        ],
        rows: [...tasks].map(([task, told]) => rowOf(task, told, now)),
      },
    ],
  }
}

/** The mean flow time as the results have it: without the first tasks, which found an empty market. */
const steadyFlow = (ledger: Ledger): Interval => {
  const flows = flowsOf(ledger)
  return flows.length > 0 ? batchMeans(flows) : { mean: 0, halfWidth: null }
}

/** The mean flow time of all tasks in words, and that of the results if it differs. */
function averageIn(ledger: Ledger): string {
  const [all, steady] = [figure(meanOf(flowsOf(ledger))), figure(steadyFlow(ledger).mean)]
  return `${all} units after they came${all === steady ? '' : ` (${steady} without the first 5 %)`}`
}

/** Whether the mean has an interval that is not reliable: the run is too short for its load. */
const isDoubtful = (ledger: Ledger, market: Market | undefined): boolean =>
  market !== undefined &&
  steadyFlow(ledger).halfWidth !== null &&
  !isTrusted(offeredLoadOf(market), ledger.endings.size)

/** How many tasks were in flight, and how long each took, with the time as the x axis: a fault shows in both. */
function picturesOf(ledger: Ledger, inFlight: readonly PicturePoint[]): Picture[] {
  const dots = (name: string, tone: string, isAgain: boolean): Picture['series'][number] => ({
    name,
    tone,
    shape: 'dots',
    points: [...ledger.endings.values()]
      .filter(({ attempt }) => attempt > 1 === isAgain)
      .map(({ task, finish, flow }) => ({
        x: finish,
        y: toUnits(flow),
        name: `task ${task}`,
        to: { object: `task ${task}` },
      })),
  })
  const again = dots('done by a later attempt', 'finished, a later attempt', true)
  return [
    {
      title: 'Tasks in flight',
      y: { label: 'tasks', min: 0 },
      series: [{ name: 'tasks in flight', tone: 'running', shape: 'steps', points: inFlight }],
    },
    {
      title: 'Flow time of each task, at its end',
      y: { label: 'flow time', unit: 'units', min: 0 },
      series: [dots('done at once', 'finished', false), ...(again.points.length > 0 ? [again] : [])],
    },
  ]
}

/** The number of tasks that clients announced, and of those in the model, if there is one. */
interface Counts {
  readonly announced: number
  readonly asked: number | undefined
}

function tilesOf(ledger: Ledger, counts: Counts, missed: number, market: Market | undefined): Tile[] {
  const { announced, asked } = counts
  const endings = [...ledger.endings.values()]
  const waits = endings.map((one) => toUnits(one.start - one.arrival))
  const speeds = new Map(market?.speeds.map((speed, i) => [`m${i + 1}`, speed]))
  const wasted = sum(ledger.wasted, ([machine, busy]) => busy * (speeds.get(machine) ?? 1))
  const units = { unit: 'units', digits: 2, better: 'less' } as const
  return [
    // of all tasks: a fault may strike one of the first, which the results leave out
    { label: 'mean flow time of all tasks', value: meanOf(flowsOf(ledger)), ...units },
    { label: 'mean wait', value: meanOf(waits), ...units },
    asked === undefined
      ? { label: 'announced tasks done', value: outOf(endings.length, announced) }
      : { label: 'tasks done', value: outOf(endings.length, asked) },
    { label: 'announced again', value: missed, unit: missed === 1 ? 'task' : 'tasks', better: 'less' },
    { label: market ? 'wasted work' : 'wasted processor time', value: toUnits(wasted), ...units },
  ]
}

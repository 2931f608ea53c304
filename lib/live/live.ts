/** `--live`: shows a run in real time on a page while it goes on, and takes faults by hand from it. */
import type { Address } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import { choiceIn, FieldError, numberIn, textIn } from '../core/decode.ts'
import { printUnits, timeOf } from '../core/format.ts'
import { sum } from '../core/tally.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import { type CommandOutcome, reportOf } from '../report/command.ts'
import { deltaOf } from '../report/delta.ts'
import { shownTable } from '../report/exhibits.ts'
import type { LiveStatus, ShownPromise } from '../report/live-messages.ts'
import { pageOf, partsOf, policyOf } from '../report/page.ts'
import type { Front, ShownCheck, ShownPicture, ShownRun, ShownTable } from '../report/types.ts'
import type { ShownAs } from '../scenario/command.ts'
import { inject, type SingleFault } from '../scenario/fault-injector.ts'
import { type Fault, matchingAddresses, parseFault, printFault, requireKnownActors } from '../scenario/faults.ts'
import { liveMetricsTables } from '../scenario/metrics-tables.ts'
import type { PageReader } from '../scenario/page.ts'
import { type Metrics, openMetrics } from '../system/metrics.ts'
import { headOf } from '../system/options.ts'
import type { System } from '../system/system.ts'
import { Refused } from './answers.ts'
import { Follower, type FollowerListener } from './follower.ts'
import { NO_ACTORS, Roster } from './roster.ts'
import { LiveServer } from './server.ts'
import { Standing } from './standing.ts'

/** The most faults by hand in one run. */
const FAULTS_MAX = 1000

export interface LiveDeps {
  readonly head: Pick<CommandOutcome, 'scenario' | 'summary' | 'command' | 'version' | 'options'>
  /** The number of the last events that the page shows (`--live-events`). */
  readonly events?: number | undefined
  /** Called with the address of the page. */
  readonly onOpen: (url: string) => void
  /** Called with the reason if there is no page, or if it has failed. */
  readonly onFailure: (why: string) => void
}

export class Live {
  readonly #deps: LiveDeps
  readonly #server: LiveServer
  #follower: Follower | undefined
  #roster: Roster | undefined
  #promises: Standing | undefined
  readonly #byHand: Fault[] = []
  readonly #happened: string[] = []
  /** The number of faults by hand, with those that are about to happen. */
  #strikes = 0
  #system: System | undefined
  #shown: ShownRun | undefined
  /** The pictures that viewers have. */
  #told: readonly ShownPicture[] = []
  #measured: { readonly metrics: Metrics; readonly tables: readonly ShownTable[] } | undefined
  readonly #over: Promise<never>
  #isOver: (why: Refused) => void = () => {}

  constructor(given: LiveDeps) {
    this.#deps = given
    this.#server = new LiveServer({
      page: () => this.#page(),
      report: () => this.#report(),
      onViewer: () => {
        this.#follower?.start()
        if (this.#shown) this.#tell(this.#shown)
      },
      metrics: () => this.#metrics(),
      ask: (asked) => this.#strike(asked),
    })
    this.#over = new Promise((_, reject) => {
      this.#isOver = reject
    })
    this.#over.catch(() => {})
  }

  /** The faults that were injected by hand, in order. */
  get faults(): readonly Fault[] {
    return this.#byHand
  }

  /** Follows a run that is about to begin, read by `page` and judged by `promises`; only the first run is followed. */
  watch(system: System, page: PageReader = {}, promises?: ShownAs['promises']): void {
    if (this.#system) return
    this.#system = system
    const listener: FollowerListener = {
      isWanted: () => !this.#server.viewers.isEmpty,
      onShown: (shown) => {
        this.#measure()
        this.#tell(shown)
      },
      onQuiet: () => {
        if (!this.#shown) return
        this.#measure()
        this.#tell(this.#shown)
      },
      onFailure: (error) => this.#deps.onFailure(`the run cannot be shown: ${error}`),
    }
    const follower = new Follower(page, listener, this.#deps.events)
    const roster = new Roster({
      scale: system.options.scale,
      doing: (who) => follower.doing(who),
      deadSince: () => follower.deadSince,
    })
    this.#follower = follower
    this.#roster = roster
    this.#promises = promises && new Standing(promises, (text) => follower.linked(text))
    follower.add(headOf(system.options))
    system.onLine((line) => {
      follower.add(line)
      roster.add(line)
      if (line.t !== 'fault') return
      const fault = String(line['fault'])
      this.#happened.push(fault)
      if (line['by'] === 'hand') this.#byHand.push(parseFault(fault))
    })
    this.#server.open().then(this.#deps.onOpen, (error: unknown) => this.#deps.onFailure(String(error)))
  }

  /** Sends viewers the rest of the run and its outcome, and closes. */
  async end(outcome: Omit<CommandOutcome, 'systems'>): Promise<void> {
    await this.#follower?.finish()
    const { story = [], tiles = [] } = this.#shown ?? {}
    const answered = await this.#front(outcome)
    const drawn = this.#follower?.drawn ?? []
    const pictures = answered.pictures.length > 0 ? answered.pictures : drawn
    const front = { ...answered, story, tiles, pictures }
    const status = this.#status()
    this.#server.viewers.end(
      { type: 'end', front },
      () => this.#shown && { type: 'whole', run: this.#shown, status, pictures: drawn },
    )
    await this.close()
  }

  /** Closes the server and all its connections. Idempotent. */
  async close(): Promise<void> {
    this.#isOver(new Refused(409, 'the run is over'))
    this.#follower?.stop()
    await this.#server.close()
  }

  async #page() {
    const parts = await partsOf()
    const front = await this.#front({ ...this.#deps.head, text: '', checks: [], exhibits: {} })
    const report = { ...front, runs: [], omitted: 0, isLive: true }
    return { html: pageOf(report, parts), policy: policyOf(report, parts) }
  }

  /** The report of the run so far, with its promises as checks. */
  async #report() {
    const [system, follower] = [this.#system, this.#follower]
    if (!system || !follower) throw new Refused(409, 'the run has not begun')
    const run = await follower.shown()
    this.#promises?.measure(system.now)
    const promises = this.#promises?.shown ?? []
    const now = printUnits(system.now)
    const { head } = this.#deps
    const front = await this.#front({ ...head, text: '', checks: [], exhibits: {} })
    const report = {
      ...front,
      summary: `${front.summary} The run went on when this page was saved, at ${now}.`,
      story: run.story,
      tiles: run.tiles,
      pictures: follower.drawn,
      checks: checksOf(promises),
      askedAtEnd: promises.flatMap(({ name, standing }) => (standing === 'asked at the end' ? [name] : [])),
      runs: [{ ...run, isUnfinished: true }],
      omitted: 0,
    }
    const parts = await partsOf()
    const name = `${`${head.scenario} at ${now}`.replace(/[^\w.-]+/g, '-')}.html`
    return { html: pageOf(report, parts), policy: policyOf(report, parts), name }
  }

  #metrics(): string {
    const system = this.#system
    if (!system) throw new Refused(409, 'the run has not begun')
    if (!system.options.metrics) throw new Refused(404, 'the run has no metrics: begin it with --metrics')
    return openMetrics(system.metrics())
  }

  /** Reads the numbers of the actors. Between two pictures all viewers get the same ones. */
  #measure(): void {
    const { options } = this.#system ?? {}
    if (!this.#system || !options) return
    const { now, messages, localMessages } = this.#system
    this.#roster?.measure(now, this.#system.counts(), messages + localMessages)
    this.#promises?.measure(now)
    if (!options.metrics) return
    const metrics = this.#system.metrics()
    const tables = liveMetricsTables(metrics, this.#measured?.metrics, options.scale).map(shownTable)
    this.#measured = { metrics, tables }
  }

  /** The front of the page. Viewers get the run separately. */
  async #front(outcome: Omit<CommandOutcome, 'systems'>): Promise<Front> {
    const { runs: _, omitted: __, ...front } = await reportOf({ ...outcome, systems: [] })
    return front
  }

  #status(): LiveStatus {
    const system = this.#system
    const now = system?.now ?? 0
    const counts = system?.counts() ?? []
    return {
      now,
      scale: system?.options.scale ?? 1,
      messages: system ? system.messages + system.localMessages : 0,
      steps: sum(counts, ({ steps }) => steps),
      ...(this.#roster?.shown(now, counts) ?? NO_ACTORS),
      ...(this.#roster?.pace ?? { stepRate: 0, messageRate: 0 }),
      promises: this.#promises?.shown ?? [],
      faults: [...this.#happened],
      metrics: this.#measured?.tables ?? [],
    }
  }

  #tell(shown: ShownRun): void {
    const status = this.#status()
    const before = this.#shown
    this.#shown = shown
    const pictures = this.#follower?.drawn ?? []
    const whole = () => ({ type: 'whole', run: shown, status, pictures }) as const
    if (this.#server.viewers.isEmpty) return
    const isRedrawn = pictures !== this.#told
    this.#told = pictures
    // where the window was cut, every place has changed
    const isGrown = before?.window?.dropped === shown.window?.dropped
    const more =
      before && isGrown
        ? ({ type: 'more', delta: deltaOf(before, shown) ?? null, status, ...(isRedrawn && { pictures }) } as const)
        : undefined
    this.#server.viewers.tell(more, whole)
  }

  /** Injects a fault in a turn of the system, like a planned fault; returns it as text. */
  async #strike(asked: Plain): Promise<string> {
    const system = this.#system
    if (!system) throw new Refused(409, 'the run has not begun')
    if (this.#strikes >= FAULTS_MAX) throw new Refused(429, `at most ${FAULTS_MAX} faults by hand in a run`)
    const fault = faultIn(asked, system)
    requireAlive(fault, system)
    this.#strikes++
    const struck = new Promise<void>((resolve, reject) => {
      system.at(system.now, () => inject(system, fault, 'hand').then(() => resolve(), reject))
    })
    await Promise.race([struck, this.#over]).catch((error: unknown) => {
      this.#strikes--
      throw error instanceof Refused ? error : new Refused(409, error instanceof Error ? error.message : String(error))
    })
    return printFault(fault)
  }
}

/** The promises so far as the checks of a page. */
const checksOf = (promises: readonly ShownPromise[]): ShownCheck[] =>
  promises
    .filter(({ standing }) => standing !== 'asked at the end')
    .map(({ name, standing, broken }) => ({
      name,
      ok: standing === 'kept',
      measured: [standing === 'kept' ? 'kept so far' : standing],
      expected: '',
      evidence: broken,
      repeat: '',
    }))

/** @throws Refused for a kill or a pause if none of its actors is alive */
function requireAlive(fault: SingleFault, { actors }: System): void {
  if (fault.type !== 'kill' && fault.type !== 'pause') return
  const named = new Set(
    matchingAddresses(
      fault.who,
      actors.map(({ address }) => address),
    ),
  )
  if (actors.some(({ address, status }) => named.has(address) && status.type === 'alive')) return
  throw new Refused(409, `${fault.who} is not alive: restart it first`)
}

function faultIn(asked: Plain, { now, actors }: System): SingleFault {
  try {
    return handFault(
      asked,
      now,
      actors.map(({ address }) => address),
    )
  } catch (error) {
    if (error instanceof UsageError || error instanceof FieldError) throw new Refused(400, error.message)
    throw error
  }
}

/**
 * Reads a request for a fault: `{ type: 'kill' | 'restart', who }`, `{ type: 'pause', who, for }`, or
 * `{ type: 'partition', one, other, for }` with two machines. Durations are in units.
 *
 * @throws FieldError or UsageError for anything else, and for an actor that is not among `addresses`
 */
export function handFault(asked: Plain, now: Time, addresses: readonly Address[]): SingleFault {
  const type = choiceIn(asked, 'type', ['kill', 'restart', 'pause', 'partition'])
  const fault = parseFault(type === 'partition' ? partitionIn(asked, now) : faultOfOne(type, asked, now), 'fault')
  if (fault.type === 'kill random') throw FieldError.invalid('who', 'an actor or a machine', 'random')
  requireKnownActors(fault, addresses, 'fault')
  return fault
}

function faultOfOne(type: string, asked: Plain, now: Time): string {
  const length = type === 'pause' ? ` for ${printUnits(durationIn(asked))}` : ''
  return `${type} ${textIn(asked, 'who')}${length} at ${printUnits(now)}`
}

function durationIn(asked: Plain): Time {
  const duration = timeOf(numberIn(asked, 'for'))
  if (!duration) throw FieldError.invalid('for', 'a number of units > 0', numberIn(asked, 'for'))
  return duration
}

function partitionIn(asked: Plain, now: Time): string {
  const until = printUnits(now + durationIn(asked))
  return `partition ${textIn(asked, 'one')} | ${textIn(asked, 'other')} at ${printUnits(now)} until ${until}`
}

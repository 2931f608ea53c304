/** Counts what came to the actors of each module, from the lines of a whole run: events by state, and moves between states. */
import { isMessage } from '../core/data.ts'
import { add } from '../core/tally.ts'
import { type Met, type Pair, pairsOf } from '../trace/coverage.ts'
import type { Line } from '../trace/lines.ts'
import { leavesOf, stateName } from '../trace/names.ts'

/** A step that changed the state of an actor or of a conversation, and how often such steps came. */
export interface Move {
  readonly from: string
  readonly event: string
  readonly to: string
  readonly count: number
}

/** What came to the actors of one module. */
export interface ModuleActivity extends Met {
  readonly moves: readonly Move[]
  /** The moves of conversations, by child chart. */
  readonly chartMoves: ReadonlyMap<string, readonly Move[]>
}

/** The present incarnation of an actor. */
interface Actor {
  readonly counts: Counts
  /** The states after its last step, as leaves and in a word. */
  leaves: readonly string[]
  state: string
  /** The event of its last step, and the pairs that it met; the start of an actor meets none. */
  event: string
  pairs: readonly Pair[]
  readonly conversations: Map<string, string>
}

const START = 'xstate.init'

export class Activity {
  readonly #modules = new Map<string, Counts>()
  readonly #actors = new Map<string, Actor>()

  add(line: Line): void {
    const { t, who } = line
    if (typeof who !== 'string') return
    if (t === 'spawn') {
      const counts = this.#countsOf(String(line['module']))
      const state = stateName(null)
      this.#actors.set(who, { counts, leaves: [], state, event: START, pairs: [], conversations: new Map() })
      return
    }
    const actor = this.#actors.get(who)
    if (!actor) return
    if (t === 'deliver') comes(actor, String(line['type']))
    else if (t === 'timer') comes(actor, isMessage(line['event']) ? line['event'].type : '')
    else if (t === 'unhandled') for (const pair of actor.pairs) add(actor.counts.unhandled, pair)
    else if (t === 'entered') enters(actor, String(line['chart']), String(line['key']), String(line['state']))
    else if (t === 'state') {
      const value = line['value'] ?? null
      const to = stateName(value)
      if (actor.event !== START) actor.counts.move('', actor.state, actor.event, to)
      actor.leaves = leavesOf(value)
      actor.state = to
    }
  }

  /** The modules in the order of their first actors. */
  get modules(): ReadonlyMap<string, ModuleActivity> {
    return this.#modules
  }

  #countsOf(module: string): Counts {
    const known = this.#modules.get(module)
    if (known) return known
    const made = new Counts()
    this.#modules.set(module, made)
    return made
  }
}

function comes(actor: Actor, event: string): void {
  actor.event = event
  actor.pairs = pairsOf(actor.leaves, event)
  for (const pair of actor.pairs) add(actor.counts.pairs, pair)
}

/** A conversation enters a state. Its first state is no move. */
function enters({ counts, conversations, event }: Actor, chart: string, key: string, state: string): void {
  counts.entered.add(`${chart}: ${state}`)
  const conversation = `${chart} ${key}`
  const from = conversations.get(conversation)
  conversations.set(conversation, state)
  if (from !== undefined) counts.move(chart, from, event, state)
}

class Counts implements ModuleActivity {
  readonly pairs = new Map<Pair, number>()
  readonly unhandled = new Map<Pair, number>()
  readonly entered = new Set<string>()
  /** The moves by chart, and then by their parts; the machine itself is chart ''. */
  readonly #moves = new Map<string, Map<string, { from: string; event: string; to: string; count: number }>>()

  move(chart: string, from: string, event: string, to: string): void {
    const moves = this.#moves.get(chart) ?? new Map()
    this.#moves.set(chart, moves)
    const key = `${from}\n${to}\n${event}`
    const known = moves.get(key)
    if (known) known.count++
    else moves.set(key, { from, event, to, count: 1 })
  }

  get moves(): readonly Move[] {
    return this.#of('')
  }

  get chartMoves(): ReadonlyMap<string, readonly Move[]> {
    return new Map([...this.#moves.keys()].filter((chart) => chart !== '').map((chart) => [chart, this.#of(chart)]))
  }

  #of(chart: string): readonly Move[] {
    return [...(this.#moves.get(chart)?.values() ?? [])]
  }
}

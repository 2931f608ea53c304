/** The rows of a live page's tables: one for each actor, and one for each machine with several actors. */

import { machineOf } from '../core/address.ts'
import { clockUnits } from '../core/format.ts'
import { groupsOf, sum } from '../core/tally.ts'
import type { LiveActor } from './live-messages.ts'

export interface RosterRow {
  /** What a fault names: an address, or a machine such as `@m1`. */
  readonly who: string
  /** The cells of the row, as texts; the first is its name. */
  readonly cells: readonly string[]
  readonly isAnyAlive: boolean
  readonly isAnyDead: boolean
}

export interface RosterTable {
  readonly head: readonly string[]
  /** Whether each column holds numbers. */
  readonly numbers: readonly boolean[]
  readonly rows: readonly RosterRow[]
}

const rateText = (rate: number): string => rate.toFixed(rate < 10 ? 1 : 0)

function lifeText({ life, at }: LiveActor): string {
  if (life === 'alive' || at === null) return life
  return life === 'dead' ? `dead since ${clockUnits(at)}` : `paused until ${clockUnits(at)}`
}

const NUMBERS = [false, false, false, true, true, false]

/** The heads after the first two; a run that is over takes no more steps, so its totals are shown. */
const headOf = (isOver: boolean): string[] => ['life', 'mailbox', isOver ? 'steps' : 'steps per s', 'at work on']

const stepsText = (actors: readonly LiveActor[], isOver: boolean): string =>
  isOver ? sum(actors, ({ steps }) => steps).toLocaleString('en') : rateText(sum(actors, ({ rate }) => rate))

export const actorRows = (actors: readonly LiveActor[], isOver = false): RosterTable => ({
  head: ['actor', 'state', ...headOf(isOver)],
  numbers: NUMBERS,
  rows: actors.map((one) => ({
    who: one.address,
    cells: [one.address, one.state, lifeText(one), String(one.mailbox), stepsText([one], isOver), one.doing],
    isAnyAlive: one.life !== 'dead',
    isAnyDead: one.life === 'dead',
  })),
})

/** The machines with several actors; one with a single actor is in the row of that actor. */
export function machineRows(actors: readonly LiveActor[], isOver = false): RosterTable {
  const machines = groupsOf(actors, ({ address }) => machineOf(address))
  return {
    head: ['machine', 'actors', ...headOf(isOver)],
    numbers: NUMBERS,
    rows: [...machines].filter(([, own]) => own.length > 1).map(([machine, own]) => rowOfMachine(machine, own, isOver)),
  }
}

const mixedText = (dead: number, all: number): string => (dead > 0 ? `${dead} of ${all} dead` : 'some are paused')

function rowOfMachine(machine: string, own: readonly LiveActor[], isOver: boolean): RosterRow {
  const lives = new Set(own.map(lifeText))
  const [life = ''] = lives
  const deaths = own.filter((actor) => actor.life === 'dead').map(({ at }) => at ?? 0)
  const dead = deaths.length
  const [isAlike, isWhole] = [lives.size === 1, dead === own.length]
  const doing = [...new Set(own.map((actor) => actor.doing))].filter((text) => text !== '')
  return {
    who: `@${machine}`,
    cells: [
      machine,
      String(own.length),
      isAlike ? life : isWhole ? `dead since ${clockUnits(Math.max(...deaths))}` : mixedText(dead, own.length),
      String(sum(own, ({ mailbox }) => mailbox)),
      stepsText(own, isOver),
      doing.join(', '),
    ],
    isAnyAlive: dead < own.length,
    isAnyDead: dead > 0,
  }
}

/** The promise about dead clients: their tasks are dropped, so that no machine begins one after the silence that tells of the death. */
import { type Address, roleOf, type Time } from '../../../lib/actor.ts'
import type { Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import type { Market } from '../model.ts'
import { isStart, taskOf } from './facts.ts'

/**
 * A contractor hears the last award or query of a client at most `delay` after its death, and drops its tasks after the silence. A
 * client that tells a fact lives again.
 */
export const dropsTheDead = ({ jobs }: Pick<Market, 'jobs'>, silence: Time, delay: Time): Property =>
  safety('no machine begins a task of a client that is dead for longer than the silence', () => {
    const dead = new Map<Address, Time>()
    return {
      fold: (observed) => {
        const { who, at } = observed
        if (roleOf(who) === 'client') dead.delete(who)
        if (!isStart(observed)) return undefined
        const client: Address = `client@${jobs[taskOf(observed)]?.client}`
        const since = dead.get(client)
        if (since === undefined || at <= since + silence + delay) return undefined
        return `task ${taskOf(observed)} begins at ${instant(at)} on ${who}, and ${client} is dead since ${instant(since)}`
      },
      died: (who, at) => {
        if (roleOf(who) === 'client') dead.set(who, at)
      },
    }
  })

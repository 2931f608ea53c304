/** The names of hosts: the process that has a name answers requests on bourse.host.NAME. */
import { UsageError } from '../core/usage-error.ts'
import type { Channel } from './channel.ts'
import type { Subscription } from './connect.ts'

const subjectOf = (name: string): string => `bourse.host.${name}`
const NOTHING = new Uint8Array()

/** The purpose of the channels that carry invitations. */
export const MEETING = 'meeting'

/** The id of the host with a name; undefined if none answers in time. */
export const hostCalled = async (channel: Channel, name: string, ms: number): Promise<string | undefined> =>
  (await channel.ask(subjectOf(name), NOTHING, ms))?.from

/** Answers requests to a name with the id of this process. */
export const answerTo = (channel: Channel, name: string): Subscription =>
  channel.listen(
    subjectOf(name),
    ({ answer }) => answer(NOTHING),
    () => {},
  )

/**
 * Checks that no other host answers to this name within `ms` milliseconds.
 *
 * @throws UsageError if one does
 */
export async function requireFree(channel: Channel, name: string, ms: number): Promise<void> {
  const other = await hostCalled(channel, name, ms)
  if (other !== undefined) throw new UsageError(`--name ${name} is taken by another host: choose another name`)
}

/** Hosts by the names that people give them: a request on bourse.host.NAME is answered by the process that has the name. */
import { UsageError } from '../core/usage-error.ts'
import type { Channel } from './channel.ts'
import type { Subscription } from './connect.ts'

const subjectOf = (name: string): string => `bourse.host.${name}`
const NOTHING = new Uint8Array()

/** The purpose of the channels on which runs and hosts meet. */
export const MEETING = 'meeting'

/** The id of the host of a name; undefined if none answers in time. */
export const hostCalled = async (channel: Channel, name: string, ms: number): Promise<string | undefined> =>
  (await channel.ask(subjectOf(name), NOTHING, ms))?.from

/** Answers to a name. */
export const answerTo = (channel: Channel, name: string): Subscription =>
  channel.listen(
    subjectOf(name),
    ({ answer }) => answer(NOTHING),
    () => {},
  )

/** @throws UsageError if there is a host of that name already */
export async function requireFree(channel: Channel, name: string, ms: number): Promise<void> {
  const other = await hostCalled(channel, name, ms)
  if (other !== undefined) throw new UsageError(`--name ${name} is taken by another host: choose another name`)
}

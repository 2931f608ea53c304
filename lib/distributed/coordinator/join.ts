/** Invites a host to take part in a run. */
import { setTimeout as pause } from 'node:timers/promises'
import { commandOf } from '../../core/command-name.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { Answer, Channel } from '../channel.ts'
import { HEARTBEAT_MS } from '../failure-detector.ts'
import { hostCalled } from '../names.ts'
import { type Frames, type Packing, SUBJECTS } from '../wire/protocol.ts'

/** The most time for an answer to a request for the host's id, and for an answer to an invitation. */
const GREET_MS = 1000
const ENLIST_MS = 5000

export interface Invitation {
  readonly channel: Channel
  readonly packing: Packing
  readonly invitation: Frames['enlist']
  /** Aborted when the run is over. */
  readonly signal: AbortSignal
}

/**
 * Invites a host and returns its node. Without an answer the invitation is repeated `tries` times, once per heartbeat.
 *
 * @throws UsageError if there is no such host, or if it refuses
 */
export async function join(
  { channel, packing, invitation, signal }: Invitation,
  name: string,
  tries: number,
): Promise<number> {
  const bytes = packing.pack(invitation)
  const tooLong = channel.tooLong('the invitation', bytes)
  if (tooLong !== undefined) throw UsageError.requires('--nats', `a server that takes longer messages: ${tooLong}`)
  const ask = async (): Promise<Answer | undefined> => {
    const host = await hostCalled(channel, name, GREET_MS)
    return host === undefined ? undefined : channel.ask(SUBJECTS.enlist(host), bytes, ENLIST_MS)
  }
  let answer = await ask()
  for (let i = 0; i < tries && !answer && !signal.aborted; i++) {
    await pause(HEARTBEAT_MS)
    answer = await ask()
  }
  const command = `${commandOf({ name: 'host' })} --nats URL --secret FILE --name ${name}`
  if (!answer)
    throw new UsageError(
      `--hosts names ${name}, but no host with that name and the same secret answers; start it: ${command}`,
    )
  const { node, refused = 'its answer cannot be read' } = packing.read('enlisted', answer.body) ?? {}
  if (node === undefined) throw new UsageError(`--hosts names a host that refuses to take part: ${refused}`)
  return node
}

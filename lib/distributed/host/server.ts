/** A host: runs actors for the runs that invite it. */

import { codeDigest } from '../../core/source-digest.ts'
import { thrownOf } from '../../core/thrown.ts'
import { aborted } from '../../core/waiting.ts'
import type { Channel } from '../channel.ts'
import { Leases } from '../leases.ts'
import type { Secret } from '../secret.ts'
import { type Frames, packing as packingOf, SUBJECTS } from '../wire/protocol.ts'
import { HostSession } from './session.ts'

export interface HostServerOptions {
  /** The channel for invitations; its end is named by the id of this process. */
  readonly channel: Channel
  readonly secret: Secret
  readonly name: string
  readonly note: (text: string) => void
  /** Ends the host and all its actors. */
  readonly signal: AbortSignal
  readonly digest?: string
}

/** The most runs that a host takes part in at the same time. */
const RUNS_MAX = 8

/** Serves invitations until the signal is aborted. */
export async function serveHost({
  channel,
  secret,
  name,
  note,
  signal,
  digest = codeDigest(),
}: HostServerOptions): Promise<void> {
  const packing = await packingOf('--nats')
  const { connection, self: id } = channel
  /** The runs that this host is joining or has joined, with the answers to repeated invitations. */
  const entries = new Map<string, Promise<Frames['enlisted']>>()
  const stays = new Map<string, { readonly over: Promise<void>; readonly entered: Frames['enlisted'] }>()

  /** Answers an invitation; a repeated one while the host is joining gets the same answer. */
  function enter(run: string, invitation: Frames['enlist']): Promise<Frames['enlisted']> {
    const stay = stays.get(run)
    if (stay) return Promise.resolve(stay.entered)
    const known = entries.get(run)
    if (known) return known
    const entry = answer(run, invitation).finally(() => entries.delete(run))
    entries.set(run, entry)
    return entry
  }

  async function answer(run: string, invitation: Frames['enlist']): Promise<Frames['enlisted']> {
    const refused = refusal(invitation)
    if (refused !== undefined) {
      note(`a run is refused: ${refused}`)
      return { node: undefined, refused: `${name}: ${refused}` }
    }
    try {
      const leases = await Leases.open(connection, '--nats')
      const deps = { connection, secret, packing, leases, name, id, note }
      const { node, over } = await HostSession.open(deps, run, invitation, signal)
      note(`${name} has actors of the run ${run}`)
      const entered = { node, refused: undefined }
      stays.set(run, { over: over.finally(() => stays.delete(run)), entered })
      return entered
    } catch (error) {
      return { node: undefined, refused: `${name}: ${thrownOf(error).message}` }
    }
  }

  function refusal({ digest: other }: Frames['enlist']): string | undefined {
    if (other !== digest) return `it runs other code (${digest}, not ${other})`
    return stays.size + entries.size >= RUNS_MAX ? `it takes part in ${RUNS_MAX} runs already` : undefined
  }

  const subscription = channel.listen(
    SUBJECTS.enlist(id),
    ({ from: run, body, answer: respond }) => {
      const invitation = packing.read('enlist', body)
      if (invitation) void enter(run, invitation).then((entered) => respond(packing.pack(entered)))
    },
    () => {},
  )
  await aborted(signal)
  subscription.unsubscribe()
  await Promise.all(entries.values())
  await Promise.all([...stays.values()].map(({ over }) => over))
}

/** A host has actors of the runs that ask for it by its name. */
import { nanoid } from 'nanoid'
import { codeDigest } from '../../code.ts'
import type { NatsConnection } from '../connect.ts'
import { Leases } from '../leases.ts'
import { causeOf } from '../wire/causes.ts'
import { type Frames, packing as packingOf, SUBJECTS } from '../wire/wire.ts'
import { Lodging } from './lodging.ts'

export interface LodgeOptions {
  readonly connection: NatsConnection
  readonly name: string
  readonly note: (text: string) => void
  /** Ends it, with everything that it has. */
  readonly signal: AbortSignal
  readonly digest?: string
}

/** Most runs that a host takes part in at a time. */
const RUNS_MAX = 8

/** Serves until the signal is aborted. */
export async function lodge({ connection, name, note, signal, digest = codeDigest() }: LodgeOptions): Promise<void> {
  const packing = await packingOf('--nats')
  const id = nanoid()
  /** By run: those that are being entered, and those that go on. */
  const entries = new Map<string, Promise<Frames['enlisted']>>()
  const stays = new Map<string, Promise<void>>()

  /** Who asks twice while it is entered gets one answer. */
  function enter(invitation: Frames['enlist']): Promise<Frames['enlisted']> {
    const { run } = invitation
    const known = entries.get(run)
    if (known) return known
    const entry = answer(invitation).finally(() => entries.delete(run))
    entries.set(run, entry)
    return entry
  }

  async function answer(invitation: Frames['enlist']): Promise<Frames['enlisted']> {
    const { run } = invitation
    const refused = refusal(invitation)
    if (refused !== undefined) {
      note(`a run is refused: ${refused}`)
      return { node: undefined, refused: `${name}: ${refused}` }
    }
    try {
      const leases = await Leases.open(connection, '--nats')
      const { node, over } = await Lodging.open({ connection, packing, leases, name, id, note }, invitation, signal)
      note(`${name} has actors of the run ${run}`)
      stays.set(
        run,
        over.finally(() => stays.delete(run)),
      )
      return { node, refused: undefined }
    } catch (error) {
      return { node: undefined, refused: `${name}: ${causeOf(error).message}` }
    }
  }

  function refusal({ run, digest: other }: Frames['enlist']): string | undefined {
    if (other !== digest) return `it runs other code (${digest}, not ${other})`
    if (stays.has(run)) return 'it takes part already'
    return stays.size + entries.size >= RUNS_MAX ? `it takes part in ${RUNS_MAX} runs already` : undefined
  }

  const subscription = connection.subscribe(SUBJECTS.enlist(name), {
    callback: (error, message) => {
      const invitation = error ? undefined : packing.read('enlist', message.data)
      if (invitation) void enter(invitation).then((entered) => message.respond(packing.pack(entered)))
    },
  })
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  subscription.unsubscribe()
  await Promise.all(entries.values())
  await Promise.all(stays.values())
}

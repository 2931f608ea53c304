/** A host is asked to take part in a run. */
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '../../usage.ts'
import { BEAT_MS } from '../members.ts'
import type { Line } from '../wire/line.ts'
import { type Frames, SUBJECTS } from '../wire/wire.ts'

/** A host may take so long to answer. */
const ENLIST_MS = 5000

/**
 * Its node; without an answer it is asked so many more times, once a beat.
 *
 * @throws UsageError if there is no such host, or it takes no part
 */
export async function enlist(
  { connection, packing, limit }: Line,
  name: string,
  invitation: Frames['enlist'],
  tries: number,
  signal: AbortSignal,
): Promise<number> {
  const bytes = packing.pack(invitation)
  if (bytes.length > limit) {
    throw new UsageError('--nats', `a server that takes ${bytes.length} bytes (max_payload)`, String(limit))
  }
  const ask = () => connection.request(SUBJECTS.enlist(name), bytes, { timeout: ENLIST_MS })
  let answer = await ask().catch(() => undefined)
  for (let i = 0; i < tries && !answer && !signal.aborted; i++) {
    await pause(BEAT_MS)
    answer = await ask().catch(() => undefined)
  }
  const command = 'npx tsx scenarios/host.ts --nats URL --name'
  if (!answer) throw new UsageError('--hosts', `a host called ${name} (${command} ${name})`, 'no answer')
  const { node, refused = 'what it says cannot be read' } = packing.read('enlisted', answer.data) ?? {}
  if (node === undefined) throw new UsageError('--hosts', `hosts that take part, ${name} among them`, refused)
  return node
}

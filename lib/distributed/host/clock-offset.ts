/** The clock offset between a host and its run. */
import { milliseconds } from '../../clock/realtime.ts'
import { HEARTBEAT_MS } from '../failure-detector.ts'
import type { NodeChannel } from '../wire/node-channel.ts'
import { COORDINATOR } from '../wire/protocol.ts'

const READINGS = 8

/** The offset of this clock from that of node 0, in milliseconds. The fastest answer counts, as half a round trip old. */
export async function clockOffsetMs(line: NodeChannel): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY
  let ahead: number | undefined
  for (let i = 0; i < READINGS; i++) {
    const asked = milliseconds()
    const answer = await line.ask(COORDINATOR, 'time', HEARTBEAT_MS)
    const read = answer && line.packing.read('time', answer.body)
    const now = milliseconds()
    if (!read || now - asked > quickest) continue
    quickest = now - asked
    ahead = (asked + now) / 2 - read.at
  }
  if (ahead === undefined) throw new Error('the run did not tell the time of its clock')
  return ahead
}

/**
 * The floor of a run, in one thread: messages that only pass through a mailbox, and steps of machines
 * without effects.
 */
import { Inspection } from '../../lib/actor/inspection.ts'
import type { Incoming } from '../../lib/actor/step-context.ts'
import type { Time } from '../../lib/core/time.ts'
import { CLASS_MAIL } from '../../lib/memory/envelope.ts'
import type { BoardSize } from '../../lib/memory/layout.ts'
import { Mailbox } from '../../lib/memory/mailbox.ts'
import { mailOf } from '../../lib/memory/memory.ts'
import { Replay } from '../../lib/replay/replay.ts'
import type { Replica, State } from '../../lib/replay/replica.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { type Cost, costOf } from './measure.ts'

const SIZE: BoardSize = { slots: 8, definitionWords: 1 << 16, pages: 1024, mailbox: 1000 }
const [FROM, TO] = [1, 2]
const BURST = 5

/** Posts and takes messages like a bid, in bursts as to five contractors. */
export function mailboxes(): (count: number) => Promise<Cost> {
  const mail = mailOf(SIZE, false)
  const sender = mail.endpoint(FROM, 0)
  sender.cause = [FROM, 0, 0]
  const mailbox = new Mailbox(mail.endpoint(TO, 0), TO, 'fifo', 'virtual')
  const burst = (from: number): void => {
    for (let task = from; task < from + BURST; task++) {
      sender.pack({ type: 'bid', task, attempt: 0, start: 1e6 * task, completion: 2e6 * task, index: task & 7 })
      sender.post(TO, CLASS_MAIL, 0)
    }
    sender.publish()
    mail.link(FROM, () => {})
    mailbox.collect()
    for (let one = mailbox.take(0); one; one = mailbox.take(0)) {
      if (one.read() === null) throw new Error('a bid was lost')
      one.release()
    }
  }
  return (count) =>
    costOf(() => {
      for (let sent = 0; sent < count; sent += BURST) burst(sent)
    })
}

export interface Steps {
  /** The number of steps of the run, without the starts of machines. */
  readonly count: number
  /** Takes a number of steps by repeating the first thousand. */
  readonly take: (count: number) => Promise<Cost>
}

/** The number of steps that fit into a processor's caches, together with the states before them. */
const STEPS_MAX = 1000

/** The steps of a recorded run in its machines alone: each begins in its recorded state, and no effect is carried out. */
export async function stepsOf(trace: Iterable<Line>): Promise<Steps> {
  const steps: { replica: Replica; before: State; incoming: Incoming; at: Time }[] = []
  for (const { replica, before, incoming, step } of await Replay.open(traceOf([...trace]))) {
    if (before && incoming) steps.push({ replica, before, incoming, at: step.at })
  }
  // as in a run, which checks the first message of each type
  const inspection = new Inspection()
  const take = (count: number): Promise<Cost> =>
    costOf(() => {
      for (let i = 0; i < count; i++) {
        const step = steps[i % Math.min(steps.length, STEPS_MAX)]
        step?.replica.attempt(step.before, step.incoming, step.at, inspection)
      }
    })
  return { count: steps.length, take }
}

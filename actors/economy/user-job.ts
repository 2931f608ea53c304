/** A submitted job until its user hears the end: a child chart of the user, one for each job. */
import {
  actor,
  type Child,
  cancel,
  childChart,
  type Decision,
  type Joined,
  type Ref,
  type Time,
  tell,
} from '../../lib/actor.ts'
import type { Ended, Opened, Refused, Request, Submit } from './messages.ts'

type JobInput = {
  readonly request: Request
  readonly scheduler: Ref<Submit>
  /** The bank; null: nothing is paid. */
  readonly bank: Ref<Submit> | null
  readonly patience: Time | null
}

interface JobContext extends JobInput {
  /** How long the next submission waits for the end. */
  readonly pause: Time | null
}

export type JobEvent = Opened | Ended | Refused | Joined | { readonly type: 'repeat'; readonly job: number }

/** An open job. */
export type OpenJob = Child<JobContext>

const { createMachine, handlers, onEntry, retry } = actor<{ input: JobInput; context: JobContext; event: JobEvent }>()

const timerOf = ({ job }: Request) => `submit ${job}`

/** Submits the job, and again after the pause. */
function submit(
  { request }: JobContext,
  to: readonly (Ref<Submit> | null)[],
  pause: Time | null,
): Decision<JobContext> {
  const { job, class: l, processors, service, work, deposit } = request
  const submit: Submit = { type: 'submit', job, class: l, processors, service, work, deposit }
  const [next, ...again] = retry(timerOf(request), pause, { type: 'repeat', job })
  const tells = to.flatMap((one) => (one === null ? [] : [tell(one, submit)]))
  return [{ pause: next }, ...tells, ...again]
}

const toBoth = (context: JobContext, pause: Time | null) => submit(context, [context.bank, context.scheduler], pause)
const toScheduler = (context: JobContext, pause: Time | null) => submit(context, [context.scheduler], pause)

const stop = ({ request, patience }: JobContext): Decision<JobContext> =>
  patience === null ? [{}] : [{}, cancel(timerOf(request))]

export const jobChart = childChart(
  createMachine({
    id: 'job',
    context: ({ input }) => ({ ...input, pause: null }),
    initial: 'submitted',
    on: handlers({
      ended: { target: '.ended', handle: stop },
      refused: { target: '.refused', handle: stop },
    }),
    states: {
      submitted: {
        entry: onEntry((context) => toBoth(context, context.patience)),
        on: handlers({
          opened: 'funded',
          repeat: (context) => toBoth(context, context.pause),
          // the actor that is back may have forgotten the job
          joined: { target: 'submitted', reenter: true },
        }),
      },
      funded: {
        on: handlers({
          repeat: (context) => toScheduler(context, context.pause),
          joined: [
            { guard: ({ context, event }) => event.address === context.bank, target: 'submitted' },
            (context) => toScheduler(context, context.patience),
          ],
        }),
      },
      ended: { type: 'final' },
      refused: { type: 'final' },
    },
  }),
)

/**
 * Mutants that change nothing that anybody could notice, each with the reason. A test checks that they exist; a line that
 * changed has to be judged again.
 */

/** The reasons by the names of mutants. */
export const EQUIVALENTS: ReadonlyMap<string, string> = new Map([
  [
    'bidding/eager/contractor.ts :: watch :: comparison swapped :: wakeAfter(it, overdue < 0 ? PATIENCE - overdue : PATIENCE - (overdue % PATIENCE))',
    'At 0, where < and <= differ, both branches give the same time.',
  ],
  [
    'bidding/task.ts :: taskChart.states.awarded.states.firm.entry :: update dropped :: entry: onEntry(() => [{ offers: [] }]),',
    'Offers are read only between an announcement, which begins without any, and the award that follows: this one only takes memory.',
  ],
  [
    'shares/placer/placement.ts :: forget :: comparison swapped :: if (context.doubts.length > 0) carryOut(cancel(confirmation(context.request.job)))',
    'The timer is set only while there are doubts, and cancelling a timer that is not set does nothing.',
  ],
  [
    'contracts/quote.ts :: quote :: comparison swapped :: if (slots.first < ready) {',
    'If both are equal, the loop ends before its first turn: this condition only saves the sorting.',
  ],
  [
    'bidding/moves.ts :: deliver :: comparison swapped :: if (loaded.length > 0) it.context.files = [...files, ...loaded]',
    'With no new file the list stays what it is.',
  ],
  [
    'contracts/sorted.ts :: isBefore :: comparison swapped :: one.rank === other.rank ? one.number < other.number : one.rank > other.rank :: 2',
    'The ranks differ where they are compared, so > and >= say the same.',
  ],
  [
    'contracts/site.ts :: onAward :: call dropped :: forget(it, task)',
    'A site never forgets a task that it has taken, and looks for no offer of such a task: this one only takes memory.',
  ],
  [
    'economy/jobs.ts :: overdue :: comparison swapped :: const price = smoothed(best, work > 0 ? money / work : 0, alpha, minutes)',
    'A running job has been sold the time of its own work, so the work is above 0.',
  ],
  [
    'contracts/quote.ts :: quote :: comparison swapped :: if (other > own || (other === own && one.task < entering.task)) ahead.push(one) :: 3',
    'A site has no task with the number of the one that it quotes, since it refuses tasks that it knows without a quote.',
  ],
  [
    'contracts/client.ts :: stopAsking :: update dropped :: it.context.pauses = drop(it.context.pauses, task)',
    'The pause of a task is read only when the timer of its request fires, and each request sets both: this one only takes memory.',
  ],
  [
    'contracts/ranks.ts :: costs :: comparison swapped :: if ((finite[middle]?.left ?? 0) <= minutes) low = middle + 1',
    'A task that has left exactly these minutes loses decay * left or decay * minutes, which are equal, and ranks are rounded so that the order of a sum does not matter.',
  ],
  [
    'mesh/processor/book.ts :: withThreads :: comparison swapped :: if (own.length > 0) all.set(job, own)',
    'A job with an empty list has no threads either: this one only takes memory.',
  ],
  [
    'mesh/processor/book.ts :: endsOf :: comparison swapped :: from < to ? [from, to] : [to, from]',
    'No thread is sent to the processor that it is on.',
  ],
  [
    'mesh/job/membership.ts :: homeOf :: comparison swapped :: return kept.length > 0 ? partitionOf(kept) : null',
    'A job gives a cell only while it has two, so one is left.',
  ],
  [
    'shares/tickets/in-force.ts :: inForce.servers :: comparison swapped :: const servers = [...issues].sort(([one], [other]) => (one < other ? -1 : 1))',
    'No two servers have the same address.',
  ],
  [
    'contracts/site-state.ts :: changed :: guard negated :: over: isOver ? put(book.over, task, true) : book.over,',
    'A site asks only whether a task is open or over, and each task is open before it is over.',
  ],
  [
    'contracts/inspection.ts :: watch :: comparison swapped :: const isHeldUp = book.held.size > 0 || (isBusy(book) && book.down.length > 0) :: 2',
    'Tasks wait on a site without a lost processor only until they are dispatched, in the same instant, if none runs.',
  ],
  [
    'contracts/broker.ts :: close :: update dropped :: it.context.heard = drop(it.context.heard, task)',
    'The answers of a task are read only while it is open, and each round begins with new ones: this one only takes memory.',
  ],
  [
    'economy/scheduler-book.ts :: queued :: comparison swapped :: if (!last || byArrival(last, job) <= 0) return [...ready, job]',
    'No two waiting jobs have the same number, so none compares as equal.',
  ],
  [
    'economy/scheduler-book.ts :: queued.later :: comparison swapped :: const later = ready.findIndex((one) => byArrival(one, job) > 0)',
    'No two waiting jobs have the same number, so none compares as equal.',
  ],
  [
    'shares/placer/search.ts :: unconfirmed :: comparison swapped :: if (after && lacks(after.context) > 0) it.context.queue = [...it.context.queue, job]',
    'A placement that lacks nothing when its doubts are over never lacks anything again, as only doubted processes are passed over; the search skips it in the queue, and no fact, record or message tells of the queue.',
  ],
  [
    'economy/bank-book.ts :: apply.missed :: update dropped :: return { ...book, missed: book.missed.filter((job) => job !== entry.request.job) }',
    'A job with an account is known for ever, and only jobs that are not known are looked for among the missed ones: this one only takes memory.',
  ],
  [
    'bidding/client.ts :: client.keep :: comparison swapped :: else it.context.live = live.toSpliced(live.findLastIndex(({ context }) => context.job.id < id) + 1, 0, task)',
    'The task is not among the live ones there, and no two tasks have the same number.',
  ],
  [
    "economy/jobs.ts :: refuse :: call dropped :: if (it.context.book.reservation?.job === job) enter(it, { type: 'reserved', reservation: null })",
    'A pass takes no notice of a reservation whose job does not wait, and drops it.',
  ],
  [
    'economy/jobs.ts :: release :: update dropped :: left.delete(job)',
    'Only the entries of running jobs are read, and a job that starts again gets a new one: this one only takes memory.',
  ],
  [
    'economy/jobs.ts :: release :: update dropped :: it.context.left = left',
    'Only the entries of running jobs are read, and a job that starts again gets a new one: this one only takes memory.',
  ],
  [
    'economy/pass.ts :: take.place :: comparison swapped :: const place = this.#free.findIndex((free) => free > end)',
    'The list is sorted and has only times, so equal ones may come in any order.',
  ],
  [
    'bidding/agenda.ts :: isBefore :: comparison swapped :: return one.priority === other.priority ? one.arrival < other.arrival : one.priority < other.priority :: 2',
    'The priorities differ where they are compared, so < and <= say the same.',
  ],
  [
    'bidding/agenda.ts :: omit :: attempt ignored :: attempts.some((attempt) => attempt.task === task) ? attempts.filter((attempt) => attempt.task !== task) : attempts',
    'A list without the task has the same entries after the filter: this condition only saves the copy.',
  ],
  [
    'processor/competition.ts :: revise :: comparison swapped :: if (moved.size > 0) context.queue = stride.exchanged(context.queue, moved)',
    'If nothing has moved, the queue keeps its clients and their order: this condition only saves building it again.',
  ],
  [
    'processor/dispatcher.ts :: preempt :: connective swapped :: if (!mayPreempt || !context.queue.running || !context.queue.ready) return',
    'Nothing overtakes the running process if none is ready, and it pays the same in two parts as at once.',
  ],
  [
    "processor/node.ts :: loadOf :: connective swapped :: if (node.sharing.credit.policy !== 'none' || processes.every(isAwake)) return node.resident",
    'If all are awake, or all count as issued, the sum of their tickets is the one that the node keeps: this condition only saves adding it up again.',
  ],
  [
    "processor/processor.ts :: isLast :: connective swapped :: queue.ready === null && queue.running?.program.kind === 'task'",
    'The next state is only foretold, to save a step: the guards of both states correct it.',
  ],
  [
    "processor/processor.ts :: isLast :: comparison swapped :: queue.ready === null && queue.running?.program.kind === 'task'",
    'The next state is only foretold, to save a step: the guards of both states correct it.',
  ],
  [
    "processor/processor.ts :: isLast :: comparison swapped :: queue.ready === null && queue.running?.program.kind === 'task' :: 2",
    'The next state is only foretold, to save a step: the guards of both states correct it.',
  ],
  [
    'processor/stride.ts :: isBefore :: comparison swapped :: one.pass < other.pass || (one.pass === other.pass && one.order < other.order) :: 3',
    'No two processes have the same number, so none compares as equal.',
  ],
])

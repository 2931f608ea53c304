/** The random contractor bids for every request while it executes no task, and accepts the first award. */
import { contractor } from '../contractor.ts'
import { begin, bid, hold, refuse } from '../moves.ts'

export default contractor({
  consider: (it, request) => {
    if (!it.context.executing) bid(it, request)
  },
  accept: (it, award) => (it.context.executing ? refuse(it, award) : hold(it, award)),
  proceed: begin,
})

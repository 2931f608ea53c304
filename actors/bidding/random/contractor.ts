/** The random contractor bids for every request while it executes no task, and accepts the first award. */
import { contractor } from '../contractor.ts'
import { begin, bid, doing, hold, nothing, refuse } from '../moves.ts'

export default contractor({
  consider: (request) => (context) => (context.executing ? nothing : bid(request))(context),
  accept: (award) => (context) => (context.executing ? doing(refuse(award)) : hold(award))(context),
  proceed: begin,
})

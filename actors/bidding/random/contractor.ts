/** The random contractor bids for whatever is announced while it executes nothing, and takes the first award. */
import { contractor } from '../contractor.ts'
import { begin, bid, doing, hold, nothing, refuse } from '../moves.ts'

export default contractor({
  consider: (request) => (context) => (context.executing ? nothing : bid(request))(context),
  accept: (award) => (context) => (context.executing ? doing(refuse(award)) : hold(award))(context),
  proceed: begin,
})

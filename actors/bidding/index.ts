/** The market as a library: its machines, its messages and terms, and the parts that a new protocol is made of. */
import { moduleUrl } from '../../lib/actor.ts'
import { processor } from '../processor/index.ts'

const here = (file: string): URL => new URL(file, import.meta.url)

/** The modules of the market's actors. Each protocol has clients and contractors of its own; a processor does the work. */
export const machines = {
  dsp: {
    client: moduleUrl<typeof import('./dsp/client.ts')>(here('./dsp/client.ts')),
    contractor: moduleUrl<typeof import('./dsp/contractor.ts')>(here('./dsp/contractor.ts')),
  },
  eager: {
    client: moduleUrl<typeof import('./eager/client.ts')>(here('./eager/client.ts')),
    contractor: moduleUrl<typeof import('./eager/contractor.ts')>(here('./eager/contractor.ts')),
  },
  random: {
    client: moduleUrl<typeof import('./random/client.ts')>(here('./random/client.ts')),
    contractor: moduleUrl<typeof import('./random/contractor.ts')>(here('./random/contractor.ts')),
  },
  processor,
} as const

export type * from '../processor/messages.ts'
export type { Award, Question, Request } from './agenda.ts'
export { type ClientInput, type ClientProtocol, client, type Job } from './client.ts'
export { type ContractorProtocol, contractor } from './contractor.ts'
export {
  award,
  type Conversation,
  earliest,
  evaluateAfter,
  type It as ConversationTurn,
  moveTo,
  type Offer,
  retryLater,
} from './conversation.ts'
export type * from './messages.ts'
export {
  awaitAnswer,
  begin,
  bid,
  type ContractorInput,
  drop,
  hold,
  type It as ContractorTurn,
  predict,
  refuse,
  refuseHeld,
  soonest,
  wakeAfter,
} from './moves.ts'
export type { Policy, PolicyName, Ranking } from './priority.ts'
export { STANDARD, type Terms } from './terms.ts'

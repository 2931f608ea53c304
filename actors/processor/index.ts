/** The processor, which does the work in the market, on clusters, in the economy and under contracts. */
import { moduleUrl } from '../../lib/actor.ts'

/** The module of a processor. */
export const processor = moduleUrl<typeof import('./processor.ts')>(new URL('./processor.ts', import.meta.url))

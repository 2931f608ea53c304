/** The mesh as a library: its machines and messages. */
import { moduleUrl } from '../../lib/actor.ts'

const here = (file: string): URL => new URL(file, import.meta.url)

/** The modules of a mesh's actors. Each policy has an allocator of its own. */
export const machines = {
  allocator: {
    equi: moduleUrl<typeof import('./allocator/equi.ts')>(here('./allocator/equi.ts')),
    fold: moduleUrl<typeof import('./allocator/fold.ts')>(here('./allocator/fold.ts')),
    table: moduleUrl<typeof import('./allocator/table.ts')>(here('./allocator/table.ts')),
  },
  clock: moduleUrl<typeof import('./clock.ts')>(here('./clock.ts')),
  job: moduleUrl<typeof import('./job.ts')>(here('./job.ts')),
  operator: moduleUrl<typeof import('./operator.ts')>(here('./operator.ts')),
  processor: moduleUrl<typeof import('./processor.ts')>(here('./processor.ts')),
  sentry: moduleUrl<typeof import('./sentry.ts')>(here('./sentry.ts')),
  user: moduleUrl<typeof import('./user.ts')>(here('./user.ts')),
} as const

export type * from './messages.ts'

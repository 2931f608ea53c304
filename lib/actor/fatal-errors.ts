import { thrownOf } from '../core/thrown.ts'

/** What no run survives; by name, since an error that comes from a thread has lost its class. */
const FATAL: ReadonlySet<string> = new Set(['MailMemoryFull', 'DefinitionsFull', 'EnginesDiffer'])

export const isFatal = (error: unknown): boolean => FATAL.has(thrownOf(error).name)

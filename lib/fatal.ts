import { isObject } from './plain.ts'

/** What no run survives; by name, since an error that comes from a thread has lost its class. */
const FATAL: ReadonlySet<unknown> = new Set(['MailMemoryFull', 'DefinitionsFull', 'EnginesDiffer'])

export const isFatal = (error: unknown): boolean => isObject(error) && FATAL.has(error['name'])

/** A digest of data, by which a reader of a trace knows that two runs had the same. */
import { createHash } from 'node:crypto'

/** The SHA-256 of a value as JSON, in hexadecimal digits. */
export const jsonDigest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

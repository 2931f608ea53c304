/** The part of Node's Buffer that is used here. Its own type would oblige users of the package to have Node's types. */
interface Bytes extends Uint8Array {
  write(text: string, offset: number, encoding: 'latin1' | 'utf16le'): number
  toString(encoding?: 'latin1' | 'utf16le', start?: number, end?: number): string
}

/** Views of one block of memory. Addresses count words of 8 bytes. */
export interface Block {
  readonly i32: Int32Array
  readonly f64: Float64Array
  readonly u16: Uint16Array
  readonly bytes: Bytes
}

export function blockOf(buffer: ArrayBufferLike): Block {
  return {
    i32: new Int32Array(buffer),
    f64: new Float64Array(buffer),
    u16: new Uint16Array(buffer),
    bytes: Buffer.from(buffer),
  }
}

/** The views that records and log entries are written through. */
export type Words = Pick<Block, 'i32' | 'f64'>

/** Writes a picture in the Portable Network Graphics format (W3C Recommendation, second edition, 2003). */
import { crc32, deflateSync } from 'node:zlib'
import type { Pixels, Size } from './picture.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The format in the IHDR chunk: 8 bits per sample, red green blue, deflated, filtered by row, not interlaced. */
const FORMAT = [8, 2, 0, 0, 0] as const

export function png({ width, height }: Size, pixels: Pixels): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const stride = 3 * width
  // each row begins with the number of its filter; 0 is none
  const rows = Buffer.alloc((stride + 1) * height)
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1)
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([header, Buffer.from(FORMAT)])),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Makes a chunk: the length of the content, the type, the content, and the checksum of type and content. */
function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

import { crc32, inflateSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { difference, type Pixels, place, render, tilesOf } from '../../scenarios/bidding/render/picture.ts'
import { png } from '../../scenarios/bidding/render/png.ts'

const SIZE = { width: 23, height: 17 }
const WHOLE = render(SIZE, { x: 0, y: 0, ...SIZE })

test('the tiles of a picture, rendered one by one, equal the picture rendered at once', () => {
  for (const across of [1, 2, 5, 17]) {
    const picture = new Uint8Array(WHOLE.length)
    const tiles = tilesOf(SIZE, across)
    assert.is(tiles.length, across * across)
    assert.is(
      tiles.reduce((pixels, { width, height }) => pixels + width * height, 0),
      SIZE.width * SIZE.height,
    )
    for (const tile of tiles) place(picture, SIZE, tile, render(SIZE, tile))
    assert.is(difference(picture, WHOLE), 0)
  }
})

test('the difference counts pixels, not bytes', () => {
  const other = Uint8Array.from(WHOLE)
  for (const at of [3, 4, 5, 9]) other[at] = (WHOLE[at] ?? 0) ^ 1
  assert.is(difference(other, WHOLE), 2)
  assert.is(difference(new Uint8Array(0), WHOLE), SIZE.width * SIZE.height)
})

test('a PNG file holds the pixels, and its checksums are right', () => {
  const file = png(SIZE, WHOLE)
  assert.equal([...file.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10])
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const body = file.subarray(at + 4, at + 8 + length)
    assert.is(file.readUInt32BE(at + 8 + length), crc32(body))
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4))
    at += 12 + length
  }
  assert.equal([...chunks.keys()], ['IHDR', 'IDAT', 'IEND'])
  const header = chunks.get('IHDR')
  assert.equal([header?.readUInt32BE(0), header?.readUInt32BE(4)], [SIZE.width, SIZE.height])
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  const pixels: Pixels = new Uint8Array(WHOLE.length)
  const stride = 3 * SIZE.width
  for (let row = 0; row < SIZE.height; row++) {
    assert.is(rows[row * (stride + 1)], 0)
    pixels.set(rows.subarray(row * (stride + 1) + 1, (row + 1) * (stride + 1)), row * stride)
  }
  assert.is(difference(pixels, WHOLE), 0)
})

test.run()

import { decode, encode } from '@jridgewell/sourcemap-codec'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fromLineStart } from './source-map.ts'

const sourceMap = suite('source maps')

sourceMap('can have their lines begin at the first column', () => {
  const mappings = encode([
    [
      [0, 0, 3, 2],
      [7, 0, 3, 9],
    ],
    [[0], [5, 1, 3, 4, 8]],
  ])
  assert.equal(decode(fromLineStart(mappings)), [
    [
      [0, 0, 3, 0],
      [7, 0, 3, 9],
    ],
    [[0], [5, 1, 3, 0, 8]],
  ])
})

sourceMap.run()

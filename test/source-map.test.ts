import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decode, fromLineStart } from './source-map.ts'

const sourceMap = suite('source maps')

sourceMap('are decoded to absolute numbers', () => {
  assert.equal(decode('AAAA,IAAM;AACJ'), [
    [
      [0, 0, 0, 0],
      [4, 0, 0, 6],
    ],
    [[0, 0, 1, 2]],
  ])
})

sourceMap('have steps of many digits, backward steps and names', () => {
  assert.equal(decode('+gCACDA'), [[[1039, 0, 1, -1, 0]]])
  assert.equal(decode('A;;C'), [[[0]], [], [[1]]])
})

sourceMap('can have their lines begin at the first column', () => {
  assert.equal(
    fromLineStart([
      [
        [0, 0, 3, 2],
        [7, 0, 3, 9],
      ],
      [[0], [5, 1, 3, 4, 8]],
    ]),
    [
      [
        [0, 0, 3, 0],
        [7, 0, 3, 9],
      ],
      [[0], [5, 1, 3, 0, 8]],
    ],
  )
})

sourceMap.run()

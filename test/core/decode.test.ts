/** Plain data from outside the program is read by a schema, and its first wrong field is named. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { decoderOf, FieldError } from '../../lib/core/decode.ts'

const read = decoderOf(v.object({ mean: v.number(), sites: v.array(v.object({ late: v.number() })) }))

test('data that fits is returned', () => {
  const data = { mean: 1, sites: [{ late: 2 }] }
  assert.equal(read(data), data)
})

test('the first field that does not fit is named with its path', () => {
  const says = (data: Parameters<typeof read>[0]) => {
    try {
      read(data)
    } catch (error) {
      return error instanceof FieldError ? error.message : error
    }
    return 'nothing'
  }
  assert.is(says({ mean: 1, sites: [{ late: 'x' }] }), '"sites.0.late" must be of the type number, but is "x"')
  assert.is(says({ sites: [] }), '"mean" must be given, but is missing')
  assert.is(says(undefined), '"result" must be given, but is missing')
})

test.run()

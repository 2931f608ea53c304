/** Checks of thrown errors. */
import * as assert from 'uvu/assert'

/** Throws an error whose message contains `text`: uvu's `throws` takes a text for its own message and compares nothing. */
export function throwsSaying(run: () => unknown, text: string): void {
  let said = 'nothing, for nothing was thrown'
  try {
    run()
  } catch (error) {
    said = error instanceof Error ? error.message : String(error)
  }
  assert.ok(said.includes(text), `expected an error that says "${text}", got ${said}`)
}

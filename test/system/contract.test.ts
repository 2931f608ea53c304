import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The titles in a test file as patterns. Each placeholder of a template matches any text. */
function titlesOf(path: string): RegExp[] {
  const calls = textOf(path).matchAll(/\b(?:test|both)\(\s*(?:'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`)/g)
  return [...calls].map(([, quoted, template]) => {
    const title = (quoted ?? template ?? '').replaceAll(/\\(.)/g, '$1')
    const pattern = title.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    return new RegExp(`^${pattern.join('.+')}( \\((threads|inline)\\))?$`)
  })
}

for (const [page, from, least] of [
  ['lib/README.md', '# ', 50],
  ['lib/clock/README.md', '## 9. Tests', 15],
] as const) {
  test(`the tests that ${page} names exist`, () => {
    let file = ''
    let named = 0
    const text = textOf(page)
    for (const [, path, title] of text
      .slice(text.indexOf(from))
      .matchAll(/`(test\/[\w/.-]+\.test\.ts)`:|\*([^*\n]+)\*(?=[;\n])/g)) {
      if (path !== undefined) file = path
      else if (title !== undefined) {
        named++
        assert.ok(
          titlesOf(file).some((pattern) => pattern.test(title)),
          `${file} has no test '${title}'`,
        )
      }
    }
    assert.ok(named > least, `only ${named} tests are named`)
  })
}

test('every promise of lib/README.md is followed by the test that proves it', () => {
  const promises = textOf('lib/README.md')
    .split(/\n(?=- )/)
    .slice(1)
  for (const promise of promises) assert.match(promise, /\n {2}(real: )?`test\//, promise)
})

test.run()

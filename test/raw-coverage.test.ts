import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RawCoverage } from './raw-coverage.ts'

const test = suite('raw coverage')

const ours = fileURLToPath(import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'bourse-coverage-'))
test.after(() => rmSync(folder, { recursive: true }))

/** What a process writes that has run a bundle of this file some times, and a script of a package. */
const written = (bundle: string, count: number): string => {
  const functions = [{ functionName: 'f', isBlockCoverage: true, ranges: [{ startOffset: 0, endOffset: 9, count }] }]
  const mapOf = (source: string) => ({ data: { sources: [source], mappings: 'AAAA' }, lineLengths: [9] })
  const theirs = 'file:///project/node_modules/package/index.js'
  return JSON.stringify({
    result: [
      { scriptId: '1', url: bundle, functions },
      { scriptId: '2', url: theirs, functions },
      { scriptId: '3', url: 'node:fs', functions },
    ],
    'source-map-cache': { [bundle]: mapOf(pathToFileURL(ours).href), [theirs]: mapOf('file:///project/src/index.ts') },
  })
}

test('adds the counts of equal bundles of several processes, and drops the scripts of other people', () => {
  const coverage = new RawCoverage((path) => path === ours)
  for (const [name, count] of [
    ['first', 2],
    ['second', 3],
  ] as const) {
    const raw = join(folder, name)
    mkdirSync(raw)
    writeFileSync(join(raw, 'coverage.json'), written(`file:///tmp/${name}/bundle.cjs`, count))
    writeFileSync(join(raw, 'killed.json'), written(`file:///tmp/${name}/bundle.cjs`, 100).slice(0, 50))
    coverage.add(raw)
    assert.not(existsSync(raw), 'what has been added is removed')
  }
  const merged = join(folder, 'merged')
  coverage.write(merged)
  assert.equal([...coverage.loaded], [ours])
  assert.is(readdirSync(merged).length, 1)
  const { result, 'source-map-cache': maps } = JSON.parse(readFileSync(join(merged, '0.json'), 'utf8'))
  assert.equal(result[0].functions[0].ranges, [{ startOffset: 0, endOffset: 9, count: 5 }])
  assert.equal(Object.keys(maps), [result[0].url])
})

test.run()

/** The source digest, by which hosts know that they run the same code, computed in a copy of the project. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { codeDigest } from '../../lib/core/source-digest.ts'

type Module = { readonly codeDigest: typeof codeDigest }

test('the digest changes with a source and with a table of data, and with no other file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-digest-'))
  try {
    const core = fileURLToPath(new URL('../../lib/core', import.meta.url))
    cpSync(core, join(folder, 'lib', 'core'), { recursive: true })
    for (const part of ['actors', 'scenarios', 'test']) mkdirSync(join(folder, part))
    writeFileSync(join(folder, 'package-lock.json'), '{}')
    const copy: Module = await import(pathToFileURL(join(folder, 'lib', 'core', 'source-digest.ts')).href)
    const digests = [copy.codeDigest()]
    for (const [file, text] of [
      ['table.json', '[1]'],
      ['table.json', '[2]'],
      ['source.ts', 'export const one = 1'],
      ['notes.md', 'no code'],
    ] as const) {
      writeFileSync(join(folder, 'scenarios', file), text)
      digests.push(copy.codeDigest())
    }
    assert.is(new Set(digests.slice(0, 4)).size, 4)
    assert.is(digests[4], digests[3])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.run()

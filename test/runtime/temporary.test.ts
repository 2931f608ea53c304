/** Temporary folders, also those that killed processes left behind. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { removeStaleFolders, temporaryFolder } from '../../lib/runtime/temporary-folder.ts'
import { TYPESCRIPT } from '../typescript.ts'

const PROGRAM = fileURLToPath(new URL('../fixtures/temporary.ts', import.meta.url))
const root = temporaryFolder()
process.once('exit', root.remove)

interface Owner {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
  readonly path: string
}

const children = new Set<Owner['child']>()

async function owner(): Promise<Owner> {
  const child = spawn(process.execPath, [...TYPESCRIPT, PROGRAM], {
    env: { ...process.env, TMPDIR: root.path },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.add(child)
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, path: String(line).trim() }
}

async function end({ child }: Owner, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await once(child, 'exit')
}

test('a folder of a killed process is removed by the next run, and one in use is not', async () => {
  const [killed, alive] = await Promise.all([owner(), owner()])
  await end(killed, 'SIGKILL')
  assert.ok(existsSync(join(killed.path, 'file')))
  const next = await owner()
  assert.not(existsSync(killed.path))
  for (const { path } of [alive, next]) assert.ok(existsSync(join(path, 'file')))
  await Promise.all([alive, next].map((one) => end(one, 'SIGKILL')))
  removeStaleFolders(root.path)
  assert.equal(
    readdirSync(root.path).filter((name) => name.startsWith('bourse-')),
    [],
  )
})

test('only folders of this user and machine whose process is gone are removed, and no link is followed', async () => {
  const gone = await owner()
  await end(gone, 'SIGKILL')
  const name = basename(gone.path)
  const [, place = '', pid, start] = name.split('-')
  const otherPlace = place.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
  const make = (called: string): string => {
    const path = join(root.path, called)
    mkdirSync(path)
    writeFileSync(join(path, 'file'), '')
    return path
  }
  const target = make('target')
  const link = join(root.path, `bourse-${place}-${pid}-${start}-linked`)
  symlinkSync(target, link)
  const file = join(root.path, `bourse-${place}-${pid}-${start}-afile_`)
  writeFileSync(file, '')
  const kept = [target, link, file, make(`bourse-${otherPlace}-${pid}-${start}-abcdef`), make('bourse-abcdef')]
  kept.push(make(name.replace(`-${pid}-${start}-`, `-${process.pid}-${startOf(root.path)}-`)))
  if (process.getuid?.() === 0) {
    const foreign = make(`bourse-${place}-${pid}-${start}-others`)
    chownSync(foreign, 12345, 12345)
    kept.push(foreign)
  }
  removeStaleFolders(root.path)
  assert.not(existsSync(gone.path))
  for (const path of kept) assert.ok(existsSync(path), path)
  assert.ok(existsSync(join(target, 'file')))
})

if (process.platform === 'linux') {
  test('a folder is removed even if another process now has the number of its process', () => {
    const [, place] = basename(root.path).split('-')
    const path = join(root.path, `bourse-${place}-${process.pid}-1-abcdef`)
    mkdirSync(path)
    removeStaleFolders(root.path)
    assert.not(existsSync(path))
  })
}

test('only its user can read a folder, and unreadable folders are left', () => {
  assert.is(statSync(root.path).mode & 0o777, 0o700)
  removeStaleFolders(join(root.path, 'nowhere'))
})

const startOf = (path: string): string => basename(path).split('-')[3] ?? ''

test.after(() => {
  for (const child of children) child.kill('SIGKILL')
})

test.run()

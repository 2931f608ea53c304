/** Checks of package.json and its lock, for `npm ci`. */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

interface Locked {
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
const locked: ReadonlyMap<string, Locked> = new Map(Object.entries(read('package-lock.json').packages))
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const names = new Set([...locked.keys()].map(nameOf))

test('no package runs a script when it is installed, and npm has nothing to warn of', () => {
  const scripted = [...locked].filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path))
  const { allowScripts = {} } = read('package.json')
  assert.equal(allowScripts, Object.fromEntries([...new Set(scripted)].sort().map((name) => [name, false])))
})

test('the lock has the optional packages of every platform, without which npm ci refuses it elsewhere', () => {
  const missing = [...locked.values()].flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter((name) => !names.has(name)),
  )
  assert.equal(missing, [])
})

test.run()

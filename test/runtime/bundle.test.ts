import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundle, locate } from '../../lib/runtime/bundle.ts'
import { TYPESCRIPT } from '../typescript.ts'

const bundling = suite('bundling an actor module')
const entry = new URL('../fixtures/entry.ts', import.meta.url)
const fixture = (name: string) => new URL(`../fixtures/modules/${name}`, import.meta.url)
const start = async (name: string, env = process.env) =>
  new Worker(await bundle(fixture(name), entry), { execArgv: [], env })

async function failure(work: Promise<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it did not fail')
}

async function crash(name: string): Promise<Error> {
  const [error] = await once(await start(name), 'error')
  return error
}

bundling('runs a TypeScript module with its packages, files and JSON in a worker', async () => {
  const worker = await start('good.ts')
  const [message] = await once(worker, 'message')
  assert.is(message.price, 7)
  assert.match(message.id, /^[\w-]{21}$/)
})

bundling('keeps the code that V8 compiled for one thread for the next ones, and ignores unusable code', async () => {
  const code = (await bundle(fixture('good.ts'), entry)).replace('.start.cjs', '.cjs.code')
  rmSync(code, { force: true })
  const said = async () => {
    // A thread whose coverage is measured keeps no code.
    const { NODE_V8_COVERAGE: _, ...environment } = process.env
    const worker = await start('good.ts', environment)
    const [[message]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')])
    return message.here
  }
  const first = await said()
  assert.ok(readFileSync(code).length > 1000)
  assert.is(await said(), first)
  writeFileSync(code, 'no code')
  assert.is(await said(), first)
})

bundling('lets a module import a name that is known only at run time', async () => {
  const worker = await start('imports.ts')
  await once(worker, 'message')
  assert.equal(await once(worker, 'message'), ['a/b'])
})

bundling('keeps the names of classes and functions', async () => {
  const [message] = await once(await start('good.ts'), 'message')
  assert.is(message.Contractor, 'Contractor')
  assert.is(message.bid, 'bid')
})

bundling('gives each module its own import.meta', async () => {
  const [message] = await once(await start('good.ts'), 'message')
  assert.is(message.here, fixture('good.ts').href)
  assert.is(message.folder, dirname(fileURLToPath(fixture('good.ts'))))
  assert.is(message.helper, fixture('helper.ts').href)
})

bundling('builds a module once, however it is named and however often it is asked for', async () => {
  const path = fileURLToPath(fixture('good.ts'))
  const names = [fixture('good.ts'), fixture('good.ts').href, path, relative(process.cwd(), path)]
  const files = await Promise.all(names.map((name) => bundle(name, entry)))
  assert.is(new Set(files).size, 1)
})

bundling('builds different modules into files of their own in one folder', async () => {
  const files = await Promise.all([bundle(fixture('good.ts'), entry), bundle(fixture('fails.ts'), entry)])
  assert.is(new Set(files).size, 2)
  assert.is(new Set(files.map((file) => dirname(file))).size, 1)
})

bundling('finds the lines of an error that a module throws at loading', async () => {
  const error = await crash('throws.ts')
  assert.is(error.name, 'Refusal')
  const stack = locate(error.stack ?? '')
  assert.match(stack, `at refuse (${fileURLToPath(fixture('throws.ts'))}:6:9)`)
  assert.match(stack, `${fileURLToPath(fixture('throws.ts'))}:9:1`)
})

bundling('finds the lines of an error across files', async () => {
  const stack = locate((await crash('fails.ts')).stack ?? '')
  assert.match(stack, `${fileURLToPath(fixture('fails.ts'))}:5:9`)
  assert.match(stack, `${fileURLToPath(entry)}:8:`)
})

bundling('leaves a stack without a bundle unchanged', () => {
  const stack = new Error('elsewhere').stack ?? ''
  assert.is(locate(stack), stack)
})

bundling('says in one line where a module has a syntax error', async () => {
  const { message } = await failure(bundle(fixture('syntax-error.js'), entry))
  assert.match(message, /syntax-error\.js:2:14: Expected identifier but found "="$/)
  assert.not.match(message, '\n')
})

bundling('says in one line which import is missing', async () => {
  const { message } = await failure(bundle(fixture('missing-import.js'), entry))
  assert.match(message, /missing-import\.js:1:23: Could not resolve "\.\/nowhere\.ts"$/)
})

bundling('says which module is missing', async () => {
  const { message } = await failure(bundle(fixture('no-such.ts'), entry))
  assert.match(message, /^cannot bundle .*no-such\.ts: there is no such file$/)
})

const library = new URL('../../lib/runtime/bundle.ts', import.meta.url).href

/** A process that bundles, prints the folder, and then runs the code `then`. */
async function elsewhere(then: string) {
  const script = `import { bundle } from ${JSON.stringify(library)}
    const file = await bundle(${JSON.stringify(fixture('good.ts').href)}, ${JSON.stringify(entry.href)})
    await new Promise((done) => process.stdout.write(file, done))
    ${then}`
  const child = spawn(process.execPath, [...TYPESCRIPT, '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let file = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    file += text
  })
  child.stderr.resume()
  // 'close' comes only after the last helper of the child has closed its output.
  const [code, signal] = await once(child, 'close')
  return { end: signal ?? code, folder: dirname(file) }
}

for (const [how, then, expected] of [
  ['ends by itself', '', 0],
  ['calls process.exit', 'process.exit(3)', 3],
  ['throws', "throw new Error('on purpose')", 1],
] as const) {
  bundling(`leaves no file and no helper when the process ${how}`, async () => {
    const { end, folder } = await elsewhere(then)
    assert.is(end, expected)
    assert.match(folder, /bourse-[\w-]+$/)
    assert.not(existsSync(folder))
  })
}

bundling('leaves no helper when the process is killed, and its files only until the next run', async () => {
  const { end, folder } = await elsewhere("process.kill(process.pid, 'SIGKILL')")
  assert.is(end, 'SIGKILL')
  assert.ok(existsSync(folder))
  await elsewhere('')
  assert.not(existsSync(folder))
})

bundling.run()

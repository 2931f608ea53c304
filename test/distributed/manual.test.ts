/** The commands of the chapter, from a clean start to three machines; only addresses and paths are replaced. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { portOf } from './port.ts'
import { SECRET_FILE } from './secret.ts'
import { NO_SERVER, serverPath } from './server.ts'

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testPage(program)

function testPage(program: string): void {
  const test = suite('the page of actors across machines')
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'bourse-page-'))
  const begun: ChildProcess[] = []
  const chapter = readFileSync(join(root, 'lib/distributed/README.md'), 'utf8')
  const block = /<!-- hosts commands -->\n```sh\n([\s\S]*?)```/.exec(chapter)?.[1]
  const commands = (block ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'))

  test.after(async () => {
    for (const child of begun.reverse()) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })

  async function freePort(): Promise<number> {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const port = portOf(listener)
    listener.close()
    await once(listener, 'close')
    return port
  }

  /** The words of a command as typed, with faster means than `npx tsx`, and with the addresses and paths of the test. */
  const wordsOf = (command: string, port: number): [string, ...string[]] => {
    const [first = '', ...words] = command
      .replace(/^npx tsx (\S+)/, `${process.execPath} --import tsx $1`)
      .replace(/^nats-server/, program)
      .replaceAll('h1:4222', `127.0.0.1:${port}`)
      .replace('bourse.secret', SECRET_FILE)
      .replace('0.0.0.0', '127.0.0.1')
      .replace('--port 4222', `--port ${port}`)
      .replace('/tmp/bourse-nats', join(folder, 'store'))
      .replace('run.jsonl', join(folder, 'run.jsonl'))
      .split(' ')
    return [first, ...words]
  }

  test('every command of the chapter works', async () => {
    assert.is(commands.length, 9)
    const port = await freePort()
    for (const command of commands) {
      const [file, ...words] = wordsOf(command, port)
      if (/nats-server|host\.ts/.test(command)) {
        const child = spawn(file, words, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
        begun.push(child)
        await new Promise<void>((resolve) => {
          let said = ''
          child.stderr.setEncoding('utf8').on('data', (text: string) => {
            said += text
            if (/Server is ready|waits for work/.test(said)) resolve()
          })
          child.once('exit', () => resolve())
        })
        assert.is(child.exitCode, null, command)
        continue
      }
      const { code, stdout } = await new Promise<{ code: number | null; stdout: string }>((resolve) => {
        const child = execFile(file, words, { cwd: root }, (_, out, err) =>
          resolve({ code: child.exitCode, stdout: out + err }),
        )
      })
      assert.is(code, 0, `${command}\n${stdout}`)
    }
  })

  test.run()
}

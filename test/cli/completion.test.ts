/** The completion of `bourse` in bash: what the shell offers for a word. */
import { execFileSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { completionFor } from '../../scenarios/completion.ts'

const COMMANDS = ['run', 'explore', 'trace', 'replay', 'completion']
const script = completionFor('bash', COMMANDS) ?? ''

/** What bash offers for the last of these words. */
function offered(...words: readonly string[]): readonly string[] {
  const asked = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _bourse`
  const text = execFileSync('bash', ['-c', `${script}\n${asked}\nprintf '%s\\n' "\${COMPREPLY[@]}"`], {
    encoding: 'utf8',
  })
  return text.split('\n').filter((word) => word !== '')
}

test('commands and the commands on traces are completed', () => {
  assert.equal(offered('bourse', 'r'), ['run', 'replay'])
  assert.equal(offered('npx', 'bourse', 'e'), ['explore'])
  assert.equal(offered('npx', 'bo'), ['bourse'])
  assert.equal(offered('bourse', 'trace', 'ca'), ['causes'])
  assert.equal(offered('bourse', 'completion', 'z'), ['zsh'])
})

test('scenarios are completed, and files', () => {
  assert.equal(offered('bourse', 'run', 'bid'), ['bidding/market'])
  assert.equal(offered('bourse', 'explore', 'package.js'), ['package.json'])
})

test('flags of a command and of its scenario are completed, and those that it refuses are not', () => {
  assert.equal(offered('bourse', 'run', 'lock.ts', '--ru'), ['--runtime'])
  assert.equal(offered('npx', 'bourse', 'run', 'lock.ts', '--speed'), [])
  assert.equal(offered('npx', 'bourse', 'run', 'bidding/market', '--speed'), ['--speeds'])
  assert.equal(offered('bourse', 'explore', 'bidding/market', '--stra'), ['--strategy'])
  assert.equal(offered('bourse', 'explore', 'bidding/market', '--runt'), [])
})

test('the choices of a flag are completed', () => {
  assert.equal(offered('bourse', 'run', 'lock.ts', '--runtime', ''), ['threads', 'pool', 'inline'])
})

test('zsh and fish have completions, and other shells have none', () => {
  assert.match(completionFor('zsh', COMMANDS) ?? '', 'bashcompinit')
  const fish = completionFor('fish', COMMANDS) ?? ''
  assert.match(fish, 'complete -c bourse -n "__fish_seen_subcommand_from bidding/market" -l speeds')
  assert.is(completionFor('csh', COMMANDS), undefined)
})

test.run()

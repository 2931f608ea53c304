/** A corpus of failing runs: they are kept in files, and run again. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { type KeptRun, keep, replayKept } from '../../lib/explore/corpus.ts'
import { explore, PromiseBroken, replayCorpus } from '../../lib/lab.ts'
import { printSchedule, settingsDigest } from '../../lib/scenario/schedule-string.ts'
import { runScenario } from '../bidding/command.ts'
import adding from '../fixtures/adding/adding.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-corpus-'))
const test = suite('a corpus of failing runs')
test.after(() => rmSync(folder, { recursive: true, force: true }))

const LOST = 'no addition is lost'

/** A failing run of the fixture. */
async function failing(): Promise<KeptRun> {
  const error = await explore(adding, { schedules: 100 }).catch((thrown: unknown) => thrown)
  if (!(error instanceof PromiseBroken)) throw new Error('no run broke a promise')
  const { property, text, flags, schedule } = error.case
  return { scenario: 'adding', property, text, flags, schedule, livelock: 1000 }
}

test('runs kept runs again, and tells which still break a promise', async () => {
  const here = join(folder, 'again')
  const run = await failing()
  const { options } = adding.specification(new Map())
  const mended = printSchedule({ deviations: NO_DEVIATIONS, seed: 1, digest: settingsDigest(options) })
  const broken = keep(here, run, '--corpus')
  const kept = keep(here, { ...run, schedule: mended }, '--corpus')
  assert.is(keep(here, run, '--corpus'), broken)
  keep(here, { ...run, scenario: 'another' }, '--corpus')
  assert.is(readdirSync(here).length, 3)
  const replayed = await replayKept(adding, here, '--corpus')
  assert.equal(
    new Map(replayed.map(({ file, violations }) => [file, violations.map(({ property }) => property)])),
    new Map([
      [broken, [LOST]],
      [kept, []],
    ]),
  )
  const texts = await replayCorpus(adding, pathToFileURL(`${here}/`))
  assert.is(texts.length, 1)
  assert.match(texts[0] ?? '', `${LOST}: the register has 1 after 2 additions`)
})

test('tells a run that the scenario refuses now', async () => {
  const here = join(folder, 'refused')
  const run = await failing()
  keep(here, { ...run, flags: { latency: ['2'] } }, '--corpus')
  keep(here, { ...run, flags: { trace: ['run.jsonl'] } }, '--corpus')
  keep(here, { ...run, flags: { nothing: ['1'] } }, '--corpus')
  const refusals = (await replayKept(adding, here, '--corpus')).map(({ refusal }) => refusal ?? '')
  for (const says of [
    '--schedule is a schedule of other settings',
    '--trace cannot be given',
    'unknown flag --nothing in a kept run of adding',
  ]) {
    assert.ok(
      refusals.some((refusal) => refusal.includes(says)),
      says,
    )
  }
  assert.is((await replayCorpus(adding, here)).length, 3)
})

test('refuses a file that is no failing run, says what to do, and runs the others', async () => {
  const here = join(folder, 'damaged')
  mkdirSync(here)
  const failed = await failing()
  const sound = keep(here, failed, '--corpus')
  for (const text of ['no json', '{}', JSON.stringify({ ...(await failing()), version: 1, flags: { seed: 1 } })]) {
    writeFileSync(join(here, 'a.json'), text)
    const [damaged, other] = await replayKept(adding, here, '--corpus')
    assert.match(damaged?.refusal ?? '', /--corpus \S+a\.json must be a failing run of version 1: remove or mend it/)
    assert.equal([other?.file, other?.violations.map(({ property }) => property)], [sound, [LOST]])
    const [told = ''] = await replayCorpus(adding, here)
    assert.match(told, /^\S+a\.json cannot be run: replayCorpus: \S+a\.json must be a failing run/)
  }
  assert.throws(
    () => keep(join(here, 'a.json'), failed, '--corpus'),
    ({ message }: Error) => message.endsWith('a.json: a file has this name, choose another (EEXIST)'),
  )
  const nowhere = await replayCorpus(adding, join(folder, 'nowhere')).catch((thrown: unknown) => thrown)
  assert.match(String(nowhere), /cannot read the corpus \S+nowhere: no such folder/)
})

test('is filled by a search that stops at the first failing run, whatever the number of processes', async () => {
  const file = 'test/fixtures/adding/adding.ts'
  const search = async (parallel: number) => {
    const here = join(folder, `searched-${parallel}`)
    const args = [file, '--schedules', '500', '--first', '--parallel', `${parallel}`, '--corpus', here, '--json']
    const { code, stdout, stderr } = await runScenario('lab/explore', args)
    assert.is(code, 1, stderr)
    assert.match(stderr, /run \d+ is kept in \S+searched-\d\/adding-\w{12}\.json/)
    const { schedules, failed, cases } = JSON.parse(stdout).results
    return {
      schedules,
      failed,
      run: cases[0].run,
      files: readdirSync(here).map((name) => readFileSync(join(here, name))),
    }
  }
  const one = await search(1)
  assert.equal([one.failed, one.schedules, one.files.length], [1, one.run + 1, 1])
  assert.ok(one.schedules < 500)
  assert.equal(await search(2), one)
  const again = await runScenario('lab/explore', [file, '--schedules', '0', '--corpus', join(folder, 'searched-1')])
  assert.is(again.code, 1, again.stderr)
  assert.match(
    again.stdout,
    /^the only kept run of \S+ still breaks a promise\n\S+\.json: no addition is lost: the register/,
  )
  assert.match(
    again.stdout,
    /\n {2}npx tsx scenarios\/lab\/run\.ts test\/fixtures\/adding\/adding\.ts .*--schedule b1:\S+ --runtime inline\n/,
  )
  assert.match(again.stdout, /\nFAILED invariants: no addition is lost/)
  const none = await runScenario('lab/explore', [file, '--schedules', '0', '--corpus', join(folder, 'nowhere')])
  assert.is(none.code, 1, none.stderr)
  assert.match(
    none.stdout,
    /^\S+nowhere has no kept runs of adding\nFAILED kept runs of adding in \S+nowhere: 0, expected at least 1\n$/,
  )
})

test.run()

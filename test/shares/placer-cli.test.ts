/** The scenario of a placer, as its users run it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runScenario } from '../bidding/command.ts'

const test = suite('shares/placer')
const QUICK = ['--runtime', 'inline', '--latency', '1']

test('tells where each job was, and how it ended', async () => {
  const { code, stdout } = await runScenario('shares/placer', [
    ...QUICK,
    '--jobs',
    'a:1:30',
    '--jobs',
    'b@m3:2:20',
    '--json',
  ])
  assert.is(code, 0, stdout)
  const { jobs } = JSON.parse(stdout).results
  assert.is(jobs.b.machine, 'm3')
  // request, question, answer, submission and the news of its end, over the placer, take six latencies; a switch takes 0.1
  assert.equal([jobs.a.end, jobs.a.at, jobs.b.end], ['done', 36.1, 'done'])
})

test('goes by its own book, and refuses a job for a machine that is dead', async () => {
  const jobs = ['--jobs', 'a:1:30', '--jobs', 'b@m1:1:10', '--ask', 'none', '--kill', 'processor@m1 at 0']
  const { code, stdout } = await runScenario('shares/placer', [...QUICK, ...jobs, '--json'])
  assert.is(code, 0, stdout)
  const { results } = JSON.parse(stdout)
  assert.equal([results.jobs.a.end, results.jobs.b.end], ['done', 'processor@m1 does not answer'])
})

test('a user who is restarted after the end of a job hears of the end again', async () => {
  const args = [...QUICK, '--jobs', 'a:1:30', '--fault', 'restart user@u after 1 exited', '--json']
  const { code, stdout } = await runScenario('shares/placer', args)
  assert.is(code, 0, stdout)
  assert.is(JSON.parse(stdout).results.jobs.a.end, 'done')
})

test('refuses senseless options in one line', async () => {
  for (const [args, says] of [
    [['--jobs', 'a:1'], '--jobs must be NAME[@M]:T:WORK, such as a:2:50 or a@m1:2:50'],
    [['--jobs', 'a@m9:1:5'], '--jobs must be a machine up to m4, not "a@m9"'],
    [['--jobs', 'a:1:5', '--jobs', 'a:1:5'], '--jobs may name "a" only once'],
    [['--ask', '5'], '--ask must be at most --machines (4), not 5'],
    [['--ask', 'some'], '--ask must be an integer from 1 to 300, or none, not "some"'],
    [['--timeout', '1', '--latency', '1'], '--timeout must be at least two latencies (2), not 1'],
    [['--quantum', '0'], '--quantum must be a time > 0'],
  ] as const) {
    const { code, stderr } = await runScenario('shares/placer', args)
    assert.is(code, 2)
    assert.match(stderr, `bourse: ${says}`)
    assert.is(stderr.trim().split('\n').length, 1, stderr)
  }
})

test.run()

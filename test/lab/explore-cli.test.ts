import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { Graph } from '../../lib/report/graph.ts'
import { BROKE } from '../../lib/report/types.ts'
import { printSchedule, settingsDigest } from '../../lib/scenario/schedule-string.ts'
import { runScenario } from '../bidding/command.ts'
import leasing from '../fixtures/leasing/leasing.ts'
import { elementIn, runsIn, textOf } from '../report/html.ts'

const test = suite('lab/explore')

const explore = (line: string, more: readonly string[] = []) =>
  runScenario('lab/explore', [...line.split(' '), ...more])

const SMALL = '--tasks 3 --speeds 1,2 --clients 2 --deal drawn --latency 1 --load 2 --late-bids off --query off'

test('counts schedules and outcomes, the same ones on one core and on two', async () => {
  const [one, two] = await Promise.all(
    ['1', '2'].map((parallel) => explore(`${SMALL} --schedules 120 --json --parallel ${parallel}`)),
  )
  const results = (text = '{}') => {
    const { schedulesPerSecond: _, ...rest } = JSON.parse(text).results
    return rest
  }
  assert.is(one?.code, 0, one?.stderr)
  assert.equal(results(two?.stdout), results(one?.stdout))
  assert.is(results(one?.stdout).schedules, 120)
  assert.ok(results(one?.stdout).outcomes > 1)
})

test('explores a small instance by default, and says so in its first line, its help and its results', async () => {
  const small =
    'bidding/market --latency 1 --speeds 1,1,2 --load 0.9 --tasks 6 --clients 2 --deal in-turn --late-bids 0.1 --query 20 --timeout 10 --silence 40'
  const [found, help] = await Promise.all([
    explore('--schedules 3 --parallel 1 --json'),
    explore('bidding/market --tasks 9 --help'),
  ])
  assert.is(found.stderr.split('\n', 1)[0], `${small}, seed 1: 3 schedules, strategy portfolio`)
  assert.is(JSON.parse(found.stdout).results.explored, small)
  assert.match(help.stdout, / of a workload, the first N \(default 6\)\n/)
  assert.match(
    help.stdout.replace(/\s+/g, ' '),
    / SCENARIO the name of a scenario, or a TypeScript or JavaScript file whose default export is a scenario \(made by defineScenario\), as for --scenario /,
  )
})

test('says that the scenario breaks a promise without a search, even if no run of the search does', async () => {
  const { code, stdout } = await explore('test/fixtures/prompt.ts --schedules 10 --parallel 1')
  assert.match(stdout, /ok {5}invariants: none violated in 10 schedules\n/)
  assert.match(
    stdout,
    /FAILED promises that the scenario breaks without a search: an addition takes no time: it came late\n/,
  )
  assert.is(code, 1)
})

test('tells the faults that alone break a promise about times, with a command that does', async () => {
  const faults = ['--faults', 'pause any register 2']
  const { code, stdout } = await explore('test/fixtures/punctual.ts --schedules 200 --parallel 1', faults)
  assert.match(
    stdout,
    /1 promise checked only in runs without a schedule \(1 without faults, \d+ under faults alone\): /,
  )
  assert.match(
    stdout,
    /\n\nan addition comes at 1: it came late\n {2}found without a schedule, under faults alone:\n {2}- pause /,
  )
  assert.match(
    stdout,
    /\n {2}the promise breaks at 2, when register@r handles write from client@c1 \(2\.0\.1\)\n {2}what led to it;/,
  )
  assert.match(stdout, /\n {2}\* at 1 the fault "pause register@r for [\d.]+ at [\d.]+" strikes\n/)
  assert.match(stdout, /FAILED promises that it breaks under faults alone: an addition comes at 1: it came late\n/)
  assert.is(code, 1)
  const [, fault = ''] = /punctual\.ts --fault '([^']+)' --runtime inline\n/.exec(stdout) ?? []
  const again = await runScenario('lab/run', ['test/fixtures/punctual.ts', '--fault', fault])
  assert.match(again.stdout, 'an addition comes at 1: it came late')
  assert.is(again.code, 1)
})

test('a failing run that cannot be repeated is told as it was found', async () => {
  const search = ['--faults', 'kill any register']
  const { code, stdout, stderr } = await explore('test/fixtures/undying.ts --schedules 10 --parallel 1', search)
  assert.match(
    stderr,
    /run \d+ cannot be shrunk: nobody dies: the shrunk run does not break it when it is made from its settings again\n/,
  )
  assert.match(stderr, /register@r is dead\n/)
  assert.match(stdout, /FAILED invariants: nobody dies\n/)
  assert.is(code, 1)
})

test('reports a broken promise in a sentence for each step, and prints the command that repeats it on threads', async () => {
  // with duplicates and without acknowledgements a processor knows only of its last task that it has ended
  const doubling = '--workload test/bugs/single.csv --speeds 1,2 --latency 1 --schedules 3000 --strategy random'
  const page = join(tmpdir(), `bourse-explore-${process.pid}.html`)
  const { code, stdout } = await explore(doubling, ['--faults', 'double 9', '--report', page])
  const html = readFileSync(page, 'utf8')
  rmSync(page)
  assert.is(code, 1)
  assert.match(stdout, /failed [1-9]/)
  assert.match(
    stdout,
    /a task that may not be begun twice is begun once: task 0 at .* by processor@m2, and again at .* by processor@m2/,
  )
  assert.match(stdout, /- task 5\.0\.2 of client@c1 to contractor@m2 arrives twice\n/)
  assert.match(
    stdout,
    /- contractor@m2 handles task 5\.0\.3 of client@c1 at .*, after .*finished 3\.0\.1 of processor@m2\n/,
  )
  const [command = '', words = ''] = stdout.match(/npx tsx scenarios\/bidding\/market\.ts (.*) --runtime inline/) ?? []
  assert.match(html, /<svg[^>]*aria-label="When the failure became inevitable/)
  const failures = textOf(elementIn(html, 'failures'))
  assert.match(failures, 'the task of client@c1 to contractor@m2 arrives twice')
  assert.ok(failures.includes(command), failures)
  const [failing, passing] = runsIn(html).runs
  assert.is(failing?.name, 'Fails: a task that may not be begun twice is begun once')
  assert.match(passing?.name ?? '', /^Holds without: (task|contractor)/)
  assert.ok([failing, passing].every((run) => run && run.focus > 0))
  const story = textOf(elementIn(html, 'story'))
  assert.match(elementIn(html, 'story'), /<a href="#actor=[^"]*at=\d+&amp;handles=[^"]*">the \w+ of [^<]*</)
  assert.match(
    story,
    /^The promise "a task that may not be begun twice is begun once" breaks at [\d.]+, when processor@m2 handles .*: task 0 at/,
  )
  assert.match(
    story,
    /It takes \d deviations.*: the task of client@c1 to contractor@m2 arrives twice; contractor@m2 handles/,
  )
  assert.match(story, 'The run next to it keeps all promises. It is the same run without this: ')
  const graph = failing && new Graph(failing)
  assert.ok(graph && (graph.flags[graph.run.focus] ?? 0) & BROKE, 'it opens at the step that broke the promise')
  for (const runtime of ['inline', 'threads']) {
    const again = await runScenario('bidding/market', [...words.split(' '), '--runtime', runtime])
    assert.is(again.code, 1, again.stderr)
    assert.match(
      again.stdout,
      /FAILED a task that may not be begun twice is begun once: task 0 at .* by processor@m2, and again at .* by processor@m2/,
    )
  }
})

test('lists reachability goals that were never met, and a required end that did not come within its limit', async () => {
  const { code, stdout } = await explore(`${SMALL} --schedules 20 --json`)
  assert.is(code, 0)
  assert.ok(JSON.parse(stdout).results.neverSeen.includes('task bumped'))
  const eager = await explore(`${SMALL} --schedules 50 --protocol eager --errors gen`)
  assert.match(eager.stdout, /\nreachability goals met: [12] of 6; not met: late bid rejected, late bid taken, /)
  const exhausted = await explore(
    '--tasks 1 --speeds 1,2 --latency 1 --late-bids off --query off --strategy exhaustive',
  )
  assert.match(exhausted.stdout, /\nreachability goals met: 1 of 6; not met: late bid taken, /)
  const hasty = await explore(`${SMALL} --schedules 5 --livelock 3`)
  assert.is(hasty.code, 1)
  assert.match(
    hasty.stdout,
    /every task of a living client ends: task \d did not, in 3 steps without a fault or any progress \(limit livelock\)/,
  )
})

test('refuses senseless options in one line', async () => {
  for (const [line, says, more] of [
    ['--time real', /^bourse: --time must be virtual/],
    ['--runtime threads', /^bourse: --runtime must be inline/],
    [
      '--strategy dfs',
      /^bourse: --strategy must be fifo, random, pos, portfolio, guided, pct:D, delay:K or exhaustive\[:K\] /,
    ],
    ['--faults everything', /^bourse: --faults must be a fault that begins with kill, restart, .* or any /],
    [
      '--tasks 3',
      /^bourse: --faults must be "jump any \[N\]", not "jump m1 by 5 at 2": for a fault at a fixed point use --fault$/m,
      ['--faults', 'jump m1 by 5 at 2'],
    ],
    [
      'bidding/markt --tasks 3',
      /^bourse: unknown scenario "bidding\/markt"; did you mean bidding\/market\? \(known: bidding\/market, .*, mesh\/run, and any TypeScript or JavaScript file whose default export is a scenario \(made by defineScenario\)\)$/m,
    ],
    [
      'economy --processors 4',
      /^bourse: unknown scenario "economy"; known: bidding\/market, .*, and any TypeScript or JavaScript file whose default export is a scenario \(made by defineScenario\)$/m,
    ],
    ['--processors 4 --scenario econmy/run', /^bourse: unknown scenario "econmy\/run"; did you mean economy\/run\?/],
    ['--scenario=', /^bourse: unknown scenario ""; known/],
    [
      '--tasks 3 bidding/market',
      /^bourse: unexpected argument "bidding\/market": only the scenario may stand here, as the first word$/m,
    ],
    ['--schedules 0', /^bourse: --schedules 0 needs --corpus FOLDER/],
    [
      '--strategy exhaustive --faults lose',
      /^bourse: --faults cannot be combined with --strategy exhaustive: choose another strategy/,
    ],
    ['--strategy exhaustive --seeds 2', /^bourse: --seeds cannot be combined with --strategy exhaustive/],
    ['--strategy exhaustive --parallel 2', /^bourse: --parallel cannot be combined with --strategy exhaustive/],
    ['--livelock 0', /^bourse: --livelock must be an integer/],
    ['--every-order', /^bourse: --every-order needs --strategy exhaustive, not portfolio/],
    ['--schedule 7', /^bourse: --schedule must be a schedule that the explorer printed \(b1:\.\.\.\), not "7"$/m],
    ['--check-determinism', /^bourse: --check-determinism cannot be given/],
    [
      '--tasks 3',
      /^bourse: unknown role "nobody" in --faults "kill any nobody"; known: processor, /,
      ['--faults', 'kill any nobody'],
    ],
    [
      '--tasks 3',
      /^bourse: unknown state of contractor@m1 "vain" in fault "kill @m1 when contractor@m1 enters vain"; .*trading, trading.free, /,
      ['--fault', 'kill @m1 when contractor@m1 enters vain'],
    ],
    ['--seconds 1e7', /^bourse: --seconds must be a number/],
  ] as const) {
    const { code, stderr, stdout } = await explore(line, more)
    assert.is(code, 2, line)
    assert.match(stderr, says)
    assert.is(stderr.trim().split('\n').length, 1)
    assert.is(stdout, '')
  }
})

test('tells how many runs a fault struck', async () => {
  const { stdout } = await explore(`${SMALL} --schedules 40`, ['--faults', 'lose'])
  const [, struck] = stdout.match(/^runs that a fault struck (\d+) of 40$/m) ?? []
  assert.ok(Number(struck) > 0 && Number(struck) < 40, stdout)
  assert.not.match((await explore(`${SMALL} --schedules 5`)).stdout, 'a fault struck')
})

test('varies the workload with the seed of the scenario', async () => {
  // in the order of sending a workload has one outcome; those of six tasks differ between these seeds
  const small = SMALL.replace('--tasks 3', '--tasks 6')
  for (const [seeds, outcomes] of [
    [1, 1],
    [3, 3],
  ]) {
    const { stdout } = await explore(`${small} --schedules 30 --strategy fifo --seeds ${seeds} --json`)
    assert.is(JSON.parse(stdout).results.outcomes, outcomes)
  }
})

test('tells from which step on a failing run fails whatever comes next, and explains its schedule without a search', async () => {
  const adding = 'test/fixtures/adding/adding.ts'
  const { code, stdout } = await explore(`${adding} --schedules 100 --strategy random --first --json`)
  assert.is(code, 1)
  const [found] = JSON.parse(stdout).results.cases
  assert.is(found.inevitable.step, 7)
  assert.ok(found.inevitable.curve.length > 3)
  // the same of the pasted schedule, without a search, with the curve on a page
  const page = join(tmpdir(), `bourse-inevitable-${process.pid}.html`)
  const pasted = await explore(`${adding} --json --schedule ${found.schedule} --report ${page}`)
  const html = readFileSync(page, 'utf8')
  rmSync(page)
  assert.is(pasted.code, 1, pasted.stderr)
  const { inevitable, property, sentences, schedule, command, flags } = JSON.parse(pasted.stdout).results.case
  assert.equal([inevitable, property, sentences], [found.inevitable, found.property, found.sentences])
  assert.equal([schedule, command, flags], [found.schedule, found.command, {}])
  assert.match(html, /<svg[^>]*aria-label="When the failure became inevitable/)
  assert.match(html, '50 of 50 fail after step 7: at 8 register@r handles read from client@c2 (3.0.0)')
})

test('tells no such step with --inevitable 0, after a search or of a pasted schedule', async () => {
  const adding = 'test/fixtures/adding/adding.ts --inevitable 0'
  const found = await explore(`${adding} --schedules 100 --first`)
  const [, schedule] = /--schedule (b1:\S+)/.exec(found.stdout) ?? []
  const pasted = await explore(`${adding} --schedule ${schedule}`)
  for (const { code, stdout, stderr } of [found, pasted]) {
    assert.is(code, 1, stderr)
    assert.match(stdout, /^ {2}what led to it; \* marks what the schedule or a fault decided:$/m)
    assert.not.match(stdout + stderr, /the failure is inevitable|continu/)
  }
})

test('lists every promise that a pasted schedule breaks, and explains the first', async () => {
  const faults = ['pause client@c1 for 20 at 3', 'partition c2 | s at 3 until 60']
  const { options } = leasing.specification(new Map([['fault', faults]]))
  const schedule = printSchedule({ deviations: NO_DEVIATIONS, seed: 1, digest: settingsDigest(options) })
  const given = faults.flatMap((fault) => ['--fault', fault])
  const line = `test/fixtures/leasing/leasing.ts --inevitable 0 --schedule ${schedule}`
  const { code, stdout, stderr } = await explore(line, given)
  assert.is(code, 1, stderr)
  assert.match(
    stdout,
    /^only the holder of the lease writes: client@c1 wrote while client@c2 had the lease\n {2}- pause client@c1 for 20 at 3\n/,
  )
  assert.match(stdout, /^also broken: no client gives up: client@c2 gave up$/m)
  assert.match(stdout, /^FAILED invariants: only the holder of the lease writes; no client gives up$/m)
  // the command in the results repeats the run with its faults
  const { results } = JSON.parse((await explore(`${line} --json`, given)).stdout)
  assert.equal(results.case.flags, { fault: faults })
  assert.ok(results.case.command.endsWith(` --fault '${faults[1]}' --schedule ${schedule}`), results.case.command)
})

test('tells when a promise that broke at a step became inevitable, also if a limit ended the run', async () => {
  const schedule = 'b1:42dd6b96.8516fc744f19:1:1.0.0+3:211609'
  const line = `test/fixtures/leasing/leasing.ts --inevitable 5 --max-rounds 13 --schedule ${schedule}`
  const { stdout } = await explore(line)
  assert.match(stdout, /^also broken: every run comes to rest: it did not end within its limit of 13 rounds/m)
  assert.match(stdout, /^ {2}the failure is inevitable from step 9 on: at 15 client@c2 handles timer work/m)
})

test('explains only a schedule that the explorer printed, and refuses flags of a search beside it', async () => {
  const pasted = 'test/fixtures/adding/adding.ts --schedule'
  const printed = await explore('test/fixtures/adding/adding.ts --schedules 100 --first --inevitable 0 --json')
  const [{ schedule }] = JSON.parse(printed.stdout).results.cases
  for (const [line, says] of [
    [
      `${pasted} ${schedule} --strategy fifo`,
      /^bourse: --strategy cannot be combined with --schedule: it explains one run/,
    ],
    [`${pasted} ${schedule} --schedules 3`, /^bourse: --schedules cannot be combined with --schedule/],
    [`${pasted} 7`, /^bourse: --schedule must be a schedule that the explorer printed \(b1:\.\.\.\), not "7"/],
    [`${pasted} ${schedule} --seed 2`, /^bourse: --schedule .*/],
  ] as const) {
    const { code, stderr } = await explore(line)
    assert.is(code, 2, line)
    assert.match(stderr, says)
    assert.is(stderr.trim().split('\n').length, 1)
  }
})

test('lists in its help no flag that it refuses', async () => {
  const listed = async (name: string) => {
    const { stdout } = await runScenario(name, ['bidding/market', '--help'])
    return [...stdout.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag)
  }
  const [explored, races] = [await listed('lab/explore'), await listed('lab/races')]
  const refused = ['--runtime', '--time', '--scale', '--trace', '--jobs-out', '--check-determinism']
  for (const flag of refused) assert.not.ok(explored.includes(flag) || races.includes(flag), flag)
  assert.not.ok(explored.includes('--schedule'))
  for (const flags of [explored, races])
    for (const flag of ['--tasks', '--fault', '--seed', '--scenario']) assert.ok(flags.includes(flag), flag)
  assert.ok(races.includes('--schedule') && explored.includes('--strategy'))
})

test('stops when its time is up, and says so', async () => {
  const { code, stdout } = await explore(`${SMALL} --schedules 1000000 --seconds 0.001 --json`)
  const { results } = JSON.parse(stdout)
  // a search that ran no schedule to its end has shown nothing
  assert.is(code, results.schedules === 0 ? 1 : 0)
  assert.is(results.outOfTime, true)
  assert.ok(results.schedules < 1_000_000)
})

test('fails if its time is up before any schedule, also with the exhaustive strategy', async () => {
  const { code, stdout } = await explore(`${SMALL} --strategy exhaustive --seconds 0.001 --json`)
  const { results } = JSON.parse(stdout)
  assert.is(code, results.schedules === 0 ? 1 : 0)
  assert.is(results.complete, false)
})

test('names the run that goes on when its time is up', async () => {
  const { code, stdout, stderr } = await runScenario('lab/explore', [
    ...['test/fixtures/storming/storming.ts', '--storm', 'knocks', '--seed', '7', '--seconds', '1'],
    ...['--max-rounds', '100000000', '--livelock', '100000000', '--parallel', '1'],
  ])
  assert.is(code, 1, stderr)
  assert.match(stderr, /^no news for long, and the time is up: /m)
  assert.match(
    stdout,
    /^run 0 had not ended when the time was up; a repetition for 1 second took \d+ steps, up to \d+ units$/m,
  )
  assert.match(stdout, /^ {2}in the last one door@d handled timer knock$/m)
  assert.match(
    stdout,
    /^FAILED search: .*no schedule ran to its end in 1 second, and run 0 went on after \d+ steps: mend it if it never ends, or give --seconds more$/m,
  )
})

test('leaves no process behind when it is interrupted', async () => {
  let sent = false
  const { code, stderr } = await runScenario('lab/explore', ['--tasks', '6', '--schedules', '1000000'], (send) => {
    if (sent) return
    sent = true
    send('SIGINT')
  })
  assert.is(code, 130)
  assert.match(stderr, /interrupted/)
})

for (const [how, strategy] of [
  ['exhaustive', ['--strategy', 'exhaustive', '--schedules', '10000000']],
  ['random', ['--schedules', '10000000', '--parallel', '1']],
] as const) {
  test(`prints a line of progress now and then, and what it has found when it is interrupted (${how})`, async () => {
    let isSent = false
    const args = [...SMALL.split(' '), ...strategy]
    const { code, stdout, stderr } = await runScenario('lab/explore', args, (send, seen) => {
      if (isSent || !/^\d+ % \d+ schedules/m.test(seen)) return
      isSent = true
      send('SIGINT')
    })
    assert.is(code, 130, stderr)
    assert.is(stdout, '')
    assert.match(stderr, /\ninterrupted\nso far: schedules \d+.*, failed \d+\n/)
  })
}

test('prints a failing run while it goes on searching', async () => {
  let isSent = false
  const args = ['test/fixtures/adding/adding.ts', '--schedules', '10000000', '--parallel', '1']
  const { code, stderr } = await runScenario('lab/explore', args, (send, seen) => {
    if (isSent || !/^run \d+ fails\nno addition is lost: .*\n {2}not shrunk; to repeat it:\n/m.test(seen)) return
    isSent = true
    send('SIGINT')
  })
  assert.is(code, 130, stderr)
  assert.match(stderr, /\nso far: schedules \d+ of 10000000, since it was interrupted, /)
})

for (const strategy of ['portfolio', 'exhaustive']) {
  test(`prints the shrunk run if it is interrupted while that run is continued (${strategy})`, async () => {
    let isSent = false
    const search = ['--schedules', '100', '--first', '--strategy', strategy]
    const args = ['test/fixtures/adding/adding.ts', ...search, '--inevitable', '10000']
    const { code, stderr } = await runScenario('lab/explore', args, (send, seen) => {
      if (isSent || !/continuing run \d+: /.test(seen)) return
      isSent = true
      send('SIGINT')
    })
    assert.is(code, 130, stderr)
    const [, told = ''] = stderr.split('\nso far: ')
    assert.match(
      told,
      /^no addition is lost: the register has 1 after 2 additions\n {2}found in run \d+, shrunk in \d+ runs:$/m,
    )
    assert.match(
      told,
      /^ {2}- register@r handles write 2\.0\.1 of client@c1 at 8 instead of 4, after read 3\.0\.0 of client@c2$/m,
    )
    assert.not.match(told, 'not shrunk')
  })
}

test.run()

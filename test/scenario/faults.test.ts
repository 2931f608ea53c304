import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/core/time.ts'
import { UsageError } from '../../lib/core/usage-error.ts'
import {
  type Fault,
  matchingAddresses,
  parseFault,
  parseKill,
  printFault,
  requireKnownActors,
  type When,
} from '../../lib/scenario/faults.ts'

const line = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'no error'
}

test('every form of a fault is read', () => {
  const at = (time: number): When => ({ type: 'at', time: units(time) })
  assert.equal(parseFault('kill contractor@m2 at 500'), { type: 'kill', who: 'contractor@m2', when: at(500) })
  assert.equal(parseFault('kill @m3 after 20 bid'), {
    type: 'kill',
    who: '@m3',
    when: { type: 'after', count: 20, message: 'bid' },
  })
  assert.equal(parseFault('restart client@c1 when @m1 enters trading.busy'), {
    type: 'restart',
    who: 'client@c1',
    when: { type: 'enters', who: '@m1', state: 'trading.busy' },
  })
  assert.equal(parseFault('kill random every 400'), { type: 'kill random', every: units(400) })
  assert.equal(parseFault('kill random every 0.5 until 9'), { type: 'kill random', every: 500_000, until: units(9) })
  assert.equal(parseFault('restart contractor@m2 at 700'), { type: 'restart', who: 'contractor@m2', when: at(700) })
  assert.equal(parseFault('pause client@c1 for 50 at 100'), {
    type: 'pause',
    who: 'client@c1',
    duration: units(50),
    at: units(100),
  })
  assert.equal(parseFault('partition m1,m2 | m3,m4 at 100 until 300'), {
    type: 'partition',
    sides: [
      ['m1', 'm2'],
      ['m3', 'm4'],
    ],
    at: units(100),
    until: units(300),
  })
  assert.equal(parseFault('kill @m1 at 3 losing 2'), { type: 'kill', who: '@m1', when: at(3), loss: { writes: 2 } })
  assert.equal(parseFault('restart a@m1 when a@m1 enters losing losing 100 torn'), {
    type: 'restart',
    who: 'a@m1',
    when: { type: 'enters', who: 'a@m1', state: 'losing' },
    loss: { writes: 100, isTorn: true },
  })
  assert.equal(parseFault('slow m1 | m2,m3 by 2.5 at 10 until 30'), {
    type: 'slow links',
    sides: [['m1'], ['m2', 'm3']],
    by: units(2.5),
    at: units(10),
    until: units(30),
  })
  assert.equal(parseFault('partition m1 | * at 10 until 30'), {
    type: 'partition',
    sides: [['m1'], ['*']],
    at: units(10),
    until: units(30),
  })
  assert.equal(parseFault('slow client@c1 by 2.5 at 10 until 30'), {
    type: 'slow',
    who: 'client@c1',
    by: units(2.5),
    at: units(10),
    until: units(30),
  })
  assert.equal(parseFault('kill a@m1, @m2 after 3 bid'), {
    type: 'kill',
    who: 'a@m1,@m2',
    when: { type: 'after', count: 3, message: 'bid' },
  })
  assert.equal(parseFault('kill a@m1,b@m2 after c@m3 3 bid'), {
    type: 'kill',
    who: 'a@m1,b@m2',
    when: { type: 'after', who: 'c@m3', count: 3, message: 'bid' },
  })
  assert.equal(parseFault('jump m2 by 30 at 100'), { type: 'jump', who: '@m2', by: units(30), at: units(100) })
  assert.equal(parseFault('jump m2 by -0.5 at 1 until 4'), {
    type: 'jump',
    who: '@m2',
    by: units(-0.5),
    at: units(1),
    until: units(4),
  })
})

test('stall and cut are read as pause and partition, which are the printed words', () => {
  for (const [alias, text] of [
    ['stall @m1 for 5 at 3', 'pause @m1 for 5 at 3'],
    ['cut m1 | m2 at 1 until 2', 'partition m1 | m2 at 1 until 2'],
  ] as const) {
    assert.equal(parseFault(alias), parseFault(text))
    assert.is(printFault(parseFault(alias)), text)
    assert.is(printFault(parseFault(text)), text)
  }
})

test('--kill is short for a fault that kills', () => {
  assert.equal(parseKill('@m1 at 3'), parseFault('kill @m1 at 3'))
})

test('a fault is printed in one form, however it was typed', () => {
  assert.is(printFault(parseFault('  cut  m1, m2|m3  at 1.50 until 3e2')), 'partition m1,m2 | m3 at 1.5 until 300')
  assert.is(printFault(parseFault('kill\t@m1   at 0.000001')), 'kill @m1 at 0.000001')
})

const plain = { noNullPrototype: true }
const time = fc.integer({ min: 0, max: 1e15 })
const duration = fc.integer({ min: 1, max: 1e15 })
const name = fc.stringMatching(/^[A-Za-z][\w-]{0,8}$/)
const machine = fc.stringMatching(/^[\w.-]{1,8}$/)
const who = fc.oneof(
  fc.tuple(name, machine).map(([role, place]) => `${role}@${place}`),
  machine.map((place) => `@${place}`),
  fc.uniqueArray(machine, { minLength: 2, maxLength: 3 }).map((places) => places.map((place) => `a@${place}`).join()),
)
const when: fc.Arbitrary<When> = fc.oneof(
  fc.record({ type: fc.constant('at' as const), time }, plain),
  fc.record(
    { type: fc.constant('after' as const), count: fc.integer({ min: 1, max: 999_999_999 }), message: name },
    plain,
  ),
  fc.record(
    { type: fc.constant('after' as const), who, count: fc.integer({ min: 1, max: 999 }), message: name },
    plain,
  ),
  fc.record({ type: fc.constant('enters' as const), who, state: name }, plain),
)
const machines = fc.uniqueArray(machine, { minLength: 2, maxLength: 8 })
const loss = fc.oneof(
  fc.record({ writes: fc.integer({ min: 1, max: 100 }) }, plain),
  fc.record({ writes: fc.integer({ min: 1, max: 100 }), isTorn: fc.constant(true as const) }, plain),
)
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ type: fc.constantFrom('kill' as const, 'restart' as const), who, when }, plain),
  fc.record({ type: fc.constantFrom('kill' as const, 'restart' as const), who, when, loss }, plain),
  fc.tuple(who, duration, fc.integer({ min: 0, max: 1e14 }), duration).map(([actor, by, at, more]): Fault => {
    return { type: 'slow', who: actor, by, at, until: at + Math.min(more, 1e6) }
  }),
  fc.tuple(machine, duration, fc.integer({ min: 0, max: 1e14 })).map(([one, by, at]): Fault => {
    return { type: 'slow links', sides: [[one], ['*']], by, at, until: at + 1 }
  }),
  fc
    .tuple(machine, duration, fc.boolean(), fc.integer({ min: 0, max: 1e14 }), fc.boolean())
    .map(([one, size, isBack, at, ends]): Fault => {
      const jump = { type: 'jump', who: `@${one}`, by: isBack ? -size : size, at } as const
      return ends ? { ...jump, until: at + 1 } : jump
    }),
  fc.record({ type: fc.constant('kill random' as const), every: duration }, plain),
  fc.record({ type: fc.constant('kill random' as const), every: duration, until: time }, plain),
  fc.record({ type: fc.constant('pause' as const), who, duration, at: time }, plain),
  fc.tuple(machines, fc.nat(), time, time).map(([all, split, a, b]): Fault => {
    const middle = 1 + (split % (all.length - 1))
    const at = Math.min(a, b, 1e15 - 1)
    return { type: 'partition', sides: [all.slice(0, middle), all.slice(middle)], at, until: Math.max(a, b, at + 1) }
  }),
)

test('any fault is printed and read back unchanged', () => {
  fc.assert(
    fc.property(fault, (original) => {
      assert.equal(parseFault(printFault(original)), original)
    }),
    { numRuns: 1000 },
  )
})

test('any text is parsed or refused in one line', () => {
  const word = fc.constantFrom(
    'kill',
    'cut',
    'partition',
    'stall',
    'pause',
    'when',
    'enters',
    'random',
    'every',
    'slow',
    'jump',
    'until',
    '-3',
    'by',
    'losing',
    'torn',
    '@m1',
    'a@m1',
    'at',
    'for',
    '3',
    '|',
    'x',
    '',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word, { maxLength: 9 }).map((words) => words.join(' ')),
      ),
      (text) => {
        const said = line(() => parseFault(text))
        return (
          said === 'no error' ||
          /^--fault ".*" (is empty; |begins with |ends after |has |must end before ).+$/.test(said)
        )
      },
    ),
  )
})

test('an error is one line that shows the fault', () => {
  const cases: [text: string, said: string][] = [
    ['kill nobody at 3', 'has "nobody" after "kill"; role@machine, @machine or a list of distinct ones belongs there'],
    [
      'restart random at 3',
      'has "random" after "restart"; role@machine, @machine or a list of distinct ones belongs there',
    ],
    [
      'kill contractor@* at 3',
      'has "contractor@*" after "kill"; role@machine, @machine or a list of distinct ones belongs there',
    ],
    ['', 'is empty; a fault begins with kill, restart, pause, slow, jump or partition'],
    ['murder @m1 at 3', 'begins with "murder"; a fault begins with kill, restart, pause, slow, jump or partition'],
    ['kill @m1', 'ends after "@m1"; "at", "after" or "when" must follow'],
    ['kill @m1 at -3', 'has "-3" after "at"; a time >= 0 in units (at most 1000000000) belongs there'],
    ['kill @m1 at noon', 'has "noon" after "at"; a time >= 0 in units (at most 1000000000) belongs there'],
    ['kill @m1 at 1e10', 'has "1e10" after "at"; a time >= 0 in units (at most 1000000000) belongs there'],
    ['kill @m1 at 3 sharp', 'must end before "sharp"'],
    ['kill @m1 at 3 losing', 'ends after "losing"; a number of writes from 1 to 100 must follow'],
    ['kill @m1 at 3 losing 101', 'has "101" after "losing"; a number of writes from 1 to 100 belongs there'],
    ['restart @m1 at 3 losing 2 twice', 'must end before "twice"'],
    ['slow m1 by 3 at 1 until 2', 'has "by" after "m1"; "|" belongs there'],
    ['slow m1 | m1 by 3 at 1 until 2', 'has "m1" after "|"; a list of distinct machines such as m1,m2 belongs there'],
    ['slow * | m1 by 3 at 1 until 2', 'has "*" after "slow"; a list of distinct machines such as m1,m2 belongs there'],
    [
      'partition * | m1 at 1 until 2',
      'has "*" after "partition"; a list of distinct machines such as m1,m2 belongs there',
    ],
    ['slow @m1 by 0 at 1 until 2', 'has "0" after "by"; a time > 0 in units (at most 1000000000) belongs there'],
    ['slow @m1 by 1 at 2 until 2', 'has "2" after "until"; a time > 2 in units (at most 1000000000) belongs there'],
    ['jump @m1 by 3 at 1', 'has "@m1" after "jump"; a machine such as m1 belongs there'],
    [
      'jump m1 by 0 at 1',
      'has "0" after "by"; a time other than 0 in units (at most 1000000000, ahead or back) belongs there',
    ],
    [
      'jump m1 by --3 at 1',
      'has "--3" after "by"; a time other than 0 in units (at most 1000000000, ahead or back) belongs there',
    ],
    [
      'jump m1 by -1000000000.1 at 1',
      'has "-1000000000.1" after "by"; a time other than 0 in units (at most 1000000000, ahead or back) belongs there',
    ],
    ['jump m1 by 3 at 1 until 1', 'has "1" after "until"; a time > 1 in units (at most 1000000000) belongs there'],
    ['jump m1 by 3 at 1 for 4', 'has "for" after "1"; "until" belongs there'],
    [
      'kill a@m1,a@m1 at 3',
      'has "a@m1,a@m1" after "kill"; role@machine, @machine or a list of distinct ones belongs there',
    ],
    ['kill a@m1,b at 3', 'has "a@m1,b" after "kill"; role@machine, @machine or a list of distinct ones belongs there'],
    ['kill a@m1 after b@m2', 'ends after "b@m2"; a count >= 1 must follow'],
    ['kill @m1 after 0 bid', 'has "0" after "after"; a count >= 1 belongs there'],
    ['kill @m1 after 3', 'ends after "3"; a message type must follow'],
    ['kill @m1 when busy', 'has "busy" after "when"; role@machine, @machine or a list of distinct ones belongs there'],
    ['kill @m1 when @m1 leaves busy', 'ends after "busy"; "enters" must follow'],
    ['kill @m1 when @m1 enters', 'ends after "enters"; a state must follow'],
    ['kill random every 0', 'has "0" after "every"; a time > 0 in units (at most 1000000000) belongs there'],
    ['stall @m1 at 3', 'has "at" after "@m1"; "for" belongs there'],
    ['cut m1,m1 | m2 at 1 until 2', 'has "m1,m1" after "cut"; a list of distinct machines such as m1,m2 belongs there'],
    ['cut m1 | m2,m1 at 1 until 2', 'has "m2,m1" after "|"; a list of distinct machines such as m1,m2 belongs there'],
    ['cut m1, | m2 at 1 until 2', 'has "m1," after "cut"; a list of distinct machines such as m1,m2 belongs there'],
    ['cut m1 m2 at 1 until 2', 'has "m2" after "m1"; "|" belongs there'],
    ['cut m1 | m2 at 5 until 5', 'has "5" after "until"; a time > 5 in units (at most 1000000000) belongs there'],
  ]
  const ofError = (said: string): string => said.replace(/; the forms? .*$/, '')
  for (const [text, said] of cases) assert.is(ofError(line(() => parseFault(text))), `--fault "${text}" ${said}`)
  for (const [text, said] of [
    ['@m1', 'ends after "@m1"; "at", "after" or "when" must follow'],
    ['nobody at 3', 'begins with "nobody"; a kill begins with role@machine, @machine or a list of distinct ones'],
    ['', 'is empty; a kill begins with role@machine, @machine or a list of distinct ones'],
  ] as const)
    assert.is(ofError(line(() => parseKill(text))), `--kill "${text}" ${said}`)
})

test('an error shows the form that was probably meant, whatever the order of the words, and where all forms are', () => {
  for (const [text, form] of [
    ['kill at 5 client@c1', 'kill WHO at T'],
    ['at 5 kill client@c1', 'kill WHO at T'],
    ['after 3 rfb restart @m1', 'restart WHO after N TYPE'],
    ['kill when busy @m1', 'kill WHO when WHO enters STATE'],
    ['kill losing 2 @m1 at 3', 'kill WHO at T losing N [torn]'],
    ['random kill every 5', 'kill random every T [until T]'],
    ['stall for 5 @m1', 'pause WHO for T at T'],
    ['slow by 5 a@m1', 'slow WHO by T at T until T'],
    ['slow m1 m2 by 5', 'slow M,M | M,M by T at T until T'],
    ['jump by 5 m1', 'jump M by T at T [until T]'],
    ['m1 | m2 partition', 'partition M,M | M,M at T until T'],
  ] as const)
    assert.match(
      line(() => parseFault(text)),
      `; the form is "${form}", see "Faults" in scenarios/README.md`,
    )
  assert.match(
    line(() => parseFault('murder @m1')),
    '; the forms are in "Faults" in scenarios/README.md',
  )
  assert.match(
    line(() => parseKill('at 5 @m1')),
    '; the form is "WHO at T", see',
  )
})

test('a machine stands for all its actors, and an address for one', () => {
  const addresses = ['client@c1', 'contractor@m1', 'processor@m1', 'contractor@m10']
  assert.equal(matchingAddresses('@m1', addresses), ['contractor@m1', 'processor@m1'])
  assert.equal(matchingAddresses('contractor@m10', addresses), ['contractor@m10'])
  assert.equal(matchingAddresses('@m2', addresses), [])
  assert.equal(matchingAddresses('@m1,client@c1,@m2', addresses), ['client@c1', 'contractor@m1', 'processor@m1'])
})

test('a fault for an actor or machine that the run lacks is refused', () => {
  const addresses = ['client@c1', 'contractor@m1']
  for (const text of ['kill @m1 at 3', 'kill random every 3', 'cut c1 | m1 at 1 until 2'])
    requireKnownActors(parseFault(text), addresses, '--fault')
  assert.is(
    line(() => requireKnownActors(parseFault('kill contractor@m9 at 3'), addresses, '--fault')),
    'unknown actor or machine "contractor@m9" in --fault "kill contractor@m9 at 3"; known: client@c1, contractor@m1',
  )
  assert.match(
    line(() => requireKnownActors(parseFault('kill @m1 when a@m8 enters x'), addresses, '--fault')),
    'unknown actor or machine "a@m8"',
  )
  assert.match(
    line(() => requireKnownActors(parseFault('kill @m1,client@c7 at 3'), addresses, '--fault')),
    'unknown actor or machine "client@c7"',
  )
  assert.match(
    line(() => requireKnownActors(parseFault('kill @m1 after client@c7 3 bid'), addresses, '--fault')),
    'unknown actor or machine "client@c7"',
  )
  assert.match(
    line(() => requireKnownActors(parseFault('cut c1 | m7 at 1.0 until 2'), addresses, '--fault')),
    'unknown actor or machine "@m7" in --fault "cut c1 | m7 at 1.0 until 2"; known: ',
  )
  assert.match(
    line(() => requireKnownActors(parseKill('@m9 at 3.0'), addresses, '--kill')),
    'unknown actor or machine "@m9" in --kill "@m9 at 3.0"; known: ',
  )
  assert.match(
    line(() => requireKnownActors({ type: 'pause', who: '@m9', duration: 1e6, at: 0 }, addresses, 'fault')),
    'unknown actor or machine "@m9" in fault "pause @m9 for 1 at 0"; known: ',
  )
})

test.run()

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { both, does, errorOf, factsOf, later, note, notesOf, spawnPuppets, tellTo } from './harness.ts'

const QUESTION = { type: 'question', n: 21 } as const
const soon = { deadline: units(5) }

both('an ask gets the answer that its message caused, before the first run and between runs', async (system) => {
  await spawnPuppets(system, 'r@m9')
  assert.is((await system.ask('r@m9', QUESTION, soon))['n'], 42)
  await system.run()
  assert.is((await system.ask('r@m9', { type: 'question', n: 4 }, soon))['n'], 8)
  assert.is(system.now, 0)
})

both('asks during a run get their answers, each its own', async (system) => {
  await spawnPuppets(system, 'r@m9', 's@m8')
  await system.tell('s@m8', does(later(units(1), { type: 'note', n: 1 })))
  const answers: Promise<unknown>[] = []
  system.at(0, async () => {
    for (let n = 0; n < 10; n++) answers.push(system.ask(n % 2 ? 'r@m9' : 's@m8', { type: 'question', n }, soon))
  })
  await system.run()
  const got = await Promise.all(answers)
  assert.equal(
    got,
    Array.from({ length: 10 }, (_, n) => ({ type: 'answer', n: 2 * n })),
  )
})

both('simultaneous asks between runs each get their own answer, also if a run begins before them', async (system) => {
  await spawnPuppets(system, 'r@m9', 's@m8')
  const asks = () => ['r@m9', 's@m8'].map((who) => system.ask(who, QUESTION, soon))
  const late = errorOf(system.ask('r@m9', { type: 'note', n: 1 }, soon))
  assert.equal(
    (await Promise.all(asks())).map(({ n }) => n),
    [42, 42],
  )
  assert.match((await late).message, 'within 5 units')
  const [answers, end] = [asks(), await system.run()]
  assert.is(end.ended, 'idle')
  assert.equal(
    (await Promise.all(answers)).map(({ n }) => n),
    [42, 42],
  )
  system.onDeath(() => answers.push(system.ask('s@m8', { type: 'question', n: 1 }, soon)))
  await system.kill('r@m9')
  await system.run()
  assert.is((await answers[2])?.['n'], 2)
})

both('an ask whose deadline passes fails and says what it waited for', async (system) => {
  await spawnPuppets(system, 'r@m9')
  const error = await errorOf(system.ask('r@m9', { type: 'note', n: 1 }, soon))
  assert.is(error.name, 'AskTimeout')
  assert.is(error.message, "no answer from r@m9 to 'note' within 5 units")
  assert.is(system.now, units(5))
})

both('an answer that comes after the deadline is a dead letter', async (system) => {
  await spawnPuppets(system, 'r@m9')
  system.at(0, () => system.pause('r@m9', units(7)))
  await errorOf(system.ask('r@m9', QUESTION, soon))
  await system.run()
  assert.is(system.now, units(7))
  assert.equal([...system.deadLetters], [['the answer came too late', 1]])
})

both('an ask to a dead actor fails at its deadline, and its question is a dead letter', async (system) => {
  await spawnPuppets(system, 'r@m9')
  await system.run()
  await system.kill('r@m9')
  assert.is((await errorOf(system.ask('r@m9', QUESTION, soon))).name, 'AskTimeout')
  assert.equal([...system.deadLetters], [['the recipient is dead', 1]])
})

both('an ask that cannot be sent fails at once and runs nothing', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'r@m9')
  assert.match(
    (await errorOf(system.ask('nobody@m9', QUESTION, soon))).message,
    /^no actor has the address 'nobody@m9'/,
  )
  assert.equal(facts, [])
  await system.run()
  assert.is(facts.length, 1)
})

both(
  'an ask does not wait for ever when the run ends at its limit of rounds',
  async (system) => {
    await spawnPuppets(system, 'r@m9', 's@m8')
    await system.tell('r@m9', does(note('s@m8', 1)))
    await system.run()
    // Uses up the rounds of the run before the deadline can pass.
    const once = does(tellTo('s@m8', does(note('r@m9', 2))))
    await system.tell('r@m9', does(tellTo('s@m8', does(tellTo('r@m9', once)))))
    const error = await errorOf(system.ask('s@m8', { type: 'note', n: 2 }, soon))
    assert.is(error.name, 'AskTimeout')
    assert.match(error.message, 'rounds')
  },
  { rounds: 3 },
)

both('an ask is refused with the rest when the system stops', async (system) => {
  await spawnPuppets(system, 'r@m9')
  const answer = errorOf(system.ask('r@m9', { type: 'note', n: 1 }, { deadline: units(1e6) }))
  system.at(0, async () => {
    void system.stop()
  })
  assert.match((await answer).message, 'stopped')
})

both('a message to the system that answers no ask is a dead letter', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'r@m9')
  await system.tell('r@m9', does(later(units(1), does(tellTo('system', { type: 'hello' })))))
  await system.run()
  assert.equal(notesOf(facts), [])
  assert.equal([...system.deadLetters], [['the answer came too late', 1]])
})

both('an ask that no transition of the actor handles fails with an error that says so', async (system) => {
  await spawnPuppets(system, 'r@m9')
  const { message } = await errorOf(system.ask('r@m9', { type: 'qestion', n: 21 }, soon))
  assert.match(message, /no answer from r@m9 to 'qestion'.*: no transition of its machine \(.*puppet\.ts\) handles it$/)
  const { message: other } = await errorOf(system.ask('r@m9', { type: 'note', n: 1 }, soon))
  assert.not.match(other, 'no transition')
})

test.run()

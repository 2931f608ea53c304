/**
 * Dialogues of one actor with partners that puppets play. A file of dialogues has what the partners say, and indented
 * below each line what happens to the actor then: its timers that fire, and its messages, facts and records, in the order of
 * its trace.
 *
 * With `BOURSE_DIALOGUES=write` the tests write what actors do into the files, to be read before it is committed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Address, type Message, type Plain, type Time, units } from '../../lib/actor.ts'
import { isMessage, isObject } from '../../lib/core/data.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { fixture, linesOf, withSystem } from './harness.ts'

/** An actor, and what it may be spawned with, by name. */
export interface Cast {
  readonly actor: Address
  readonly module: URL
  readonly inputs: Readonly<Record<string, Plain>>
  /** Names for values that messages often have, such as a whole task. */
  readonly names?: Readonly<Record<string, Plain>>
}

// --- the notation -----------------------------------------------------------------------------------------------------

/** A field or message as words: `arrive job: 1, attempt: 1`. A rectangle is `row,column rowsxcolumns`. */
function worded(value: Plain | undefined): string {
  if (Array.isArray(value)) return `[${value.map(worded).join(', ')}]`
  if (!isObject(value)) return String(value)
  const { row, column, rows, columns, ...others } = value
  if (rows !== undefined) return `${row},${column} ${rows}x${columns}`
  const fields = Object.entries(row === undefined ? others : { row, column, ...others })
  return `{${fields.map(([key, field]) => `${key}: ${worded(field)}`).join(', ')}}`
}

const messageWorded = ({ type, ...fields }: Message): string => `${type} ${worded(fields).slice(1, -1)}`.trim()

const WORDS = /(?<row>\d+),(?<column>\d+) (?<rows>\d+)x(?<columns>\d+)|[A-Za-z][\w@.-]*/g

/** The reverse of `messageWorded`. */
function messageIn(text: string): Message {
  const [type = ''] = text.split(' ', 1)
  const fields = text
    .slice(type.length)
    .replaceAll(WORDS, (word, row, column, rows, columns) =>
      row === undefined
        ? /^(null|true|false)$/.test(word)
          ? word
          : JSON.stringify(word)
        : JSON.stringify({ row: +row, column: +column, rows: +rows, columns: +columns }),
    )
  const message: unknown = JSON.parse(`{"type": "${type}"${fields.trim() === '' ? '' : `, ${fields}`}}`)
  assert.ok(isMessage(message), text)
  return message
}

// --- playing ----------------------------------------------------------------------------------------------------------

function doing({ t, to, message, fact, record, event }: Line): string {
  const what = { send: message, fact, persist: record, timer: event }[t]
  const words = isMessage(what) ? messageWorded(what) : worded(record)
  return `  ${t === 'send' ? `to ${to}` : t}: ${words}`
}

const PARTNER = fixture('partner.ts')

/** Plays the lines of the partners, and returns them with what the actor does. */
async function played(said: readonly string[], { actor, module, inputs, names = {} }: Cast): Promise<string[]> {
  const values = Object.entries(names).map(([name, value]) => ({ name, words: worded(value) }))
  const named = (text: string) => values.reduce((all, { name, words }) => all.replaceAll(words, name), text)
  const unnamed = (text: string) =>
    values.reduce((all, { name, words }) => all.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), words), text)
  const [opening = '', ...acts] = said
  const [, name = ''] = /^with (.*)$/.exec(opening) ?? []
  assert.ok(name in inputs, `${opening}: the first line of a dialogue is "with" and one of ${Object.keys(inputs)}`)
  return withSystem({ runtime: 'inline', trace: true }, async (system) => {
    const addresses = `${JSON.stringify([inputs[name], names])} ${acts.join(' ')}`.match(/[\w-]+@[\w-]+/g) ?? []
    for (const partner of new Set(addresses)) if (partner !== actor) await system.spawn(partner, PARTNER)
    const lines = linesOf(system, 'send', 'fact', 'persist', 'timer')
    const text: string[] = []
    let told = 0
    const settled = async (act: string, time: Time) => {
      await system.run({ until: system.now + time })
      const news = lines.slice(told).filter(({ from, who }) => from === actor || who === actor)
      told = lines.length
      text.push(act, ...news.map((line) => named(doing(line))))
    }
    // while a dialogue is written, `change: last` stands for the number of the last order to this partner
    const lastChangeTo = (partner: string): string => {
      const orders = lines.flatMap(({ t, from, to, message }) =>
        t === 'send' && from === actor && to === partner && isMessage(message) ? [message['change']] : [],
      )
      return String(orders.findLast((change) => change !== undefined))
    }
    await system.spawn(actor, module, inputs[name])
    await settled(opening, 0)
    for (const line of acts) {
      const act = line.replaceAll(/\blast\b/g, () => lastChangeTo(line.split(':', 1)[0] ?? ''))
      const [, verb = '', what = ''] = /^(\S+) (.*)$/.exec(act) ?? []
      if (verb === 'restart') await system.restart(what)
      else if (verb === 'kill') await system.kill(what)
      else if (verb !== 'wait')
        await system.tell(verb.slice(0, -1), { type: 'say', to: actor, message: messageIn(unnamed(what)) })
      await settled(act, verb === 'wait' ? units(Number(what)) : 0)
    }
    return text
  })
}

/** Declares a test for each dialogue of a file. A dialogue begins with a line `== title`; lines before the first are a comment. */
export function dialoguesIn(file: URL, cast: Cast): void {
  const [comment = '', ...dialogues] = readFileSync(file, 'utf8').split(/^(?=== )/m)
  const written: string[] = [comment]
  for (const dialogue of dialogues) {
    const [title = '', ...lines] = dialogue.trimEnd().split('\n')
    test(title.slice(3), async () => {
      const said = lines.filter((line) => !line.startsWith(' '))
      const now = await played(said, cast)
      written.push(`${[title, ...now].join('\n')}\n\n`)
      if (process.env['BOURSE_DIALOGUES'] === 'write') writeFileSync(file, `${written.join('').trimEnd()}\n`)
      else assert.is(now.join('\n'), lines.join('\n'))
    })
  }
}

/** The demonstration of `npm start`, here in virtual time: its text tells what was measured, by the names of its page. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isMessage } from '../../lib/core/data.ts'
import { figure } from '../../lib/core/table.ts'
import { units } from '../../lib/core/time.ts'
import type { ShownAs } from '../../lib/scenario/command.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { type PageReader, textOf } from '../../lib/scenario/page.ts'
import { demonstrate } from '../../scenarios/bidding/demonstration.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'

/** The delay of the faults in this run, as if the machine were slow. */
const LATE = 2

function later(fault: Fault): Fault {
  if ((fault.type !== 'kill' && fault.type !== 'restart') || fault.when.type !== 'at') return fault
  return { ...fault, when: { type: 'at', time: fault.when.time + units(LATE) } }
}

test('the text of the demonstration has the measured times of the death, and the wasted work of the page', async () => {
  let page: PageReader | undefined
  const { results, tables, exhibits } = await demonstrate({
    options: { seed: 1, report: undefined },
    note: () => {},
    progress: () => {},
    onSystem: (_, shown?: ShownAs) => {
      page ??= shown?.page?.()
    },
    run: (market, { time: _, scale: __, ...options }, faults = [], hooks = {}) =>
      biddingMarket.run(market, { ...options, runtime: 'inline' }, faults.map(later), {
        ...hooks,
        onSystem: (system, shown) => {
          hooks.onSystem?.(system, shown)
          // the page is that of the run with a death
          if (faults.length === 0) return
          system.onFact((fact, { who, at }) => isMessage(fact) && page?.fold?.(fact, who, at))
          system.onDeath(({ address, at }) => page?.died?.(address, at))
        },
      }),
  })
  const text = (tables?.[0]?.notes ?? []).join('\n')
  const { killed, restarted, wastedWork } = Object(results['live'])
  assert.match(
    text,
    `m1, killed at ${figure(killed)}, was dead from ${figure(killed + LATE)} to ${figure(restarted + LATE)}.`,
  )
  assert.match(text, `The wasted work was ${figure(wastedWork)} units`)
  const [cost = '', row = ''] = (exhibits?.lead ?? []).map(textOf)
  const [mean, without] = [page, { tiles: () => exhibits?.withoutFaults ?? [] }].map((one) =>
    figure(Number(one?.tiles?.(0).find(({ label }) => label === 'mean flow time of all tasks')?.value)),
  )
  assert.is.not(mean, without)
  assert.is(
    cost,
    `The death of m1 cost time: the mean flow time of all tasks was ${mean} units, and without it ${without} units.`,
  )
  assert.match(text, `without the death of m1 it is ${without} units.`)
  assert.match(row, /^In virtual time, a row of Table 1 of .* agrees with the paper's [\d.]+ ± [\d.]+\.$/)
  const wasted = page?.tiles?.(0).find(({ label }) => label === 'wasted work')
  assert.is(figure(Number(wasted?.value)), figure(wastedWork))
  assert.ok(tables?.[0]?.columns.some(({ name }) => name === 'wasted processor time'))
})

test.run()

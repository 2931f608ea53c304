/** The controls of a live page: faults by hand, which kill or restart an actor or partition two machines. */
import type { LiveStatus } from '../live-messages.ts'
import { button, el } from './dom.ts'

export interface Controls {
  readonly element: HTMLElement
  show(status: LiveStatus): void
  /** Suggests the actor that the reader has selected. */
  suggest(who: string): void
  /** Disables the controls, since the run is over. */
  over(): void
}

/** The default duration of a partition, in units. */
const PARTITION_FOR = 100

export function controls(): Controls {
  const who = el('select', { id: 'who', 'aria-label': 'Actor, or all actors of a machine' })
  const [one, other] = [
    el('select', { id: 'one', 'aria-label': 'Machine on one side of the partition' }),
    el('select', { id: 'other', 'aria-label': 'Machine on the other side of the partition' }),
  ]
  const duration = el('input', {
    type: 'number',
    min: 1,
    value: PARTITION_FOR,
    id: 'for',
    'aria-label': 'Units that it lasts',
  })
  const answer = el('p', { role: 'status', id: 'reply' })
  const done = el('ol', { id: 'faults', 'aria-label': 'Faults so far' })
  const dead = el('p', { id: 'dead' })
  const act = async (asked: object): Promise<void> => {
    answer.className = ''
    answer.textContent = '…'
    const { text, isDone } = await askFor(asked)
    answer.className = isDone ? 'good' : 'bad'
    answer.textContent = text
  }
  const fields = el(
    'fieldset',
    {},
    el('legend', {}, 'Interfere'),
    el(
      'div',
      { class: 'tools' },
      who,
      button('Kill', () => act({ type: 'kill', who: who.value }), { id: 'kill' }),
      button('Restart', () => act({ type: 'restart', who: who.value }), { id: 'restart' }),
    ),
    el(
      'div',
      { class: 'tools' },
      el('label', {}, 'all mail between ', one),
      el('label', {}, 'and ', other),
      el('label', {}, 'for ', duration, ' units'),
      button(
        'Partition',
        () => act({ type: 'partition', one: one.value, other: other.value, for: Number(duration.value) }),
        { id: 'partition' },
      ),
    ),
    answer,
  )
  let known = 0
  return {
    element: el(
      'section',
      { class: 'controls', 'aria-label': 'Faults by hand' },
      fields,
      el('div', {}, dead, el('h4', {}, 'Faults so far'), done),
      el(
        'p',
        { class: 'faint' },
        'A fault by hand counts like a planned one: the trace records it, so the run can be replayed, and at its end the command prints the --fault flags that do the same. The pictures follow the run as long as their right end is visible.',
      ),
    ),
    show({ actors, dead: gone, faults }) {
      if (actors.length > known) {
        known = actors.length
        const machines = [...new Set(actors.map((actor) => actor.slice(actor.indexOf('@') + 1)))]
        fill(who, [...actors, ...machines.map((machine) => `@${machine}`)])
        fill(one, machines)
        fill(other, machines)
        if (other.value === one.value) other.selectedIndex = 1
      }
      const text = gone.length > 0 ? `dead: ${gone.join(', ')}` : 'all are alive'
      if (dead.textContent !== text) dead.textContent = text
      for (const fault of faults.slice(done.children.length)) done.append(el('li', {}, fault))
    },
    suggest(actor) {
      if ([...who.options].some(({ value }) => value === actor)) who.value = actor
    },
    over() {
      fields.disabled = true
    },
  }
}

function fill(select: HTMLSelectElement, values: readonly string[]): void {
  const { value } = select
  select.replaceChildren(...values.map((one) => el('option', {}, one)))
  if (values.includes(value)) select.value = value
}

async function askFor(asked: object): Promise<{ readonly text: string; readonly isDone: boolean }> {
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch('faults', { method: 'POST', headers, body: JSON.stringify(asked) })
    const { done, error } = await response.json()
    return { text: String(response.ok ? done : error), isDone: response.ok }
  } catch {
    return { text: 'no answer: the run may be over', isDone: false }
  }
}

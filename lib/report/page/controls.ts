/** The controls of a live page: faults by hand, which kill, restart or pause actors, or partition two machines. */
import type { LiveStatus } from '../live-messages.ts'
import { actorTables, type Reply } from './actors.ts'
import { button, el } from './dom.ts'

export interface Controls {
  readonly element: HTMLElement
  show(status: LiveStatus): void
  /** Marks the actor that the reader has selected. */
  mark(who: string): void
  /** Disables the controls, since the run is over. */
  over(): void
}

/** The default duration of a pause and of a partition, in units. */
const LASTS = 100

export function controls(): Controls {
  const [one, other] = [
    el('select', { id: 'one', 'aria-label': 'Machine on one side of the partition' }),
    el('select', { id: 'other', 'aria-label': 'Machine on the other side of the partition' }),
  ]
  const duration = el('input', {
    type: 'number',
    min: 1,
    value: LASTS,
    id: 'for',
    'aria-label': 'How long pauses and partitions last, in units',
  })
  const answer = el('p', { role: 'status', id: 'reply' })
  const done = el('ol', { id: 'faults', 'aria-label': 'Faults so far' })
  const none = el('p', { class: 'faint' }, 'none')
  const say = ({ text, isDone }: Reply): void => {
    answer.className = isDone === null ? '' : isDone ? 'good' : 'bad'
    answer.textContent = text
  }
  const act = async (asked: object, who: string): Promise<void> => {
    const reply = (text: string, isDone: boolean | null): void => {
      say({ who, text, isDone })
      tables.reply({ who, text, isDone })
    }
    reply('…', null)
    const { text, isDone } = await askFor(asked)
    reply(text, isDone)
  }
  const lasts = (): number => Number(duration.value)
  const tables = actorTables((type, who) => act({ type, who, ...(type === 'pause' && { for: lasts() }) }, who))
  const fields = el(
    'fieldset',
    {},
    el('legend', {}, 'Faults by hand'),
    el('p', {}, el('label', {}, 'Pauses and partitions last ', duration, ' units.')),
    el(
      'div',
      { class: 'tools' },
      el('label', {}, 'all mail between ', one),
      el('label', {}, 'and ', other),
      button('Partition', () => act({ type: 'partition', one: one.value, other: other.value, for: lasts() }, ''), {
        id: 'partition',
      }),
    ),
    answer,
  )
  let known = ''
  return {
    element: el(
      'div',
      {},
      tables.element,
      el(
        'section',
        { class: 'controls', 'aria-label': 'Faults by hand' },
        fields,
        el('div', {}, el('h3', {}, 'Faults so far'), none, done),
        el(
          'p',
          { class: 'faint' },
          'A fault by hand counts like a planned one: the trace records it, so the run can be replayed, and at its end the command prints the --fault flags that do the same.',
        ),
      ),
    ),
    show({ actors, omitted, totals, machines, faults }) {
      if (machines.join() !== known) {
        known = machines.join()
        fill(one, machines)
        fill(other, machines)
        if (other.value === one.value) other.selectedIndex = 1
      }
      tables.show(actors, omitted, totals.ended)
      none.hidden = faults.length > 0
      for (const fault of faults.slice(done.children.length)) done.append(el('li', {}, fault))
    },
    mark: (who) => tables.mark(who),
    over() {
      fields.disabled = true
      tables.over()
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

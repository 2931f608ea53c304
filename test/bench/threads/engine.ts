/** Events through one of lib's engines, or through XState's own actor. */
import { createActor } from 'xstate'
import type { EngineName } from '../../../lib/engine/engine.ts'
import { engineFor } from '../../../lib/engine/select.ts'
import { inStep } from '../../engine/in-step.ts'
import shop from '../actors/shop.ts'
import type { Player } from '../thread.ts'

export type EngineSeat = EngineName | 'actor'
export interface EngineOrder {
  readonly events: number
}

/** A clock whose timers never fire. */
const clock = { setTimeout: () => 0, clearTimeout: () => {} }

function events(seat: EngineSeat): (i: number) => void {
  if (seat !== 'actor') {
    const engine = engineFor(seat, shop, 'shop')
    let [state] = engine.initial(null)
    return (i) => {
      const event = { type: 'next', price: i & 15 }
      ;[state] = engine.step(state, event)
    }
  }
  const actor = createActor(shop, { clock, input: null })
  actor.start()
  return (i) => actor.send({ type: 'next', price: i & 15 })
}

export default function engine(seat: EngineSeat): Player<EngineOrder> {
  const handle = events(seat)
  return ({ events }, ready) => {
    ready()
    inStep(() => {
      for (let i = 0; i < events; i++) handle(i)
    })
  }
}

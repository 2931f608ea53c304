/**
 * Jobs on a ring that know only their own cells and their two neighbours. Each carries out its orders, and decides at a
 * tick. The test answers for free cells.
 */

import * as assert from 'uvu/assert'
import {
  exchange,
  gained,
  given,
  type Links,
  linksOf,
  type Order,
  type Owner,
  partitionOf,
  type Step,
  shifted,
  sizeOf,
} from '../../actors/mesh/fold/fold.ts'
import type { Report } from '../../actors/mesh/fold/recovery.ts'
import type { Size } from '../../actors/mesh/messages.ts'
import { type Rectangle, textOf } from '../../actors/mesh/rectangle.ts'

type Known = Links & { readonly cells: readonly Rectangle[] }

/** The taker and the giver of a cell; null for a free cell. */
export type Taken = { readonly by: Owner; readonly from: Owner }

export class RingOfJobs {
  #jobs = new Map<Owner, Known>()

  /** Carries out steps one after the other. Returns the exchanges of each tick. */
  run(steps: readonly Step[]): readonly (readonly Taken[])[] {
    return steps.flatMap((step) => {
      const departed = [...this.#jobs].filter(([job]) => job !== null && !linksOf(step.fold).has(job))
      for (const [job, known] of departed) {
        this.#jobs.delete(job)
        const links = linksOf(step.fold).get(null)
        if (links) this.#jobs.set(null, { ...known, ...links })
      }
      const ticked = step.orders.filter(({ type }) => type === 'tick')
      for (const order of step.orders) this.#obey(order)
      this.#shift(step.orders.filter(({ type }) => type === 'shift').map(({ job }) => job))
      return ticked.length > 0 ? [this.#tick(new Set(ticked.map(({ job }) => job)))] : []
    })
  }

  /** The reports that jobs would send to the allocator. */
  get reports(): readonly Report[] {
    return [...this.#jobs].flatMap(([job, { cells, next }]) => (job === null ? [] : [{ job, cells, next }]))
  }

  /** Every job and every free partition, as `job size rectangle`. */
  get texts(): readonly string[] {
    return [...this.#jobs].map(([job, { cells }]) => `${job} ${this.#size(job)} ${textOf(partitionOf(cells))}`).sort()
  }

  get links(): ReadonlyMap<Owner, Links> {
    return new Map([...this.#jobs].map(([job, { prev, next }]) => [job, { prev, next }]))
  }

  #known(job: Owner): Known {
    const known = this.#jobs.get(job)
    assert.ok(known, `${job} is there`)
    return known
  }

  #size(job: Owner): Size {
    return job === null ? 'free' : sizeOf(this.#known(job).cells)
  }

  #obey(order: Order): void {
    const { job } = order
    switch (order.type) {
      case 'start':
        assert.equal(this.#jobs.get(null)?.cells ?? order.cells, order.cells, 'a new job gets the free cells')
        this.#jobs.delete(null)
        this.#jobs.set(job, { cells: order.cells, prev: order.prev, next: order.next })
        break
      case 'link': {
        const before = textOf(partitionOf(this.#known(job).cells))
        assert.is(textOf(partitionOf(order.cells)), before, 'no thread moves')
        this.#jobs.set(job, { cells: order.cells, prev: order.prev, next: order.next })
        break
      }
      case 'split': {
        const { cells, prev, next } = this.#known(job)
        this.#jobs.set(job, { cells: cells.slice(0, 1), prev, next: order.newcomer })
        this.#jobs.set(null, { cells: cells.slice(1), prev: job, next })
        break
      }
      case 'tick':
      case 'shift':
      case 'vacate':
        break
    }
  }

  /** Lets all jobs exchange at once, from the cells that each had before. */
  #tick(ticked: ReadonlySet<Owner>): readonly Taken[] {
    const before = new Map(this.#jobs)
    const decisions = new Map(
      [...before]
        .filter(([job]) => job === null || ticked.has(job))
        .map(([job, { prev, next }]) => [job, exchange(this.#size(job), this.#size(prev), this.#size(next))]),
    )
    const taken: Taken[] = []
    for (const [job, decision] of decisions) {
      const own = this.#known(job)
      if (decision === 'gain') {
        const [cell] = before.get(own.next)?.cells ?? []
        assert.is(decisions.get(own.next), 'give', `${own.next} agrees with ${job}`)
        assert.ok(cell)
        this.#jobs.set(job, { ...own, cells: gained(own.cells, cell) })
        taken.push({ by: job, from: own.next })
      } else if (decision === 'give') {
        assert.is(decisions.get(own.prev), 'gain', `${own.prev} agrees with ${job}`)
        const cells = given(own.cells)
        if (cells.length > 0) this.#jobs.set(job, { ...own, cells })
        else this.#jobs.delete(job)
      }
    }
    return taken
  }

  #shift(jobs: readonly Owner[]): void {
    const before = new Map(this.#jobs)
    for (const job of jobs) {
      const own = this.#known(job)
      const cell = before.get(own.prev)?.cells.at(-1)
      assert.ok(cell)
      this.#jobs.set(job, { ...own, cells: shifted(cell, own.cells) })
    }
  }
}

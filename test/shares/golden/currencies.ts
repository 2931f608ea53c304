/** Base values worked out by hand. */

/** A user of 100 base tickets whose two jobs hold 300 and 100 of hers. */
export const TWO_JOBS = { funding: 100, held: [300, 100], values: [75, 25] } as const

/** Users alice and bob back a project between them; the project and both users have jobs. */
export const PROJECT = {
  funding: { alice: 200, bob: 100 },
  backing: [
    { holder: 'proj', currency: 'alice', amount: 300 },
    { holder: 'proj', currency: 'bob', amount: 10 },
  ],
  jobs: [
    { job: 'a1', currency: 'alice', amount: 100, value: 50 },
    { job: 'b1', currency: 'bob', amount: 30, value: 75 },
    { job: 'p1', currency: 'proj', amount: 2, value: 50 },
    { job: 'p2', currency: 'proj', amount: 5, value: 125 },
  ],
  values: { alice: 200, bob: 100, proj: 175 },
} as const

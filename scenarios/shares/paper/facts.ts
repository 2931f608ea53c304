/** The statements of Arpaci-Dusseau & Culler 1997 that can be checked, and their verdicts. */

export interface Fact {
  readonly id: string
  readonly where: string
  /** The paper's statement, in our words. */
  readonly says: string
  readonly verdict: 'exact' | 'confirmed' | 'in part' | 'refuted' | 'not tried'
  /** The correction, if the statement does not hold as a whole. */
  readonly but?: string
}

const fact = (id: string, where: string, says: string, verdict: Fact['verdict'], but?: string): Fact =>
  but === undefined ? { id, where, says, verdict } : { id, where, says, verdict, but }

export const FACTS: readonly Fact[] = [
  fact('P1', 'figure 1', 'tickets 1:2:3 are served by least pass', 'exact', 'ties and the first pass are our choice'),
  fact('P2', 'section 2.2', 'a user of 100 who issues 300 and 100 gives 75 and 25', 'exact'),
  fact(
    'P3',
    'figure 2',
    'of 18 quanta each client has 6; a client that declines to borrow has 1 of every 3',
    'exact',
    'of blocks of three, not of any three in a row; only S = C = 6 gives whole quanta in both halves',
  ),
  fact(
    'P4',
    'section 3.2.2',
    'the credit for a sleep is tTS / (CT - (S + C)t), with C = S tT / (T - 2t)',
    'exact',
    'infinite at C = St / (T - t), so for two equal clients with C = S; the paper gives no domain',
  ),
  fact('P5', 'figure 3', 'ideally it is fair to a sleeper of up to 80 %, then (S / R) / 4', 'exact'),
  fact('P6', 'figure 3', 'without credit it grows from 1 on', 'exact', 'stride scheduling is within 0.01 of the line'),
  fact(
    'P7',
    'figure 3',
    'loans and system credit are both close to 1',
    'in part',
    'with C = S the share is at most 2t / T, so the knee is at 71 %; irregularities only with bursts of a few quanta',
  ),
  fact('P8', 'figures 4, 5', 'told of each other, nodes give A a fifth of each and B to E four fifths', 'exact'),
  fact(
    'P9',
    'figure 6',
    'placing by tickets gives the job 3/5, by load 1/2',
    'exact',
    'with nodes 1 and 2 as we chose them',
  ),
  fact(
    'P10',
    'figure 7',
    'a greedy user gains at first and loses when another user comes',
    'confirmed',
    'on an instance of ours: the figure has no numbers in the text',
  ),
  fact(
    'P11',
    'figure 10',
    'a parallel job has the same share whether or not its other nodes are as loaded as the worst',
    'in part',
    'true for fluid shares; by quanta it loses 11 % more if all are as loaded',
  ),
  fact(
    'P12',
    'figure 11',
    'A gains on node 1 by another job on the node where a parallel job is slowest',
    'confirmed',
    'on an instance of ours',
  ),
  fact(
    'P13',
    'section 5.2',
    'tickets 1:2:3 with barriers every 10 ms give 1 : 1.8 : 2.7',
    'confirmed',
    'the spin time is not given',
  ),
  fact(
    'P14',
    'section 5.2',
    'basic stride scheduling loses much throughput',
    'in part',
    'with two-phase waiting and barriers every 5 ms or less; at 10 ms the ratio suffers more',
  ),
  fact(
    'P15',
    'section 5.2',
    'longer quanta do not remove the inefficiency',
    'refuted',
    'the slowdown falls from 1.11 to 1.02 as the quantum grows from 5 to 100 ms',
  ),
  fact(
    'P16',
    'figure 8',
    'time-sharing of Solaris is slightly better than stride with credit',
    'not tried',
    'its dispatch table is not in the paper',
  ),
]

/** The paper's statements and their verdicts, one per line. */
export const verdicts = (...ids: readonly string[]): string[] =>
  FACTS.filter(({ id }) => ids.includes(id)).map(
    ({ where, says, verdict, but }) =>
      `The paper, ${where}: ${says}: ${verdict}${but === undefined ? '' : `; ${but}`}.`,
  )

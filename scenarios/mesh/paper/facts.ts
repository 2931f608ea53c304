/** The statements of McCann 1994 that can be checked, and our verdicts. Our copy of the text has no figures. */
import { type Fact, fact } from '../../../lib/experiment/claim.ts'
import { type Numbers, verdictsOn } from '../../study/figure.ts'

export const FACTS: readonly Fact<'holds' | 'corrected' | 'in part' | 'refuted'>[] = [
  fact(
    'M1',
    '4.2',
    'under the simple mapping the fullest processor has a product of floors of threads',
    'corrected',
    'of ceilings, as 4.3 and 5.2 print it: counted for every shape on every mesh up to 32x32',
  ),
  fact('M2', '2.4', '8x8 threads on 3x5 processors take all three rows and five columns', 'holds'),
  fact('Q1', '4.3.1', 'of 11 jobs 8 are regular, in two columns of four, and 3 share the remainder', 'holds'),
  fact('Q2', '4.3.1', 'of 11 jobs the regular columns have 5, the remainder 4, and 2 are left over', 'holds'),
  fact(
    'Q3',
    '4.3.1',
    'of 11 jobs the remainder has 5x6, 5x6 and 4x6, the others 4x6',
    'corrected',
    '5x4, 5x4 and 6x4: what is printed adds up to 276 of 256 processors',
  ),
  fact('Q4', 'figure 4.3', '13 jobs have partitions of 4x5', 'holds'),
  fact('P1', '4.3.2', 'the 64 threads of a processor row of 4x5 are 12 or 13 on each', 'holds'),
  fact(
    'P2',
    '4.3.2',
    'EQUI+ has no processor fuller than it must be',
    'holds',
    'wherever a side is a power of two, as it is in every partition of EQUI',
  ),
  fact(
    'P3',
    '4.3.2',
    'EQUI+ keeps adjacent threads at most one hop apart',
    'in part',
    'on the partitions of up to 32 jobs on 16x16; not for 572 of 38,400 pairs on all shapes with a power of two of rows',
  ),
  fact('F1', '4.4.2', 'with 5 jobs sizes repeat after 5 rotations, and a job takes part in 4 exchanges', 'holds'),
  fact('F2', '4.4.2', 'after at most min(S, B) rotations no two of the rarer size are neighbours', 'holds'),
  fact('F3', '4.4.2', 'sizes repeat after J rotations, and every job has been small as often', 'holds'),
  fact(
    'F4',
    '4.4.5',
    'halving cells in turn one way and the other the ring grows where it is up to 16 cells',
    'holds',
    'and not to 32; halved twice the same way it does',
  ),
  fact(
    'F5',
    '4.4.5',
    'an 18th partition has no place next to its neighbours',
    'in part',
    'for 4 of the 120 pairs of cells that may be split; as our arrivals split them the first without a place is the 25th',
  ),
  fact(
    'E1',
    '5.2.1',
    'efficiency preservation does not divide by the processors of a job (equation 5.2)',
    'corrected',
    'it does in equation 3.1: the sum of the times alone over those in the partitions',
  ),
  fact(
    'E2',
    '5.2.1',
    'communication is named CS/step, and context switching COM/step',
    'corrected',
    'the names are exchanged',
  ),
  fact(
    'E3',
    '5.2.1',
    'in a cycle of N rotations there are N f / 2 exchanges',
    'corrected',
    'J f / 2, which is the same for odd numbers of jobs only',
  ),
  fact(
    'E4',
    'equation 5.4',
    'rotations cost a part f 2^(max(M, N) - floor(k/2) - 1) (2D + C) / (X I) of the time',
    'corrected',
    'half as much for odd numbers of jobs; with the shapes of real partitions more than printed for 6, 12, 18 and all even ones from 20 to 30',
  ),
  fact(
    'E5',
    '5.2.2',
    'EQUI loses efficiency unless the number of jobs is a power of two, EQUI+ less, and folding is slightly above 1',
    'holds',
  ),
  fact('E6', '5.2.2', 'efficiency preservation grows with the spread of thread times', 'holds'),
  fact(
    'N1',
    '5.4.2',
    'shares are uneven for odd numbers of jobs',
    'corrected',
    'for all that are no power of two: EQUI is as uneven for 6 and 12',
  ),
  fact('B1', '5.3', 'jobs leave at a rate of 1 / (E EP)', 'corrected', 'EP / E: the more efficient, the faster'),
  fact(
    'B2',
    '5.3.1',
    'rotating every 20 s can overwhelm the machine; every 20 J s is close to every 200 s',
    'holds',
    'at a load of 0.95 without a limit; how badly depends on how many jobs there may be',
  ),
  fact(
    'U1',
    '6.3',
    'no schedule in powers of two is cheaper than BUDDY',
    'holds',
    'all lists of minima of small machines were tried',
  ),
  fact('U2', '6.3', 'minima 2 2 4 8 8 8 8 16 force a second job to 16 processors', 'holds'),
  fact('U3', '6.6', 'minima 2 2 4 4 4 8 8 8: BUDDY is cheaper than three epochs', 'holds'),
  fact(
    'U4',
    '6.7',
    'a power of two of blocks rests on every block, and each on one',
    'refuted',
    'each rests on one; for 8 processors and minima 1 1 1 4 4 8 8 8 three rest on one',
  ),
  fact(
    'C1',
    'figure 6.7',
    'on 12 processors there are epochs of 3, 3 and 2 jobs, the last with 8 processors each',
    'corrected',
    'with 6: two of 8 are more than there are',
  ),
  fact('C2', '6.5.2', 'ten jobs of 20 on 140 processors: three epochs, two would do', 'holds'),
  fact('C3', '6.5.2', 'minima 4 4 4 4 8 on 16 processors: two epochs, and three if the largest go first', 'holds'),
  fact(
    'C4',
    '6.5.2',
    'the fewest epochs there can be, if the processors are a power of two',
    'holds',
    'all lists up to 8 jobs on 16 processors were tried',
  ),
  fact(
    'O1',
    'equation 6.1',
    'a job is swapped if its processors are more than P T / J',
    'corrected',
    'more than P / J, which is a height below 1: T belongs to processor time',
  ),
]

/** Our numbers, or none on a machine other than that of the thesis. */
export const openUnless = (isTheirs: boolean, ours: Numbers): Numbers =>
  isTheirs
    ? ours
    : Object.fromEntries(
        Object.entries(ours).map(([id, one]) => [id, one.holds === 'settled' ? one : { ...one, holds: null }]),
      )

/** Our numbers for some of the statements as verdicts. */
export const verdictsOf = (ours: Numbers) => verdictsOn(FACTS, ours)

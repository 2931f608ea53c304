/**
 * The statements of Irwin, Grit and Chase 2004 (HPDC-13) in words. Numbers in the remarks are the converged values of the
 * tables in this folder.
 */
import type { Claim } from '../../../lib/experiment/claim.ts'

export const CLAIMS: readonly Claim[] = [
  {
    where: 'figure 3',
    says: 'PV earns modestly more than FirstPrice as the discount rate rises',
    remark:
      'on one processor: 1 to 6 %, up to a rate of 0.001 for all mixes, and less than FirstPrice from 0.01 on if all ' +
      'values are alike; on sixteen it earns less (-1.6 % at 0.01 and a skew of 9)',
  },
  {
    where: 'figure 3',
    says: 'the improvement of PV is larger for higher value skews',
    remark:
      'the paper does not say what stays equal under a skew; with equal mean values it is 4.4 % at a skew of 9, not 5.7 %',
  },
  {
    where: 'section 5.2',
    says: 'least cost per unit of time is SWPT',
    remark: 'it is the order of decay alone, not of decay over remaining time',
  },
  {
    where: 'equation 4',
    says: 'a cost is the decay of the others until they expire',
    remark: 'section 3 defines `expire` as an instant; equation 4 needs the time that is left until then',
  },
  {
    where: 'section 5.3',
    says: 'FirstReward is PV at alpha = 1 and discount rate 0',
    remark: 'alpha = 1 alone makes it PV, and rate 0 makes that FirstPrice',
  },
  {
    where: 'figure 4',
    says: 'with bounded penalties FirstReward earns most at an alpha of about 0.3, and always below 0.5',
    remark:
      'at 0.4 for a decay skew of 3, but 0.3 to 0.5 differ by less than 0.05 % there on sixteen processors; without ' +
      'preemption: with it 0.7 earns more than 0.3',
  },
  { where: 'figure 4', says: 'the improvement grows with the decay skew' },
  {
    where: 'figure 4',
    says: 'SWPT (alpha = 0) is a good approximation with bounded penalties, too',
    remark:
      'it earns less than FirstPrice but for a decay skew of 7 on sixteen processors: once others have expired, long tasks ' +
      'cost no more than short ones',
  },
  { where: 'figure 5', says: 'with unbounded penalties only cost counts: alpha = 0 is best' },
  {
    where: 'figure 5',
    says: 'the improvement is much larger with unbounded penalties',
    remark:
      'percentages of the yield of FirstPrice are unstable, because it is near 0 or negative; those of the value offered are stable',
  },
  {
    where: 'figure 6',
    says: 'admission control is critical to maintain the yield rate under heavy load',
    remark: 'without it the rate is negative from load 1 on with one processor, from 1.5 on with sixteen',
  },
  { where: 'figure 6', says: 'with admission control the yield rate rises with the load' },
  {
    where: 'figure 6',
    says: 'even with admission control it matters more to order tasks by their cost',
    remark:
      'an alpha of 0 is ahead by at most 1.5 % with one processor and 3 % with sixteen; without admission control ' +
      'cost decides',
  },
  {
    where: 'figure 7',
    says: 'the ideal slack threshold rises with the load',
    remark:
      'from 0 to 700 with one processor; with sixteen it stays at 50 or 100 from load 1 on, for equation 8 charges ' +
      'the whole runtime to every task behind, about sixteen times too much',
  },
  { where: 'figure 7', says: 'it matters more to set the threshold correctly at higher loads' },
  {
    where: 'equation 7',
    says: 'a slack is the present value less the cost, over the decay',
    remark: 'the discount is for the runtime, not for the time until completion',
  },
  {
    where: 'section 4.1',
    says: 'tasks have two classes of value and of decay',
    remark:
      'not given: processors, mean runtime, scale of the decays, variances within a class, units of the threshold of 180, ' +
      'preemption in figures 4 to 7',
  },
]

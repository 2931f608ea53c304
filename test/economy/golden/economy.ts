/** A small run as an economy. */
import { policyOf, STANDARD_SHARING } from '../../../actors/economy/terms.ts'
import type { Economy } from '../../../scenarios/economy/model.ts'
import { jobsOf, type Policy, type Vector } from './vector.ts'

const POLICIES = {
  FCFS: policyOf('FCFS'),
  RES: policyOf('RES'),
  'ECON/paper': policyOf('ECON', 'paper'),
  'ECON/literal': policyOf('ECON', 'literal'),
}

export function economyOf(vector: Vector, policy: Policy): Economy {
  const { incomes, savings, coefficients, processors } = vector
  const isPriced = policy !== 'FCFS' && policy !== 'RES'
  const user = { savings: savings.initial, cap: savings.cap, coefficients, targets: null }
  return {
    processors,
    policy: POLICIES[policy],
    market: isPriced ? { sharing: STANDARD_SHARING, statistics: null } : null,
    users: Object.fromEntries(incomes.map((income, i) => [`u${i + 1}`, { ...user, income }])),
    jobs: jobsOf(vector),
    patience: null,
    durable: false,
    overrun: null,
  }
}

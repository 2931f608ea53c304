/**
 * The registered modules of this project. Traces name actors, and runs on hosts name studies and actors; only
 * registered ones are loaded. Programs that read traces or work for other runs import this file.
 */
import { register } from '../lib/core/code-registry.ts'
import { FAMILIES } from './families.ts'

const functions = (all: readonly (readonly [module: string, name: string])[]) =>
  all.map(([module, name]) => ({ module: new URL(`${module}.ts`, import.meta.url), export: name }))

register({
  actors: FAMILIES.flatMap(({ machines }) => machines).map((name) => new URL(`../actors/${name}.ts`, import.meta.url)),
  studies: functions([
    ...FAMILIES.flatMap(({ studies }) => studies),
    ['lab/explore/block', 'exploreBlock'],
    ['lab/faults/block', 'faultBlock'],
  ]),
  computations: functions(FAMILIES.flatMap(({ computations = [] }) => computations)),
})

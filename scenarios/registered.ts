/**
 * The code of this project that data may name: a trace its actors, a run its studies and actors on hosts. A program that
 * reads a trace or takes part in a run of other processes imports this.
 */
import { register } from '../lib/core/code-registry.ts'
import { FAMILIES } from './families.ts'

const functions = (all: readonly (readonly [module: string, name: string])[]) =>
  all.map(([module, name]) => ({ module: new URL(`${module}.ts`, import.meta.url), export: name }))

register({
  actors: FAMILIES.flatMap(({ machines }) => machines).map((name) => new URL(`../actors/${name}.ts`, import.meta.url)),
  studies: functions([...FAMILIES.flatMap(({ studies }) => studies), ['lab/explore/block', 'exploreBlock']]),
  computations: functions(FAMILIES.flatMap(({ computations = [] }) => computations)),
})

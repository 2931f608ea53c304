/** Registers the trial of a mutant, so that hosts may run it: `npx tsx scenarios/host.ts --register test/mutants/registered.ts`. */
import { type Registration, register } from '../../lib/core/code-registry.ts'

const registered: Registration = { studies: [{ module: new URL('./trial.ts', import.meta.url), export: 'tryMutant' }] }

register(registered)
export default registered

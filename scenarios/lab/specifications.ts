/** The scenarios that can be explored, by name, each with its own flags. */
import { type Flags, flagName, type Given, readOptions } from '../../lib/cli/flags.ts'
import { faultsOf, type RunFlagOptions, systemOptions, UsageError } from '../../lib/cli/index.ts'
import { printUnits, quoted } from '../../lib/core/format.ts'
import type { Time } from '../../lib/core/time.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { flags as marketFlags } from '../bidding/flags.ts'
import { setUp as setUpMarket } from '../bidding/setup.ts'
import { marketSpecification } from '../bidding/specification.ts'
import { flags as contractsFlags } from '../contracts/flags.ts'
import { setUp as setUpContracts } from '../contracts/setup.ts'
import { contractsSpecification } from '../contracts/specification.ts'
import { flags as economyFlags } from '../economy/flags.ts'
import { setUp as setUpEconomy } from '../economy/setup.ts'
import { economySpecification } from '../economy/specification.ts'
import { flags as meshFlags } from '../mesh/flags.ts'
import { prudence as prudenceOfMesh, setUp as setUpMesh } from '../mesh/setup.ts'
import { meshSpecification } from '../mesh/specification.ts'
import { enough } from '../patience.ts'
import { aboutOf as aboutMix, addressesOfMix } from '../shares/coscheduling/one-run.ts'
import { flags as mixFlags, mixOf } from '../shares/coscheduling/options.ts'
import { specificationOf as mixStage } from '../shares/coscheduling/specification.ts'
import { flags as clusterFlags } from '../shares/flags.ts'
import { aboutOf as aboutCluster, setUp as setUpCluster } from '../shares/setup.ts'
import { specificationOf as clusterStage } from '../shares/specification.ts'

/** A scenario to be explored. */
export interface Explorable {
  readonly flags: Flags<RunFlagOptions>
  /**
   * What its flags say, as `collect` has sorted them; with the actors below `actors` instead of ours.
   *
   * @throws UsageError for flags that the scenario refuses, and for those that make no sense for many runs
   */
  specification(given: Given, actors?: URL): Specification
  /** Faults may happen that its flags do not name: what is given, and what makes it ready for them unless that is. */
  prepared(given: Given): Given
}

/** `prudence`: the `--patience` of a scenario that has none unless it is told of faults. */
const explorable = <O extends RunFlagOptions>(
  flags: Flags<O>,
  stageOf: (options: O, actors?: URL) => Specification,
  prudence?: (options: NoInfer<O>) => Time,
): Explorable => ({
  flags,
  specification: (given, actors) => {
    requireInline(given)
    return stageOf(readOptions(flags, given), actors)
  },
  prepared: (given) =>
    prudence && !given.has('patience')
      ? new Map([...given, ['patience', [printUnits(prudence(readOptions(flags, given)))]]])
      : given,
})

/** Flags about how one run is made or what becomes of it; a search of many runs fixes or refuses them. */
export const OF_ONE_RUN = ['runtime', 'time', 'scale', 'trace', 'jobsOut', 'live', 'checkDeterminism']

/** The explorer decides in what order things happen, in its own thread, and writes no files. */
function requireInline(given: Given): void {
  const [time] = given.get('time') ?? []
  if (time === 'real') throw UsageError.invalid('--time', 'virtual, since exploration uses no clock', quoted(time))
  const [runtime] = given.get('runtime') ?? []
  if (runtime === 'threads')
    throw UsageError.invalid('--runtime', 'inline, since exploration runs in one thread', quoted(runtime))
  for (const key of ['trace', 'jobsOut']) {
    if (given.has(key))
      throw new UsageError(`${flagName(key)} cannot be given: it names a file of one run, and this command makes many`)
  }
  if (given.has('checkDeterminism'))
    throw new UsageError(
      '--check-determinism cannot be given: it repeats one run of a scenario, and this command makes many',
    )
}

export const SPECIFICATIONS: Readonly<Record<string, Explorable>> = {
  'bidding/market': explorable(marketFlags, (options, actors) => {
    const { market, faults, about } = setUpMarket(options)
    return marketSpecification({ market: { ...market, actors }, faults, options: systemOptions(options, about) })
  }),
  'contracts/run': explorable(
    contractsFlags,
    (options, actors) => {
      const { market, faults, about } = setUpContracts(options)
      return contractsSpecification({ market: { ...market, actors }, faults, options: systemOptions(options, about) })
    },
    enough,
  ),
  'economy/run': explorable(
    economyFlags,
    (options, actors) => {
      const { economy, faults, about } = setUpEconomy(options)
      return economySpecification({ economy: { ...economy, actors }, faults, options: systemOptions(options, about) })
    },
    enough,
  ),
  'mesh/run': explorable(
    meshFlags,
    (options, actors) => {
      const { scene, faults, about } = setUpMesh(options)
      return meshSpecification({ scene: { ...scene, actors }, faults, options: systemOptions(options, about) })
    },
    prudenceOfMesh,
  ),
  'shares/cluster': explorable(clusterFlags, (given, actors) => {
    const setup = setUpCluster(given)
    const { options, description, faults } = setup
    return clusterStage(setup, systemOptions(options, aboutCluster(options, description, faults)), actors)
  }),
  'shares/coscheduling': explorable(mixFlags, (options, actors) => {
    const mix = mixOf(options)
    const faults = faultsOf(options, addressesOfMix(mix, options.seed))
    return mixStage({ mix, faults, options }, systemOptions(options, aboutMix(mix, faults)), actors)
  }),
}

/** @throws UsageError for a scenario that cannot be explored */
export function explorableOf(name: string): Explorable {
  const found = Object.hasOwn(SPECIFICATIONS, name) ? SPECIFICATIONS[name] : undefined
  if (!found) throw UsageError.unknown('scenario', name, Object.keys(SPECIFICATIONS), { where: '--scenario' })
  return found
}

/** The own flags of the command that lists races; those of the scenario are added. */
import { duration, fileFlag, integer, type OptionsOf, optional, registerFlag, value } from '../../../lib/cli/index.ts'
import { subjectFlags } from '../subject.ts'

export const racesFlags = {
  ...subjectFlags,
  tries: value({
    metavar: 'N',
    fallback: '3',
    parse: integer({ min: 0, max: 1000 }),
    help: 'races of each kind to run to completion in the other order',
  }),
  within: optional({
    metavar: 'D',
    parse: duration,
    help: 'leave out pairs whose events are more than D units apart: farther than the network can reorder them (default: no limit)',
  }),
  race: optional({
    metavar: 'K',
    parse: integer({ min: 1, max: 100_000 }),
    help: 'the race that the page shows first (default: the first whose other order has a visible effect)',
  }),
  register: registerFlag,
  pictures: fileFlag('folder', 'draw the run and each other order (Mermaid)'),
}

export type RacesOptions = OptionsOf<typeof racesFlags>

/**
 * The test files that only `npm run test:full` runs, which is what CI runs. Each promise of the manual has its test there, and
 * `npm test` does not check those that only these files test. It leaves these files out, so that it takes minutes;
 * `npm test -- pattern` runs them as any other.
 */

/** By the reason: what the paths of the files contain. */
export const FULL_ONLY: Readonly<Record<string, readonly string[]>> = {
  'packs, installs or copies the whole project with npm': [
    'package/package.test',
    'package/pages.test',
    'scenario/own.test',
    'sixth-family.test',
  ],
  'reads the whole project with the compiler': ['package/docs.test', 'types/completion.test'],
  'opens pages in a browser': ['report/browser/'],
  'starts a NATS server and processes of hosts': [
    'distributed/access-control.test',
    'distributed/attack.test',
    'distributed/cli.test',
    'distributed/families.test',
    'distributed/faults.test',
    'distributed/hosts.test',
    'distributed/manual.test',
    'distributed/market.test',
    'distributed/workers.test',
    'distributed/wrong-servers.test',
  ],
  'runs whole figures of the papers': [
    'bidding/compare.test',
    'bidding/study.test',
    'contracts/detector.test',
    'contracts/figures.test',
    'contracts/negotiation.test',
    'economy/figures.test',
    'economy/measured.test',
    'economy/small-figures.test',
    'economy/starvation.test',
    'experiment/sweep.test',
    'experiment/validation.test',
    'mesh/cost.test',
    'mesh/figures.test',
    'mesh/own-runs.test',
    'mesh/response.test',
    'shares/placement.test',
    'shares/sleepers.test',
  ],
  'runs many random faults, schedules or machines': [
    'bidding/faults.test',
    'clock/deaths.test',
    'clock/real-deaths.test',
    'contracts/faults.test',
    'economy/faults.test',
    'engine/nonsense.test',
    'explore/exhaustive-cut.test',
    'explore/exhaustive-market.test',
    'lab/bugs.test',
    'mesh/deaths.test',
    'mesh/faults.test',
    'scenario/seeds.test',
    'shares/cluster-faults.test',
    'shares/faults.test',
  ],
  'runs whole markets in real time': ['bidding/real.test'],
  'starts commands as processes, one for each case': [
    'bidding/cli.test',
    'bidding/render.test',
    'cli/completion.test',
    'cli/figures.test',
    'cli/help.test',
    'cli/inputs.test',
    'cli/interrupted.test',
    'cli/main.test',
    'cli/refusals.test',
    'contracts/cli.test',
    'doors.test',
    'economy/cli.test',
    'economy/traces.test',
    'explore/calm.test',
    'explore/corpus.test',
    'explore/storms.test',
    'lab/explore-cli.test',
    'lab/faults-page.test',
    'lab/page.test',
    'lab/races-cli.test',
    'lab/replay-command.test',
    'lab/trace-cli.test',
    'live/command.test',
    'mesh/cli.test',
    'report/commands.test',
    'shares/cluster-cli.test',
    'tool.test',
  ],
}

const PARTS = Object.values(FULL_ONLY).flat()

/** Whether only `npm run test:full` runs a test file, given its path in the project. */
export const isFullOnly = (path: string): boolean => PARTS.some((part) => path.startsWith(`test/${part}`))

/** The flags of the command that replays a run. */
import { type OptionsOf, optional, outputFlags, registerFlag, runFlags, text } from '../../../lib/cli/index.ts'

export const replayFlags = {
  actor: optional({ metavar: 'WHO', parse: text, help: 'replay one actor alone, from the messages in the trace' }),
  until: optional({
    metavar: 'STEP',
    parse: text,
    help: 'stop after this step of the run, counted from 0, and show its actor; with --actor a step of the actor, or INCARNATION.STEP of a later incarnation',
  }),
  engine: runFlags.engine,
  register: registerFlag,
  ...outputFlags,
}
export type ReplayOptions = OptionsOf<typeof replayFlags>

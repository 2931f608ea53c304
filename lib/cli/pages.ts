/** What a command was told and what came of it, as pages: in a file when it is over, or served while it goes on. */
import manifest from '../../package.json' with { type: 'json' }
import type { Live } from '../live/live.ts'
import type { CommandOutcome } from '../report/command.ts'
import type { Timeline } from '../report/timeline.ts'
import { type AnyFlags, flagName, type Given, optionTexts } from './flags.ts'
import type { Subject } from './help.ts'

type Head = Pick<CommandOutcome, 'scenario' | 'summary' | 'command' | 'version' | 'options'>

/** What a page says of a command whatever came of it. */
export function headOf(
  { name, summary, flags }: Pick<Subject, 'name' | 'summary'> & { readonly flags: AnyFlags },
  given: Given,
  command: string,
): Head {
  const options = Object.entries(optionTexts(flags, given)).map(
    ([key, said]) => [flagName(key), typeof said === 'object' ? said.join(', ') : String(said)] as const,
  )
  return { scenario: name, summary, command, version: manifest.version, options }
}

// loaded by these, since who asks for no page needs no bundler and no server

export async function pageOf(told: CommandOutcome): Promise<string> {
  const [{ reportOf }, { htmlOf }] = await Promise.all([import('../report/command.ts'), import('../report/page.ts')])
  return htmlOf(await reportOf(told))
}

/** `say` gets lines for people. */
export async function liveOf(
  { timeline }: { readonly timeline?: () => Timeline },
  head: Head,
  say: (line: string) => void,
): Promise<Live> {
  const { Live } = await import('../live/live.ts')
  return new Live({
    head,
    timeline,
    onOpen: (url) => say(`live: ${url}`),
    onFailure: (why) => say(`bourse: --live: ${why}`),
  })
}

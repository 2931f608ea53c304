/** Pages about a command and its result: written to a file at the end, or served while the command runs. */
import { VERSION } from '../core/version.ts'
import type { Live } from '../live/live.ts'
import type { CommandOutcome } from '../report/command.ts'
import { type AnyFlags, flagName, type Given, optionTexts } from '../scenario/flags.ts'
import type { Subject } from './help.ts'

type Head = Pick<CommandOutcome, 'scenario' | 'summary' | 'command' | 'version' | 'options'>

/** The head of a page: the command and its options, without the result. */
export function headOf(
  { name, summary, flags }: Pick<Subject, 'name' | 'summary'> & { readonly flags: AnyFlags },
  given: Given,
  command: string,
): Head {
  const options = Object.entries(optionTexts(flags, given)).map(
    ([key, said]) => [flagName(key), typeof said === 'object' ? said.join(', ') : String(said)] as const,
  )
  return { scenario: name, summary, command, version: VERSION, options }
}

// pages are loaded on demand, since most commands need no bundler and no server

/** Makes pages, from the parts that every page has. */
export interface PageMaker {
  pageOf(told: CommandOutcome): Promise<string>
}

/**
 * Prepares the page of a command before its work: in a checkout the script is bundled by another process, and after a long run
 * there may be no memory left to start one.
 */
export async function pageMaker(): Promise<PageMaker> {
  const [{ reportOf }, { pageOf, partsOf }] = await Promise.all([
    import('../report/command.ts'),
    import('../report/page.ts'),
  ])
  const parts = await partsOf()
  return { pageOf: async (told) => pageOf(await reportOf(told), parts) }
}

/** The live page of a command, with its number of the last events; `say` gets its address and its failures. */
export async function liveOf(head: Head, events: number | undefined, say: (line: string) => void): Promise<Live> {
  const { Live } = await import('../live/live.ts')
  return new Live({
    head,
    events,
    onOpen: (url) => say(`live: ${url}`),
    onFailure: (why) => say(`bourse: --live: ${why}`),
  })
}

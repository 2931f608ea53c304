/** The completion of `bourse` for shells: commands, the commands on traces, flags, their choices, and scenarios. */
import { type AnyFlags, flagName } from '../lib/scenario/flags.ts'
import { outputFlags, runFlags } from '../lib/scenario/run-flags.ts'
import { hostFlags } from './host-flags.ts'
import { exploreFlags } from './lab/explore/flags.ts'
import { faultFlags } from './lab/faults/flags.ts'
import { racesFlags } from './lab/races/flags.ts'
import { replayFlags } from './lab/replay/flags.ts'
import { SCENARIOS } from './lab/scenarios.ts'
import { unlistedOf } from './lab/subject.ts'
import { COMMANDS } from './lab/trace/commands.ts'
import { flags as traceFlags } from './lab/trace/flags.ts'

/** What may follow a command. */
interface Completed {
  readonly flags: readonly string[]
  /** The words that may stand there as well as files. */
  readonly words: readonly string[]
}

const namesOf = (flags: AnyFlags, refused: readonly string[] = []): string[] =>
  Object.keys(flags)
    .filter((key) => !refused.includes(key))
    .map(flagName)

const scenarios = Object.keys(SCENARIOS)

/** A command on many runs of a scenario: its own flags, and those of every scenario that it takes. */
const onScenario = (own: AnyFlags, ...refused: readonly string[]): Completed => ({
  flags: namesOf({ ...runFlags, ...own }, unlistedOf(refused)),
  words: scenarios,
})

const COMPLETED: Readonly<Record<string, Completed>> = {
  new: { flags: namesOf(outputFlags), words: [] },
  run: { flags: namesOf(runFlags), words: scenarios },
  explore: onScenario(exploreFlags, 'schedule'),
  faults: onScenario(faultFlags),
  races: onScenario(racesFlags),
  replay: { flags: namesOf(replayFlags), words: [] },
  trace: { flags: namesOf(traceFlags), words: COMMANDS },
  host: { flags: namesOf(hostFlags), words: [] },
}

/** The flags of a scenario that not every scenario has. */
const OWN: readonly (readonly [scenario: string, flags: readonly string[]])[] = Object.entries(SCENARIOS).map(
  ([name, { flags }]) => [name, namesOf(flags, Object.keys(runFlags))],
)

/** The values of flags that have only a few, by the flag. */
const CHOICES: readonly (readonly [flag: string, choices: readonly string[]])[] = [
  ...new Map(
    [runFlags, traceFlags, ...Object.values(SCENARIOS).map(({ flags }) => flags)].flatMap((flags: AnyFlags) =>
      Object.entries(flags).flatMap(([key, { metavar }]) => {
        const choices = metavar?.split('|') ?? []
        return choices.length > 1 && choices.every((one) => /^[a-z+-]+$/.test(one))
          ? [[flagName(key), choices] as const]
          : []
      }),
    ),
  ),
]

/** The completion for bash; zsh understands it with `bashcompinit`. It serves `bourse` and `npx bourse`. */
function bash(commands: readonly string[]): string {
  const cases = (of: readonly (readonly [string, readonly string[]])[], line: (words: string) => string): string =>
    of.map(([name, words]) => `    ${name}) ${line(words.join(' '))} ;;`).join('\n')
  const followed = Object.entries(COMPLETED).map(([name, { flags, words }]) => [name, [...words, ...flags]] as const)
  return `_bourse() {
  local first=1 word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "\${COMP_WORDS[0]}" = npx ]; then
    if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "bourse" -- "$word")); return; fi
    if [ "\${COMP_WORDS[1]}" != bourse ]; then COMPREPLY=($(compgen -f -- "$word")); return; fi
    first=2
  fi
  if [ "$COMP_CWORD" = "$first" ]; then
    COMPREPLY=($(compgen -W "${commands.join(' ')}" -- "$word"))
    return
  fi
  case "$before" in
${cases(CHOICES, (words) => `COMPREPLY=($(compgen -W "${words}" -- "$word")); return`)}
  esac
  case "\${COMP_WORDS[first]}" in
${cases(followed, (words) => `words="${words}"`)}
    completion) COMPREPLY=($(compgen -W "${SHELLS.join(' ')}" -- "$word")); return ;;
  esac
  case "\${COMP_WORDS[first+1]}" in
${cases(OWN, (words) => `words="$words ${words}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case "$word" in
    -*) ;;
    *) COMPREPLY+=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _bourse bourse npx`
}

const zsh = (commands: readonly string[]): string =>
  `autoload -Uz compinit bashcompinit && compinit && bashcompinit\n${bash(commands)}`

/** The completion for fish, which knows the name of the flags without their hyphens. */
function fish(commands: readonly string[]): string {
  const line = (...words: readonly string[]): string => ['complete -c bourse', ...words].join(' ')
  const choices = new Map(CHOICES)
  const flagOf = (condition: string, flag: string): string => {
    const values = choices.get(flag)
    return line(`-n "${condition}"`, `-l ${flag.slice(2)}`, ...(values ? [`-x -a "${values.join(' ')}"`] : []))
  }
  const after = (word: string): string => `__fish_seen_subcommand_from ${word}`
  return [
    line('-n __fish_use_subcommand', '-f', `-a "${commands.join(' ')}"`),
    ...Object.entries(COMPLETED).flatMap(([name, { flags, words }]) => [
      ...(words.length > 0 ? [line(`-n "${after(name)}"`, `-a "${words.join(' ')}"`)] : []),
      ...flags.map((flag) => flagOf(after(name), flag)),
    ]),
    ...OWN.flatMap(([name, flags]) => flags.map((flag) => flagOf(after(name), flag))),
    line(`-n "${after('completion')}"`, '-f', `-a "${SHELLS.join(' ')}"`),
  ].join('\n')
}

const SCRIPTS = { bash, zsh, fish } as const
/** The shells that have a completion. */
export const SHELLS: readonly string[] = Object.keys(SCRIPTS)

/** The completion for a shell; undefined for a shell that has none. */
export const completionFor = (shell: string, commands: readonly string[]): string | undefined =>
  Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1](commands)

/** Says which mutants the compiler refuses: a mistake that does not compile needs no test. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { applied, type Mutant } from './mutant.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The actors as the compiler sees them, with one changed file at a time. */
export class Compiler {
  readonly #service: ts.LanguageService
  readonly #versions = new Map<string, number>()
  readonly #texts = new Map<string, string>()

  /** `files` are paths below `actors/`. */
  constructor(files: readonly string[]) {
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
    const roots = files.map((file) => join(root, 'actors', file))
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => roots,
      getScriptVersion: (path) => String(this.#versions.get(path) ?? 0),
      getScriptSnapshot: (path) => {
        const text = this.#texts.get(path) ?? ts.sys.readFile(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    })
  }

  /** Whether the file of a mutant still compiles. */
  accepts(mutant: Mutant): boolean {
    const path = join(root, 'actors', mutant.file)
    this.#change(path, applied(readFileSync(path, 'utf8'), mutant))
    const isAccepted =
      this.#service.getSyntacticDiagnostics(path).length === 0 &&
      this.#service.getSemanticDiagnostics(path).length === 0
    this.#change(path, undefined)
    return isAccepted
  }

  #change(path: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(path)
    else this.#texts.set(path, text)
    this.#versions.set(path, (this.#versions.get(path) ?? 0) + 1)
  }
}

/** The package as a user has it: built, packed, and unpacked in a project with nothing but what the package needs. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export async function ended(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  try {
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }
    return { code: 0, ...(await promisify(execFile)(program, args, { cwd, env, maxBuffer: 1e8 })) }
  } catch (error) {
    if (!isFailed(error)) throw error
    return { code: error.code, stdout: error.stdout, stderr: error.stderr }
  }
}

const isFailed = (error: unknown): error is Ended =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && 'stdout' in error && 'stderr' in error

interface Locked {
  readonly dev?: boolean
}

/** The folders of the packages that are installed with this one. The lock also lists those of other platforms. */
function needed(): string[] {
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  return Object.entries(packages).flatMap(([folder, { dev }]) =>
    folder !== '' && !dev && existsSync(join(root, folder)) ? [folder] : [],
  )
}

export interface Project {
  readonly folder: string
  /** Writes files by their names. */
  write(files: Readonly<Record<string, string>>): void
  /** Runs `npx bourse`. */
  bourse(...args: readonly string[]): Promise<Ended>
  /** Runs node. */
  node(...args: readonly string[]): Promise<Ended>
  remove(): void
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'bourse-package-'))

/** Makes a project with the package, and with further packages of this checkout. */
export async function installed(): Promise<Project & { readonly tarball: string }> {
  const folder = newFolder()
  const packed = ok(await ended('npm', ['pack', '--loglevel=error', '--pack-destination', folder], root))
  const tarball = join(folder, packed.trim().split('\n').at(-1) ?? '')
  const home = homeIn(folder)
  ok(await ended('tar', ['xzf', tarball, '-C', home, '--strip-components=1'], folder))
  return { ...projectIn(folder, home), tarball }
}

/** Makes a project with the package as it is compiled. It is not packed, so `dist` of this checkout stays as it is. */
export async function built(): Promise<Project> {
  const folder = newFolder()
  const home = homeIn(folder)
  const dist = join(home, 'dist')
  const node = (...args: readonly string[]) => ended(process.execPath, args, root)
  ok(await node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', dist))
  ok(await node('--import', 'tsx', 'lib/report/prebuilt.ts', join(dist, 'lib/report/page')))
  cpSync(join(root, 'package.json'), join(home, 'package.json'))
  return projectIn(folder, home)
}

function homeIn(folder: string): string {
  const home = join(folder, 'node_modules/bourse')
  mkdirSync(home, { recursive: true })
  return home
}

function projectIn(folder: string, home: string): Project {
  for (const path of needed()) {
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith('.md') })
  }
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(home, 'dist/scenarios/bourse.js'), join(folder, 'node_modules/.bin/bourse'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  return {
    folder,
    write: (files) => {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
    },
    bourse: (...args) => ended(process.execPath, ['node_modules/.bin/bourse', ...args], folder),
    node: (...args) => ended(process.execPath, args, folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The output of a program that must end well. */
export function ok({ code, stdout, stderr }: Ended): string {
  assert.is(code, 0, `${stdout}\n${stderr}`)
  return stdout
}

/** The path of a file in this checkout, such as the compiler. */
export const ofCheckout = (path: string): string => join(root, path)

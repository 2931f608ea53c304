/** The hooks of Node that load TypeScript. They neither wait nor return promises of their own, so they work in both kinds of hooks. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compiled } from './cache.mjs'

const project = new URL('../../', import.meta.url).href
const packages = new URL('node_modules/', project).href
/** The URLs of files of the project that exist. */
const found = new Set()

/** Resolves imports between files of the project, which has no links; Node resolves all others. */
export function resolve(specifier, context, next) {
  if (isTypeScript(specifier) && specifier.startsWith('.') && context.parentURL?.startsWith(project)) {
    const { href } = new URL(specifier, context.parentURL)
    if (found.has(href) || isFound(href)) return { url: href, format: 'module', shortCircuit: true }
  }
  return next(specifier, context)
}

/** Loads a TypeScript file as an ES module. */
export function load(url, context, next) {
  if (!url.startsWith('file:') || !isTypeScript(url)) return next(url, context)
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true }
}

function isFound(href) {
  const isOurs = href.startsWith(project) && !href.startsWith(packages)
  if (!isOurs || !existsSync(fileURLToPath(href))) return false
  found.add(href)
  return true
}

function isTypeScript(url) {
  return /\.m?ts(?:\?|$)/.test(url)
}

/** Reads a page as its tests need it: the texts of its front, and the runs that its script reads. */
import { gunzipSync } from 'node:zlib'
import type { Runs } from '../../lib/report/types.ts'

/** The runs of a page. */
export function runsIn(html: string): Runs {
  const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString('utf8'))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
}

/** A part of HTML as text: without tags. */
export const textOf = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)

/** The contents of the element with an id, up to its end. */
export function elementIn(html: string, id: string): string {
  const [, name = '', rest = ''] = new RegExp(`<(\\w+)[^>]*\\bid="${id}"[^>]*>(.*)`, 's').exec(html) ?? []
  let depth = 1
  for (const match of rest.matchAll(new RegExp(`<(/?)${name}\\b[^>]*>`, 'g'))) {
    depth += match[1] === '/' ? -1 : 1
    if (depth === 0) return rest.slice(0, match.index)
  }
  return rest
}

/** The text of the element with an id. */
export const textIn = (html: string, id: string): string => textOf(elementIn(html, id))

/** The rows of a table, each as the texts of its cells. */
export const rowsIn = (html: string): string[][] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell)),
  )

/** The links in a part of HTML: their texts and their fragments. */
export const linksIn = (html: string): (readonly [text: string, fragment: string])[] =>
  [...html.matchAll(/<a href="([^"]*)">(.*?)<\/a>/gs)].map(
    ([, to = '', text = '']) => [textOf(text), textOf(to)] as const,
  )

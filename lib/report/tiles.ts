/** The numbers at the top of a page, and how they compare with those of other runs. */
import { gridOf, type ResultTable, type Value } from '../core/table.ts'
import type { Tile } from '../scenario/page.ts'
import type { ShownRun, ShownTile } from './types.ts'

export const tilesOf = (tiles: readonly Tile[]): ShownTile[] =>
  tiles.map((tile) => ({
    label: tile.label,
    value: textOf(tile),
    unit: tile.unit ?? '',
    amount: amountOf(tile.value),
    better: tile.better ?? null,
    without: '',
    change: 'same',
  }))

function textOf({ value, digits }: Tile): string {
  const column = { name: 'value', ...(digits !== undefined && { digits }) }
  const [, [text = ''] = []] = gridOf({ columns: [column], rows: [[value]] })
  return text
}

const amountOf = (value: Value): number | null =>
  typeof value === 'number' ? value : typeof value === 'object' && value !== null ? value.mean : null

/** The tiles of a run, each beside its number in the same run without faults. */
export const besideCalm = (tiles: readonly ShownTile[], calm: readonly Tile[]): ShownTile[] => {
  const others = new Map(tilesOf(calm).map((tile) => [tile.label, tile]))
  return tiles.map((tile) => {
    const other = others.get(tile.label)
    return other ? { ...tile, without: other.value, change: changeOf(tile, other) } : tile
  })
}

function changeOf(tile: ShownTile, other: ShownTile): ShownTile['change'] {
  if (tile.value === other.value) return 'same'
  if (tile.amount === null || other.amount === null || tile.better === null) return 'other'
  return tile.amount < other.amount === (tile.better === 'less') ? 'better' : 'worse'
}

/** The tiles of several runs side by side; undefined if they have none in common. */
export function runsTable(runs: readonly ShownRun[]): ResultTable | undefined {
  const [first] = runs
  if (!first || runs.length < 2 || new Set(runs.map(({ name }) => name)).size < runs.length) return undefined
  const rows = first.tiles.flatMap(({ label, unit }) => {
    const cells = runs.map(({ tiles }) => tiles.find((tile) => tile.label === label)?.value)
    return cells.every((cell) => cell !== undefined) ? [[unit === '' ? label : `${label} [${unit}]`, ...cells]] : []
  })
  if (rows.length === 0) return undefined
  const columns = [{ name: '' }, ...runs.map(({ name }) => ({ name }))]
  return { title: 'The runs side by side', columns, rows }
}

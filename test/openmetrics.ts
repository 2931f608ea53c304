/** A strict reader of OpenMetrics text, version 1.0.0: it throws for whatever the format does not allow. */

export interface Sample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

export interface Family {
  readonly type: string
  readonly unit: string | undefined
  readonly help: string
  readonly samples: readonly Sample[]
}

const NAME = '[A-Za-z_:][A-Za-z0-9_:]*'
const NUMBER = '[+-]?(?:\\d+|\\d+\\.\\d*(?:e[+-]?\\d+)?|\\d*\\.\\d+(?:e[+-]?\\d+)?|\\d+e[+-]?\\d+)'
const LABEL = '[A-Za-z_][A-Za-z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const DESCRIPTOR = new RegExp(`^# (TYPE|UNIT|HELP) (${NAME}) (.*)$`)
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL}(?:,${LABEL})*)?)\\})? (${NUMBER})$`)
/** The suffixes of the samples of a family, by its type. */
const SUFFIXES = new Map([
  ['gauge', ['']],
  ['counter', ['_total']],
  ['histogram', ['_bucket', '_count', '_sum']],
])

function fail(why: string, line: string): never {
  throw new Error(`${why}: ${JSON.stringify(line)}`)
}

/** The families by name. */
export function readOpenMetrics(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('# EOF\n') || text.includes('\r'))
    fail('it must end with # EOF and have no carriage returns', text)
  const lines = text.slice(0, -1).split('\n').slice(0, -1)
  const families = new Map<string, { type: string; unit?: string; help?: string; samples: Sample[] }>()
  let current = ''
  for (const line of lines) {
    const [, what, name = '', rest = ''] = DESCRIPTOR.exec(line) ?? []
    if (what === 'TYPE') {
      if (families.has(name)) fail('a family comes twice, or in two parts', line)
      if (!SUFFIXES.has(rest)) fail('unknown type', line)
      current = name
      families.set(name, { type: rest, samples: [] })
      continue
    }
    const family = families.get(current)
    if (!family) return fail('a family must begin with its type', line)
    if (what) {
      if (name !== current || family.samples.length > 0) fail('this must stand after the type of its family', line)
      if (what === 'UNIT') {
        if (family.unit !== undefined || !name.endsWith(`_${rest}`)) fail('a unit must be the end of the name', line)
        family.unit = rest
      } else if (family.help !== undefined || rest === '' || /[\\"]/.test(rest)) fail('wrong help', line)
      else family.help = rest
      continue
    }
    family.samples.push(sampleOf(line, current, SUFFIXES.get(family.type) ?? []))
  }
  return new Map(
    [...families].map(([name, { type, unit, help = fail('a family has no help', name), samples }]) => {
      requireDistinct(samples)
      if (type === 'histogram') requireHistogram(samples)
      if (type !== 'gauge' && samples.some(({ value }) => value < 0)) fail('a counter is negative', name)
      return [name, { type, unit, help, samples }]
    }),
  )
}

function sampleOf(line: string, family: string, suffixes: readonly string[]): Sample {
  const [, name = '', labelText = '', value] = SAMPLE.exec(line) ?? fail('no sample', line)
  if (!suffixes.some((suffix) => name === `${family}${suffix}`)) fail('this sample is not of its family', line)
  const labels = new Map<string, string>()
  for (const [label] of labelText.matchAll(new RegExp(LABEL, 'g'))) {
    const end = label.indexOf('=')
    const key = label.slice(0, end)
    if (labels.has(key)) fail('a label comes twice', line)
    labels.set(
      key,
      label.slice(end + 2, -1).replace(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char)),
    )
  }
  return { name, labels, value: Number(value) }
}

const keyOf = ({ name, labels }: Sample): string => JSON.stringify([name, [...labels].sort()])

function requireDistinct(samples: readonly Sample[]): void {
  const keys = samples.map(keyOf)
  const twice = keys.find((key, i) => keys.indexOf(key) < i)
  if (twice !== undefined) fail('a sample comes twice', twice)
}

/** Checks that the buckets of each histogram grow, end with +Inf, and agree with its count. */
function requireHistogram(samples: readonly Sample[]): void {
  let ends: { end: number; value: number }[] = []
  for (const [i, { name, labels, value }] of samples.entries()) {
    if (name.endsWith('_bucket')) {
      const le = labels.get('le') ?? fail('a bucket has no end', name)
      const end = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)
      if (!/^(\d+\.\d+|\d(\.\d+)?e[+-]\d\d|\+Inf)$/.test(le)) fail('the end of a bucket is not canonical', le)
      const before = ends.at(-1)
      if (before && (end <= before.end || value < before.value)) fail('buckets must grow', name)
      if (!Number.isInteger(value)) fail('a bucket counts', name)
      ends.push({ end, value })
    } else if (name.endsWith('_count')) {
      const last = ends.at(-1)
      if (last?.end !== Number.POSITIVE_INFINITY || last.value !== value)
        fail('the last bucket must be the count', name)
      if (!samples[i + 1]?.name.endsWith('_sum')) fail('a sum must follow its count', name)
      ends = []
    }
  }
}

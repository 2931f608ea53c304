/** Data that may travel between actors: no functions, no classes, no cycles. An undefined field is left out. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain | undefined }

/** What actors send to each other: plain data that says what it is. */
export type Message = { readonly type: string } & { readonly [key: string]: Plain | undefined }

type Fields = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

export const isMessage = (value: unknown): value is Message => isObject(value) && typeof value['type'] === 'string'

export const isPlain = (value: unknown): value is Plain =>
  value === null ||
  typeof value === 'boolean' ||
  typeof value === 'number' ||
  typeof value === 'string' ||
  (Array.isArray(value)
    ? value.every(isPlain)
    : isObject(value) && Object.values(value).every((field) => field === undefined || isPlain(field)))

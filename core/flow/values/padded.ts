import { constantOf, type CallValue } from '../../facts/index.ts'

/** `title.padEnd(40, '.')`: a column of a line; with zeros it is the number of a row, as SAP writes it. */
export function isPaddedToColumn(name: string, { args: [, filler] }: CallValue): boolean {
  if (name !== 'padEnd' && name !== 'padStart') return false
  const sign = filler === undefined ? ' ' : constantOf(filler)
  return typeof sign === 'string' && !/^0*$/.test(sign)
}

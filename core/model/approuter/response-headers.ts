import { at, itemsOf, membersOf, stringOf } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { placeOf } from './routes.ts'
import type { Approuter } from './types.ts'

/** A header that the approuter adds to its responses. */
export interface ResponseHeader {
  /** Lower case. */
  readonly name: string
  /** As it is sent: that of the descriptor as written, that of the variable in lower case. */
  readonly sentName: string
  readonly value: string
  /** What lists it: a key of the descriptor, or a variable. */
  readonly list: 'responseHeaders' | 'httpHeaders'
  readonly namePlace: Place
  readonly valuePlace: Place
}

/** `responseHeaders` of the descriptor (`[{ name, value }]`) and the variable `httpHeaders` (`[{ <name>: <value> }]`). */
export function readResponseHeaders({ file, root, environment }: Approuter): ResponseHeader[] {
  const headers: ResponseHeader[] = []
  for (const item of itemsOf(at(root, 'responseHeaders'))) {
    const [name, value] = [at(item, 'name'), at(item, 'value')]
    if (name === undefined || value === undefined) continue
    const places = { namePlace: placeOf(file, name), valuePlace: placeOf(file, value) }
    const sentName = stringOf(name) ?? ''
    headers.push({ name: sentName.toLowerCase(), sentName, value: stringOf(value) ?? '', list: 'responseHeaders', ...places })
  }
  for (const setting of environment.settings('httpHeaders')) {
    for (const item of itemsOf(setting.value)) {
      for (const { key, value } of membersOf(item)) {
        const place = setting.placeOf(value)
        headers.push({
          name: key.toLowerCase(),
          sentName: key.toLowerCase(),
          value: stringOf(value) ?? '',
          list: 'httpHeaders',
          namePlace: place,
          valuePlace: place,
        })
      }
    }
  }
  return headers
}

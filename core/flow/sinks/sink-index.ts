import { append } from '../../lists.ts'
import { BROWSER_SINKS } from '../tables/app-sinks.ts'
import { SINKS, type SinkRow } from '../tables/sinks.ts'
import type { Realm } from '../types.ts'

/** Rows of the table by what they are looked for. */
export interface SinkIndex {
  readonly byPath: ReadonlyMap<string, readonly SinkRow[]>
  readonly methods: readonly SinkRow[]
  /** By what is done and the name: `set innerHTML`. */
  readonly named: ReadonlyMap<string, readonly SinkRow[]>
  /** By the last name of an access path. */
  readonly byName: ReadonlyMap<string, readonly { readonly path: string; readonly row: SinkRow }[]>
}

/** One plain loop: it runs whenever the program starts. */
function indexRows(rows: readonly SinkRow[]): SinkIndex {
  const byPath = new Map<string, SinkRow[]>()
  const named = new Map<string, SinkRow[]>()
  const byName = new Map<string, { readonly path: string; readonly row: SinkRow }[]>()
  for (const row of rows) {
    for (const path of row.calls ?? []) {
      append(byPath, path, row)
      if (path.startsWith('module:')) append(byName, path.slice(path.lastIndexOf(' ') + 1), { path, row })
    }
    for (const name of row.named?.names ?? []) append(named, `${row.named?.how ?? ''} ${name}`, row)
  }
  return { byName, named, byPath, methods: rows.filter(({ method }) => method !== undefined) }
}

export const ROWS: Readonly<Record<Realm, SinkIndex>> = {
  server: indexRows(SINKS),
  // what UI5 and the DOM have, is known by its path or by what is given: nothing in a page waits for a package that arrives
  browser: { ...indexRows(BROWSER_SINKS), byName: new Map() },
}

const FIELD_NAMES = BROWSER_SINKS.flatMap(({ named }) => (named?.how === 'field' ? named.names : []))

/** Whether a script of a browser may hold objects that are sinks or factories whatever is done with them. */
export function holdsFieldSinks(text: string): boolean {
  return text.includes('factory') || FIELD_NAMES.some((name) => text.includes(name))
}

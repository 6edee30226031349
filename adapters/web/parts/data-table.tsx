import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { formatNumber, say } from '../words/index.ts'
import { usePrinting } from './printing.ts'

export interface Column<T> {
  readonly title: string
  readonly cell: (row: T) => ComponentChildren
  /** Numbers stand at the end. */
  readonly numeric?: true
}

interface DataTableProps<T> {
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T, index: number) => string
  /** Between the heading and the table, which the heading names then without being part of it. */
  readonly lead?: ComponentChildren
  /** Rows that are shown before more are asked for. */
  readonly first?: number
}

const CHUNK = 200

/** A table whose heads name its cells where the window is too narrow for columns. */
export function DataTable<T>({ caption, columns, rows, keyOf, lead, first = CHUNK }: DataTableProps<T>): JSX.Element {
  const [limit, setLimit] = useState(first)
  const shown = usePrinting() === undefined ? rows.slice(0, limit) : rows
  const more = Math.min(CHUNK, rows.length - shown.length)
  const head = (
    <>
      {caption} <span class="quiet">{formatNumber(rows.length)}</span>
    </>
  )
  return (
    <>
      {lead !== undefined && <h2 class="fd-title fd-title--h5">{head}</h2>}
      {lead}
      <table class="data-table" aria-label={lead === undefined ? undefined : caption}>
        {lead === undefined && <caption>{head}</caption>}
        <thead>
          <tr>
            {columns.map(({ title, numeric }) => (
              <th key={title} scope="col" class={numeric === true ? 'numeric' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ title, cell, numeric }) => (
                <td key={title} data-title={title} class={numeric === true ? 'numeric' : undefined}>
                  <div class="cell">{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <button type="button" class="fd-button" onClick={() => setLimit(limit + CHUNK)}>
          {say('showMore', { n: more })}
        </button>
      )}
    </>
  )
}

import { createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { toSourceLink } from '../../../core/report/source-link.ts'
import { Code, placeOf } from './text.tsx'

/** Where the source of the report is shown; undefined where whoever asked for the scan did not say. */
export const Source = createContext<string | undefined>(undefined)

interface PlaceProps {
  readonly file: string
  readonly line?: number
  /** In the place of the file and line. */
  readonly text?: string
}

/** A place that leads to its line in the source, where that is known; a text of its own stands there alone. */
export function Place({ file, line, text }: PlaceProps): JSX.Element | null {
  const template = useContext(Source)
  const link = template === undefined ? undefined : toSourceLink(template, file, line)
  if (link === undefined) return text === undefined ? <Code text={placeOf(file, line)} /> : null
  return (
    <a class="fd-link" href={link} rel="noopener noreferrer" target="_blank">
      {text ?? <Code text={placeOf(file, line)} />}
    </a>
  )
}

import type { ProjectFile } from '../../files.ts'
import type { Ui5View } from './types.ts'
import { readHtmlView } from './view-html.ts'
import { readJsonView } from './view-json.ts'
import { readScriptView } from './view-script.ts'
import { readXmlView } from './view-xml.ts'

/** What a reader of one language tells about a view. */
export type ReadView = Omit<Ui5View, 'file' | 'kind' | 'test' | 'controller'>

/** A view or a fragment to its controls, in the order of the text. Undefined for every other file. */
export function toView(file: Pick<ProjectFile, 'path' | 'kind' | 'content'>): Ui5View | undefined {
  const { path, kind } = file
  if (kind.role !== 'view' && kind.role !== 'fragment') return undefined
  const view = readView(file)
  return view && { file: path, kind: kind.role, test: kind.test, controller: undefined, ...view }
}

function readView({ kind, content }: Pick<ProjectFile, 'kind' | 'content'>): ReadView | undefined {
  switch (content.as) {
    case 'markup':
      return kind.language === 'html' ? readHtmlView(content.document) : readXmlView(content.document)
    case 'data':
      return content.roots[0] && readJsonView(content.roots[0])
    case 'script':
      return readScriptView(content.facts)
    default:
      return undefined
  }
}

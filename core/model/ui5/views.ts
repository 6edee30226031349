import type { ProjectFile } from '../../files.ts'
import type { Ui5View } from './types.ts'
import { embeddedViews } from './page-views.ts'
import { readHtmlView } from './view-html.ts'
import { readJsonView } from './view-json.ts'
import { readScriptView } from './view-script.ts'
import { readXmlView } from './view-xml.ts'

/** What a reader of one language tells about a view. */
export type ReadView = Omit<Ui5View, 'file' | 'kind' | 'test' | 'controller'>

/** The views and fragments of a file, as their controls in the order of the text: one where its name says so, and those that a page holds in it. */
export function viewsOf(file: Pick<ProjectFile, 'path' | 'kind' | 'content'>): Ui5View[] {
  const { path, kind, content } = file
  const { role, test } = kind
  if (role === 'view' || role === 'fragment') {
    const view = readView(file)
    return view === undefined ? [] : [{ file: path, kind: role, test, controller: undefined, ...view }]
  }
  if (kind.language !== 'html' || content.as !== 'markup') return []
  return embeddedViews(content.document).map((document) => ({
    file: path,
    kind: document.children[0]?.localName === 'FragmentDefinition' ? 'fragment' : 'view',
    test,
    controller: undefined,
    ...readXmlView(document),
  }))
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

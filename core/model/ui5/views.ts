import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { OpenContent, ProjectFile } from '../../files.ts'
import type { Ui5View } from './types.ts'
import { embeddedViews } from './page-views.ts'
import { readHtmlView } from './view-html.ts'
import { readJsonView } from './view-json.ts'
import { readScriptView } from './view-script.ts'
import { readXmlView } from './view-xml.ts'

/** What a reader of one language tells about a view. */
export type ReadView = Omit<Ui5View, 'file' | 'kind' | 'test' | 'controller'>

/** What a view or fragment constructs that is a script. */
export const scriptView: Extract<ReadView> = defineExtract({
  name: 'ui5-script-view',
  role: 'view',
  collect: ({ facts }) => [readScriptView(facts)],
})

/** The same of a module that extends the class of views, whatever its name is. Fact: API of sap.ui.core.mvc.View, "Typed Views" (1.136). */
export const typedView: Extract<ReadView> = defineExtract({
  name: 'ui5-typed-view',
  keywords: ['createContent'],
  prefilter: (text) => text.includes('sap/ui/core/mvc/View'),
  collect: ({ kind: { role }, facts }) =>
    role !== 'view' && role !== 'fragment' && facts.imports.some(({ source }) => source === 'sap/ui/core/mvc/View')
      ? [readScriptView(facts)]
      : [],
})

/** The views and fragments of a file, as their controls in the order of the text: one where its name says so, and those that a page holds in it. */
export function viewsOf(
  file: Pick<ProjectFile, 'path' | 'kind'> & { readonly content: OpenContent },
  scripts?: Scripts,
): Ui5View[] {
  const { path, kind, content } = file
  const { role, test } = kind
  if (role === 'view' || role === 'fragment') {
    const view = content.as === 'text' ? scripts?.of(path, scriptView)[0] : readView(kind, content)
    return view === undefined ? [] : [{ file: path, kind: role, test, controller: undefined, ...view }]
  }
  const [typed] = kind.language === 'script' ? (scripts?.of(path, typedView) ?? []) : []
  if (typed !== undefined) return [{ file: path, kind: 'view', test, controller: undefined, ...typed }]
  if (kind.language !== 'html' || content.as !== 'markup') return []
  return embeddedViews(content.document).map((document) => ({
    file: path,
    kind: document.children[0]?.localName === 'FragmentDefinition' ? 'fragment' : 'view',
    test,
    controller: undefined,
    ...readXmlView(document),
  }))
}

function readView({ language }: ProjectFile['kind'], content: OpenContent): ReadView | undefined {
  switch (content.as) {
    case 'markup':
      return language === 'html' ? readHtmlView(content.document) : readXmlView(content.document)
    case 'data':
      return content.roots[0] && readJsonView(content.roots[0])
    case 'script':
      return readScriptView(content.facts)
    default:
      return undefined
  }
}

import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { groupBy } from '../../lists.ts'
import { textsBelow } from '../../parse/data.ts'
import { attributeOf, textsOfMarkup } from '../../parse/markup.ts'
import { folderOf, isBelow } from '../../paths.ts'
import { usageByPath } from './usage.ts'

/** The last part of a name in a text: `"shop/controller/Base.controller"`, `"shop.controller.Base"`, `"./Base.controller"`. */
const LAST_PART = /[./]([A-Za-z_][\w-]{0,80})(?:\.controller(?:\.js)?)?["'`]/g
/** A controller, or what has one, by a name that is no whole text: it is made at run time, as in `"shop/controller/" + name + ".controller"`. */
const MADE: readonly RegExp[] = [
  /(?:\bsap\.ui\.controller\(|\bController\.create\(\s{0,40}\{\s{0,40}["']?name["']?\s{0,4}:|\bcontrollerName["']?\s{0,4}:)\s{0,40}(?!\s|(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')\s{0,40}[,;)}\]])/,
  /\bController\.create\(\s{0,40}(?!\s|\{\s{0,40}["']?name["']?\s{0,4}:)/,
  /\bgetControllerName(?:\s{0,4}:\s{0,4}function\s{0,4})?\([^()]{0,40}\)\s{0,4}(?::\s{0,4}\w{1,20}\s{0,4})?\{\s{0,40}(?!\s|return\s{0,9}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')\s{0,40}[,;)}\]])/,
  /["'`./]controllers?[./](?:[\w-]{1,60}[./]){0,4}(?:["'`]|\$\{)|(?:\+\s{0,40}["'`]|\})\.controller(?:\.js)?["'`]/,
]

/** What the texts of a script end in: modules and controllers among them. `*`: it loads controllers by names that nobody can tell. */
export const mentionedControllers: Extract<string> = defineExtract({
  name: 'reach-mentioned-controllers',
  keywords: ['controller'],
  inPages: true,
  *collectText(text) {
    yield* new Set([...text.matchAll(LAST_PART)].map(([, name = '']) => name))
    if (MADE.some((form) => form.test(text))) yield '*'
  },
})

/**
 * Tells controllers that no view, manifest or script of the project names, in a project where views name others: nothing loads them.
 * Those of a library may be loaded by apps of other projects.
 * Facts: API of sap.ui.core.mvc.View (`controllerName`), sap.ui.core.mvc.Controller (`create`); a module of a controller has `.controller` behind its name.
 */
export function createUnloadedReader(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): (file: string) => boolean {
  let known: Named | undefined
  return (file) => {
    const name = CONTROLLER.exec(file)?.[1]
    if (name === undefined || files.get(file)?.kind.test !== false) return false
    known ??= findNamed(files, scripts)
    if (known.isOpen || known.byViews.size < LEAST_NAMED || known.libraries.some((folder) => isBelow(file, folder))) return false
    return !isNamed(known, name, file) && !isFoundAs(known, file)
  }
}

function isNamed({ byFiles, byScripts }: Named, name: string, file: string): boolean {
  // its own text names it, where it is defined
  return byFiles.has(name) || [...(byScripts.get(name) ?? [])].some((one) => one !== file)
}

/** A view names its controller in other letters, and no file beside it has the name in those. */
function isFoundAs(known: Named, file: string): boolean {
  const name = controllerIn(file)
  if (name === undefined || !known.inLowerCase.has(name)) return false
  const alike = known.alike.get(name) ?? []
  return !alike.some(
    (other) => other !== file && folderOf(other) === folderOf(file) && isNamed(known, CONTROLLER.exec(other)?.[1] ?? '', other),
  )
}

/** Controllers that views name, so that it is known how this project loads them. */
const LEAST_NAMED = 3

/** The name of a controller's file, in lower case: Windows, and the repository of an ABAP system, find files whatever the case of their names. */
export function controllerIn(path: string): string | undefined {
  return CONTROLLER.exec(path)?.[1]?.toLowerCase()
}

/** `Orders.controller.js`, `Orders.controller.ts`. */
export const CONTROLLER: RegExp = /(?:^|\/)([^/]{1,100})\.controller\.[jt]s$/
/** What defines a library of UI5. */
const LIBRARY = /(?:^|\/)(?:library\.[jt]s|\.library)$/
/** A view that is a script, or that could not be read, may have the controller of its name. */
const VIEW = /(?:^|\/)([^/]{1,100})\.view\.\w{2,4}$/

interface Named {
  readonly byViews: ReadonlySet<string>
  readonly byFiles: ReadonlySet<string>
  /** Those of views, whose case need not be that of the file. */
  readonly inLowerCase: ReadonlySet<string>
  /** Files of controllers by their names in lower case. */
  readonly alike: ReadonlyMap<string, readonly string[]>
  readonly byScripts: ReadonlyMap<string, ReadonlySet<string>>
  readonly libraries: readonly string[]
  readonly isOpen: boolean
}

function findNamed(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): Named {
  const byViews = new Set<string>()
  const byFiles = new Set<string>()
  for (const { path, kind, content } of files.values()) {
    const ofView = VIEW.exec(path)?.[1]
    if (ofView !== undefined && content.as !== 'markup') byFiles.add(ofView)
    if (kind.test || usageByPath(path) === 'unused') continue
    for (const text of textsOf(content)) for (const part of text.split(/[./]/)) byFiles.add(part)
    if (content.as === 'markup')
      for (const root of content.document.children) {
        const name = attributeOf(root, 'controllerName')?.value
        if (name !== undefined) byViews.add(name)
      }
  }
  const byScripts = new Map<string, Set<string>>()
  for (const { file, value } of scripts.get(mentionedControllers)) {
    if (usageByPath(file) === 'unused') continue
    const before = byScripts.get(value)
    if (before === undefined) byScripts.set(value, new Set([file]))
    else before.add(file)
  }
  const libraries = [...files.keys()].filter((path) => LIBRARY.test(path)).map(folderOf)
  const inLowerCase = new Set(
    [...byViews].map((name) =>
      (
        name
          .replace(/\.controller$/u, '')
          .split(/[./]/)
          .at(-1) ?? name
      ).toLowerCase(),
    ),
  )
  const alike = groupBy([...files.keys()], (path) => controllerIn(path) ?? '')
  return { byViews, byFiles, inLowerCase, alike, byScripts, libraries, isOpen: byScripts.has('*') }
}

function textsOf(content: ProjectFile['content']): readonly string[] {
  if (content.as === 'markup') return textsOfMarkup(content.document)
  if (content.as === 'data') return content.roots.flatMap((root) => textsBelow(root).map(({ text }) => text))
  return []
}

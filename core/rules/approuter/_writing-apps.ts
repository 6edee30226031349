import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Approuter, Route } from '../../model/approuter/index.ts'
import { manifestModelsOf, type Ui5App } from '../../model/ui5/index.ts'
import { folderOf } from '../../paths.ts'
import type { Project } from '../subjects.ts'

/** `oModel.remove(path)`, `this.getModel("orders").update(…)`, `context.delete()`. Facts: UI5 API reference, v2.ODataModel (`update`, `remove`; models of JSON have no such methods), v4.Context (`delete`). */
const CHANGES =
  /model\w{0,40}(?:\(\s{0,5}(?:["'][\w./-]{0,60}["'])?\s{0,5}\))?\.(?:update|remove)\(\s{0,10}[^\s)]|context\w{0,40}(?:\(\s{0,5}\))?\.delete\(/i

/** Scripts of apps that change or delete what an OData service holds. */
export const changedModels: Extract<true> = defineExtract({
  name: 'approuter-changed-models',
  keywords: ['.update(', '.remove(', '.delete('],
  *collectText(text) {
    if (CHANGES.test(text)) yield true
  },
})

/**
 * An app of the project changes and deletes data through this route, on which no login travels with it: so the backend takes such requests from anybody. Needs the
 * extract `changedModels`.
 */
export function isChangedThrough(
  approuter: Approuter,
  route: Route,
  { ui5Apps, approuters }: Pick<Project, 'ui5Apps' | 'approuters'>,
): boolean {
  return ui5Apps.some((app) => {
    if (app.isUndeclared || !isServedBy(approuter, app, approuters)) return false
    const addresses = serviceAddresses(app)
    // of several models nothing tells which one is changed
    const routes = new Set(addresses.map((address) => routeOf(approuter, address)))
    return routes.size === 1 && routes.has(route) && app.scripts.get(changedModels).length > 0
  })
}

/** Paths of its OData services on the host of the approuter. */
function serviceAddresses(app: Ui5App): readonly string[] {
  return manifestModelsOf(app).flatMap(({ type, uri }) => {
    if (uri === undefined || (type !== undefined && !/odata/i.test(type))) return []
    // an app in the repository of HTML5 apps asks below its own path
    return [uri.startsWith('/') ? uri : `/${uri}`]
  })
}

/** It lies in the folder of the approuter, or the project has no other one. */
function isServedBy({ file }: Approuter, { root }: Ui5App, approuters: readonly Approuter[]): boolean {
  const folder = folderOf(file)
  if (root === folder || root.startsWith(`${folder}/`)) return true
  return approuters.filter(({ deployed }) => deployed).length === 1
}

/** The first route that takes what lies below a path; undefined also where that is undecided. */
function routeOf({ languages, routes }: Approuter, address: string): Route | undefined {
  const wanted = languages.read(`^${address.replaceAll(/[^\w/-]/g, '\\$&')}`, true, 'start')
  for (const route of routes) {
    const language = languages.read(route.source, route.matchCase)
    const takes = wanted && language && languages.isWithin(wanted, language)
    if (takes !== false) return takes === true ? route : undefined
  }
  return undefined
}

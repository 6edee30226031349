import type { Approuter, Route } from '../../model/approuter/index.ts'
import { manifestModelsOf, type Ui5App } from '../../model/ui5/index.ts'
import { folderOf, isBelow } from '../../paths.ts'

/** Whether the approuter of an app hands on requests to all of its OData services without a login: of several nothing tells which one has the set. */
export function isServedToAll(app: Ui5App, approuters: readonly Approuter[], step: (count?: number) => void): boolean {
  const own = approuters.find(({ file }) => file.endsWith('xs-app.json') && isIn(app.root, folderOf(file)))
  const services = manifestModelsOf(app).flatMap(({ type, uri }) =>
    uri === undefined || /^[a-z]+:/i.test(uri) || (type !== undefined && !/odata/i.test(type))
      ? []
      : `/${uri.replace(/^\//, '')}`,
  )
  if (own === undefined || services.length === 0) return false
  return services.every((address) => {
    step(own.routes.length)
    return routeOf(own, `${address.replace(/\/$/, '')}/x`)?.authenticationType === 'none'
  })
}

function isIn(folder: string, around: string): boolean {
  return folder === around || isBelow(folder, around)
}

/** The first route that takes a path; undefined also where that is not known. */
function routeOf({ languages, routes }: Approuter, url: string): Route | undefined {
  const wanted = languages.read(`^${url.replaceAll(/[^\w/-]/g, '\\$&')}$`, true)
  for (const route of routes) {
    const language = languages.read(route.source, route.matchCase)
    const takes = wanted && language && languages.isWithin(wanted, language)
    if (takes !== false) return takes === true ? route : undefined
  }
  return undefined
}

import { at, booleanOf, itemsOf, membersOf, stringOf, textsOf, type DataNode } from '../../parse/data.ts'
import type { Place, Span } from '../../types.ts'
import { purposeOf, type PublicDestinations } from './purpose.ts'
import type { Approuter, Route, RouteTarget } from './types.ts'

const WRITE_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

/** The routes of a descriptor, in their order; what is no route is left out, as are keys of a wrong type. */
export function readRoutes(
  file: string,
  root: DataNode,
  authenticationMethod: string,
  publicDestinations: PublicDestinations,
): Route[] {
  const pages = namedPages(root)
  const routes: Route[] = []
  for (const node of itemsOf(at(root, 'routes'))) {
    const sourceNode = at(node, 'source')
    // the long form is { "path": "...", "matchCase": false }
    const pathNode = stringOf(sourceNode) === undefined ? at(sourceNode, 'path') : sourceNode
    const source = stringOf(pathNode)
    if (source === undefined || pathNode === undefined) continue
    const typeNode = at(node, 'authenticationType')
    const authenticationType = stringOf(typeNode)
    const methods = readMethods(node)
    const target = readTarget(node)
    const rewrite = stringOf(at(node, 'target'))
    routes.push({
      place: placeOf(file, node),
      node,
      index: routes.length,
      source,
      sourcePlace: placeOf(file, pathNode),
      matchCase: booleanOf(at(sourceNode, 'matchCase')) ?? true,
      target,
      rewrite,
      authenticationType,
      authenticationPlace: placeOf(file, typeNode ?? node),
      authenticates: authenticationMethod !== 'none' && authenticationType !== 'none',
      purpose: purposeOf({ source, rewrite, target }, pages, publicDestinations),
      methods,
      writeMethods: WRITE_METHODS.filter((method) => methods?.includes(method) ?? true),
      scopes: readScopes(at(node, 'scope')),
      csrfProtection: booleanOf(at(node, 'csrfProtection')) ?? true,
    })
  }
  return routes
}

/** Whether a route takes requests of a method. */
export function takesMethod({ methods }: Route, method: string): boolean {
  return methods?.includes(method) ?? true
}

/** The scopes of which a method needs one; an empty list where nobody may call it: the descriptor lists methods, and neither this one nor a default. */
export function scopesFor({ scopes }: Route, method: string): readonly string[] | undefined {
  if (scopes === undefined) return undefined
  return scopes.get(method) ?? scopes.get('default') ?? []
}

export function placeOf(file: string, { start, end }: Span): Place {
  return { file, span: { start, end } }
}

/** Pages that the README requires to be public: the logout page and the error pages. */
function namedPages(root: DataNode): string[] {
  const errors = itemsOf(at(root, 'errorPage')).map((item) => stringOf(at(item, 'path')) ?? stringOf(at(item, 'file')))
  return [stringOf(at(root, 'logout', 'logoutPage')), ...errors].filter((page) => page !== undefined)
}

function readMethods(node: DataNode): readonly string[] | undefined {
  const methods = itemsOf(at(node, 'httpMethods')).flatMap((item) => stringOf(item)?.toUpperCase() ?? [])
  return methods.length === 0 ? undefined : methods
}

/** `"a"` and `["a", "b"]` hold for all methods, an object for those that it names. */
function readScopes(node: DataNode | undefined): ReadonlyMap<string, readonly string[]> | undefined {
  if (node?.kind === 'object') {
    const named = membersOf(node).map(({ key, value }): [string, readonly string[]] => [key, textsOf(value)])
    return named.length === 0 ? undefined : new Map(named)
  }
  const names = textsOf(node)
  return names.length === 0 ? undefined : new Map([['default', names]])
}

const OWN_SERVICES: ReadonlyMap<string, RouteTarget['kind']> = new Map([
  ['html5-apps-repo-rt', 'html5-repo'],
  ['sap-approuter-userapi', 'user-api'],
])

function readTarget(node: DataNode): RouteTarget {
  const target = (kind: RouteTarget['kind'], key: string): RouteTarget[] => {
    const name = stringOf(at(node, key))
    return name === undefined ? [] : [{ kind: OWN_SERVICES.get(name) ?? kind, name }]
  }
  const [found] = [...target('destination', 'destination'), ...target('service', 'service'), ...target('local-dir', 'localDir')]
  return found ?? { kind: 'self', name: stringOf(at(node, 'target')) ?? '' }
}

/** Whether a route leads to a server, and not to files. */
export function leadsToServer({ target }: Pick<Route, 'target'>): boolean {
  return target.kind === 'destination' || target.kind === 'service'
}

/** Whether an approuter of a project asks for a login in front of servers. */
export function requiresLogin(approuters: readonly Pick<Approuter, 'routes'>[]): boolean {
  return approuters.some(({ routes }) => routes.some((route) => route.authenticates && leadsToServer(route)))
}

import { lastName, isBelow } from '../../../paths.ts'
import { at, itemsOf, stringOf } from '../../../parse/data.ts'
import type { Approuter, Route } from '../../../model/approuter/index.ts'
import { isPlatformRole } from '../../../model/authorization/index.ts'
import type { Application } from '../../../model/deployment/index.ts'
import type { Place } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { anonymousXsjs } from '../../../model/reach/index.ts'
import { guardedWrites } from '../_rows/guarded-writes.ts'
import { roleTalk } from './unasked-roles.ts'

/** A route that asks for a scope in front of a server with an address of its own, where nothing asks for one. */
export interface RouteScope {
  readonly at: Place
  readonly route: Route
  readonly scopes: readonly string[]
  readonly server: string
}

/**
 * Routes whose scope the server behind them never asks for, though it can be reached past the approuter. Servers of CAP have models that say it, and rules of their own.
 * Fact: MTA, `${default-url}`: a module that provides it has a public route. Needs the extracts `roleTalk`, `guardedWrites` and `anonymousXsjs`.
 */
export function* scopesOfRoutesAlone(project: Project): Generator<RouteScope> {
  const { approuters, deployment, capRoots } = project
  const scoped = approuters.flatMap((approuter) =>
    approuter.deployed
      ? approuter.routes.flatMap((route) => ownScopes(route).map((scopes) => ({ approuter, route, scopes })))
      : [],
  )
  if (scoped.length === 0) return
  const models = new Set(capRoots.flatMap(({ deployments }) => deployments.map(({ file, name }) => `${file} ${name}`)))
  const servers = deployment.applications.filter(
    ({ file, name, type, folder, isApprouter, hasPublicRoute, isStopped }) =>
      folder !== undefined &&
      type.startsWith('nodejs') &&
      !isApprouter &&
      hasPublicRoute &&
      !isStopped &&
      !models.has(`${file} ${name}`),
  )
  for (const { approuter, route, scopes } of scoped) {
    project.step()
    const routing = deployment.applications.filter(({ isApprouter, folder }) => isApprouter && isIn(approuter, folder))
    const server = servers.find((one) => routing.some((from) => leadsTo(from, one, route.target.name)))
    if (server?.name === undefined || !asksForLogin(server, project) || isTalkedOfIn(server, project)) continue
    yield { at: route.sourcePlace, route, scopes, server: server.name }
  }
}

/** `$XSAPPNAME.Edit`, of which users need one whatever the method is. */
function ownScopes({ authenticates, scopes, target, purpose }: Route): readonly (readonly string[])[] {
  const asked = scopes?.get('default') ?? []
  const names = asked.filter((scope) => scope.startsWith('$XSAPPNAME.')).map(lastName)
  const isRouted = authenticates && target.kind === 'destination' && purpose === undefined
  return isRouted && names.length > 0 && names.length === asked.length && !names.some(isPlatformRole) ? [names] : []
}

function isIn({ file }: Pick<Approuter, 'file'>, folder: string | undefined): boolean {
  return folder !== undefined && isBelow(file, folder)
}

/** `requires: [{ name: srv-api, group: destinations, properties: { name: back, url: ~{srv-url} } }]`, `destinations: [{ name: back, url: ~{srv-api/srv-url} }]` */
function leadsTo({ file, node }: Application, server: Application, destination: string): boolean {
  if (file !== server.file) return false
  const provided = new Set(itemsOf(at(server.node, 'provides')).flatMap((one) => stringOf(at(one, 'name')) ?? []))
  const required = itemsOf(at(node, 'requires')).some(
    (one) => provided.has(stringOf(at(one, 'name')) ?? '') && stringOf(at(one, 'properties', 'name')) === destination,
  )
  const written = itemsOf(at(node, 'parameters', 'destinations')).some((one) => {
    const [, name = ''] = /^~\{([^/{}]{1,100})\//.exec(stringOf(at(one, 'url')) ?? '') ?? []
    return provided.has(name) && stringOf(at(one, 'name')) === destination
  })
  return required || written
}

/** A server of XSJS authenticates whoever calls, unless it is told not to; one of Express does with passport. Fact: README of @sap/xsjs 6.7.9, `anonymous`. */
function asksForLogin(server: Application, { files, scripts }: Project): boolean {
  const isOwn = ({ file }: { readonly file: string }): boolean => isIn({ file }, server.folder)
  if (!server.bindings.some(({ service }) => service === 'xsuaa')) return false
  const hasScripts = [...files.keys()].some((file) => file.endsWith('.xsjs') && isOwn({ file }))
  return hasScripts ? !scripts.get(anonymousXsjs).some(isOwn) : scripts.get(guardedWrites).some(isOwn)
}

/** It speaks of roles in any way, or files of XS do that are not read here. */
function isTalkedOfIn({ folder }: Application, { files, scripts, reach }: Project): boolean {
  const isOwn = (file: string): boolean => isIn({ file }, folder)
  return (
    [...files.keys()].some((file) => /(?:\.xsodata|\.xsaccess|\.xsprivileges)$/.test(file) && isOwn(file)) ||
    scripts.get(roleTalk).some(({ file }) => isOwn(file) && reach.usageOf(file) !== 'unused')
  )
}

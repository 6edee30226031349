import { at, itemsOf, stringOf, textsBelow, type DataNode } from '../../parse/data.ts'
import type { CapRoot } from '../cap/index.ts'
import { foldersAround, lastName } from '../../paths.ts'
import { textItems, type Deployment, type ServiceInstance } from '../deployment/index.ts'
import { append } from '../../lists.ts'
import { isPlatformRole } from './roles.ts'

/** What security descriptors say about roles. */
export interface DeclaredRoles {
  /** Names of scopes as CAP compares them: without `$XSAPPNAME.` in front. */
  readonly scopes: ReadonlySet<string>
  readonly templates: ReadonlySet<string>
  /** Attributes, and scopes of other applications that come along. */
  readonly others: ReadonlySet<string>
}

/** The instances of XSUAA and of the identity service that hold for a CAP project. */
export type SecurityOf = (root: CapRoot) => readonly ServiceInstance[]

/**
 * Those of the MTAs that deploy the project, and the descriptors that lie in it, or around it and in no other project. Where an MTA's own descriptor
 * defines roles, it alone counts: nobody deploys the others.
 */
export function indexSecurity({ services, applications }: Deployment, roots: readonly CapRoot[]): SecurityOf {
  const folders = new Set(roots.map(({ root }) => root))
  // an MTA with servers is theirs
  const served = new Set(applications.filter((one) => !one.isApprouter && one.folder !== undefined).map(({ file }) => file))
  const [byMta, byOwner, byFolder] = [
    new Map<string, ServiceInstance[]>(),
    new Map<string, ServiceInstance[]>(),
    new Map<string, ServiceInstance[]>(),
  ]
  for (const instance of services) {
    const { mta, place } = instance
    if (mta !== undefined) append(byMta, mta.file, instance)
    if (mta !== undefined && served.has(mta.file)) continue
    const around = [...foldersAround(mta?.file ?? place.file)]
    const owner = around.find((folder) => folders.has(folder))
    if (owner !== undefined) append(byOwner, owner, instance)
    else append(byFolder, around[0] ?? '', instance)
  }
  return ({ root, deployments }) => {
    const files = new Set(deployments.map(({ file }) => file))
    const own = [...files].flatMap((file) => byMta.get(file) ?? [])
    if (own.some((instance) => instance.service === 'xsuaa' && instance.isComplete && definesRoles(instance.config))) return own
    const around = [...foldersAround(root)].flatMap((folder) => byFolder.get(folder) ?? [])
    return [...new Set([...own, ...(byOwner.get(root) ?? []), ...around])]
  }
}

/** A descriptor has scopes or role templates. */
export function definesRoles(config: DataNode): boolean {
  return ['scopes', 'role-templates'].some((key) => itemsOf(at(config, key)).length > 0)
}

/** No scope but those of the platform, no template that gives something else, no attribute by which rows may be chosen. */
export function definesNoRole(instance: ServiceInstance): boolean {
  const { config } = instance
  const templates = itemsOf(at(config, 'role-templates'))
  return (
    [...declaredRoles([instance]).scopes].every((scope) => isPlatformRole(scope)) &&
    itemsOf(at(config, 'attributes')).length === 0 &&
    templates.every((template) => textItems(at(template, 'scope-references')).every(({ text }) => isPlatformRole(text)))
  )
}

/** Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth/jwt-auth.js: a user's roles are the scopes of the token without the name of the application. */
export function declaredRoles(instances: readonly ServiceInstance[]): DeclaredRoles {
  const scopes = new Set<string>()
  const templates = new Set<string>()
  const others = new Set<string>()
  for (const { config } of instances) {
    const application = stringOf(at(config, 'xsappname'))
    for (const scope of itemsOf(at(config, 'scopes'))) {
      const name = stringOf(at(scope, 'name'))
      if (name !== undefined) for (const role of namesOf(name, application)) scopes.add(role)
    }
    for (const template of itemsOf(at(config, 'role-templates'))) {
      const name = stringOf(at(template, 'name'))
      if (name !== undefined) templates.add(name)
    }
    for (const attribute of itemsOf(at(config, 'attributes'))) others.add(stringOf(at(attribute, 'name')) ?? '')
    for (const key of ['foreign-scope-references', 'authorities', 'granted-authorities']) {
      for (const item of itemsOf(at(config, key))) {
        const name = stringOf(item) ?? ''
        others.add(name)
        others.add(lastName(name))
      }
    }
  }
  return { scopes, templates, others }
}

/** What descriptors say of each role, in the words of their authors: of its scope, and of the role template that is called like it. */
export function describedRoles(instances: readonly ServiceInstance[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { service, config } of instances) {
    if (service !== 'xsuaa') continue
    const application = stringOf(at(config, 'xsappname'))
    for (const key of ['scopes', 'role-templates'])
      for (const item of itemsOf(at(config, key))) {
        const text = (stringOf(at(item, 'description')) ?? '').slice(0, MAX_DESCRIPTION)
        for (const role of namesOf(stringOf(at(item, 'name')) ?? '', application))
          if (key === 'scopes' || found.has(role)) found.set(role, [found.get(role) ?? '', text].filter(Boolean).join('; '))
      }
  }
  return found
}

const MAX_DESCRIPTION = 500

/** `$XSAPPNAME.Admin`, `$XSAPPNAME($XSSERVICENAME).Admin` and `my-app.Admin` are the role Admin; of another prefix all ends are tried. */
export function namesOf(scope: string, application: string | undefined): string[] {
  const prefix = /^\$XSAPPNAME(?:\([^()]{0,200}\))?\./.exec(scope)?.[0]
  if (prefix !== undefined) return [scope.slice(prefix.length)]
  if (application !== undefined && scope.startsWith(`${application}.`)) return [scope.slice(application.length + 1)]
  // `uaa.user` is no role `user`, but `other!t1.Admin` may be asked for as `Admin`
  return isPlatformRole(scope) && !scope.includes('!') ? [scope] : [scope, lastName(scope)]
}

/** The roles that whoever has a role has too, itself among them. */
export type HeldRoles = (role: string) => ReadonlySet<string>

/**
 * What role templates give together: a role that is in each template that has another one comes along with it, whatever the attributes. Of a scope that other applications
 * are granted this is unknown: they give it to users by templates of their own, or to technical clients.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (`scope-references`; `granted-apps`, `grant-as-authority-to-apps`): users get scopes by role templates alone.
 */
export function heldRoles(instances: readonly ServiceInstance[]): HeldRoles {
  const granted = new Set<string>()
  // what each template that has a role gives with it
  const held = new Map<string, ReadonlySet<string>>()
  for (const { config } of instances) {
    const application = stringOf(at(config, 'xsappname'))
    for (const scope of itemsOf(at(config, 'scopes')))
      if (GRANTS.some((key) => at(scope, key) !== undefined))
        for (const role of namesOf(stringOf(at(scope, 'name')) ?? '', application)) granted.add(role)
    for (const template of itemsOf(at(config, 'role-templates'))) {
      const scopes = itemsOf(at(template, 'scope-references')).flatMap((scope) => stringOf(scope) ?? [])
      const own = scopes.filter((scope) => isOfApplication(scope, application)).flatMap((scope) => namesOf(scope, application))
      for (const role of scopes.flatMap((scope) => namesOf(scope, application))) {
        const known = held.get(role)
        held.set(role, new Set(known === undefined ? own : own.filter((one) => known.has(one))))
      }
    }
  }
  return (role) => new Set([role, ...(granted.has(role) ? [] : (held.get(role) ?? []))])
}

/** Whether a role template gives a role, and none of these with it. */
export function isGivenWithout(role: string, without: readonly string[], instances: readonly ServiceInstance[]): boolean {
  return instances.some(({ config }) => {
    const application = stringOf(at(config, 'xsappname'))
    return itemsOf(at(config, 'role-templates')).some((template) => {
      const scopes = itemsOf(at(template, 'scope-references')).flatMap((scope) => stringOf(scope) ?? [])
      const names = new Set(scopes.flatMap((scope) => namesOf(scope, application)))
      return names.has(role) && !without.some((one) => names.has(one))
    })
  })
}

/** Scopes that other applications get, to call back or to act for the app. */
export const GRANTS: readonly string[] = ['granted-apps', 'grant-as-authority-to-apps']

/** `$XSAPPNAME(application,other).Admin` is a scope of another application. */
export function isOfApplication(scope: string, application: string | undefined): boolean {
  return (
    /^\$XSAPPNAME(?:\(\$XSSERVICENAME\))?\./.test(scope) || (application !== undefined && scope.startsWith(`${application}.`))
  )
}

/** A build step writes the descriptor anew from the model (`cds compile srv --to xsuaa`), so what is committed does not tell what is deployed. */
export function isGeneratedInBuild(instances: readonly ServiceInstance[]): boolean {
  return instances.some(({ mta }) => {
    if (mta === undefined) return false
    const steps = [at(mta.tree, 'build-parameters'), ...mta.modules.map(({ node }) => at(node, 'build-parameters'))]
    return steps.some((step) => textsBelow(step).some(({ text }) => /\bto\s{1,5}xsuaa\b/.test(text)))
  })
}

import {
  openElements,
  placeIn,
  rolesIn,
  servedServices,
  type CapAnnotation,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { ServiceInstance } from '../../model/deployment/index.ts'
import { at, itemsOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An endpoint that is internal by its name and open to every technical user.
 * Facts: capire, "CAP Users", pseudo roles; @sap/cds 9.9.3 and 10.1.1, lib/srv/middlewares/auth/jwt-auth.js (`internal-user`: the client is the
 * application's own; `system-user`: any client credentials).
 * Impact: it takes a technical client whose token the application accepts.
 */
export const systemUserTooBroad: Rule = defineRule({
  id: 'cap/system-user-too-broad',
  impact: 'data',
  reach: 'privileged',
  confidence: 'medium',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/cap-users#pseudo-roles',
  on: 'deployment',

  *check(deployment, { capRoots, securityOf }) {
    const isCalled = deployment.mtas.some(({ resources }) => resources.some(({ service = '' }) => CALLERS.test(service)))
    if (isCalled) return
    for (const root of capRoots) {
      const guarded = [...guardedEndpoints(root)]
      if (guarded.length === 0 || securityOf(root).some(isGranted)) continue
      for (const { service, element, annotation, value } of guarded) {
        const word = internalWord(element === undefined ? [service.name, service.path ?? ''] : [element.name])
        if (word === undefined) continue
        const name = element === undefined ? service.name : `${service.name}.${element.name}`
        yield { at: placeIn(annotation, value), args: { element: name, word } }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Internal endpoint open to all technical users',
      message:
        '{element} requires \'system-user\', but "{word}" in its name or path suggests internal use, and nothing in the project declares another application that calls it.',
      why: 'Every technical client whose token the application accepts is a system user, not only the application itself: all of them can trigger these internal operations.',
      fix: "Replace 'system-user' with 'internal-user' on {element}. If another application calls it, require a role whose scope you grant to that application with \"grant-as-authority-to-apps\" in xs-security.json.",
    },
    fr: {
      title: 'Point de terminaison interne ouvert à tous les utilisateurs techniques',
      message:
        '{element} exige \'system-user\', mais "{word}" dans son nom ou son chemin suggère un usage interne, et rien dans le projet ne déclare une autre application qui l’appelle.',
      why: 'Tout client technique dont l’application accepte le jeton est un utilisateur système, et pas seulement l’application elle-même : chacun peut déclencher ces opérations internes.',
      fix: "Remplacez 'system-user' par 'internal-user' sur {element}. Si une autre application l’appelle, exigez un rôle dont vous lui accordez le scope avec \"grant-as-authority-to-apps\" dans xs-security.json.",
    },
  }),
})

interface Guarded {
  readonly service: CapService
  readonly element?: CapElement
  readonly annotation: CapAnnotation
  readonly value: { readonly start: number; readonly end: number }
}

/** Services for system users, and unbound actions for them in services without a role. */
function* guardedEndpoints(root: CapRoot): Generator<Guarded> {
  for (const service of servedServices(root)) {
    if (service.access.kind === 'none') continue
    const own = systemUserIn(service.annotations)
    // a service that exposes nothing, or restricts all of it further, is not open
    if (own !== undefined && openElements(service).length > 0) yield { service, ...own }
    if (service.access.kind === 'roles') continue
    for (const element of service.elements) {
      if (element.kind === 'entity' || element.entity !== undefined) continue
      const said = systemUserIn(element.annotations)
      if (said !== undefined) yield { service, element, ...said }
    }
  }
}

/** The place of `system-user`, where it is the only role. */
function systemUserIn(annotations: ReadonlyMap<string, CapAnnotation>): Omit<Guarded, 'service'> | undefined {
  for (const name of ['requires', 'restrict'] as const) {
    const annotation = annotations.get(name)
    const roles = annotation === undefined ? [] : rolesIn(name, annotation.value)
    const [system] = roles
    if (annotation === undefined || system === undefined || roles.some(({ word }) => word !== 'system-user')) continue
    return { annotation, value: system.value }
  }
  return undefined
}

const INTERNAL = /^(?:internal|admin|administration|jobs?|replicat(?:e|ion|or)|callbacks?)$/

/** The word of a name in camel, kebab or snake case that marks it as internal. */
function internalWord(names: readonly string[]): string | undefined {
  for (const name of names) {
    const words = name
      .slice(0, 200)
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .split(/[^A-Za-z0-9]{1,200}/)
    const word = words.find((one) => INTERNAL.test(one.toLowerCase()))
    if (word !== undefined) return word
  }
  return undefined
}

/** Services of the platform that call applications with a client of their own. */
const CALLERS =
  /^(?:jobscheduler|enterprise-messaging|event-mesh|advanced-event-mesh|workflow|saas-registry|subscription-manager|alert-notification)$/

/** The descriptor grants another application a scope or an API, or may do so. */
function isGranted({ config, isComplete }: ServiceInstance): boolean {
  const scopes = itemsOf(at(config, 'scopes'))
  const keys = ['grant-as-authority-to-apps', 'granted-apps']
  return (
    !isComplete ||
    keys.some((key) => scopes.some((scope) => at(scope, key) !== undefined)) ||
    itemsOf(at(config, 'provided-apis')).length > 0
  )
}

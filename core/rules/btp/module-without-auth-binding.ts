import type { CapRoot } from '../../model/cap/index.ts'
import type { Application } from '../../model/deployment/index.ts'
import { capRootOf, isUnbound, reliesOnBinding } from '../../model/authorization/index.ts'
import { at } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Packages that serve an API. */
const SERVERS = ['express', 'fastify', 'koa', '@nestjs/core', '@hapi/hapi', 'restify', 'polka']

/** Packages that authenticate without a binding. */
const GUARDS =
  /^(?:passport(?:-.{1,60})?|@sap\/xssec|@sap\/xsenv-auth|jsonwebtoken|jose|express-(?:jwt|openid-connect|basic-auth|oauth2-jwt-bearer)|basic-auth|openid-client|keycloak-connect|@nestjs\/(?:jwt|passport)|fastify-auth|@fastify\/(?:jwt|auth|basic-auth)|koa-(?:jwt|passport)|next-auth)$/

/**
 * An application on a public route that is bound to no service for authentication.
 * Facts: capire, "Authentication" (bindings and pitfalls; CAP Java protects endpoints by a binding); @sap/cds 9.9.3, jwt-auth (it does not
 * start without credentials).
 * Severity: HIGH where a login by default protects services of CAP Java, which an unauthenticated caller then reaches; MEDIUM where roles still
 * refuse the caller, the service does not start, or the code of the server is not judged.
 */
export const moduleWithoutAuthBinding: Rule = defineRule({
  id: 'btp/module-without-auth-binding',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authentication#model-auth',
  on: 'deployment',

  *check({ applications, mtas, placeOf }, { capRoots }) {
    for (const application of applications) {
      if (!isUnbound(application)) continue
      const grade = judge(application, capRootOf(application, capRoots))
      const name = at(application.node, 'name')
      if (grade === undefined || name === undefined) continue
      const mta = mtas.find(({ file }) => file === application.file)
      const auth = mta?.resources.find(({ service }) => service === 'xsuaa' || service === 'identity')
      yield { at: placeOf(name), args: { app: application.name ?? '', instance: auth?.name ?? '<xsuaa>' }, ...grade }
    }
  },

  text: {
    en: {
      title: 'Public service without an authentication binding',
      message: 'The application {app} has a public route and requires neither XSUAA nor the identity service.',
      why: 'Unless its code authenticates in another way, an attacker who knows the URL can use the service without a login, bypassing the approuter.',
      fix: 'Add "- name: {instance}" to "requires" of {app} (a resource with "service: xsuaa" and "service-plan: application"), or remove its route: "no-route: true" under "parameters".',
      variants: {
        java: {
          message:
            '{app} (CAP Java) has a public route and requires neither XSUAA nor the identity service: without such a binding, CAP Java authenticates no request.',
          why: 'An attacker who knows the URL can use all services without @requires and all custom endpoints without a login, bypassing the approuter.',
        },
        node: {
          message:
            '{app} (CAP Node.js) has a public route and requires neither XSUAA nor the identity service: its authentication has no keys to validate tokens.',
          why: 'The service does not start this way. If development authentication is enabled to make it start, an attacker can use it without a login.',
        },
      },
    },
    fr: {
      title: 'Service public sans liaison d’authentification',
      message: 'L’application {app} a une route publique et ne requiert ni XSUAA ni le service d’identité.',
      why: 'Si son code n’authentifie pas autrement, un attaquant qui connaît l’URL peut utiliser le service sans connexion, en contournant l’approuter.',
      fix: 'Ajoutez "- name: {instance}" aux "requires" de {app} (une ressource avec "service: xsuaa" et "service-plan: application"), ou retirez sa route : "no-route: true" sous "parameters".',
      variants: {
        java: {
          message:
            '{app} (CAP Java) a une route publique et ne requiert ni XSUAA ni le service d’identité : sans liaison, CAP Java n’authentifie aucune requête.',
          why: 'Un attaquant qui connaît l’URL peut utiliser sans connexion tous les services sans @requires et tout point de terminaison personnalisé, en contournant l’approuter.',
        },
        node: {
          message:
            '{app} (CAP Node.js) a une route publique et ne requiert ni XSUAA ni le service d’identité : son authentification n’a pas de clés pour valider les jetons.',
          why: 'Le service ne démarre pas ainsi. Si une authentification de développement est activée pour qu’il démarre, un attaquant peut l’utiliser sans connexion.',
        },
      },
    },
  },
})

function judge(
  application: Application,
  root: CapRoot | undefined,
): Pick<Match, 'severity' | 'confidence' | 'variant'> | undefined {
  const { type, dependencies } = application
  if (root !== undefined) {
    if (!reliesOnBinding(root, application)) return undefined
    const served = root.services.filter(({ exposure }) => exposure === 'served')
    // what a login should protect is open without a binding; services that are public by default are the finding of a rule of CAP
    const isOpen = served.some(({ access }) => access.kind === 'default-authenticated' || access.kind === 'default-unknown')
    if (root.runtime === 'java') return { variant: 'java', ...(isOpen && { severity: 'HIGH' as const }) }
    return served.some(({ access }) => access.kind === 'default-public') ? {} : { variant: 'node' }
  }
  if (type.startsWith('java')) return { confidence: 'medium' }
  if (dependencies?.has('@sap/cds') === true) return { variant: 'node' }
  if (dependencies === undefined || !SERVERS.some((name) => dependencies.has(name))) return undefined
  return [...dependencies].some((name) => GUARDS.test(name)) ? undefined : {}
}

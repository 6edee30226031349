import { authStrategyOf, effectiveConfiguration, isForDevelopment, profilesOf, type CapRoot } from '../../model/cap/index.ts'
import type { Application } from '../../model/deployment/index.ts'
import { capRootOf } from '../../model/authorization/index.ts'
import { at } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Packages that serve an API. */
const SERVERS = ['express', 'fastify', 'koa', '@nestjs/core', '@hapi/hapi', 'restify', 'polka']

/** Packages that authenticate in some way of their own. */
const GUARDS =
  /^(?:passport(?:-.{1,60})?|@sap\/xssec|@sap\/xsenv-auth|jsonwebtoken|jose|express-(?:jwt|openid-connect|basic-auth|oauth2-jwt-bearer)|basic-auth|openid-client|keycloak-connect|@nestjs\/(?:jwt|passport)|fastify-auth|@fastify\/(?:jwt|auth|basic-auth)|koa-(?:jwt|passport)|next-auth)$/

/** An application on a public route that is bound to no service which authenticates.
 *  Facts: capire, "Authentication" (bindings and pitfalls); @sap/cds 9.9.3, jwt-auth (it refuses to start without credentials). */
export const moduleWithoutAuthBinding: Rule = defineRule({
  id: 'btp/module-without-auth-binding',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authentication#model-auth',
  on: 'deployment',

  *check({ applications, placeOf }, { capRoots }) {
    for (const application of applications) {
      if (application.isApprouter || !application.hasPublicRoute || mayAuthenticate(application)) continue
      const grade = judge(application, capRootOf(application, capRoots))
      const name = at(application.node, 'name')
      if (grade !== undefined && name !== undefined) yield { at: placeOf(name), args: { app: application.name ?? '' }, ...grade }
    }
  },

  text: {
    en: {
      title: 'A public service is bound to nothing that authenticates',
      message: '{app} has a public route, and requires neither XSUAA nor the identity service.',
      why: 'Nothing can check who calls: whoever knows the URL uses the service without a login, past the approuter too.',
      fix: 'Add the instance of XSUAA or identity to "requires" of {app}, or take its route away: "no-route: true".',
      variants: {
        java: {
          message:
            '{app} (CAP Java) has a public route, and requires neither XSUAA nor the identity service: without a binding CAP Java protects no endpoint.',
        },
        node: {
          message:
            '{app} (CAP Node.js) has a public route, and requires neither XSUAA nor the identity service: its authentication has no keys to check tokens with.',
          why: 'The service does not start this way; what makes it start is authentication for development, which lets everybody in.',
        },
      },
    },
    fr: {
      title: 'Un service public n’est lié à rien qui authentifie',
      message: '{app} a une route publique et ne requiert ni XSUAA ni le service d’identité.',
      why: 'Rien ne peut vérifier qui appelle : qui connaît l’URL utilise le service sans connexion, y compris en contournant l’approuter.',
      fix: 'Ajoutez l’instance XSUAA ou identity à « requires » de {app}, ou retirez-lui sa route : « no-route: true ».',
      variants: {
        java: {
          message:
            '{app} (CAP Java) a une route publique et ne requiert ni XSUAA ni le service d’identité : sans liaison, CAP Java ne protège aucun point d’accès.',
        },
        node: {
          message:
            '{app} (CAP Node.js) a une route publique et ne requiert ni XSUAA ni le service d’identité : son authentification n’a pas de clés pour vérifier les jetons.',
          why: 'Le service ne démarre pas ainsi ; ce qui le fait démarrer est une authentification de développement, qui laisse entrer tout le monde.',
        },
      },
    },
  },
})

/** Bound to a service that authenticates, or to one of which nothing here tells what it is. */
function mayAuthenticate({ bindings }: Application): boolean {
  return bindings.some(({ service }) => service === undefined || service === 'xsuaa' || service === 'identity')
}

function judge(
  application: Application,
  root: CapRoot | undefined,
): Pick<Match, 'severity' | 'confidence' | 'variant'> | undefined {
  const { type, dependencies } = application
  if (root !== undefined) {
    const served = root.services.filter(({ exposure }) => exposure === 'served')
    // open on purpose: the rules on services speak
    if (root.test || (served.length > 0 && served.every(({ access }) => access.kind === 'public'))) return undefined
    if (root.runtime === 'java') return { variant: 'java' }
    const { variables } = application
    const strategy = authStrategyOf(effectiveConfiguration(root, profilesOf(variables), variables))
    if (strategy.custom || isForDevelopment(strategy.kind ?? 'jwt')) return undefined
    return served.some(({ access }) => access.kind === 'default-public') ? {} : { severity: 'MEDIUM', variant: 'node' }
  }
  if (type.startsWith('java')) return { severity: 'MEDIUM', confidence: 'medium' }
  if (dependencies?.has('@sap/cds') === true) return { severity: 'MEDIUM', variant: 'node' }
  if (dependencies === undefined || !SERVERS.some((name) => dependencies.has(name))) return undefined
  return [...dependencies].some((name) => GUARDS.test(name)) ? undefined : {}
}

import { gradeDescriptor } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What probes and monitors ask. */
const HEALTH = /actuator\\?\/(?:health|info)/i

/** Management endpoints of a backend that the approuter makes reachable from outside: Spring Boot's actuators, services behind multitenancy.
 *  Facts: CAP documentation, "Data Protection"; what `cds add multitenancy` writes (`^/-/cds/.*`, whose services check their own tokens) is no finding. */
export const mtxOrInternalExposed: Rule = defineRule({
  id: 'approuter/mtx-or-internal-exposed',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [668],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection',
  on: 'approuter',

  *check(approuter) {
    for (const { purpose, target, scopes, authenticates, source, rewrite, sourcePlace } of approuter.routes) {
      if (purpose !== 'management' || scopes !== undefined || HEALTH.test(source) || HEALTH.test(rewrite ?? '')) continue
      if (target.kind !== 'destination' && target.kind !== 'service') continue
      yield {
        at: sourcePlace,
        args: { source, target: target.name },
        severity: gradeDescriptor(approuter, authenticates ? 'MEDIUM' : 'HIGH'),
        ...(authenticates && { variant: 'user' }),
        sameAs: `${source} ${target.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'Management endpoints can be reached from outside',
      message: 'Route {source} leads to management endpoints of {target} without a login.',
      why: 'Such endpoints tell the configuration, dump memory or change tenants; they are made for the platform, not for browsers.',
      fix: 'Remove the route; let the platform call the backend directly, or ask for a scope that only administrators have.',
      variants: {
        user: {
          message: 'Route {source} leads every user who is logged in to management endpoints of {target}.',
        },
      },
    },
    fr: {
      title: 'Des points d’administration sont accessibles de l’extérieur',
      message: 'La route {source} mène sans connexion à des points d’administration de {target}.',
      why: 'Ces points révèlent la configuration, vident la mémoire ou modifient des tenants ; ils sont faits pour la plateforme, pas pour les navigateurs.',
      fix: 'Supprimez la route ; laissez la plateforme appeler directement le backend, ou demandez un scope réservé aux administrateurs.',
      variants: {
        user: {
          message: 'La route {source} mène tout utilisateur connecté à des points d’administration de {target}.',
        },
      },
    },
  },
})

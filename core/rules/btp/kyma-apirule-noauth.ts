import { findKubernetesObjects, type KubernetesObject } from '../../model/deployment/index.ts'
import { at, booleanOf, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Handlers of APIRule v1beta1 and v1alpha1 that let everybody through. */
const OPEN_HANDLERS: ReadonlySet<string> = new Set(['allow', 'noop', 'no_auth', 'noAuth'])
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const PUBLIC_BY_NATURE =
  /^\/(?:health|healthz|livez|readyz|ready|live|liveness|readiness|status|ping|actuator\/health)(?:[/*.({]|$)/i

/**
 * A path of a Kyma APIRule that the gateway forwards for anybody. An approuter logs users in itself, and a CAP service checks tokens itself: there the
 * gateway is a second wall, not the only one. Facts: SAP BTP documentation, "noAuth configuration" and "APIRule v2".
 */
export const kymaApiruleNoauth: Rule = defineRule({
  id: 'btp/kyma-apirule-noauth',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/noauth-configuration-c4fddf6.md',
  on: 'project',

  *check({ files, capRoots }) {
    for (const object of findKubernetesObjects(files)) {
      if (object.kind !== 'APIRule' || !object.apiVersion.startsWith('gateway.kyma-project.io/')) continue
      for (const rule of itemsOf(at(object.node, 'spec', 'rules'))) {
        const open = findOpen(rule)
        if (open === undefined) continue
        const path = stringOf(at(rule, 'path')) ?? '/*'
        const methods = itemsOf(at(rule, 'methods')).flatMap((item) => stringOf(item)?.toUpperCase() ?? [])
        const service = stringOf(at(rule, 'service', 'name')) ?? stringOf(at(object.node, 'spec', 'service', 'name')) ?? '?'
        const { setting, span } = open
        yield {
          at: { file: object.file, span: { start: span.start, end: span.end } },
          args: { name: object.name, path, methods: methods.join(', ') || '*', service, setting },
          ...gradeOf({ path, methods, service, object }, capRoots.length > 0),
        }
      }
    }
  },

  text: {
    en: {
      title: 'The gateway forwards a path without a login',
      message: 'APIRule {name}: {path} ({methods}) of {service} is open to anybody ({setting}).',
      why: 'Everybody on the internet reaches the service behind it, with every method that the rule names.',
      fix: 'Write "jwt" with the issuer of your identity service (or "extAuth") instead of {setting}, and leave open only what must be.',
      variants: {
        self: {
          title: 'Only the application itself checks who calls',
          message:
            'APIRule {name}: {path} ({methods}) of {service} passes the gateway unchecked ({setting}); the application has to check every call itself.',
          why: 'One handler or route of the application that forgets the check is open to the internet at once.',
          fix: 'Add "jwt" with the issuer of your identity service as a second wall, or narrow the path and the methods.',
        },
        page: {
          title: 'The gateway forwards to an approuter or a health check without a login',
          why: 'That is right for a login page and for health checks. It is a leak only where the path answers more than that.',
          fix: 'Keep the path as narrow as it is.',
        },
      },
    },
    fr: {
      title: 'La passerelle transmet un chemin sans connexion',
      message: 'APIRule {name} : {path} ({methods}) de {service} est ouvert à tous ({setting}).',
      why: 'N’importe qui sur Internet atteint le service derrière, avec toutes les méthodes que la règle nomme.',
      fix: 'Écrivez « jwt » avec l’émetteur de votre service d’identité (ou « extAuth ») au lieu de {setting}, et ne laissez ouvert que ce qui doit l’être.',
      variants: {
        self: {
          title: 'Seule l’application vérifie qui appelle',
          message:
            'APIRule {name} : {path} ({methods}) de {service} passe la passerelle sans contrôle ({setting}) ; l’application doit vérifier chaque appel elle-même.',
          why: 'Un seul gestionnaire ou une seule route qui oublie ce contrôle est aussitôt ouvert sur Internet.',
          fix: 'Ajoutez « jwt » avec l’émetteur de votre service d’identité comme second rempart, ou restreignez le chemin et les méthodes.',
        },
        page: {
          title: 'La passerelle transmet sans connexion vers un approuter ou un contrôle d’état',
          why: 'C’est juste pour une page de connexion et pour les contrôles d’état. Ce n’est une fuite que si le chemin répond davantage.',
          fix: 'Gardez le chemin aussi étroit qu’il l’est.',
        },
      },
    },
  },
})

function findOpen(rule: DataNode): { readonly setting: string; readonly span: Span } | undefined {
  const noAuth = at(rule, 'noAuth')
  if (noAuth !== undefined && booleanOf(noAuth) === true) return { setting: 'noAuth: true', span: noAuth }
  for (const strategy of itemsOf(at(rule, 'accessStrategies'))) {
    const handler = at(strategy, 'handler')
    const name = stringOf(handler)
    if (handler !== undefined && name !== undefined && OPEN_HANDLERS.has(name))
      return { setting: `handler: ${name}`, span: handler }
  }
  return undefined
}

interface OpenPath {
  readonly path: string
  readonly methods: readonly string[]
  readonly service: string
  readonly object: KubernetesObject
}

function gradeOf({ path, methods, service, object }: OpenPath, hasCap: boolean): Pick<Match, 'severity' | 'variant'> {
  if (PUBLIC_BY_NATURE.test(path) || /app-?router/i.test(service) || (service.includes('{{') && /app-?router/i.test(object.name)))
    return { severity: 'INFO', variant: 'page' }
  const isReading = methods.length > 0 && methods.every((method) => READING.has(method))
  // CAP refuses calls without a token by itself
  if (hasCap) return { severity: isReading ? 'LOW' : 'MEDIUM', variant: 'self' }
  return isReading ? { severity: 'MEDIUM' } : {}
}

import { authStrategyOf, effectiveConfiguration, isForDevelopment, type CapRoot } from '../../model/cap/index.ts'
import { findKubernetesObjects, type KubernetesObject } from '../../model/deployment/index.ts'
import { at, booleanOf, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Handlers of APIRule v1beta1 and v1alpha1 without authentication. */
const OPEN_HANDLERS: ReadonlySet<string> = new Set(['allow', 'noop', 'no_auth', 'noAuth'])
const PUBLIC_BY_NATURE =
  /^\/(?:health|healthz|livez|readyz|ready|live|liveness|readiness|status|ping|actuator\/health)(?:[/*.({]|$)/i

/**
 * A path of a Kyma APIRule that the gateway forwards without authentication. An approuter logs users in, and a CAP service validates tokens:
 * there the gateway is a second barrier, not the only one.
 * Facts: SAP BTP documentation, "noAuth configuration" and "APIRule v2".
 * Severity: HIGH where the CAP service behind it has an authentication for development; MEDIUM where its authentication is unknown; LOW where
 * CAP authenticates, as generators write it; INFO for approuters and health checks.
 */
export const kymaApiruleNoauth: Rule = defineRule({
  id: 'btp/kyma-apirule-noauth',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/noauth-configuration-c4fddf6.md',
  on: 'project',

  *check({ files, capRoots }) {
    const strategy = strategyOf(capRoots)
    for (const object of findKubernetesObjects(files)) {
      if (object.kind !== 'APIRule' || !object.apiVersion.startsWith('gateway.kyma-project.io/')) continue
      for (const rule of itemsOf(at(object.node, 'spec', 'rules'))) {
        const open = findOpen(rule)
        if (open === undefined) continue
        const path = stringOf(at(rule, 'path')) ?? '/*'
        const methods = itemsOf(at(rule, 'methods')).flatMap((item) => stringOf(item)?.toUpperCase() ?? [])
        const service = stringOf(at(rule, 'service', 'name')) ?? stringOf(at(object.node, 'spec', 'service', 'name')) ?? '?'
        const { setting, span } = open
        const grade = gradeOf(path, service, object, strategy)
        yield {
          at: { file: object.file, span: { start: span.start, end: span.end } },
          args: { name: object.name, path, methods: methods.join(', ') || '*', service, setting },
          ...grade,
          groupKey: `${object.file} ${object.node.start} ${grade.variant ?? ''}`,
        }
      }
    }
  },

  text: {
    en: {
      title: 'Kyma APIRule without authentication',
      message: 'APIRule {name} forwards {path} ({methods}) to {service} without authentication ({setting}).',
      why: 'If {service} does not authenticate its callers itself, an attacker on the internet can use it with all these methods.',
      fix: 'Replace "{setting}" with jwt: { authentications: [{ issuer: <issuer>, jwksUri: <URL> }] } of your identity service, or with "extAuth"; leave only public paths open.',
      variants: {
        open: {
          message:
            'APIRule {name} forwards {path} ({methods}) to {service} without authentication ({setting}), and CAP uses development authentication.',
          why: 'An attacker on the internet can use the service without credentials, or with those of mock users.',
        },
        self: {
          title: 'Kyma APIRule relying on the application’s authentication',
          message:
            'APIRule {name} forwards {path} ({methods}) to {service} without authentication ({setting}); only the application itself authenticates callers.',
          why: 'An attacker on the internet can use every handler or route of the application that lacks a check.',
          fix: 'Replace "{setting}" with jwt: { authentications: [{ issuer: <issuer>, jwksUri: <URL> }] } of your identity service as a second barrier, or restrict the path and the methods.',
        },
        page: {
          title: 'Unauthenticated Kyma APIRule for an approuter or health check',
          why: 'This is expected: an approuter logs users in itself, and a health check is public. An attacker gains something only if the path exposes more.',
          fix: 'Narrow "path" to what has to be public, for example "/health", and suppress this finding.',
        },
      },
    },
    fr: {
      title: 'APIRule Kyma sans authentification',
      message: 'L’APIRule {name} transmet {path} ({methods}) à {service} sans authentification ({setting}).',
      why: 'Si {service} n’authentifie pas lui-même ses appelants, un attaquant sur Internet peut l’utiliser avec toutes ces méthodes.',
      fix: 'Remplacez "{setting}" par jwt: { authentications: [{ issuer: <émetteur>, jwksUri: <URL> }] } de votre service d’identité, ou par "extAuth" ; ne laissez ouverts que les chemins publics.',
      variants: {
        open: {
          message:
            'L’APIRule {name} transmet {path} ({methods}) à {service} sans authentification ({setting}), et CAP utilise une authentification de développement.',
          why: 'Un attaquant sur Internet peut utiliser le service sans identifiants, ou avec ceux d’utilisateurs fictifs.',
        },
        self: {
          title: 'APIRule Kyma reposant sur l’authentification de l’application',
          message:
            'L’APIRule {name} transmet {path} ({methods}) à {service} sans authentification ({setting}) ; seule l’application authentifie ses appelants.',
          why: 'Un attaquant sur Internet peut utiliser tout gestionnaire ou toute route de l’application sans contrôle.',
          fix: 'Remplacez "{setting}" par jwt: { authentications: [{ issuer: <émetteur>, jwksUri: <URL> }] } de votre service d’identité comme seconde barrière, ou restreignez le chemin et les méthodes.',
        },
        page: {
          title: 'APIRule Kyma sans authentification pour un approuter ou un contrôle d’état',
          why: 'C’est attendu : un approuter connecte lui-même les utilisateurs, et un contrôle d’état est public. Un attaquant n’en tire parti que si le chemin expose davantage.',
          fix: 'Limitez "path" à ce qui doit être public, par exemple "/health", et masquez ce constat.',
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

/** How CAP authenticates in production; undefined: the project has no service of CAP. */
function strategyOf(capRoots: readonly CapRoot[]): 'production' | 'development' | undefined {
  const roots = capRoots.filter(({ test }) => !test)
  if (roots.length === 0) return undefined
  const isOpen = (root: CapRoot): boolean => {
    const { kind, custom } = authStrategyOf(effectiveConfiguration(root, ['production']))
    return root.runtime !== 'java' && !custom && isForDevelopment(kind ?? 'jwt')
  }
  return roots.every(isOpen) ? 'development' : 'production'
}

function gradeOf(
  path: string,
  service: string,
  object: KubernetesObject,
  strategy: ReturnType<typeof strategyOf>,
): Pick<Match, 'severity' | 'variant'> {
  if (PUBLIC_BY_NATURE.test(path) || /app-?router/i.test(service) || (service.includes('{{') && /app-?router/i.test(object.name)))
    return { severity: 'INFO', variant: 'page' }
  if (strategy === 'development') return { severity: 'HIGH', variant: 'open' }
  return strategy === undefined ? {} : { severity: 'LOW', variant: 'self' }
}

import { inEachLanguage } from '../../arguments.ts'
import { authStrategyOf, effectiveConfiguration, isForDevelopment, type CapRoot } from '../../model/cap/index.ts'
import { findKubernetesObjects, type KubernetesObject } from '../../model/deployment/index.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import { at, booleanOf, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { GradeFacts, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Handlers of APIRule v1beta1 and v1alpha1 without authentication. */
const OPEN_HANDLERS: ReadonlySet<string> = new Set(['allow', 'noop', 'no_auth', 'noAuth'])
const JWT = 'jwt: { authentications: [{ issuer: <URL>, jwksUri: <URL> }] }'
const MIGRATED = inEachLanguage({
  en: ', after migrating to gateway.kyma-project.io/v2',
  fr: ', après la migration vers gateway.kyma-project.io/v2',
})
const PUBLIC_BY_NATURE =
  /^\/(?:health|healthz|livez|readyz|ready|live|liveness|readiness|status|ping|actuator\/health)(?:[/*.({]|$)/i

/**
 * A path of a Kyma APIRule that the gateway forwards without authentication. An approuter logs users in, and a CAP service validates tokens:
 * there the gateway is a second barrier, not the only one.
 * Facts: SAP BTP documentation, "noAuth configuration" and "APIRule Migration".
 * A service is taken for the program of the project whose folder or package has its name, and else for CAP's.
 * Impact: a caller from the internet reads and changes what the service holds. Where CAP authenticates, as generators write it, nothing by itself; of an
 * unknown program it is a guess that it has anything to protect.
 */
export const kymaApiruleNoauth: Rule = defineRule({
  id: 'btp/kyma-apirule-noauth',
  impact: 'data',
  reach: 'anyone',
  // which program stands behind the service is told by names
  evidence: 'assumed',
  grades: {
    self: { impact: 'defence', evidence: 'shown' },
    page: { impact: 'hygiene' },
    health: { impact: 'hygiene' },
  },
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/noauth-configuration-c4fddf6.md',
  on: 'project',

  *check({ files, capRoots, npm }) {
    const strategy = strategyOf(capRoots)
    const objects = findKubernetesObjects(files)
    // what keeps volumes of its own is a database or a broker
    const stateful = new Set(objects.flatMap(({ kind, name }) => (kind === 'StatefulSet' ? [name] : [])))
    for (const object of objects) {
      if (object.kind !== 'APIRule' || !object.apiVersion.startsWith('gateway.kyma-project.io/')) continue
      for (const rule of itemsOf(at(object.node, 'spec', 'rules'))) {
        const open = findOpen(rule)
        if (open === undefined) continue
        const path = stringOf(at(rule, 'path')) ?? '/*'
        const methods = itemsOf(at(rule, 'methods')).flatMap((item) => stringOf(item)?.toUpperCase() ?? [])
        const service = stringOf(at(rule, 'service', 'name')) ?? stringOf(at(object.node, 'spec', 'service', 'name')) ?? '?'
        const { setting, replaced, jwt, migrated, span } = open
        const isProgram = npm.packages.some((one) => runsBehind(one, service))
        const isOther = stateful.has(service) || isProgram
        const purpose = purposeOf(path, service, object, isOther ? undefined : strategy)
        yield {
          at: { file: object.file, span: { start: span.start, end: span.end } },
          args: { name: object.name, path, methods: methods.join(', ') || '*', service, setting, replaced, jwt, migrated },
          ...(purpose === undefined ? ofProgram(isProgram, methods) : { variant: purpose }),
          // both are public on purpose
          groupKey: `${object.file} ${object.node.start} ${purpose === 'health' ? 'page' : (purpose ?? '')}`,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Kyma APIRule without authentication',
      message: 'APIRule {name} forwards {path} ({methods}) to the service {service} without authentication ({setting}).',
      why: 'If the service does not authenticate its callers itself, an attacker on the internet can call it.',
      fix: 'Replace "{replaced}" with the issuer and the keys of your identity service: {jwt}{migrated}. If some paths must stay public, give them a separate rule.',
      variants: {
        open: {
          message:
            'APIRule {name} forwards {path} ({methods}) to the service {service} without authentication ({setting}), and CAP uses mock authentication.',
          why: 'An attacker on the internet can use the service as one of the mock users, for which at most guessable credentials are needed.',
          fix: 'Run "npm add @sap/xssec", set "auth" under "cds.requires" to "xsuaa", and bind the application to an XSUAA instance. Then have the gateway validate tokens too: replace "{replaced}" with {jwt}{migrated}.',
        },
        self: {
          title: 'Kyma APIRule relying on the application’s authentication',
          message:
            'APIRule {name} forwards {path} ({methods}) to the service {service} without authentication ({setting}); only the application itself authenticates callers.',
          why: 'An attacker on the internet can use every handler or route of the application that lacks a check.',
          fix: 'Replace "{replaced}" with the issuer and the keys of your identity service: {jwt}{migrated}. Suppress this finding if only the application has to authenticate callers.',
        },
        page: {
          title: 'Unauthenticated Kyma APIRule for an approuter',
          why: 'This is expected: an approuter logs users in itself. An attacker benefits only if a route of the approuter requires no authentication.',
          fix: 'Suppress this finding if the service {service} is an approuter. Otherwise, replace "{replaced}" with {jwt}{migrated}.',
        },
        health: {
          title: 'Unauthenticated Kyma APIRule for a health check',
          why: 'This is expected: a health check is public. An attacker benefits only if the path exposes more than that.',
          fix: 'Narrow "path" to the health check, for example to "/health", if {path} matches anything else; then suppress this finding.',
        },
      },
    },
    fr: {
      title: 'APIRule Kyma sans authentification',
      message: 'L’APIRule {name} transmet {path} ({methods}) au service {service} sans authentification ({setting}).',
      why: 'Si le service n’authentifie pas lui-même ses appelants, un attaquant sur Internet peut l’appeler.',
      fix: 'Remplacez "{replaced}" par l’émetteur et les clés de votre service d’authentification : {jwt}{migrated}. Si certains chemins doivent rester publics, définissez pour eux une règle distincte.',
      variants: {
        open: {
          message:
            'L’APIRule {name} transmet {path} ({methods}) au service {service} sans authentification ({setting}), et CAP utilise une authentification fictive (mock).',
          why: 'Un attaquant sur Internet peut utiliser le service en tant qu’utilisateur fictif : il faut pour cela tout au plus des identifiants faciles à deviner.',
          fix: 'Exécutez "npm add @sap/xssec", donnez à "auth" sous "cds.requires" la valeur "xsuaa" et liez l’application à une instance XSUAA. Faites ensuite valider les jetons aussi par la passerelle : remplacez "{replaced}" par {jwt}{migrated}.',
        },
        self: {
          title: 'APIRule Kyma reposant sur l’authentification de l’application',
          message:
            'L’APIRule {name} transmet {path} ({methods}) au service {service} sans authentification ({setting}) ; seule l’application authentifie ses appelants.',
          why: 'Un attaquant sur Internet peut utiliser tout gestionnaire ou toute route de l’application qui n’effectue aucun contrôle.',
          fix: 'Remplacez "{replaced}" par l’émetteur et les clés de votre service d’authentification : {jwt}{migrated}. Si seule l’application doit authentifier ses appelants, masquez ce constat.',
        },
        page: {
          title: 'APIRule Kyma sans authentification pour un approuter',
          why: 'Ce comportement est attendu : un approuter gère lui-même la connexion des utilisateurs. Un attaquant ne peut en tirer parti que si une route de l’approuter n’exige pas d’authentification.',
          fix: 'Masquez ce constat si le service {service} est un approuter. Sinon, remplacez "{replaced}" par {jwt}{migrated}.',
        },
        health: {
          title: 'APIRule Kyma sans authentification pour un contrôle d’état',
          why: 'Ce comportement est attendu : un contrôle d’état est public. Un attaquant ne peut en tirer parti que si le chemin expose davantage.',
          fix: 'Limitez "path" au contrôle d’état, par exemple à "/health", si {path} correspond aussi à d’autres chemins ; masquez ensuite ce constat.',
        },
      },
    },
  }),
})

interface OpenPath {
  readonly setting: string
  /** What the fix replaces, and by what: the old versions of the API have other handlers, and are no longer maintained. */
  readonly replaced: string
  readonly jwt: string
  readonly migrated: string
  readonly span: Span
}

function findOpen(rule: DataNode): OpenPath | undefined {
  const noAuth = at(rule, 'noAuth')
  if (noAuth !== undefined && booleanOf(noAuth) === true)
    return { setting: 'noAuth: true', replaced: 'noAuth: true', jwt: JWT, migrated: '', span: noAuth }
  for (const strategy of itemsOf(at(rule, 'accessStrategies'))) {
    const handler = at(strategy, 'handler')
    const name = stringOf(handler)
    if (handler !== undefined && name !== undefined && OPEN_HANDLERS.has(name))
      return { setting: `handler: ${name}`, replaced: 'accessStrategies', jwt: JWT, migrated: MIGRATED, span: handler }
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

/** `jobs/exporter` behind the service `shop-exporter`: a program of the project that is not CAP's and no approuter, and that has no library for a login. */
function runsBehind({ folder, name, scripts, dependencies }: NpmPackage, service: string): boolean {
  if (!scripts.some((script) => script.name === 'start') || dependencies.some((one) => MAY_AUTHENTICATE.test(one.name)))
    return false
  const last = folder.slice(folder.lastIndexOf('/') + 1)
  return folder !== '' && (service === name || service === last || (last.length > 3 && service.endsWith(`-${last}`)))
}

const MAY_AUTHENTICATE = /^@sap\/(?:cds|approuter|xssec)$|passport|jsonwebtoken|^jose$|oauth|openid|express-(?:jwt|basic-auth)/

function purposeOf(
  path: string,
  service: string,
  object: KubernetesObject,
  strategy: ReturnType<typeof strategyOf>,
): 'page' | 'health' | 'open' | 'self' | undefined {
  if (/app-?router/i.test(service) || (service.includes('{{') && /app-?router/i.test(object.name))) return 'page'
  if (PUBLIC_BY_NATURE.test(path)) return 'health'
  if (strategy === 'development') return 'open'
  return strategy === undefined ? undefined : 'self'
}

/** What a program of the project gives away is told by the rules on its code; what can only be read may be public on purpose. */
function ofProgram(isKnown: boolean, methods: readonly string[]): GradeFacts {
  if (!isKnown) return { evidence: 'guessed' }
  const onlyReads = methods.length > 0 && methods.every((method) => READS.test(method))
  return { impact: 'bounded', evidence: onlyReads ? 'assumed' : 'shown' }
}

const READS = /^(?:GET|HEAD|OPTIONS)$/

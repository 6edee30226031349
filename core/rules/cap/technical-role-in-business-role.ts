import { textItems, type Deployment, type ServiceInstance } from '../../model/deployment/index.ts'
import type { DataNode } from '../../parse/data.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A scope that only the platform should have, in a role for people.
 *  Facts: @sap/cds-dk 10.1.2, templates of multitenancy and event-mesh (`mtcallback`, `emcallback`, `emmanagement`); @sap/cds-mtxs 4.1.0, srv/*.cds
 *  (`cds.Subscriber`, `cds.ExtensionDeveloper`). `mtdeployment`, `cds.UIFlexDeveloper` and `jobscheduler` are names of practice, in no package read. */
export const technicalRoleInBusinessRole: Rule = defineRule({
  id: 'cap/technical-role-in-business-role',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [269],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection',
  on: 'deployment',

  *check(deployment) {
    // several deployments may share one descriptor
    const told = new Set<DataNode>()
    for (const instance of deployment.services) {
      if (instance.service !== 'xsuaa') continue
      for (const { node, match } of matchesOf(instance, deployment)) {
        if (!told.has(node)) yield match
        told.add(node)
      }
    }
  },

  text: {
    en: {
      title: 'A technical scope is part of a role for people',
      message: 'Role template {role} references {scope}, which is meant for a service of the platform.',
      why: 'Whoever gets the role for their daily work calls the callbacks of the platform as well: adds and removes tenants with their data, or sends events in its name.',
      fix: 'Remove {scope} from {role}: "grant-as-authority-to-apps" gives it to the service that needs it.',
      variants: {
        collection: {
          title: 'A technical role is part of a role collection for people',
          message: 'Role collection {role} holds the technical role template {scope} beside others.',
          fix: 'Take {scope} out of {role}.',
        },
        developer: {
          title: 'The right to extend the application is part of a business role',
          message: 'Role template {role} references {scope} together with other scopes.',
          why: 'Whoever gets the role for their daily work changes the data model of the tenant, and with it what is checked and stored.',
          fix: 'Give {scope} a role template of its own.',
        },
      },
    },
    fr: {
      title: 'Un scope technique fait partie d’un rôle destiné aux personnes',
      message: 'Le modèle de rôle {role} référence {scope}, destiné à un service de la plateforme.',
      why: 'Qui reçoit ce rôle pour son travail quotidien appelle aussi les callbacks de la plateforme : il ajoute et supprime des tenants avec leurs données, ou envoie des événements en son nom.',
      fix: 'Retirez {scope} de {role} : « grant-as-authority-to-apps » le donne au service qui en a besoin.',
      variants: {
        collection: {
          title: 'Un rôle technique fait partie d’une collection destinée aux personnes',
          message: 'La collection de rôles {role} contient le modèle de rôle technique {scope} à côté d’autres.',
          fix: 'Retirez {scope} de {role}.',
        },
        developer: {
          title: 'Le droit d’étendre l’application fait partie d’un rôle métier',
          message: 'Le modèle de rôle {role} référence {scope} avec d’autres scopes.',
          why: 'Qui reçoit ce rôle pour son travail quotidien modifie le modèle de données du tenant, et donc ce qui est vérifié et stocké.',
          fix: 'Donnez à {scope} un modèle de rôle à part.',
        },
      },
    },
  },
})

interface Found {
  readonly node: DataNode
  readonly match: Match
}

function* matchesOf({ config }: ServiceInstance, { placeOf }: Deployment): Generator<Found> {
  const granted = grantedToProvisioning(config)
  const technical = new Set<string>()
  const templates = itemsOf(at(config, 'role-templates'))
  for (const template of templates) {
    const role = stringOf(at(template, 'name')) ?? ''
    const scopes = textItems(at(template, 'scope-references')).filter(({ text }) => !NEUTRAL.has(text))
    const forPlatform = scopes.filter(({ text }) => isForPlatform(text, granted))
    const isAlone = forPlatform.length === scopes.length
    if (isAlone && forPlatform.length > 0 && TECHNICAL_NAME.test(role)) technical.add(role)
    else for (const { text, node } of forPlatform) yield { node, match: { at: placeOf(node), args: { role, scope: text } } }
    const forDevelopers = scopes.filter(({ text }) => DEVELOPER.test(text))
    if (forDevelopers.length + forPlatform.length === scopes.length) continue
    for (const { text, node } of forDevelopers)
      yield { node, match: { at: placeOf(node), args: { role, scope: text }, severity: 'MEDIUM', variant: 'developer' } }
  }
  for (const collection of itemsOf(at(config, 'role-collections'))) {
    const role = stringOf(at(collection, 'name')) ?? ''
    const held = textItems(at(collection, 'role-template-references'))
    const isTechnical = ({ text }: { text: string }): boolean => technical.has(localName(text))
    if (held.every(isTechnical)) continue
    for (const { text, node } of held.filter(isTechnical))
      yield { node, match: { at: placeOf(node), args: { role, scope: localName(text) }, variant: 'collection' } }
  }
}

/** What a token exchange or a login needs. */
const NEUTRAL: ReadonlySet<string> = new Set(['uaa.user', 'openid'])

/** What CAP and the services it works with call with. */
const PLATFORM = /(?:^|\.)(?:mtcallback|mtdeployment|emcallback|emmanagement|cds\.Subscriber|jobscheduler)$/i
const DEVELOPER = /(?:^|\.)cds\.(?:ExtensionDeveloper|UIFlexDeveloper)$/

/** A role template of such a name is assigned by nobody in daily work. */
const TECHNICAL_NAME = /callback|subscri|onboard|provision|tenan|technical|messag|event|job|schedul|broker|^mtx?|^em(?:[cm_-]|$)/i

function isForPlatform(scope: string, granted: ReadonlySet<string>): boolean {
  return PLATFORM.test(scope) || granted.has(localName(scope))
}

function localName(name: string): string {
  return name.replace(/^\$XSAPPNAME(?:\([^()]{0,200}\))?\./, '')
}

/** Scopes that the service which subscribes tenants is given; `Callback` in older projects. */
function grantedToProvisioning(config: DataNode): ReadonlySet<string> {
  const granted = new Set<string>()
  for (const scope of itemsOf(at(config, 'scopes'))) {
    const name = stringOf(at(scope, 'name'))
    const apps = ['grant-as-authority-to-apps', 'granted-apps'].flatMap((key) => textItems(at(scope, key)))
    if (name !== undefined && apps.some(({ text }) => /sap-provisioning|tenant-onboarding/.test(text)))
      granted.add(localName(name))
  }
  return granted
}

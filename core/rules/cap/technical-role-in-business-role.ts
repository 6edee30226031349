import { textItems, type Deployment, type ServiceInstance } from '../../model/deployment/index.ts'
import type { DataNode } from '../../parse/data.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { Localized, Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const COLLECTION_FIX: Localized<string> = {
  en: 'Remove {scope} from "role-template-references" of {role}, and assign it in a separate role collection if administrators need it. If users have {role} already, XSUAA rejects the change: define a collection of another name.',
  fr: 'Retirez {scope} de "role-template-references" de {role}, et attribuez-le par une collection de rôles distincte si des administrateurs en ont besoin. Si {role} est déjà attribuée, XSUAA refuse la modification : définissez une collection sous un autre nom.',
}

/**
 * A scope for services of the platform in a role for business users.
 * Facts: @sap/cds-dk 10.1.2, templates of multitenancy and event-mesh (`mtcallback`, `emcallback`, `emmanagement`); @sap/cds-mtxs 4.1.0, srv/*.cds
 * (`cds.Subscriber`, `cds.ExtensionDeveloper`). `mtdeployment`, `cds.UIFlexDeveloper` and `jobscheduler` are common names, found in no package.
 * Impact: users with a business role can delete tenants and their data: an administrator of one subscriber is any user for the others. Extension developers
 * change their own tenant, and who starts jobs does so in it. An upgrade of the model deploys what the application ships: whether that changes data of a
 * tenant is not in the project (capire, "Multitenancy: Update Tenants"; of @sap/cds-mtx 2 it was `POST /mtx/v1/model/upgrade`, which asks for `mtdeployment`).
 */
export const technicalRoleInBusinessRole: Rule = defineRule({
  id: 'cap/technical-role-in-business-role',
  impact: 'data',
  reach: 'user',
  grades: {
    developer: { reach: 'privileged' },
    jobs: { reach: 'privileged' },
    upgrade: { evidence: 'assumed' },
    upgradeCollection: { evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [269],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/cap-users#xsuaa-roles',
  on: 'deployment',

  *check(deployment) {
    // several deployments may share one descriptor
    const reported = new Set<DataNode>()
    for (const instance of deployment.services) {
      if (instance.service !== 'xsuaa') continue
      for (const { node, match } of matchesOf(instance, deployment)) {
        if (!reported.has(node)) yield match
        reported.add(node)
      }
    }
  },

  text: () => ({
    en: {
      title: 'Technical scope in a business role template',
      message: 'Role template {role} references {scope}, a scope for platform services.',
      why: 'Users with this role can call the subscription callbacks of the application: they can subscribe tenants, or delete tenants with their data.',
      fix: 'Remove {scope} from "scope-references" of {role}. Grant it only to the service that needs it, with "grant-as-authority-to-apps" in the scope.',
      variants: {
        events: {
          why: 'Users with this role can call the messaging endpoints of the application, and send it forged events.',
        },
        management: {
          why: 'Users with this role can call the management endpoint of the application for messaging, and redeploy its queues and subscriptions.',
        },
        jobs: {
          why: 'Users with this role can call the endpoints for scheduled jobs, and start these jobs at any time.',
        },
        upgrade: {
          why: 'Users with this role can upgrade tenants: the application redeploys its model to their databases, and what an incompatible model no longer contains can be lost.',
        },
        upgradeCollection: {
          title: 'Technical role in a business role collection',
          message: 'Role collection {role} contains the technical role template {scope} together with other role templates.',
          why: 'Users with this role collection can upgrade tenants: the application redeploys its model to their databases.',
          fix: COLLECTION_FIX.en,
        },
        collection: {
          title: 'Technical role in a business role collection',
          message: 'Role collection {role} contains the technical role template {scope} together with other role templates.',
          why: 'Users with this role collection can call endpoints of the application that are reserved for platform services, for example to subscribe or delete tenants.',
          fix: COLLECTION_FIX.en,
        },
        developer: {
          title: 'Extension developer scope in a business role',
          message: 'Role template {role} references {scope} together with other scopes.',
          why: 'Users with this role can extend their tenant’s data model and services, and so change which data is stored and exposed.',
          fix: 'Remove {scope} from "scope-references" of {role}, and reference it in a separate role template.',
        },
      },
    },
    fr: {
      title: 'Scope technique dans un modèle de rôle métier',
      message: 'Le modèle de rôle {role} référence {scope}, un scope destiné aux services de la plateforme.',
      why: 'Les utilisateurs dotés de ce rôle peuvent appeler les callbacks d’abonnement de l’application et ainsi abonner des locataires, ou en supprimer avec leurs données.',
      fix: 'Retirez {scope} de "scope-references" de {role}. Ne l’accordez qu’au service qui en a besoin, avec "grant-as-authority-to-apps" dans la définition du scope.',
      variants: {
        events: {
          why: 'Les utilisateurs dotés de ce rôle peuvent appeler les points de terminaison de messagerie de l’application et lui envoyer de faux événements.',
        },
        management: {
          why: 'Les utilisateurs dotés de ce rôle peuvent appeler le point de terminaison de gestion de la messagerie de l’application, et redéployer ses files d’attente et ses abonnements.',
        },
        jobs: {
          why: 'Les utilisateurs dotés de ce rôle peuvent appeler les points de terminaison des tâches planifiées, et lancer ces tâches à tout moment.',
        },
        upgrade: {
          why: 'Les utilisateurs dotés de ce rôle peuvent mettre à niveau les locataires : l’application redéploie son modèle dans leurs bases, et ce qu’un modèle incompatible ne contient plus peut être perdu.',
        },
        upgradeCollection: {
          title: 'Rôle technique dans une collection de rôles métier',
          message: 'La collection de rôles {role} contient le modèle de rôle technique {scope} avec d’autres modèles de rôle.',
          why: 'Les utilisateurs dotés de cette collection peuvent mettre à niveau les locataires : l’application redéploie son modèle dans leurs bases.',
          fix: COLLECTION_FIX.fr,
        },
        collection: {
          title: 'Rôle technique dans une collection de rôles métier',
          message: 'La collection de rôles {role} contient le modèle de rôle technique {scope} avec d’autres modèles de rôle.',
          why: 'Les utilisateurs dotés de cette collection peuvent appeler des points de terminaison réservés aux services de la plateforme, par exemple pour abonner ou supprimer des locataires.',
          fix: COLLECTION_FIX.fr,
        },
        developer: {
          title: 'Scope de développeur d’extensions dans un rôle métier',
          message: 'Le modèle de rôle {role} référence {scope} avec d’autres scopes.',
          why: 'Les utilisateurs dotés de ce rôle peuvent étendre le modèle de données et les services de leur locataire, et ainsi déterminer quelles données sont stockées et exposées.',
          fix: 'Retirez {scope} de "scope-references" de {role}, et référencez-le dans un modèle de rôle distinct.',
        },
      },
    },
  }),
})

interface Found {
  readonly node: DataNode
  readonly match: Match
}

function* matchesOf({ config }: ServiceInstance, { placeOf }: Deployment): Generator<Found> {
  const granted = grantedToProvisioning(config)
  /** Technical templates, and whether all that they hold is to upgrade tenants. */
  const technical = new Map<string, boolean>()
  const templates = itemsOf(at(config, 'role-templates'))
  for (const template of templates) {
    const role = stringOf(at(template, 'name')) ?? ''
    const scopes = textItems(at(template, 'scope-references')).filter(({ text }) => !NEUTRAL.has(text))
    const forPlatform = scopes.filter(({ text }) => isForPlatform(text, granted))
    const isAlone = forPlatform.length === scopes.length
    if (isAlone && forPlatform.length > 0 && TECHNICAL_NAME.test(role))
      technical.set(
        role,
        forPlatform.every(({ text }) => UPGRADES.test(text)),
      )
    else
      for (const { text, node } of forPlatform)
        yield { node, match: { at: placeOf(node), args: { role, scope: text }, ...effectOf(text) } }
    const forDevelopers = scopes.filter(({ text }) => DEVELOPER.test(text))
    if (forDevelopers.length + forPlatform.length === scopes.length) continue
    for (const { text, node } of forDevelopers)
      yield { node, match: { at: placeOf(node), args: { role, scope: text }, variant: 'developer' } }
  }
  for (const collection of itemsOf(at(config, 'role-collections'))) {
    const role = stringOf(at(collection, 'name')) ?? ''
    const held = textItems(at(collection, 'role-template-references'))
    const isTechnical = ({ text }: { text: string }): boolean => technical.has(localName(text))
    if (held.every(isTechnical)) continue
    for (const { text, node } of held.filter(isTechnical))
      yield {
        node,
        match: {
          at: placeOf(node),
          args: { role, scope: localName(text) },
          variant: technical.get(localName(text)) === true ? 'upgradeCollection' : 'collection',
        },
      }
  }
}

/** Needed for token exchange and login. */
const NEUTRAL: ReadonlySet<string> = new Set(['uaa.user', 'openid'])

/** Scopes with which CAP and platform services call. */
const PLATFORM = /(?:^|\.)(?:mtcallback|mtdeployment|emcallback|emmanagement|cds\.Subscriber|jobscheduler)$/i
const UPGRADES = /(?:^|\.)mtdeployment$/i
const DEVELOPER = /(?:^|\.)cds\.(?:ExtensionDeveloper|UIFlexDeveloper)$/

/** A role template of such a name is not assigned to business users. */
const TECHNICAL_NAME = /callback|subscri|onboard|provision|tenan|technical|messag|event|job|schedul|broker|^mtx?|^em(?:[cm_-]|$)/i

/** What callers with the scope can do, other than to subscribe tenants. */
function effectOf(scope: string): { readonly variant?: string } {
  if (/(?:^|\.)emcallback$/i.test(scope)) return { variant: 'events' }
  if (/(?:^|\.)emmanagement$/i.test(scope)) return { variant: 'management' }
  if (UPGRADES.test(scope)) return { variant: 'upgrade' }
  return /(?:^|\.)jobscheduler$/i.test(scope) ? { variant: 'jobs' } : {}
}

function isForPlatform(scope: string, granted: ReadonlySet<string>): boolean {
  return PLATFORM.test(scope) || granted.has(localName(scope))
}

function localName(name: string): string {
  return name.replace(/^\$XSAPPNAME(?:\([^()]{0,200}\))?\./, '')
}

/** Scopes granted to the service that subscribes tenants; `Callback` in older projects. */
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

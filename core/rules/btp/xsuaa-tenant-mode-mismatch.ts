import { effectiveConfiguration, type CapRoot } from '../../model/cap/index.ts'
import { textOf, type ServiceInstance } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Whose service instances are made per subscriber. */
const SUBSCRIPTIONS: ReadonlySet<string> = new Set(['saas-registry', 'subscription-manager'])

/** A security descriptor that fits one tenant for an application with many, or the other way round.
 *  Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (`tenant-mode`: dedicated by default, shared for multitenancy). */
export const xsuaaTenantModeMismatch: Rule = defineRule({
  id: 'btp/xsuaa-tenant-mode-mismatch',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [653],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, placeOf }, { capRoots }) {
    const root = capRoots.find(isMultitenant)
    for (const instance of services) {
      const node = at(instance.config, 'tenant-mode')
      const mode = instance.resolve(textOf(node) ?? '')
      if (instance.service !== 'xsuaa' || node === undefined) continue
      const { mta, name } = instance
      const subscription = mta?.resources.find(({ service }) => service !== undefined && SUBSCRIPTIONS.has(service))
      if (mode === 'dedicated' && (subscription !== undefined || (root !== undefined && capRoots.length === 1))) {
        const reason = subscription?.name ?? 'cds.requires.multitenancy'
        yield { at: placeOf(node), args: { name, reason, file: instance.place.file } }
      } else if (
        mode === 'shared' &&
        mta !== undefined &&
        subscription === undefined &&
        root === undefined &&
        isForUsers(instance)
      ) {
        yield { at: placeOf(node), args: { name, reason: '', file: mta.file }, variant: 'single', confidence: 'medium' }
      }
    }
  },

  text: {
    en: {
      title: 'The tenant mode doesn’t fit multitenancy',
      message: '"tenant-mode" of {name} is "dedicated", but {reason} makes the application multitenant.',
      why: 'The approuter reads the mode from its binding: it then takes every user for one of the provider’s own tenant, and what keeps the subscribers apart has nothing to go by.',
      fix: 'Write "tenant-mode": "shared".',
      variants: {
        single: {
          title: 'The tenant mode opens the application to other tenants',
          message: '"tenant-mode" of {name} is "shared", but nothing in {file} makes the application multitenant.',
          why: 'The client then has one secret for all subaccounts: tokens of other tenants get in where the data of all users lies in one place.',
          fix: 'Write "tenant-mode": "dedicated".',
        },
      },
    },
    fr: {
      title: 'Le mode de locataire ne convient pas au multi-locataire',
      message: '« tenant-mode » de {name} vaut « dedicated », mais {reason} rend l’application multi-locataire.',
      why: 'L’approuter lit le mode dans sa liaison : il prend alors chaque utilisateur pour un utilisateur du fournisseur, et ce qui sépare les abonnés n’a plus de repère.',
      fix: 'Écrivez « "tenant-mode": "shared" ».',
      variants: {
        single: {
          title: 'Le mode de locataire ouvre l’application à d’autres locataires',
          message: '« tenant-mode » de {name} vaut « shared », mais rien dans {file} ne rend l’application multi-locataire.',
          why: 'Le client a alors un seul secret pour tous les sous-comptes : des jetons d’autres locataires entrent là où les données de tous sont au même endroit.',
          fix: 'Écrivez « "tenant-mode": "dedicated" ».',
        },
      },
    },
  },
})

/** Switched on, or by a profile of the package. */
function isMultitenant(root: CapRoot): boolean {
  if (root.test) return false
  const configuration = effectiveConfiguration(root, ['production'])
  if (configuration.profiles.includes('with-mtx-sidecar')) return true
  const node = configuration.value('requires', 'multitenancy')?.node
  return node !== undefined && node.kind !== 'null' && textOf(node) !== 'false'
}

/** A broker's instance is shared by its nature. */
function isForUsers({ plan }: ServiceInstance): boolean {
  return plan === undefined || plan === 'application'
}

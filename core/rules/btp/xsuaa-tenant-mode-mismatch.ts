import { effectiveConfiguration, type CapRoot } from '../../model/cap/index.ts'
import { textOf, type ServiceInstance } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Services that subscribe tenants. */
const SUBSCRIPTIONS: ReadonlySet<string> = new Set(['saas-registry', 'subscription-manager'])

/**
 * A security descriptor for one tenant in a multitenant application, or the other way round.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (`tenant-mode`: dedicated by default, shared for multitenancy).
 * Impact: a user of one tenant gets tokens for the data of others; a shared client without subscriptions gives nothing by itself.
 */
export const xsuaaTenantModeMismatch: Rule = defineRule({
  id: 'btp/xsuaa-tenant-mode-mismatch',
  impact: 'data',
  reach: 'user',
  // the database may separate the tenants too
  evidence: 'assumed',
  grades: { single: { impact: 'defence', evidence: 'shown' } },
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
      const place = placeOf(node)
      const descriptor = place.file
      const where = descriptor === instance.place.file ? name : descriptor
      const subscription = mta?.resources.find(({ service }) => service !== undefined && SUBSCRIPTIONS.has(service))
      if (mode === 'dedicated' && (subscription !== undefined || (root !== undefined && capRoots.length === 1))) {
        const reason = subscription === undefined ? 'cds.requires.multitenancy' : `service: ${subscription.service ?? ''}`
        yield { at: place, args: { name: where, reason, file: instance.place.file, descriptor } }
      } else if (
        mode === 'shared' &&
        mta !== undefined &&
        subscription === undefined &&
        root === undefined &&
        isForUsers(instance)
      ) {
        const args = { name: where, reason: '', file: mta.file, descriptor }
        yield { at: place, args, variant: 'single', confidence: 'medium' }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Dedicated tenant mode in a multitenant application',
      message: '"tenant-mode" of {name} is "dedicated", but "{reason}" makes the application multitenant.',
      why: 'In this mode, the OAuth client has a separate secret for each subaccount, so users of subscribers cannot log in. A workaround that logs them in to the provider’s subaccount would no longer separate the data of different subscribers.',
      fix: 'Set "tenant-mode": "shared" in {descriptor}. If the XSUAA instance already exists, unbind and delete it, then create it again: an update does not change the mode.',
      variants: {
        single: {
          title: 'Shared tenant mode in a single-tenant application',
          message: '"tenant-mode" of {name} is "shared", but nothing in {file} makes the application multitenant.',
          why: 'In this mode, the secret of the OAuth client is valid in all subaccounts: the application may accept a token that was issued to an attacker in another subaccount.',
          fix: 'Set "tenant-mode": "dedicated" in {descriptor}. If the XSUAA instance already exists, unbind and delete it, then create it again: an update does not change the mode.',
        },
      },
    },
    fr: {
      title: 'Mode de locataire dédié dans une application multi-locataire',
      message: '"tenant-mode" vaut "dedicated" dans {name}, mais "{reason}" rend l’application multi-locataire.',
      why: 'Dans ce mode, le client OAuth a un secret distinct par sous-compte : les utilisateurs des abonnés ne peuvent pas se connecter. Si l’application les connecte, à défaut, au sous-compte du fournisseur, les données des différents abonnés ne sont plus séparées.',
      fix: 'Définissez "tenant-mode": "shared" dans {descriptor}. Si l’instance XSUAA existe déjà, supprimez-la avec ses liaisons, puis recréez-la : une mise à jour ne change pas le mode.',
      variants: {
        single: {
          title: 'Mode de locataire partagé dans une application mono-locataire',
          message: '"tenant-mode" vaut "shared" dans {name}, mais rien dans {file} ne rend l’application multi-locataire.',
          why: 'Dans ce mode, le secret du client OAuth est valable dans tous les sous-comptes : l’application pourrait accepter un jeton émis pour un attaquant dans un autre sous-compte.',
          fix: 'Définissez "tenant-mode": "dedicated" dans {descriptor}. Si l’instance XSUAA existe déjà, supprimez-la avec ses liaisons, puis recréez-la : une mise à jour ne change pas le mode.',
        },
      },
    },
  }),
})

/** By configuration, or by a profile of the package. */
function isMultitenant(root: CapRoot): boolean {
  if (root.test) return false
  const configuration = effectiveConfiguration(root, ['production'])
  if (configuration.profiles.includes('with-mtx-sidecar')) return true
  const node = configuration.value('requires', 'multitenancy')?.node
  return node !== undefined && node.kind !== 'null' && textOf(node) !== 'false'
}

/** The instance of a broker is shared by design. */
function isForUsers({ plan }: ServiceInstance): boolean {
  return plan === undefined || plan === 'application'
}

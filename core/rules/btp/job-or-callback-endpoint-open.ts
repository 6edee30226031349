import type { Mta } from '../../model/deployment/index.ts'
import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A callback for subscriptions for which no security descriptor grants a scope to the platform.
 * Facts: SAP BTP, "Developing Multitenant Applications" (`onSubscription`); @sap/approuter 23.0.0 README, "Authorize LPS for invoking
 * callbacks".
 * Severity: MEDIUM, strong evidence, but the check of the endpoint itself is not in the descriptors.
 */
export const jobOrCallbackEndpointOpen: Rule = defineRule({
  id: 'btp/job-or-callback-endpoint-open',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#authorize-lps-for-invoking-callbacks',
  on: 'deployment',

  *check({ mtas, services, placeOf }, { capRoots }) {
    // CAP's own endpoint for subscriptions requires the role by itself
    if (capRoots.some(({ test }) => !test)) return
    for (const mta of mtas) {
      const clients = services.filter((client) => client.mta?.file === mta.file)
      const isKnown = clients.length > 0 && clients.every(({ isComplete }) => isComplete) && !usesOthers(mta)
      if (!isKnown || clients.some(({ config }) => grantsCallback(config))) continue
      const [client] = clients
      const file = client === undefined ? mta.file : placeOf(at(client.config, 'scopes') ?? client.config).file
      for (const { name, node, service } of mta.resources) {
        const callback = at(node, 'parameters', 'config', 'appUrls', 'onSubscription')
        const url = stringOf(callback)
        if (service !== 'saas-registry' || callback === undefined || url === undefined) continue
        yield { at: placeOf(callback), args: { resource: name, url, file } }
      }
    }
  },

  text: {
    en: {
      title: 'Subscription callback without an authorization scope',
      message: '{resource} calls {url}, but no security descriptor of this MTA grants a scope to sap-provisioning.',
      why: 'The endpoint can’t tell the platform from other callers: an attacker can subscribe and unsubscribe tenants, which may delete their data.',
      fix: 'Add to "scopes" in {file}: { "name": "$XSAPPNAME.Callback", "grant-as-authority-to-apps": ["$XSAPPNAME(application,sap-provisioning,tenant-onboarding)"] }, and require this scope in the endpoint.',
    },
    fr: {
      title: 'Rappel d’abonnement sans scope d’autorisation',
      message: '{resource} appelle {url}, mais aucun descripteur de sécurité de ce MTA n’accorde de scope à sap-provisioning.',
      why: 'Le point de terminaison ne distingue pas la plateforme d’autres appelants : un attaquant peut abonner et désabonner des locataires, ce qui peut effacer leurs données.',
      fix: 'Ajoutez aux "scopes" de {file} : { "name": "$XSAPPNAME.Callback", "grant-as-authority-to-apps": ["$XSAPPNAME(application,sap-provisioning,tenant-onboarding)"] }, et exigez ce scope dans le point de terminaison.',
    },
  },
})

/** An existing instance may have the scope. */
function usesOthers({ resources }: Mta): boolean {
  return resources.some(({ type }) => type === 'org.cloudfoundry.existing-service')
}

function grantsCallback(config: Parameters<typeof at>[0]): boolean {
  return itemsOf(at(config, 'scopes')).some((scope) =>
    ['grant-as-authority-to-apps', 'granted-apps'].some((key) =>
      textItems(at(scope, key)).some(({ text }) => /sap-provisioning|tenant-onboarding|\$XSSERVICENAME\(/.test(text)),
    ),
  )
}

import type { Mta } from '../../model/deployment/index.ts'
import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A callback for subscriptions that no security descriptor lets the platform prove itself for.
 *  Facts: SAP BTP, "Developing Multitenant Applications" (`onSubscription`; scope granted to sap-provisioning, tenant-onboarding). */
export const jobOrCallbackEndpointOpen: Rule = defineRule({
  id: 'btp/job-or-callback-endpoint-open',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection',
  on: 'deployment',

  *check({ mtas, services, placeOf }, { capRoots }) {
    // CAP's own endpoint for subscriptions wants the role by itself
    if (capRoots.some(({ test }) => !test)) return
    for (const mta of mtas) {
      const clients = services.filter((client) => client.mta?.file === mta.file)
      const isKnown = clients.length > 0 && clients.every(({ isComplete }) => isComplete) && !usesOthers(mta)
      if (!isKnown || clients.some(({ config }) => grantsCallback(config))) continue
      for (const { name, node, service } of mta.resources) {
        const callback = at(node, 'parameters', 'config', 'appUrls', 'onSubscription')
        const url = stringOf(callback)
        if (service !== 'saas-registry' || callback === undefined || url === undefined) continue
        yield { at: placeOf(callback), args: { resource: name, url } }
      }
    }
  },

  text: {
    en: {
      title: 'A callback of the platform can’t be told from a stranger’s call',
      message: '{resource} calls {url}, but no security descriptor of this MTA grants a scope to sap-provisioning.',
      why: 'The platform has no scope to show, so the endpoint must take calls from anybody: whoever knows it subscribes and unsubscribes tenants, which deletes their data.',
      fix: 'Add the scope: { "name": "$XSAPPNAME.Callback", "grant-as-authority-to-apps": ["$XSAPPNAME(application,sap-provisioning,tenant-onboarding)"] }, and check it in the endpoint.',
    },
    fr: {
      title: 'Un rappel de la plateforme ne se distingue pas de l’appel d’un inconnu',
      message: '{resource} appelle {url}, mais aucun descripteur de sécurité de ce MTA n’accorde de scope à sap-provisioning.',
      why: 'La plateforme n’a aucun scope à présenter, le point d’accès doit donc accepter n’importe qui : qui le connaît abonne et désabonne des locataires, ce qui efface leurs données.',
      fix: 'Ajoutez le scope : « { "name": "$XSAPPNAME.Callback", "grant-as-authority-to-apps": ["$XSAPPNAME(application,sap-provisioning,tenant-onboarding)"] } », et vérifiez-le dans le point d’accès.',
    },
  },
})

/** An instance that is there already may have the scope. */
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

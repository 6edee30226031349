import { defineRule, type Rule } from '../rule.ts'
import { openElements, servedServices } from '../../model/cap/index.ts'
import { listNames } from './_matches.ts'

/** A service that is public on purpose.
 *  Facts: capire, "CAP Users", pseudo roles; @sap/cds 9.9.3, lib/srv/protocols/http.js. */
export const servicePublicAny: Rule = defineRule({
  id: 'cap/service-public-any',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/cap-users#pseudo-roles',
  on: 'cap-root',

  *check(root) {
    for (const service of servedServices(root)) {
      const { access, name } = service
      if (access.kind !== 'public') continue
      const open = openElements(service)
      const written = open.filter(({ writable }) => writable)
      const said = written.length > 0 ? written : open
      if (said.length === 0) continue
      const args = { service: name, elements: listNames(said.map((element) => element.name)) }
      yield { at: access.place, args, ...(written.length === 0 && { severity: 'LOW' as const, variant: 'readonly' }) }
    }
  },

  text: {
    en: {
      title: 'A public service can be written to',
      message:
        "The service {service} is for 'any', and nothing else says who may call {elements}: they can be changed or triggered without a login.",
      why: 'Whoever reaches the application over the network sends these requests; nothing tells who it was.',
      fix: "Give {elements} a role of their own (@requires or @restrict), make entities @readonly, or take 'any' away from the service.",
      variants: {
        readonly: {
          title: 'A service can be read without a login',
          message: "The service {service} is for 'any': {elements} can be read without a login.",
          why: 'That is right for a catalogue that is meant for the public, and a leak for everything else.',
          fix: "If it is meant, leave it; else write @requires: 'authenticated-user' or a role.",
        },
      },
    },
    fr: {
      title: 'Un service public accepte des écritures',
      message:
        'Le service {service} est ouvert à « any », et rien d’autre ne dit qui peut appeler {elements} : on les modifie ou les déclenche sans connexion.',
      why: 'Quiconque atteint l’application par le réseau envoie ces requêtes ; rien ne dit qui c’était.',
      fix: 'Donnez à {elements} un rôle propre (@requires ou @restrict), rendez les entités @readonly, ou retirez « any » du service.',
      variants: {
        readonly: {
          title: 'Un service se lit sans connexion',
          message: 'Le service {service} est ouvert à « any » : {elements} se lisent sans connexion.',
          why: 'C’est juste pour un catalogue destiné au public, et une fuite pour tout le reste.',
          fix: "Si c’est voulu, laissez-le ; sinon écrivez @requires: 'authenticated-user' ou un rôle.",
        },
      },
    },
  },
})

import { textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An SAP HANA Cloud database that takes connections from everywhere.
 *  Facts: SAP HANA Cloud Administration Guide, "Create an SAP HANA Database Instance Using the Cloud Foundry CLI" (`whitelistIPs`). */
export const hanaPublicAccess: Rule = defineRule({
  id: 'btp/hana-public-access',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [284],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/hana-cloud/sap-hana-cloud-administration-guide',
  on: 'deployment',

  *check({ databases, placeOf }) {
    for (const { name, config, resolve } of databases) {
      for (const list of [at(config, 'data', 'whitelistIPs'), at(config, 'whitelistIPs')]) {
        for (const { text, node: item } of textItems(list)) {
          const range = resolve(text).trim()
          if (/^(?:0\.0\.0\.0|::)\/0$/.test(range))
            yield { at: placeOf(item), args: { key: 'whitelistIPs', resource: name, range } }
        }
      }
    }
  },

  text: {
    en: {
      title: 'The database takes connections from the whole internet',
      message: '"{key}" of {resource} has {range}: every address may connect to the database.',
      why: 'Anybody can try passwords against DBADMIN and every other user, and a leaked one opens the database from anywhere.',
      fix: 'List the addresses of your networks in "{key}". Applications of the same platform need no entry: [] is BTP only.',
    },
    fr: {
      title: 'La base de données accepte des connexions depuis tout Internet',
      message: '« {key} » de {resource} contient {range} : toute adresse peut se connecter à la base.',
      why: 'N’importe qui peut essayer des mots de passe pour DBADMIN et tout autre utilisateur, et un mot de passe divulgué ouvre la base de partout.',
      fix: 'Énumérez les adresses de vos réseaux dans « {key} ». Les applications de la même plateforme n’ont besoin d’aucune entrée : [] limite à BTP.',
    },
  },
})

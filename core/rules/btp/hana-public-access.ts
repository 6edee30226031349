import { textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An SAP HANA Cloud database that accepts connections from all addresses.
 * Facts: SAP HANA Cloud Administration Guide, "Parameter Reference" (`whitelistIPs`).
 * Impact: nothing by itself, a network filter is missing and users still need a password.
 */
export const hanaPublicAccess: Rule = defineRule({
  id: 'btp/hana-public-access',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'high',
  cwe: [284],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/hana-cloud/sap-hana-cloud-administration-guide/parameter-reference',
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

  text: () => ({
    en: {
      title: 'SAP HANA Cloud database open to all IP addresses',
      message: '"{key}" in {resource} contains {range}: any IP address can connect to the database.',
      why: 'An attacker on the internet can try passwords for DBADMIN and all other users, and a leaked password gives access from anywhere.',
      fix: 'Remove {range} from "{key}" in {resource} and list the CIDR ranges of your own networks; with "{key}": [], only SAP BTP can connect.',
    },
    fr: {
      title: 'Base SAP HANA Cloud ouverte à toutes les adresses IP',
      message: '"{key}" dans {resource} contient {range} : toute adresse IP peut se connecter à la base de données.',
      why: 'Un attaquant sur Internet peut essayer des mots de passe pour DBADMIN et tout autre utilisateur, et un mot de passe divulgué donne un accès depuis n’importe où.',
      fix: 'Retirez {range} de "{key}" dans {resource} et énumérez les plages CIDR de vos propres réseaux ; avec "{key}": [], seul SAP BTP peut se connecter.',
    },
  }),
})

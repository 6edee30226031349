import { at, booleanOf } from '../../parse/data.ts'
import { usageOf } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

const INSECURE: readonly (readonly [string, boolean])[] = [
  ['rejectUnauthorized', false],
  ['skipCertHostnameValidation', true],
]

/** TLS certificate validation disabled for the external session store.
 *  Facts: @sap/approuter 23.0.0 README, "External Session Management" (EXT_SESSION_MGT).
 *  Impact: whoever is on that network path reads and forges the sessions of users. */
export const sessionStoreInsecure: Rule = defineRule({
  id: 'approuter/session-store-insecure',
  impact: 'takeover',
  // on the network between the approuter and its store
  reach: 'privileged',
  confidence: 'medium',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#external-session-management-configuration',
  on: 'approuter',

  *check(approuter) {
    for (const setting of approuter.environment.settings('EXT_SESSION_MGT')) {
      for (const [key, bad] of INSECURE) {
        const node = at(setting.value, key)
        if (node === undefined || booleanOf(node) !== bad) continue
        const args = { key, value: String(bad) }
        const match = { at: setting.placeOf(node), args, ...usageOf(setting), key }
        yield key === 'skipCertHostnameValidation' ? { ...match, variant: 'hostname' } : match
        // one fault, however many keys cause it
        break
      }
    }
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled for the session store',
      message: 'EXT_SESSION_MGT sets "{key}": {value}: the approuter does not authenticate the session store.',
      why: 'An attacker on the network path between approuter and session store can read and forge the sessions of all users, including their tokens.',
      fix: 'Remove "{key}" from EXT_SESSION_MGT: the approuter trusts the CA certificate in the Redis binding. If the binding contains none and the server uses a private CA, set NODE_EXTRA_CA_CERTS to the path of a file with the CA certificate.',
      variants: {
        hostname: {
          title: 'Host name of the session store not validated',
          message:
            'EXT_SESSION_MGT sets "{key}": {value}: the approuter accepts a valid certificate that was issued for any other host.',
          fix: 'Remove "{key}" from EXT_SESSION_MGT. The certificate of the Redis server must contain the host name in the Redis binding.',
        },
      },
    },
    fr: {
      title: 'Validation du certificat TLS désactivée pour le stockage des sessions',
      message: 'EXT_SESSION_MGT contient "{key}": {value} : l’approuter n’authentifie pas le stockage des sessions.',
      why: 'Un attaquant placé sur le réseau entre l’approuter et le stockage peut lire et forger les sessions de tous les utilisateurs, jetons compris.',
      fix: 'Supprimez "{key}" d’EXT_SESSION_MGT : l’approuter fait confiance au certificat de CA de la liaison Redis. Si la liaison n’en contient pas et que le serveur utilise une CA privée, donnez à NODE_EXTRA_CA_CERTS le chemin d’un fichier avec le certificat de cette CA.',
      variants: {
        hostname: {
          title: 'Nom d’hôte du stockage des sessions non validé',
          message:
            'EXT_SESSION_MGT contient "{key}": {value} : l’approuter accepte un certificat valide émis pour n’importe quel autre hôte.',
          fix: 'Supprimez "{key}" d’EXT_SESSION_MGT. Le nom d’hôte de la liaison Redis doit figurer dans le certificat du serveur.',
        },
      },
    },
  }),
})

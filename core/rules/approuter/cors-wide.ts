import { judgeOrigin, placeOf, readOrigins, type Approuter, type Setting } from '../../model/approuter/index.ts'
import { at, booleanOf, itemsOf, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { gradeDescriptor, gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Origins that may read what the approuter answers to a user's browser, and that somebody else can be at.
 *  Facts: @sap/approuter 23.0.0 README, "Cross-Origin Resource Sharing": allowedCredentials is true by default; lib/utils/whitelist-utils.js: a * stands for any characters. */
export const corsWide: Rule = defineRule({
  id: 'approuter/cors-wide',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [942],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#cross-origin-resource-sharing-configuration',
  on: 'approuter',

  *check(approuter) {
    for (const { entries, placeAt, setting } of corsLists(approuter)) {
      for (const entry of entries) {
        const withCredentials = booleanOf(at(entry, 'allowedCredentials')) !== false
        for (const { host, node } of readOrigins(at(entry, 'allowedOrigin'))) {
          const verdict = judgeOrigin(host)
          if (verdict === 'own') continue
          const severity = verdict === 'any' && withCredentials ? 'HIGH' : 'MEDIUM'
          yield {
            at: placeAt(node),
            args: { host },
            severity: setting === undefined ? gradeDescriptor(approuter, severity) : gradeSetting(setting, severity),
            ...(verdict !== 'any' ? { variant: verdict } : !withCredentials && { variant: 'public' }),
            key: host,
          }
        }
      }
    }
  },

  text: {
    en: {
      title: "Every website may read responses with the user's session",
      message: 'CORS allows the origin {host} with credentials.',
      why: 'A page of anybody, opened by a user who is logged in, reads and changes the data of this user.',
      fix: 'Name the hosts that need it, with "protocol": "https", and set "allowedCredentials": false where no session is needed.',
      variants: {
        public: {
          title: 'Every website may read responses',
          message: 'CORS allows the origin {host}, without credentials.',
          why: 'A page of anybody reads what the approuter answers without a session.',
        },
        shared: {
          title: 'Hosts that anybody can register may read responses',
          message: 'CORS allows the origin {host}: a domain that all customers share.',
          why: 'Whoever has an account takes a host under this domain, and his page reads the data of your users.',
        },
        suffix: {
          title: 'Domains that end alike may read responses',
          message: 'CORS allows the origin {host}: no dot stands after the *.',
          why: 'Anybody may register a domain that ends with these letters, and his page reads the data of your users.',
          fix: 'Write a dot after the *, or name the hosts that need it, with "protocol": "https".',
        },
      },
    },
    fr: {
      title: 'Tous les sites web peuvent lire les réponses avec la session de l’utilisateur',
      message: 'CORS autorise l’origine {host} avec les identifiants de session.',
      why: 'La page de n’importe qui, ouverte par un utilisateur connecté, lit et modifie les données de cet utilisateur.',
      fix: 'Indiquez les hôtes qui en ont besoin, avec « "protocol": "https" », et mettez « "allowedCredentials": false » là où aucune session n’est nécessaire.',
      variants: {
        public: {
          title: 'Tous les sites web peuvent lire les réponses',
          message: 'CORS autorise l’origine {host}, sans identifiants de session.',
          why: 'La page de n’importe qui lit ce que l’approuter répond sans session.',
        },
        shared: {
          title: 'Des hôtes que chacun peut réserver peuvent lire les réponses',
          message: 'CORS autorise l’origine {host} : un domaine partagé par tous les clients.',
          why: 'Toute personne ayant un compte prend un hôte sous ce domaine, et sa page lit les données de vos utilisateurs.',
        },
        suffix: {
          title: 'Des domaines de même terminaison peuvent lire les réponses',
          message: 'CORS autorise l’origine {host} : aucun point ne suit l’étoile.',
          why: 'N’importe qui peut réserver un domaine qui finit par ces lettres, et sa page lit les données de vos utilisateurs.',
          fix: 'Écrivez un point après l’étoile, ou indiquez les hôtes qui en ont besoin, avec « "protocol": "https" ».',
        },
      },
    },
  },
})

interface CorsList {
  readonly entries: readonly DataNode[]
  readonly setting?: Setting
  placeAt(node: DataNode): Place
}

/** `cors` of the descriptor, and the variable CORS: a request looks in both. */
function corsLists({ file, root, environment }: Approuter): CorsList[] {
  const own: CorsList = { entries: itemsOf(at(root, 'cors')), placeAt: (node) => placeOf(file, node) }
  const set = environment.settings('CORS').map((setting): CorsList => ({
    entries: itemsOf(setting.value),
    setting,
    placeAt: (node) => setting.placeOf(node),
  }))
  return [own, ...set]
}

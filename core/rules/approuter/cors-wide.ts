import { judgeOrigin, placeOf, readOrigins, type Approuter, type Setting } from '../../model/approuter/index.ts'
import { at, booleanOf, itemsOf, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { usageOf } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A CORS allowlist that contains origins which an attacker can use or register.
 *  Facts: @sap/approuter 23.0.0 README, "Cross-Origin Resource Sharing": allowedCredentials is true by default; lib/utils/whitelist-utils.js: a * stands
 *  for any characters, and an entry that is no object makes the request fail.
 *  Impact: a page of another site reads responses with the session of its visitor; without credentials only what needs no session. An entry that the
 *  approuter cannot read is a fault of operation. */
export const corsWide: Rule = defineRule({
  id: 'approuter/cors-wide',
  impact: 'session',
  // a link to a page of the attacker
  reach: 'anyone',
  grades: {
    // a host of that domain must be had first
    shared: { evidence: 'assumed' },
    suffix: { evidence: 'assumed' },
    text: { impact: 'hygiene' },
  },
  confidence: 'high',
  cwe: [942],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#cross-origin-resource-sharing-configuration',
  on: 'approuter',

  *check(approuter) {
    for (const { entries, placeAt, setting } of corsLists(approuter)) {
      for (const entry of entries) {
        const withCredentials = booleanOf(at(entry, 'allowedCredentials')) !== false
        const list = at(entry, 'allowedOrigin')
        for (const { host, node } of readOrigins(list)) {
          const verdict = judgeOrigin(host)
          if (verdict === 'own') continue
          if (itemsOf(list).includes(node)) {
            yield { at: placeAt(node), args: { host }, variant: 'text', key: host }
            continue
          }
          yield {
            at: placeAt(node),
            args: { host },
            ...(!withCredentials && { impact: 'defence', evidence: 'shown' }),
            ...usageOf(setting ?? approuter),
            ...(verdict !== 'any' ? { variant: verdict } : !withCredentials && { variant: 'public' }),
            key: host,
          }
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'CORS allows any origin with credentials',
      message:
        '"allowedOrigin" contains the host "{host}", and "allowedCredentials" is not false: pages of any site may send requests with cookies and read the responses.',
      why: 'If the browser attaches the session cookie to requests from other sites, a malicious page can read the data of a logged-in user who opens it.',
      fix: 'Replace the entry for "{host}" in "allowedOrigin" with entries for the origins that need access, such as { "host": "portal.example.com", "protocol": "https" }.',
      variants: {
        text: {
          title: 'Invalid entry in the CORS allowlist',
          message:
            '"allowedOrigin" contains the string "{host}" instead of an object with "host": the approuter cannot evaluate it.',
          why: 'The approuter answers cross-origin requests that match "uriPattern" with an error, so origins that need access do not get it.',
        },
        public: {
          title: 'CORS allows any origin without credentials',
          message:
            '"allowedOrigin" contains the host "{host}" with "allowedCredentials": false: any site can read responses that need no session.',
          why: 'If the approuter is accessible only from an internal network, an attacker’s page can read such responses through the browser of a user in that network.',
        },
        shared: {
          title: 'CORS allows a domain shared by SAP BTP customers',
          message:
            '"allowedOrigin" contains the host "{host}", but other SAP BTP customers can also register hosts under this domain.',
          why: 'An attacker with an account on the platform can serve a page from a matching host and, if the browser attaches the session cookie, read the data of a logged-in user who opens it.',
        },
        suffix: {
          title: 'CORS wildcard without a dot',
          message:
            '"allowedOrigin" contains the host "{host}": without a dot after the *, it also matches other domains, which anyone can register.',
          why: 'An attacker can register a domain that ends like this host and, if the browser attaches the session cookie, read the data of a logged-in user who opens a page there.',
          fix: 'Add a dot after the * of "{host}" in "allowedOrigin", or name the origins that need access, with "protocol": "https".',
        },
      },
    },
    fr: {
      title: 'CORS autorise toute origine avec le cookie de session',
      message:
        '"allowedOrigin" contient l’hôte "{host}" et "allowedCredentials" ne vaut pas false : les pages de n’importe quel site peuvent envoyer des requêtes avec des cookies et lire les réponses.',
      why: 'Si le navigateur joint le cookie de session aux requêtes venant d’autres sites, une page malveillante peut lire les données d’un utilisateur connecté qui l’ouvre.',
      fix: 'Remplacez l’entrée "{host}" de "allowedOrigin" par des entrées pour les origines qui ont besoin d’un accès, par exemple { "host": "portal.example.com", "protocol": "https" }.',
      variants: {
        text: {
          title: 'Entrée non valide dans la liste d’autorisation CORS',
          message:
            '"allowedOrigin" contient la chaîne "{host}" au lieu d’un objet avec "host" : l’approuter ne peut pas l’évaluer.',
          why: 'L’approuter répond par une erreur aux requêtes CORS dont l’URL correspond à "uriPattern" : les origines qui ont besoin d’un accès ne l’obtiennent pas.',
        },
        public: {
          title: 'CORS autorise toute origine sans cookie de session',
          message:
            '"allowedOrigin" contient l’hôte "{host}" avec "allowedCredentials": false : n’importe quel site peut lire les réponses qui n’exigent pas de session.',
          why: 'Si l’approuter n’est accessible que depuis un réseau interne, la page d’un attaquant peut lire ces réponses au moyen du navigateur d’un utilisateur de ce réseau.',
        },
        shared: {
          title: 'CORS autorise un domaine partagé par les clients de SAP BTP',
          message:
            '"allowedOrigin" contient l’hôte "{host}", mais d’autres clients de SAP BTP peuvent aussi enregistrer des hôtes sous ce domaine.',
          why: 'Un attaquant disposant d’un compte sur la plateforme peut servir une page depuis un hôte de ce domaine et, si le navigateur joint le cookie de session, lire les données d’un utilisateur connecté qui ouvre cette page.',
        },
        suffix: {
          title: 'Caractère générique CORS non suivi d’un point',
          message:
            '"allowedOrigin" contient l’hôte "{host}" : sans point après l’astérisque, ce motif correspond aussi à d’autres domaines, que n’importe qui peut enregistrer.',
          why: 'Un attaquant peut enregistrer un domaine qui se termine comme cet hôte et, si le navigateur joint le cookie de session, lire les données d’un utilisateur connecté qui ouvre une page de ce domaine.',
          fix: 'Ajoutez un point après l’astérisque de "{host}" dans "allowedOrigin", ou indiquez les origines qui ont besoin d’un accès, avec "protocol": "https".',
        },
      },
    },
  }),
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

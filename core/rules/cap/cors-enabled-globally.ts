import { createDevelopmentReader, isToolFile } from '../../model/script/index.ts'
import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findOpenOrigins } from './_cors-enabled-globally.ts'
import { keyIn, productionSettings } from '../../model/cap/index.ts'

/** A middleware that answers every origin: that of CAP, meant for development, or one in the project's own code.
 *  Facts: @sap/cds 9.9.3, server.js (`cors` sends the caller's origin back), lib/env/defaults.js (off in production); cors 2.8.5 (any origin by default). */
export const corsEnabledGlobally: Rule = defineRule({
  id: 'cap/cors-enabled-globally',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [942],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#configuration',
  keywords: ['cors', 'Access-Control-Allow-Origin', 'access-control-allow-origin'],
  prefilter: (text) => /\bcors\b|enableCors|access-control-allow-origin/i.test(text),

  checks: {
    *'cap-root'(root) {
      for (const setting of productionSettings(root, 'server', 'cors')) {
        if (booleanOf(setting.node) !== true) continue
        yield { at: setting.place, args: { key: keyIn(setting, 'server', 'cors'), file: setting.place.file } }
      }
    },

    *'server-script'({ path, content, budget }) {
      if (isToolFile(path)) return
      const isForDevelopers = createDevelopmentReader(content.facts)
      for (const { start, end, credentials } of findOpenOrigins(content.facts, (count) => budget.step(count))) {
        if (isForDevelopers({ start, end })) continue
        const at = { file: path, span: { start, end } }
        yield credentials ? { at, severity: 'HIGH', variant: 'credentials' } : { at, variant: 'code' }
      }
    },
  },

  text: {
    en: {
      title: 'Every website may read the answers of the services',
      message: '{key} is true in {file} and holds in production: CAP answers any origin as if it were allowed.',
      why: 'A page on any website can then call the services from the browser of somebody who reaches them, and read what comes back.',
      fix: 'Remove {key}, or move it into "[development]"; for known callers use a middleware with a list of their origins.',
      variants: {
        code: {
          message: 'This lets pages of every origin read what the application answers: no list says which ones may.',
          fix: 'Name the origins that call: cors({ origin: ["https://<app>"] }). Where UI and services share a host, no CORS is needed at all.',
        },
        credentials: {
          title: 'Every website may act and read in the name of the user',
          message: 'This sends back any origin as allowed, and allows credentials with it.',
          why: 'A page on any website calls the services with the cookies of whoever visits it, and reads the answers.',
          fix: 'Compare the origin with a list before it is sent back, or leave out credentials.',
        },
      },
    },
    fr: {
      title: 'Tout site web peut lire les réponses des services',
      message: '{key} vaut true dans {file} et vaut en production : CAP répond à toute origine comme si elle était autorisée.',
      why: 'Une page de n’importe quel site peut alors appeler les services depuis le navigateur de qui les atteint, et lire la réponse.',
      fix: 'Supprimez {key}, ou déplacez-le dans « [development] » ; pour des appelants connus, prenez un middleware avec la liste de leurs origines.',
      variants: {
        code: {
          message:
            'Ceci laisse les pages de toute origine lire les réponses de l’application : aucune liste ne dit lesquelles le peuvent.',
          fix: 'Nommez les origines qui appellent : cors({ origin: ["https://<app>"] }). Si l’interface et les services partagent un hôte, CORS est inutile.',
        },
        credentials: {
          title: 'Tout site web peut agir et lire au nom de l’utilisateur',
          message: 'Ceci renvoie toute origine comme autorisée, et autorise avec elle les informations de connexion.',
          why: 'Une page de n’importe quel site appelle les services avec les cookies de son visiteur, et lit les réponses.',
          fix: 'Comparez l’origine à une liste avant de la renvoyer, ou n’autorisez pas les informations de connexion.',
        },
      },
    },
  },
})

import { isTrue, textOf } from '../../model/deployment/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An HTML5 app that approuters of other spaces and subaccounts may serve. Generators write it for the managed approuter, which is one of these.
 *  Facts: @sap/approuter 23.0.0 README, business services and `sap.cloud.public`. */
export const html5AppPublic: Rule = defineRule({
  id: 'btp/html5-app-public',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [668],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter',
  on: 'deployment',

  *check({ applications }, { files }) {
    const approuter = applications.find(({ isApprouter }) => isApprouter)
    for (const { path, kind, content, scope } of files.values()) {
      if (kind.role !== 'manifest' || kind.test || scope !== 'all' || content.as !== 'data') continue
      const [root] = content.roots
      const shared = at(root, 'sap.cloud', 'public')
      if (shared === undefined || !isTrue(textOf(shared))) continue
      // a library or component is made to be used by others
      if (/^(?:library|component|card)$/.test(stringOf(at(root, 'sap.app', 'type')) ?? '')) continue
      const place = { file: path, span: { start: shared.start, end: shared.end } }
      // generators write it into every app of a project
      const args = { app: stringOf(at(root, 'sap.app', 'id')) ?? path, approuter: approuter?.name ?? '' }
      if (approuter === undefined) yield { at: place, args, severity: 'INFO', variant: 'managed', sameAs: 'managed' }
      else yield { at: place, args, sameAs: 'own' }
    }
  },

  text: {
    en: {
      title: 'Approuters of others may serve this app',
      message: '"sap.cloud.public" of {app} is true, although {approuter} serves it.',
      why: 'The app can be started from any other space or subaccount of the region that has a binding, where you control neither the page around it nor its users.',
      fix: 'Remove "public": true from "sap.cloud".',
      variants: {
        managed: {
          message: '"sap.cloud.public" of {app} is true.',
          fix: 'Keep it where the managed approuter or another subaccount serves the app; remove it otherwise.',
        },
      },
    },
    fr: {
      title: 'Des approuters d’autrui peuvent servir cette application',
      message: '« sap.cloud.public » de {app} vaut true, alors que {approuter} la sert.',
      why: 'L’application peut être lancée depuis tout autre espace ou sous-compte de la région disposant d’une liaison, où vous ne maîtrisez ni la page qui l’entoure ni ses utilisateurs.',
      fix: 'Supprimez « "public": true » de « sap.cloud ».',
      variants: {
        managed: {
          message: '« sap.cloud.public » de {app} vaut true.',
          fix: 'Gardez-le là où l’approuter géré ou un autre sous-compte sert l’application ; supprimez-le sinon.',
        },
      },
    },
  },
})

import { isTrue, textOf } from '../../model/deployment/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An HTML5 app that approuters of other spaces and subaccounts may serve. Generators write it for the managed approuter, which is one of
 * these.
 * Facts: @sap/approuter 23.0.0 README, "Accessing Business Service UI" (`public`).
 * Impact: code of the app alone, the data behind it keeps its own authentication; a managed approuter needs the setting.
 */
export const html5AppPublic: Rule = defineRule({
  id: 'btp/html5-app-public',
  impact: 'bounded',
  reach: 'user',
  grades: { managed: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [668],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#accessing-business-service-ui',
  on: 'deployment',

  *check({ applications }, { files }) {
    const approuter = applications.find(({ isApprouter }) => isApprouter)
    for (const { path, kind, content, scope } of files.values()) {
      if (kind.role !== 'manifest' || kind.test || scope !== 'all' || content.as !== 'data') continue
      const [root] = content.roots
      const shared = at(root, 'sap.cloud', 'public')
      if (shared === undefined || !isTrue(textOf(shared))) continue
      // libraries, components and cards are for use by other apps
      if (/^(?:library|component|card)$/.test(stringOf(at(root, 'sap.app', 'type')) ?? '')) continue
      const place = { file: path, span: { start: shared.start, end: shared.end } }
      // generators write it into every app of a project
      const args = { app: stringOf(at(root, 'sap.app', 'id')) ?? path, approuter: approuter?.name ?? '', file: path }
      if (approuter === undefined) yield { at: place, args, variant: 'managed', groupKey: 'managed' }
      else yield { at: place, args, groupKey: 'own' }
    }
  },

  text: () => ({
    en: {
      title: 'HTML5 app accessible from other spaces and subaccounts',
      message: '"sap.cloud.public" of app {app} is true, although the project has its own approuter ({approuter}).',
      why: 'The app is then also accessible to approuters in other spaces or subaccounts: an attacker who controls one can load the app’s files.',
      fix: 'Remove "public": true from "sap.cloud" in {file}.',
      variants: {
        managed: {
          message: '"sap.cloud.public" of app {app} is true, as required by a managed approuter (SAP Build Work Zone).',
          fix: 'Suppress this finding if a managed approuter or another subaccount serves the app; otherwise, remove "public": true from "sap.cloud" in {file}.',
        },
      },
    },
    fr: {
      title: 'Application HTML5 accessible depuis d’autres espaces et sous-comptes',
      message: '"sap.cloud.public" de l’application {app} vaut true, alors que le projet a son propre approuter ({approuter}).',
      why: 'L’application est alors aussi accessible aux approuters d’autres espaces ou sous-comptes : un attaquant qui contrôle l’un d’eux peut charger les fichiers de l’application.',
      fix: 'Supprimez "public": true de "sap.cloud" dans {file}.',
      variants: {
        managed: {
          message:
            '"sap.cloud.public" de l’application {app} vaut true, comme l’exige un approuter managé (SAP Build Work Zone).',
          fix: 'Masquez ce constat si un approuter managé ou un autre sous-compte sert l’application ; sinon, supprimez "public": true de "sap.cloud" dans {file}.',
        },
      },
    },
  }),
})

import { placeOf } from '../../model/approuter/index.ts'
import { itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const NAME = 'SAP_JWT_TRUST_ACL'
const DESCRIPTORS: ReadonlySet<string> = new Set(['mta', 'mtaext', 'cf-manifest', 'kubernetes', 'default-env', 'env'])

/** A variable that the libraries of SAP have not read for years.
 *  Facts: CHANGELOG of @sap/approuter 23.0.0: SAP_JWT_TRUST_ACL was removed in 8.0.0; tokens are validated by their audience since. */
export const obsoleteEnv: Rule = defineRule({
  id: 'approuter/obsolete-env',
  severity: 'INFO',
  confidence: 'high',
  cwe: [477],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter',
  keywords: ['SAP_JWT_TRUST_ACL'],
  on: 'data',

  *check(file) {
    if (!DESCRIPTORS.has(file.kind.role ?? '')) return
    const open: DataNode[] = [...file.content.roots]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      file.budget.step()
      open.push(...itemsOf(node))
      for (const { key, keySpan, value } of membersOf(node)) {
        if (key === NAME) yield { at: placeOf(file.path, keySpan), sameAs: NAME }
        // a list of Kubernetes: { name: SAP_JWT_TRUST_ACL, value: … }
        else if (key === 'name' && stringOf(value) === NAME) yield { at: placeOf(file.path, value), sameAs: NAME }
        else open.push(value)
      }
    }
  },

  text: {
    en: {
      title: 'SAP_JWT_TRUST_ACL has no effect any more',
      message: 'SAP_JWT_TRUST_ACL is set; since @sap/approuter 8.0.0 it is not read.',
      why: 'Who relies on it believes in a check that is not made; with an old library, "*" trusts the tokens of every app.',
      fix: 'Remove the variable. The audience of a token decides: grant scopes in xs-security.json where another app needs them.',
    },
    fr: {
      title: 'SAP_JWT_TRUST_ACL n’a plus d’effet',
      message: 'SAP_JWT_TRUST_ACL est défini ; depuis @sap/approuter 8.0.0, il n’est plus lu.',
      why: 'Qui s’y fie croit à un contrôle qui n’est pas fait ; avec une ancienne bibliothèque, « * » fait confiance aux jetons de toute application.',
      fix: 'Supprimez la variable. L’audience d’un jeton décide : accordez des scopes dans xs-security.json là où une autre application en a besoin.',
    },
  },
})

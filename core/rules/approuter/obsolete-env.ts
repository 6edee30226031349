import { placeOf } from '../../model/approuter/index.ts'
import { itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const NAME = 'SAP_JWT_TRUST_ACL'
const DESCRIPTORS: ReadonlySet<string> = new Set(['mta', 'mtaext', 'cf-manifest', 'kubernetes', 'default-env', 'env'])

/** A variable that current SAP libraries do not read.
 *  Facts: CHANGELOG of @sap/approuter 23.0.0: SAP_JWT_TRUST_ACL was removed in 8.0.0; tokens are validated by their audience since.
 *  Impact: none, the variable has no effect. */
export const obsoleteEnv: Rule = defineRule({
  id: 'approuter/obsolete-env',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [477],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  keywords: ['SAP_JWT_TRUST_ACL'],
  on: 'data',

  *check(file) {
    if (!DESCRIPTORS.has(file.kind.role ?? '')) return
    const open: DataNode[] = [...file.content.roots]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      file.budget.step()
      open.push(...itemsOf(node))
      for (const { key, keySpan, value } of membersOf(node)) {
        if (key === NAME) yield { at: placeOf(file.path, keySpan), groupKey: NAME }
        // a list of Kubernetes: { name: SAP_JWT_TRUST_ACL, value: … }
        else if (key === 'name' && stringOf(value) === NAME) yield { at: placeOf(file.path, value), groupKey: NAME }
        else open.push(value)
      }
    }
  },

  text: {
    en: {
      title: 'Obsolete environment variable SAP_JWT_TRUST_ACL',
      message: 'SAP_JWT_TRUST_ACL is set, but @sap/approuter has not read it since version 8.0.0, nor @sap/xssec since 3.0.0.',
      why: 'The restriction that the variable seems to define is not enforced. Old libraries that still read the variable accept tokens issued for any app if its value contains "*".',
      fix: 'Remove SAP_JWT_TRUST_ACL. Tokens are validated by their audience: if another app needs access, grant it a scope in xs-security.json with "granted-apps" (user tokens) or "grant-as-authority-to-apps" (client credentials).',
    },
    fr: {
      title: 'Variable d’environnement obsolète SAP_JWT_TRUST_ACL',
      message:
        'SAP_JWT_TRUST_ACL est définie, mais @sap/approuter ne la lit plus depuis la version 8.0.0, ni @sap/xssec depuis 3.0.0.',
      why: 'La restriction que la variable semble définir n’est pas appliquée. Si la variable contient "*", les anciennes bibliothèques qui la lisent encore acceptent les jetons émis pour n’importe quelle application.',
      fix: 'Supprimez SAP_JWT_TRUST_ACL. La validation des jetons repose sur leur audience : si une autre application a besoin d’un accès, accordez-lui un scope dans xs-security.json avec "granted-apps" (jetons d’utilisateur) ou "grant-as-authority-to-apps" (jetons du flux client credentials).',
    },
  },
})

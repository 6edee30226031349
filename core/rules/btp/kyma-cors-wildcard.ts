import { findKubernetesObjects } from '../../model/deployment/index.ts'
import { at, booleanOf, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Regular expressions and prefixes that fit every origin. */
const EVERY = /^(?:\^?(?:https?(?:\?)?:\/\/)?\.[*+]\$?|\*|https?:\/\/|)$/

/**
 * A CORS policy of a Kyma APIRule that lets pages of every origin call with the user’s cookies or a token.
 * Facts: SAP BTP documentation, "Changes introduced in APIRule v2" (corsPolicy).
 */
export const kymaCorsWildcard: Rule = defineRule({
  id: 'btp/kyma-cors-wildcard',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [942],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/changes-introduced-in-apirule-v2-aa34a4a.md',
  on: 'project',

  *check({ files }) {
    for (const { file, node, name, kind, apiVersion } of findKubernetesObjects(files)) {
      if (kind !== 'APIRule' || !apiVersion.startsWith('gateway.kyma-project.io/')) continue
      const policy = at(node, 'spec', 'corsPolicy')
      const given = rightsOf(policy)
      if (given === undefined) continue
      for (const item of itemsOf(at(policy, 'allowOrigins'))) {
        const values = item.kind === 'object' ? membersOf(item).filter(({ key }) => key === 'regex' || key === 'prefix') : []
        for (const value of item.kind === 'object' ? values.map((member) => member.value) : [item]) {
          const origin = stringOf(value)
          if (origin === undefined || !EVERY.test(origin)) continue
          yield { at: { file, span: { start: value.start, end: value.end } }, args: { name, origin, with: given } }
        }
      }
    }
  },

  text: {
    en: {
      title: 'Every web page may call the service with the user’s rights',
      message: 'APIRule {name} allows the origin {origin}, and with it {with}.',
      why: 'A page of an attacker that a user visits calls the service in the user’s name and reads the answers.',
      fix: 'Name the origins with "exact": "https://<app>.<domain>".',
    },
    fr: {
      title: 'Toute page web peut appeler le service avec les droits de l’utilisateur',
      message: 'APIRule {name} autorise l’origine {origin}, et avec elle {with}.',
      why: 'La page d’un attaquant visitée par un utilisateur appelle le service en son nom et lit les réponses.',
      fix: 'Nommez les origines avec « exact » : « https://<app>.<domaine> ».',
    },
  },
})

function rightsOf(policy: DataNode | undefined): string | undefined {
  if (booleanOf(at(policy, 'allowCredentials')) === true) return 'allowCredentials'
  const headers = new Set(itemsOf(at(policy, 'allowHeaders')).map((item) => stringOf(item)?.toLowerCase()))
  return headers.has('authorization') || headers.has('*') ? 'Authorization' : undefined
}

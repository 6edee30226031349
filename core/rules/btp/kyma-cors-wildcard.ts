import { findKubernetesObjects } from '../../model/deployment/index.ts'
import { at, booleanOf, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Regular expressions and prefixes that match every origin. */
const ANY_ORIGIN = /^(?:\^?(?:https?(?:\?)?:\/\/)?\.[*+]\$?|\*|https?:\/\/|)$/

/**
 * A CORS policy of a Kyma APIRule that allows any origin together with cookies or a token.
 * Facts: SAP BTP documentation, "Changes introduced in APIRule v2" (corsPolicy).
 * Impact: a page of another site acts with the cookies of its visitor; a token it must have first.
 */
export const kymaCorsWildcard: Rule = defineRule({
  id: 'btp/kyma-cors-wildcard',
  impact: 'session',
  reach: 'anyone',
  // a service that has a session by cookie
  evidence: 'assumed',
  grades: { token: { impact: 'defence', evidence: 'shown' } },
  confidence: 'high',
  cwe: [942],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/changes-introduced-in-apirule-v2-aa34a4a.md',
  on: 'project',

  *check({ files }) {
    for (const { file, node, name, kind, apiVersion } of findKubernetesObjects(files)) {
      if (kind !== 'APIRule' || !apiVersion.startsWith('gateway.kyma-project.io/')) continue
      const policy = at(node, 'spec', 'corsPolicy')
      const given = credentialsOf(policy)
      if (given === undefined) continue
      const grade = given === 'Authorization' ? ({ variant: 'token' } as const) : {}
      for (const item of itemsOf(at(policy, 'allowOrigins'))) {
        const values = item.kind === 'object' ? membersOf(item).filter(({ key }) => key === 'regex' || key === 'prefix') : []
        for (const value of item.kind === 'object' ? values.map((member) => member.value) : [item]) {
          const origin = stringOf(value)
          if (origin === undefined || !ANY_ORIGIN.test(origin)) continue
          const match = `${values.find((member) => member.value === value)?.key ?? 'exact'}: "${origin}"`
          yield { at: { file, span: { start: value.start, end: value.end } }, args: { name, match }, ...grade }
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'CORS allows any origin with credentials',
      message: 'APIRule {name} allows every origin that matches {match}, and sets allowCredentials: true.',
      why: 'A malicious page that a user visits can call the service with the user’s cookies, unless their SameSite attribute prevents this, and read the responses.',
      fix: 'Replace this entry in "allowOrigins" with the origins that need access, each as exact: "https://<app>.<domain>".',
      variants: {
        token: {
          title: 'CORS allows any origin with the Authorization header',
          message: 'APIRule {name} allows every origin that matches {match} to send the Authorization header.',
          why: 'A malicious page that has obtained a token can use it in a user’s browser, from within the user’s network, and read the responses.',
        },
      },
    },
    fr: {
      title: 'CORS autorisant toute origine, cookies compris',
      message: 'L’APIRule {name} autorise toute origine qui correspond à {match} et définit allowCredentials: true.',
      why: 'Une page malveillante visitée par un utilisateur peut appeler le service avec les cookies de l’utilisateur, sauf si leur attribut SameSite l’empêche, et lire les réponses.',
      fix: 'Remplacez cette entrée de "allowOrigins" par une entrée { exact: "https://<app>.<domaine>" } pour chaque origine qui a besoin d’un accès.',
      variants: {
        token: {
          title: 'CORS autorisant toute origine avec l’en-tête Authorization',
          message: 'L’APIRule {name} autorise toute origine qui correspond à {match} à envoyer l’en-tête Authorization.',
          why: 'Une page malveillante qui a obtenu un jeton peut l’utiliser depuis le navigateur et le réseau d’un utilisateur, et lire les réponses.',
        },
      },
    },
  }),
})

function credentialsOf(policy: DataNode | undefined): string | undefined {
  if (booleanOf(at(policy, 'allowCredentials')) === true) return 'allowCredentials: true'
  const headers = new Set(itemsOf(at(policy, 'allowHeaders')).map((item) => stringOf(item)?.toLowerCase()))
  return headers.has('authorization') || headers.has('*') ? 'Authorization' : undefined
}

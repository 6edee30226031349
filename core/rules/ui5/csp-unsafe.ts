import { readCsp } from '../../model/approuter/index.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Directives that a browser takes from a header alone. */
const HEADER_ONLY = /(?:^|;)\s{0,100}(frame-ancestors|report-uri|sandbox)(?=[\s;]|$)/iu

/**
 * A content security policy of a page (meta tag) that lets through what it is there to stop.
 * Facts: W3C Content Security Policy Level 3; of a meta tag frame-ancestors, report-uri and sandbox are ignored. Policies that the approuter sends
 * are judged by approuter/csp-unsafe.
 */
export const pageCspUnsafe: Rule = defineRule({
  id: 'ui5/csp-unsafe',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c',
  keywords: ['content-security-policy'],
  on: 'html',

  *check(page) {
    for (const element of elementsOf(page.content.document)) {
      if (element.name !== 'meta') continue
      const content = attributeOf(element, 'content')
      if (attributeOf(element, 'http-equiv')?.value.trim().toLowerCase() !== 'content-security-policy' || content === undefined)
        continue
      const found = worstOf(content.value)
      if (found !== undefined) yield { at: { file: page.path, span: content.valueSpan }, ...found }
    }
  },

  text: {
    en: {
      title: 'The content security policy lets injected scripts run',
      message: 'The script source of the policy has {source}.',
      why: 'A script that an attacker gets into the page runs: the policy does not stop it.',
      fix: 'Remove {source}; name hosts, start UI5 by data-sap-ui-on-init="module:…", and let single inline scripts through by nonce or hash.',
      variants: {
        any: {
          title: 'The content security policy lets scripts of any host run',
          why: 'An attacker loads a script from a host of his own: the policy does not stop it.',
          fix: "Replace {source} by 'self' and the hosts that scripts come from, such as https://ui5.sap.com.",
        },
        eval: {
          title: 'The content security policy lets text run as code',
          why: 'Text that reaches eval or new Function runs as code: the policy does not stop it.',
          fix: 'Remove {source}, once everything loads asynchronously (data-sap-ui-async="true") and no library needs it any more.',
        },
        header: {
          title: 'A directive that browsers ignore in a page',
          message: '{source} has no effect in a meta tag: browsers take it from a header alone.',
          why: 'It looks like a protection and is none: whoever relies on it has none.',
          fix: 'Send the policy as the header Content-Security-Policy.',
        },
      },
    },
    fr: {
      title: 'La politique de sécurité du contenu laisse s’exécuter des scripts injectés',
      message: 'La source des scripts de la politique contient {source}.',
      why: 'Un script qu’un attaquant introduit dans la page s’exécute : la politique ne l’arrête pas.',
      fix: 'Supprimez {source} ; nommez des hôtes, démarrez UI5 par data-sap-ui-on-init="module:…", et autorisez les scripts en ligne un à un par nonce ou empreinte.',
      variants: {
        any: {
          title: 'La politique de sécurité du contenu laisse s’exécuter des scripts de tout hôte',
          why: 'Un attaquant charge un script depuis son propre hôte : la politique ne l’arrête pas.',
          fix: "Remplacez {source} par 'self' et les hôtes d’où viennent les scripts, comme https://ui5.sap.com.",
        },
        eval: {
          title: 'La politique de sécurité du contenu laisse s’exécuter du texte',
          why: 'Un texte qui atteint eval ou new Function s’exécute comme du code : la politique ne l’arrête pas.',
          fix: 'Supprimez {source} dès que tout se charge de façon asynchrone (data-sap-ui-async="true") et qu’aucune bibliothèque n’en a plus besoin.',
        },
        header: {
          title: 'Une directive que les navigateurs ignorent dans une page',
          message: '{source} est sans effet dans une balise meta : les navigateurs ne la prennent que d’un en-tête.',
          why: 'Elle a l’air d’une protection et n’en est pas une : qui s’y fie n’en a aucune.',
          fix: 'Envoyez la politique par l’en-tête Content-Security-Policy.',
        },
      },
    },
  },
})

/** One policy, one finding. */
function worstOf(policy: string): Pick<Match, 'args' | 'variant' | 'severity'> | undefined {
  const [worst] = readCsp(policy).faults
  if (worst !== undefined) {
    const { fault, source } = worst
    return { args: { source }, ...(fault !== 'inline' && { variant: fault }), ...(fault === 'eval' && { severity: 'LOW' }) }
  }
  const ignored = HEADER_ONLY.exec(policy)?.[1]
  return ignored === undefined ? undefined : { args: { source: ignored.toLowerCase() }, variant: 'header', severity: 'LOW' }
}

import { readCsp } from '../../model/approuter/index.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { Locale, Localized, Match, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Directives that a browser takes from a header alone. */
const HEADER_ONLY = /(?:^|;)\s{0,100}(frame-ancestors|report-uri|sandbox)(?=[\s;]|$)/iu

const DIRECTIVES = 'https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Content-Security-Policy'

/** A directive that has no effect in the page, and what its absence means. */
const IGNORED: Localized<RuleText> = {
  en: {
    title: 'CSP directive without effect in a meta tag',
    message: '{source} is ignored in a meta tag: browsers accept it in a header only.',
    why: 'Unless the server sends this directive or X-Frame-Options, other sites can show the page in a frame and hijack clicks on it (clickjacking).',
    fix: 'Remove {source} from the meta tag and send it in the Content-Security-Policy header (approuter: environment variable httpHeaders).',
  },
  fr: {
    title: 'Directive CSP sans effet dans une balise meta',
    message: 'La directive {source} est ignorée dans une balise meta : les navigateurs ne l’acceptent que dans un en-tête.',
    why: 'Si le serveur n’envoie ni cette directive ni X-Frame-Options, d’autres sites peuvent afficher la page dans une iframe et y détourner les clics (clickjacking).',
    fix: 'Supprimez {source} de la balise meta et envoyez cette directive dans l’en-tête Content-Security-Policy (approuter : variable d’environnement httpHeaders).',
  },
}
const CONSEQUENCES: Localized<Readonly<Record<'sandbox' | 'report-uri', string>>> = {
  en: {
    sandbox: 'Browsers do not restrict the page as this directive would: its scripts keep all permissions of the page.',
    'report-uri': 'Browsers send no reports on violations of the policy, so attacks can remain unnoticed.',
  },
  fr: {
    sandbox:
      'Les navigateurs ne restreignent pas la page comme le ferait cette directive : ses scripts gardent tous les droits de la page.',
    'report-uri':
      'Les navigateurs n’envoient aucun rapport sur les violations de la politique : des attaques peuvent passer inaperçues.',
  },
}

function variantsFor(locale: Locale): Readonly<Record<string, Partial<RuleText>>> {
  const texts: Record<string, Partial<RuleText>> = { header: IGNORED[locale] }
  for (const [directive, why] of Object.entries(CONSEQUENCES[locale])) texts[`header-${directive}`] = { ...IGNORED[locale], why }
  return texts
}

/**
 * A content security policy of a page (meta tag) that allows what it should block.
 * Facts: W3C Content Security Policy Level 3; in a meta tag frame-ancestors, report-uri and sandbox are ignored.
 * Impact: weakened defence in depth: no worse than no policy at all.
 */
export const pageCspUnsafe: Rule = defineRule({
  id: 'ui5/csp-unsafe',
  impact: 'defence',
  confidence: 'high',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c',
  docsByVariant: {
    header: `${DIRECTIVES}/frame-ancestors`,
    'header-sandbox': `${DIRECTIVES}/sandbox`,
    'header-report-uri': `${DIRECTIVES}/report-uri`,
  },
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

  text: () => ({
    en: {
      title: 'CSP allows inline scripts',
      message: 'The policy in this meta tag allows inline scripts: its script sources contain {source}.',
      why: 'The policy does not block scripts that an attacker injects through an XSS vulnerability.',
      fix: "Remove {source} from {directive}. Move inline scripts into .js files of the app, or allow individual ones by hash: 'sha256-…'.",
      variants: {
        any: {
          title: 'CSP allows scripts from any host',
          message: 'The policy in this meta tag allows scripts from any host: its script sources contain {source}.',
          why: 'The policy does not block an injected script tag that loads code from an attacker’s host.',
          fix: "Set script-src to 'self' and the hosts from which the page loads scripts.",
        },
        eval: {
          title: 'CSP allows eval',
          message: 'The policy in this meta tag allows eval: its script sources contain {source}.',
          why: 'The policy does not prevent attacker-controlled text that reaches eval, new Function or a timer from running as code.',
          fix: 'Remove {source} once UI5 loads asynchronously (data-sap-ui-async="true" on the bootstrap script) and no deprecated library such as sap.ui.commons needs it any more.',
        },
        ...variantsFor('en'),
      },
    },
    fr: {
      title: 'CSP autorisant les scripts intégrés à la page (inline)',
      message:
        'La politique de cette balise meta autorise les scripts intégrés à la page (inline) : ses sources de scripts contiennent {source}.',
      why: 'La politique ne bloque pas les scripts qu’un attaquant injecte au moyen d’une faille XSS.',
      fix: "Supprimez {source} de {directive}. Déplacez dans des fichiers .js de l’application les scripts intégrés à la page, ou autorisez-en certains par leur empreinte : 'sha256-…'.",
      variants: {
        any: {
          title: 'CSP autorisant les scripts de tout hôte',
          message:
            'La politique de cette balise meta autorise les scripts de tout hôte : ses sources de scripts contiennent {source}.',
          why: 'La politique ne bloque pas une balise script injectée qui charge du code depuis l’hôte d’un attaquant.',
          fix: "Définissez script-src avec 'self' et les hôtes d’où la page charge des scripts.",
        },
        eval: {
          title: 'CSP autorisant eval',
          message: 'La politique de cette balise meta autorise eval : ses sources de scripts contiennent {source}.',
          why: 'Si un texte contrôlé par un attaquant atteint eval, new Function ou un minuteur, la politique ne l’empêche pas de s’exécuter comme du code.',
          fix: 'Supprimez {source} dès qu’UI5 se charge de façon asynchrone (data-sap-ui-async="true" sur le script d’amorçage) et qu’aucune bibliothèque obsolète comme sap.ui.commons ne l’exige plus.',
        },
        ...variantsFor('fr'),
      },
    },
  }),
})

/** One policy, one finding. */
function worstOf(policy: string): Pick<Match, 'args' | 'variant'> | undefined {
  const { directive, faults } = readCsp(policy)
  const [worst] = faults
  if (worst !== undefined) {
    const { fault, source } = worst
    return { args: { source, directive }, ...(fault !== 'inline' && { variant: fault }) }
  }
  const ignored = HEADER_ONLY.exec(policy)?.[1]
  if (ignored === undefined) return undefined
  const source = ignored.toLowerCase()
  return { args: { source }, variant: source === 'frame-ancestors' ? 'header' : `header-${source}` }
}

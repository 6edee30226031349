import { isInternal } from '../../model/deployment/index.ts'
import { holdsAt } from '../../keywords/index.ts'
import { isUi5Network, LOAD_WORDS, loadsOf, mayLoadScripts } from '../../model/ui5/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { MarkupAttribute, MarkupElement } from '../../parse/markup.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule } from '../rule.ts'
import type { Rule } from '../rule.ts'

/** Links that a browser loads and runs, or that restyle the page; icons, feeds and canonical addresses are none. */
const LOADED: ReadonlySet<string> = new Set(['stylesheet', 'preload', 'modulepreload'])
const LOCAL = /^(?:localhost|(?:[\w-]{1,63}\.){1,8}localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])$/u
/** How they begin. */
const ELEMENTS = ['<script', '<link']
const QUOTED = /(?<=["'`])http:/iy
/** A host that a template fills in later. */
const TEMPLATE = /[{}$<>%]/u

/**
 * A script or style sheet that a page, its scripts or a manifest load over plain HTTP.
 * Facts: documentation of SAPUI5, "Transport Security"; browsers block mixed content where the page itself came over HTTPS.
 * Impact: an attacker on the network path runs code in the session of the user; a style sheet runs none.
 */
export const bootstrapHttp: Rule = defineRule({
  id: 'ui5/bootstrap-http',
  impact: 'session',
  attacker: 'network',
  // the page itself has to come over HTTP too
  evidence: 'assumed',
  grades: { style: { impact: 'bounded' } },
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/transport-security-91f3e60.md',
  keywords: ['http://'],
  words: [...ELEMENTS, ...LOAD_WORDS],
  prefilter: (text, hits) =>
    (ELEMENTS.some(hits.has) && /<(?:script|link)\b/iu.test(text)) ||
    (holdsAt(text, hits.places(text, ['http://']), QUOTED) && (mayLoadScripts(text, hits) || text.includes('"resources"'))),

  checks: {
    *html({ path, content }) {
      for (const element of elementsOf(content.document)) {
        const loaded = loadedBy(element)
        if (loaded === undefined) continue
        for (const match of judge(path, loaded.address.value, loaded.address.valueSpan, loaded.style))
          yield isSaved(path) ? { ...match, evidence: 'guessed' } : match
      }
    },

    *'browser-script'({ path, content: { facts }, budget }) {
      for (const { url, address, style } of loadsOf(facts, budget.step)) yield* judge(path, address, url, style)
    },

    *data({ kind, path, content }) {
      if (kind.role !== 'manifest') return
      for (const style of [false, true]) {
        for (const item of itemsOf(at(content.roots[0], 'sap.ui5', 'resources', style ? 'css' : 'js'))) {
          const uri = at(item, 'uri')
          if (uri !== undefined) yield* judge(path, stringOf(uri) ?? '', uri, style)
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Script loaded over unencrypted HTTP',
      message: 'A script is loaded from {host} over plain HTTP.',
      why: 'An attacker on the network path can replace the script and run code in the user’s session; in a page served over HTTPS, browsers block the script (mixed content).',
      fix: 'Use https:// instead of http:// in this URL; if {host} does not support HTTPS, ship the file with the app and load it by a relative path.',
      variants: {
        ui5: { fix: 'Use https:// instead of http:// in this URL.' },
        style: {
          title: 'Style sheet loaded over unencrypted HTTP',
          message: 'A style sheet is loaded from {host} over plain HTTP.',
          why: 'An attacker on the network path can replace the style sheet, for example to hide warnings, lay a fake form over the real one, or read values with CSS selectors; in a page served over HTTPS, browsers block it (mixed content).',
        },
      },
    },
    fr: {
      title: 'Script chargé en HTTP non chiffré',
      message: 'Un script est chargé depuis {host} en HTTP sans chiffrement.',
      why: 'Un attaquant placé sur le réseau peut remplacer le script et exécuter du code dans la session de l’utilisateur ; dans une page servie en HTTPS, les navigateurs bloquent le script (contenu mixte).',
      fix: 'Utilisez https:// à la place de http:// dans cette URL ; si {host} ne prend pas en charge HTTPS, livrez le fichier avec l’application et chargez-le par un chemin relatif.',
      variants: {
        ui5: { fix: 'Utilisez https:// à la place de http:// dans cette URL.' },
        style: {
          title: 'Feuille de style chargée en HTTP non chiffré',
          message: 'Une feuille de style est chargée depuis {host} en HTTP sans chiffrement.',
          why: 'Un attaquant placé sur le réseau peut remplacer la feuille de style, par exemple pour masquer des avertissements, superposer un faux formulaire au vrai ou lire des valeurs par des sélecteurs CSS ; dans une page servie en HTTPS, les navigateurs la bloquent (contenu mixte).',
        },
      },
    },
  }),
})

/**
 * The copy of a foreign page, in a folder that has the name of its host: who opens it is unknown, and no session of the app is in it.
 * Fact: GNU Wget manual, "Directory Options": without `-nH`, the folders of what it retrieves begin with the name of the host; HTTrack does the same.
 */
const SAVED = /(?:^|\/)www\.[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,2}\.[a-z]{2,12}\//iu

function isSaved(path: string): boolean {
  return SAVED.test(path)
}

function loadedBy(element: MarkupElement): { address: MarkupAttribute; style: boolean } | undefined {
  if (element.name === 'script') {
    const address = attributeOf(element, 'src')
    return address && { address, style: false }
  }
  if (element.name !== 'link') return undefined
  const address = attributeOf(element, 'href')
  const relations = (attributeOf(element, 'rel')?.value ?? '').toLowerCase().split(/\s/u)
  if (address === undefined || !relations.some((relation) => LOADED.has(relation))) return undefined
  const as = attributeOf(element, 'as')?.value.trim().toLowerCase()
  if (relations.includes('stylesheet') || as === 'style') return { address, style: true }
  return as === 'script' || relations.includes('modulepreload') ? { address, style: false } : undefined
}

/** The host of an address that is fetched without encryption over a network. */
function plainHost(address: string): string | undefined {
  if (!/^\s{0,100}http:\/\//iu.test(address) || !URL.canParse(address)) return undefined
  const { hostname, host } = new URL(address)
  return LOCAL.test(hostname) || TEMPLATE.test(hostname) ? undefined : host
}

function judge(file: string, address: string, { start, end }: Span, style: boolean): Match[] {
  const host = plainHost(address)
  if (host === undefined) return []
  const variant = style ? 'style' : isUi5Network(host) ? 'ui5' : undefined
  return [{ at: { file, span: { start, end } }, args: { host }, variant, reach: isInternal(host) ? 'privileged' : 'user' }]
}

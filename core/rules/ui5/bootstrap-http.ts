import { loadsOf, LOADS } from '../../model/ui5/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { MarkupAttribute, MarkupElement } from '../../parse/markup.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule } from '../rule.ts'
import type { Rule } from '../rule.ts'

/** Links that a browser loads and runs, or that restyle the page; icons, feeds and canonical addresses are none. */
const LOADED: ReadonlySet<string> = new Set(['stylesheet', 'preload', 'modulepreload'])
const LOCAL = /^(?:localhost|(?:[\w-]{1,63}\.){1,8}localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])$/u
/** A host that a template fills in later. */
const TEMPLATE = /[{}$<>%]/u

/**
 * A script or a style sheet that a page, its scripts or a manifest load without encryption.
 * Facts: documentation of SAPUI5, "Transport Security"; browsers block mixed content only where the page itself came by https.
 */
export const bootstrapHttp: Rule = defineRule({
  id: 'ui5/bootstrap-http',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/transport-security-91f3e60.md',
  keywords: ['http://'],
  prefilter: (text) =>
    /<(?:script|link)\b/iu.test(text) || (/["'`]http:\/\//iu.test(text) && (LOADS.test(text) || text.includes('"resources"'))),

  checks: {
    *html({ path, content }) {
      for (const element of elementsOf(content.document)) {
        const loaded = loadedBy(element)
        if (loaded !== undefined) yield* judge(path, loaded.address.value, loaded.address.valueSpan, loaded.style)
      }
    },

    *'browser-script'({ path, content: { facts } }) {
      for (const { url, address, style } of loadsOf(facts)) yield* judge(path, address, url, style)
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

  text: {
    en: {
      title: 'Script loaded over plain http',
      message: 'A script is loaded from {host} without encryption.',
      why: 'Whoever sits on the network between user and server can replace it, and it then acts with all rights of your user.',
      fix: 'Load it by https://, or from the server of the app itself.',
      variants: {
        style: {
          title: 'Style sheet loaded over plain http',
          message: 'A style sheet is loaded from {host} without encryption.',
          why: 'Whoever sits on the network between user and server can replace it: hide warnings, lay a false form over the real one, read out what stands in the page.',
        },
      },
    },
    fr: {
      title: 'Script chargé par http sans chiffrement',
      message: 'Un script est chargé de {host} sans chiffrement.',
      why: 'Quiconque se trouve sur le réseau entre l’utilisateur et le serveur peut le remplacer ; il agit alors avec tous les droits de votre utilisateur.',
      fix: 'Chargez-le par https://, ou depuis le serveur de l’application elle-même.',
      variants: {
        style: {
          title: 'Feuille de style chargée par http sans chiffrement',
          message: 'Une feuille de style est chargée de {host} sans chiffrement.',
          why: 'Quiconque se trouve sur le réseau entre l’utilisateur et le serveur peut la remplacer : masquer des avertissements, poser un faux formulaire sur le vrai, lire ce que la page affiche.',
        },
      },
    },
  },
})

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
  return host === undefined ? [] : [{ at: { file, span: { start, end } }, args: { host }, variant: style ? 'style' : undefined }]
}

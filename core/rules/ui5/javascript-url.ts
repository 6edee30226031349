import { cutText } from '../../cut-text.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { FlowHit } from '../../flow/index.ts'
import { constantOf, type Value } from '../../facts/index.ts'
import { isWithin } from '../../facts/span-index.ts'
import { ADDRESS_PROPERTIES } from '../../flow/tables/controls.ts'
import type { Ui5App, Ui5Control } from '../../model/ui5/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { gradeByOrigin } from './_flow-grade.ts'
import { BY_HASH } from './_inline-texts.ts'
import { linkAddresses, RUNS_CODE, type LinkAddress } from './_link-addresses.ts'
import { outsideArgs } from './_attack-ways.ts'
import { namedFrameOf } from './_named-frames.ts'
import { LINK_DOCS, linkVariantOf } from './_link-forms.ts'
import { BOUND_LINK, linkTexts } from './_link-texts.ts'

/** Scripts that say in which window links open: what a view says of it may not last. */
const setTargets: Extract<true> = defineExtract({
  name: 'ui5-set-targets',
  keywords: ['setTarget(', 'setTitleTarget(', 'setProperty(', 'bindProperty(', 'applySettings('],
  *collectText(text) {
    if (SETS_TARGET.test(text)) yield true
  },
})
const SETS_TARGET =
  /\.set(?:Title)?Target\(|\.(?:set|bind)Property\(\s{0,60}["'`](?:target|titleTarget)["'`]|\.applySettings\([^()]{0,200}\b(?:target|titleTarget)["']?\s{0,4}:/

/** Addresses of elements of JSX that open a window of their own: `<a href={url} target="_blank">`. */
const blankAddresses: Extract<Span> = defineExtract({
  name: 'ui5-blank-addresses',
  keywords: ['_blank'],
  collect: ({ facts }) =>
    facts.elements.flatMap(({ attributes }) => {
      const valueOf = (wanted: string): Value | undefined => attributes.find(({ name }) => name === wanted)?.value
      const [href, target, rel] = [valueOf('href'), valueOf('target'), valueOf('rel')]
      // Fact: HTML standard, "Link type opener"
      const isApart =
        target !== undefined &&
        constantOf(target) === '_blank' &&
        (rel === undefined || !/\bopener\b/i.test(String(constantOf(rel) ?? 'opener')))
      return href !== undefined && isApart ? [{ start: href.start, end: href.end }] : []
    }),
})

/**
 * A link whose address is data, without the check that UI5 has for it.
 * Facts: API of sap.m.Link: `validateUrl` is false by default, and then any scheme is accepted, javascript: too. Other controls have no such check.
 * Impact: a javascript: address runs code in the session of the user who follows it; code that the app itself contains is only an obstacle to a content
 * security policy. Of a link with target="_blank" the browser is the defence. Facts: HTML standard, "get an element's noopener" (`_blank` implies it), "navigate to a javascript: URL"
 * (nothing runs unless the window has the origin of who navigates it, and a window without an opener has one of its own).
 */
export const javascriptUrl: Rule = defineRule({
  id: 'ui5/javascript-url',
  impact: 'session',
  // code of the app itself
  grades: { code: { impact: 'hygiene', reach: 'user' }, window: { impact: 'defence' }, tab: { impact: 'defence' } },
  confidence: 'medium',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.m.Link',
  docsByVariant: { ...LINK_DOCS, code: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c' },
  extracts: [linkAddresses, setTargets, blankAddresses],
  // of a property that may hold any text, that says it
  yieldsTo: ['ui5/metadata-property-any'],

  checks: { flow: judgeFlow, 'ui5-app': judgeApp },

  text: () => ({
    en: {
      ...BOUND_LINK.en,
      variants: {
        ...linkTexts('en'),
        window: {
          title: 'Unvalidated URL in a link to a new window',
          message:
            'The URL of this link ({value}) is not validated: only target="_blank" keeps a javascript: URL in it from running in the page.',
          why: 'Current browsers give the new window no access to the app, so that the code does not run in the session of the user. Older ones run it there.',
          fix: 'Set validateUrl to true (sap.m.Link), or bind the URL with a formatter that returns the value only if URLListValidator.validate (sap/base/security/URLListValidator) accepts it.',
        },
        tab: {
          title: 'Unvalidated URL in a link to a new window',
          message:
            'The URL of this link comes from {value}: only target="_blank" keeps a javascript: URL in it from running in the page.',
          why: 'Current browsers give the new window no access to the app, so that the code does not run in the session of the user. Older ones run it there.',
          fix: 'Write the attribute only where the URL begins with "https://", or with the address of the system that it has to lead to.',
        },
        code: {
          title: 'Inline code in a javascript: URL',
          message: 'The URL of this link is inline code: {value}.',
          why: BY_HASH.en,
          fix: 'Remove the URL, and handle the press event in the controller of the view: press=".onPress".',
        },
      },
    },
    fr: {
      ...BOUND_LINK.fr,
      variants: {
        ...linkTexts('fr'),
        window: {
          title: 'URL non validée dans un lien vers une nouvelle fenêtre',
          message:
            'L’URL de ce lien ({value}) n’est pas validée : seul target="_blank" empêche une URL javascript: de s’exécuter dans la page.',
          why: 'Les navigateurs actuels ne donnent à la nouvelle fenêtre aucun accès à l’application : le code ne s’exécute pas dans la session de l’utilisateur. Les plus anciens l’y exécutent.',
          fix: 'Donnez à validateUrl la valeur true (sap.m.Link), ou liez l’URL au moyen d’une fonction formatter qui ne renvoie la valeur que si URLListValidator.validate (sap/base/security/URLListValidator) l’accepte.',
        },
        tab: {
          title: 'URL non validée dans un lien vers une nouvelle fenêtre',
          message:
            'L’URL de ce lien provient de {value} : seul target="_blank" empêche une URL javascript: de s’exécuter dans la page.',
          why: 'Les navigateurs actuels ne donnent à la nouvelle fenêtre aucun accès à l’application : le code ne s’exécute pas dans la session de l’utilisateur. Les plus anciens l’y exécutent.',
          fix: 'N’écrivez l’attribut que si l’URL commence par "https://", ou par l’adresse du système auquel elle doit mener.',
        },
        code: {
          title: 'Code intégré à une URL javascript:',
          message: 'L’URL de ce lien contient directement du code : {value}.',
          why: BY_HASH.fr,
          fix: 'Supprimez l’URL et traitez l’événement press dans le contrôleur de la vue : press=".onPress".',
        },
      },
    },
  }),
})

/** A bound address: in a view, or in what a script constructs. */
function* judgeFlow(hit: FlowHit, project: Project): Generator<Match> {
  // a formatter may have put a fixed beginning before it
  if (hit.detail !== 'begin') return
  const { owner: control, effects } = hit.api
  // what nobody in the project sets
  if (effects.has('renderer') && (hit.origin === 'property' || hit.origin === 'unknown')) return
  const frame = namedFrameOf(hit, project)
  if (frame === 'other') return
  const grade = gradeByOrigin(hit, project)
  const link = boundLinkOf(hit, project)
  const isTab = effects.has('element') && opensTab(hit, project)
  const isInNewWindow = grade.reach !== 'self' && (isTab || link?.opensNewWindow === true)
  const variant = isInNewWindow ? (isTab ? 'tab' : 'window') : linkVariantOf(hit)
  yield {
    ...grade,
    ...(frame === 'assumed' && grade.evidence !== 'guessed' && { evidence: 'assumed' as const }),
    args: { control, value: shorten(hit.part), ...outsideArgs(hit) },
    variant,
    ...(isInNewWindow && grade.evidence !== 'guessed' && { evidence: 'shown' as const }),
    // one field of the rows is at fault for all links of a view that are bound to it; rows of another list have another field of that name
    ...(link !== undefined && {
      groupKey: `${hit.at.file} ${control} ${link.rows} ${link.address} ${variant} ${grade.reach ?? ''} ${grade.evidence ?? ''}`,
    }),
  }
}

function opensTab({ at: { file, span } }: FlowHit, { scripts }: Project): boolean {
  return span !== undefined && scripts.of(file, blankAddresses).some((one) => isWithin(span, one))
}

interface BoundLink {
  /** As it is written. */
  readonly address: string
  /** What the list around it is bound to, as it is written. */
  readonly rows: string
  /** The control says so, and no script of the app says otherwise. */
  readonly opensNewWindow: boolean
}

/** The link of a view whose address a hit is about. */
function boundLinkOf({ at: { file, span } }: FlowHit, { ui5Apps, step }: Project): BoundLink | undefined {
  if (span === undefined) return undefined
  for (const { views, scripts } of ui5Apps) {
    step(views.length)
    const controls = views.find((view) => view.file === file)?.controls ?? []
    step(controls.length)
    for (const { type, properties, parent } of controls) {
      const row = ADDRESS_PROPERTIES.find((one) => one.type === type)
      const address = row && properties.get(row.property)
      if (row === undefined || address === undefined || !isWithin(span, address.at)) continue
      const target = row.target === undefined ? undefined : properties.get(row.target)?.value.trim().toLowerCase()
      const opensNewWindow = target === '_blank' && scripts.get(setTargets).length === 0
      return { address: address.value.trim(), rows: rowsAround(parent), opensNewWindow }
    }
  }
  return undefined
}

/** The binding of the innermost list around a control; '' where there is none. */
function rowsAround(parent: Ui5Control | undefined): string {
  let here = parent
  for (let depth = 0; here !== undefined && depth < MAX_DEPTH; depth++, here = here.parent)
    for (const name of LISTS) {
      const bound = here.properties.get(name)?.value.trim()
      if (bound?.startsWith('{') === true) return bound
    }
  return ''
}

const MAX_DEPTH = 30
/** Aggregations that lists, tables and containers are bound by. Facts: SAPUI5 API, sap.m.ListBase, sap.ui.table.Table, sap.f.GridContainer. */
const LISTS = ['items', 'rows', 'content', 'tiles', 'pages', 'cards', 'nodes']

/** Addresses that are code, and those that a script sets. */
function* judgeApp(app: Ui5App): Generator<Match> {
  const views = new Set<string>()
  for (const view of app.views) {
    if (view.test) continue
    if (view.language === 'script') views.add(view.file)
    for (const { type, properties } of view.controls)
      for (const row of ADDRESS_PROPERTIES) {
        const href = row.type === type ? properties.get(row.property) : undefined
        if (href?.binding.kind !== 'constant' || !RUNS_CODE.test(href.value)) continue
        const at = { file: view.file, span: href.at }
        yield { at, args: { value: shorten(href.value.trim()) }, variant: 'code', confidence: 'high' }
      }
  }
  for (const { file, value } of app.scripts.get(linkAddresses)) if (!views.has(file)) yield judgeScript(file, value)
}

function judgeScript(file: string, { start, end, shown }: LinkAddress): Match {
  return { at: { file, span: { start, end } }, args: { value: shorten(shown) }, variant: 'code' }
}

const MAX_SHOWN = 80

function shorten(value: string): string {
  return cutText(value, MAX_SHOWN)
}

import { isIn, isInternal, isLoopback, isSapHost, ownDomains } from '../../model/deployment/index.ts'
import { isUi5Network, readRemote, scriptLoads, type PlainPage, type Ui5App } from '../../model/ui5/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { attributeOf, elementsOf, type MarkupElement } from '../../parse/markup.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An address that always gives the same bytes names a version. */
const VERSION = /[@/\-_]v?\d{1,4}\.\d{1,4}/u
/** Style sheets that differ by browser: no hash fits them. */
const FONTS = /(?:^|\.)(?:fonts\.googleapis\.com|use\.typekit\.net|fonts\.bunny\.net)$/u

/**
 * A script or style sheet of a third party that a productive page loads without a hash of what it expects.
 * Facts: W3C Subresource Integrity: `integrity` of another origin needs `crossorigin`; sap/ui/dom/includeScript takes both as attributes.
 */
export const thirdPartyScriptNoSri: Rule = defineRule({
  id: 'ui5/third-party-script-no-sri',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [353],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html',
  extracts: [scriptLoads],
  on: 'ui5-app',

  *check(app, project) {
    let own: ReadonlySet<string> | undefined
    for (const loaded of [...loadedByPages(app), ...loadedByManifest(app), ...loadedByScripts(app)]) {
      const address = readRemote(loaded.address)
      // over plain http ui5/bootstrap-http says more
      if (address === undefined || address.scheme === 'http') continue
      const { host, path } = address
      if (
        isUi5Network(host) ||
        isSapHost(host) ||
        isLoopback(host) ||
        isInternal(host) ||
        isIn((own ??= ownDomains(project.deployment)), host)
      )
        continue
      if (loaded.style && FONTS.test(host)) continue
      const moving = !VERSION.test(path)
      if (loaded.integrity && loaded.crossorigin) continue
      yield {
        at: loaded.at,
        args: { address: shorten(loaded.address) },
        ...(loaded.integrity
          ? { variant: 'crossorigin', severity: 'LOW' }
          : moving && { variant: 'moving', severity: 'LOW', confidence: 'medium' }),
        sameAs: loaded.address,
      }
    }
  },

  text: {
    en: {
      title: 'Third-party code without an integrity check',
      message: '{address} is loaded without integrity.',
      why: 'If that host is taken over, or the file there is exchanged, foreign code runs with all rights of your user.',
      fix: 'Ship the file with the app, or add integrity="sha384-…" and crossorigin="anonymous".',
      variants: {
        moving: {
          message: '{address} is loaded from a third party and may change at any time: no integrity check fits it.',
          fix: 'Use an address with a version and add integrity="sha384-…" and crossorigin="anonymous", or ship the file with the app; where the provider has no such address, let a content security policy name its host alone.',
        },
        crossorigin: {
          message:
            '{address} has integrity, but no crossorigin: the browser may not check the file of another host, and blocks it.',
          why: 'Whoever repairs that by removing integrity loses the check: then exchanged code runs with all rights of your user.',
          fix: 'Add crossorigin="anonymous".',
        },
      },
    },
    fr: {
      title: 'Code de tiers sans contrôle d’intégrité',
      message: '{address} est chargé sans integrity.',
      why: 'Si cet hôte est piraté, ou si le fichier y est remplacé, du code étranger s’exécute avec tous les droits de votre utilisateur.',
      fix: 'Livrez le fichier avec l’application, ou ajoutez integrity="sha384-…" et crossorigin="anonymous".',
      variants: {
        moving: {
          message: '{address} est chargé d’un tiers et peut changer à tout moment : aucun contrôle d’intégrité ne lui convient.',
          fix: 'Prenez une adresse qui contient une version et ajoutez integrity="sha384-…" et crossorigin="anonymous", ou livrez le fichier avec l’application ; si le fournisseur n’a pas de telle adresse, qu’une politique de sécurité du contenu ne nomme que son hôte.',
        },
        crossorigin: {
          message:
            '{address} a integrity, mais pas crossorigin : le navigateur n’a pas le droit de vérifier le fichier d’un autre hôte, et le bloque.',
          why: 'Qui répare cela en supprimant integrity perd le contrôle : du code remplacé s’exécute alors avec tous les droits de votre utilisateur.',
          fix: 'Ajoutez crossorigin="anonymous".',
        },
      },
    },
  },
})

interface Loaded {
  readonly address: string
  readonly at: Place
  readonly style: boolean
  readonly integrity: boolean
  readonly crossorigin: boolean
}

function* loadedByPages({ pages, plainPages }: Ui5App): Generator<Loaded> {
  // where UI5 itself comes from is judged by ui5/bootstrap-foreign-host
  for (const page of pages) yield* loadedByPage(page, page.bootstrap.at.span?.start)
  for (const page of plainPages) yield* loadedByPage(page, undefined)
}

function* loadedByPage({ file, test, document }: PlainPage, boot: number | undefined): Generator<Loaded> {
  if (test) return
  for (const element of elementsOf(document)) {
    const source = sourceOf(element)
    if (source === undefined || element.startTag.start === boot) continue
    yield {
      address: source.value.trim(),
      at: { file, span: source.valueSpan },
      style: element.name === 'link',
      integrity: (attributeOf(element, 'integrity')?.value.trim() ?? '') !== '',
      crossorigin: attributeOf(element, 'crossorigin') !== undefined,
    }
  }
}

function sourceOf(element: MarkupElement): ReturnType<typeof attributeOf> {
  if (element.name === 'script') return attributeOf(element, 'src')
  if (element.name !== 'link') return undefined
  const relations = (attributeOf(element, 'rel')?.value ?? '').toLowerCase().split(/\s/u)
  return relations.includes('stylesheet') || relations.includes('modulepreload') ? attributeOf(element, 'href') : undefined
}

function* loadedByScripts({ scripts }: Ui5App): Generator<Loaded> {
  for (const { file, value } of scripts.get(scriptLoads)) {
    const { url, ...load } = value
    yield { ...load, at: { file, span: url } }
  }
}

/** Files of `sap.ui5/resources`: UI5 loads them with the component, and no attribute can be given. */
function* loadedByManifest({ manifest }: Ui5App): Generator<Loaded> {
  if (manifest === undefined) return
  for (const kind of ['js', 'css']) {
    for (const item of itemsOf(at(manifest.root, 'sap.ui5', 'resources', kind))) {
      const uri = at(item, 'uri')
      const address = stringOf(uri)
      if (uri === undefined || address === undefined) continue
      const place = { file: manifest.file, span: uri }
      yield { address, at: place, style: kind === 'css', integrity: false, crossorigin: false }
    }
  }
}

function shorten(address: string): string {
  return address.length > 120 ? `${address.slice(0, 119)}…` : address
}

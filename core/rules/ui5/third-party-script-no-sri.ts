import { cutText } from '../../cut-text.ts'
import { isIn, isInternal, isLoopback, isSapHost, ownDomains } from '../../model/deployment/index.ts'
import { isUi5Network, readRemote, scriptLoads, type PlainPage, type Ui5App } from '../../model/ui5/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { attributeOf, elementsOf, type MarkupElement } from '../../parse/markup.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An address that always gives the same bytes names a version. */
const VERSION = /[@/\-_]v?\d{1,4}\.\d{1,4}/u
/** A file that can be copied or named with its version, not what a service makes for each request. */
const FILE = /\.m?js$/u
/** Style sheets that differ by browser: no hash fits them. */
const FONTS = /(?:^|\.)(?:fonts\.googleapis\.com|use\.typekit\.net|fonts\.bunny\.net)$/u

/** A style sheet runs no code. */
const STYLE = {
  en: 'If that host is compromised or the file is replaced, an attacker can hide or cover parts of the app, lay a fake form over it, or read values with CSS selectors.',
  fr: 'Si cet hôte est compromis ou si le fichier y est remplacé, un attaquant peut masquer des parties de l’application, y superposer un faux formulaire ou lire des valeurs par des sélecteurs CSS.',
}

/**
 * A script or style sheet of a third party that a productive page loads without a hash of what it expects.
 * Facts: W3C Subresource Integrity: `integrity` of another origin needs `crossorigin`; sap/ui/dom/includeScript takes both as attributes.
 * Severity: a second fault is needed, the compromise of that host (MEDIUM); a style sheet runs no code, what a service answers
 * without a version cannot have a hash, and a script without crossorigin is blocked (LOW). A file without a version can be replaced by one with a version.
 */
export const thirdPartyScriptNoSri: Rule = defineRule({
  id: 'ui5/third-party-script-no-sri',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [353],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html#subresource-integrity',
  extracts: [scriptLoads],
  on: 'ui5-app',

  *check(app, project) {
    let own: ReadonlySet<string> | undefined
    for (const loaded of [...loadedByPages(app), ...loadedByManifest(app), ...loadedByScripts(app)]) {
      const address = readRemote(loaded.address)
      // plain HTTP is a fault of its own
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
        ...(loaded.style && { severity: 'LOW' }),
        ...(loaded.integrity
          ? { variant: 'crossorigin', severity: 'LOW' }
          : {
              ...variantOf(loaded, path),
              ...(moving && { confidence: 'medium', ...(!FILE.test(path) && { severity: 'LOW' }) }),
            }),
        groupKey: loaded.address,
      }
    }
  },

  text: {
    en: {
      title: 'Third-party script without Subresource Integrity (SRI)',
      message: '{address} is loaded without an integrity attribute.',
      why: 'If that host is compromised or the file is replaced, malicious code runs in the session of every user of the app.',
      fix: 'Copy the file into the app and load it by a relative path, or add integrity="sha384-…" and crossorigin="anonymous", with includeScript in "attributes" (hash: openssl dgst -sha384 -binary FILE | openssl base64 -A).',
      variants: {
        moving: {
          message:
            '{address} is loaded from a third party without an exact version: its content can change at any time, so no integrity hash is possible.',
          fix: 'Copy the file into the app and load it by a relative path, or use a URL that contains an exact version and add integrity="sha384-…" and crossorigin="anonymous".',
        },
        service: {
          message: '{address} is loaded from a service whose answer can change at any time, so no integrity hash is possible.',
          fix: 'Use an npm package of the provider instead, if there is one. Otherwise show the service in a page of its own in an iframe with the sandbox attribute or, if you trust it with the sessions of your users, suppress this finding.',
        },
        unhashed: {
          message: '{address} is loaded in a way that takes no integrity hash.',
          fix: 'Copy the file into the app and load it by a relative path, or as a module with sap.ui.define.',
        },
        style: {
          title: 'Third-party style sheet without Subresource Integrity (SRI)',
          why: STYLE.en,
        },
        movingStyle: {
          title: 'Third-party style sheet without Subresource Integrity (SRI)',
          message:
            '{address} is loaded from a third party without an exact version: its content can change at any time, so no integrity hash is possible.',
          why: STYLE.en,
          fix: 'Copy the file into the app and load it by a relative path, or use a URL that contains an exact version and add integrity="sha384-…" and crossorigin="anonymous".',
        },
        manifest: {
          message: 'sap.ui5/resources in manifest.json loads {address}, and no integrity hash can be given there.',
          fix: 'Copy the file into the app and give its relative path as "uri" in manifest.json, or import it as a module.',
        },
        manifestStyle: {
          title: 'Third-party style sheet without Subresource Integrity (SRI)',
          message: 'sap.ui5/resources in manifest.json loads {address}, and no integrity hash can be given there.',
          why: STYLE.en,
          fix: 'Copy the file into the app and give its relative path as "uri" in manifest.json.',
        },
        crossorigin: {
          title: 'Integrity attribute without crossorigin',
          message:
            '{address} has integrity but no crossorigin attribute: the browser cannot check a file of another origin and blocks it.',
          why: 'Removing integrity makes the file load again, but also removes the check: code that an attacker puts there then runs in the session of every user.',
          fix: 'Add crossorigin="anonymous" next to integrity.',
        },
      },
    },
    fr: {
      title: 'Script tiers sans contrôle d’intégrité (SRI)',
      message: '{address} est chargé sans attribut integrity.',
      why: 'Si cet hôte est compromis ou si le fichier y est remplacé, du code malveillant s’exécute dans la session de chaque utilisateur de l’application.',
      fix: 'Copiez le fichier dans l’application et chargez-le par un chemin relatif, ou ajoutez integrity="sha384-…" et crossorigin="anonymous", avec includeScript dans "attributes" (empreinte : openssl dgst -sha384 -binary FILE | openssl base64 -A).',
      variants: {
        moving: {
          message:
            '{address} est chargé depuis un tiers sans version exacte : son contenu peut changer à tout moment, ce qui rend impossible une empreinte d’intégrité.',
          fix: 'Copiez le fichier dans l’application et chargez-le par un chemin relatif, ou utilisez une URL contenant une version exacte et ajoutez integrity="sha384-…" et crossorigin="anonymous".',
        },
        service: {
          message:
            '{address} est chargé depuis un service dont la réponse peut changer à tout moment, ce qui rend impossible une empreinte d’intégrité.',
          fix: 'Utilisez plutôt un paquet npm du fournisseur, s’il existe. Sinon, affichez le service dans une page à part, dans un iframe avec l’attribut sandbox, ou, si vous lui confiez les sessions de vos utilisateurs, masquez ce constat.',
        },
        unhashed: {
          message: '{address} est chargé d’une manière qui n’admet aucune empreinte d’intégrité.',
          fix: 'Copiez le fichier dans l’application et chargez-le par un chemin relatif, ou comme module avec sap.ui.define.',
        },
        style: {
          title: 'Feuille de style tierce sans contrôle d’intégrité (SRI)',
          why: STYLE.fr,
        },
        movingStyle: {
          title: 'Feuille de style tierce sans contrôle d’intégrité (SRI)',
          message:
            '{address} est chargé depuis un tiers sans version exacte : son contenu peut changer à tout moment, ce qui rend impossible une empreinte d’intégrité.',
          why: STYLE.fr,
          fix: 'Copiez le fichier dans l’application et chargez-le par un chemin relatif, ou utilisez une URL contenant une version exacte et ajoutez integrity="sha384-…" et crossorigin="anonymous".',
        },
        manifest: {
          message: 'sap.ui5/resources dans manifest.json charge {address}, sans empreinte d’intégrité possible à cet endroit.',
          fix: 'Copiez le fichier dans l’application et indiquez son chemin relatif comme "uri" dans manifest.json, ou importez-le comme module.',
        },
        manifestStyle: {
          title: 'Feuille de style tierce sans contrôle d’intégrité (SRI)',
          message: 'sap.ui5/resources dans manifest.json charge {address}, sans empreinte d’intégrité possible à cet endroit.',
          why: STYLE.fr,
          fix: 'Copiez le fichier dans l’application et indiquez son chemin relatif comme "uri" dans manifest.json.',
        },
        crossorigin: {
          title: 'Attribut integrity sans crossorigin',
          message:
            '{address} a un attribut integrity, mais pas crossorigin : le navigateur ne peut pas vérifier un fichier d’une autre origine et le bloque.',
          why: 'Supprimer integrity rétablit le chargement du fichier, mais supprime aussi le contrôle : le code qu’un attaquant y place s’exécute alors dans la session de chaque utilisateur.',
          fix: 'Ajoutez crossorigin="anonymous" à côté d’integrity.',
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
  /** An entry of `sap.ui5/resources`, which takes no hash. */
  readonly manifest?: true
  /** Loaded by a call or an import that takes none either. */
  readonly unhashed?: true
}

function variantOf({ style, manifest, unhashed }: Loaded, path: string): { readonly variant?: string } {
  if (manifest === true) return { variant: style ? 'manifestStyle' : 'manifest' }
  const moving = !VERSION.test(path)
  if (style) return { variant: moving ? 'movingStyle' : 'style' }
  if (moving && !FILE.test(path)) return { variant: 'service' }
  if (unhashed === true) return { variant: 'unhashed' }
  return moving ? { variant: 'moving' } : {}
}

function* loadedByPages({ pages, plainPages }: Ui5App): Generator<Loaded> {
  // the tag that loads UI5 itself is left out: its host is judged, not its hash
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
      yield { address, at: place, style: kind === 'css', integrity: false, crossorigin: false, manifest: true }
    }
  }
}

function shorten(address: string): string {
  return cutText(address, 119)
}

import { cutText } from '../../cut-text.ts'
import { isAccountHost, isIn, isInternal, isLoopback, isSapHost, ownDomains } from '../../model/deployment/index.ts'
import {
  isPackageNetwork,
  isUi5Network,
  pagesOutside,
  readRemote,
  scriptLoads,
  type PlainPage,
  type RemoteAddress,
  type ScriptLoad,
  type Ui5App,
} from '../../model/ui5/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { attributeOf, elementsOf, type MarkupElement } from '../../parse/markup.ts'
import type { GradeFacts, Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { HASH_PLACES, type HashPlace } from './_hash-places.ts'
import { LOADED_SCRIPT, variantsFor } from './_integrity-texts.ts'
import { movingProviderOf } from './_moving-services.ts'

/** An address that always gives the same bytes names a version. */
const VERSION = /[@/\-_]v?\d{1,4}\.\d{1,4}/u
/** A complete version: what such an address gives changes only if the network that serves it does so. A range, and a name for the newest, move by themselves. */
const COMPLETE = /[@/\-_.]v?\d{1,4}\.\d{1,4}\.\d{1,4}/u
/** A file that can be copied or named with its version, not what a service makes for each request. */
const FILE = /\.m?js$/u
/** The same without an ending: the host delivers files alone, so an address without a query names one (`https://cdn.example.com`, `https://cdn.example.com/npm/vue`). */
const FILE_HOST = /^cdn\./u
/** What a service makes for each key takes no hash, and the key is told as a credential. */
const WITH_KEY = /[?&](?:key|api_?key|access_?token|token)=/iu
/** Style sheets that differ by browser: no hash fits them. */
const FONTS = /(?:^|\.)(?:fonts\.googleapis\.com|use\.typekit\.net|fonts\.bunny\.net)$/u

const GRADES: Readonly<Record<string, GradeFacts>> = {
  service: { reach: 'privileged' },
  manifestStyle: { impact: 'bounded' },
  ...Object.fromEntries(
    HASH_PLACES.flatMap((place): [string, GradeFacts][] => [
      [`style-${place}`, { impact: 'bounded' }],
      [`movingStyle-${place}`, { impact: 'bounded' }],
      [`crossorigin-${place}`, { impact: 'hygiene' }],
    ]),
  ),
}

/**
 * A script or style sheet of a third party that a productive page loads without a hash of what it expects.
 * Facts: W3C Subresource Integrity: `integrity` of another origin needs `crossorigin`; sap/ui/dom/includeScript takes both as attributes.
 * Impact: whoever gets hold of that host runs code in the session of the user. A style sheet runs none; of a service, which cannot have a hash, its
 * provider has to turn hostile, and so has the network that serves a complete version; a script without crossorigin is blocked. A file without a version can
 * be replaced by one with a version.
 */
export const thirdPartyScriptNoSri: Rule = defineRule({
  id: 'ui5/third-party-script-no-sri',
  impact: 'session',
  reach: 'anyone',
  evidence: 'assumed',
  grades: GRADES,
  confidence: 'high',
  cwe: [353],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html#subresource-integrity',
  extracts: [scriptLoads],
  checks: {
    *'ui5-app'(app, project) {
      yield* judge([...loadedByPages(app), ...loadedByViews(app), ...loadedByManifest(app), ...loadedByScripts(app)], project)
    },
    *project(project) {
      for (const page of pagesOutside(project.ui5Apps, project.files))
        yield* judge(
          [...loadedByPage(page, undefined)].filter(({ address }) => !WITH_KEY.test(address)),
          project,
        )
    },
  },

  text: () => ({
    en: { ...LOADED_SCRIPT.en, variants: variantsFor('en') },
    fr: { ...LOADED_SCRIPT.fr, variants: variantsFor('fr') },
  }),
})

function* judge(loads: Iterable<Loaded>, { deployment }: Project): Generator<Match> {
  let own: ReadonlySet<string> | undefined
  for (const loaded of loads) {
    const address = readRemote(loaded.address)
    // plain HTTP is a fault of its own
    if (address === undefined || address.scheme === 'http') continue
    const { host, path } = address
    if (
      isUi5Network(host) ||
      (isSapHost(host) && !isAccountHost(host)) ||
      isLoopback(host) ||
      isInternal(host) ||
      isIn((own ??= ownDomains(deployment)), host)
    )
      continue
    if (loaded.style && FONTS.test(host)) continue
    const provider = loaded.style ? undefined : movingProviderOf(host, path)
    const moving = provider !== undefined || !VERSION.test(path)
    if (loaded.integrity && loaded.crossorigin) continue
    yield {
      at: loaded.at,
      args: { address: shorten(loaded.address) },
      ...(loaded.integrity
        ? { variant: `crossorigin-${placeOf(loaded)}` }
        : {
            variant: provider === undefined || loaded.via === 'manifest' ? variantOf(loaded, address) : 'service',
            ...(moving && { confidence: 'medium' }),
            ...((COMPLETE.test(path) || isAccountHost(host) || provider !== undefined) && { reach: 'privileged' }),
          }),
      // one provider to trust, however many of its scripts
      groupKey: provider === undefined ? loaded.address : `service ${provider}`,
    }
  }
}

interface Loaded {
  readonly address: string
  readonly at: Place
  readonly style: boolean
  readonly integrity: boolean
  readonly crossorigin: boolean
  /** An element of a page, an entry of `sap.ui5/resources`, which takes no hash, or code of a script. */
  readonly via: 'page' | 'manifest' | ScriptLoad['via']
}

function placeOf({ via }: Loaded): HashPlace {
  return via === 'include' || via === 'second' || via === 'element' ? via : 'page'
}

function isFile({ host, path }: RemoteAddress): boolean {
  return FILE.test(path) || (!path.includes('?') && (FILE_HOST.test(host) || isPackageNetwork(host)))
}

function variantOf(loaded: Loaded, address: RemoteAddress): string {
  const { style, via } = loaded
  if (via === 'manifest') return style ? 'manifestStyle' : 'manifest'
  const moving = !VERSION.test(address.path)
  if (style) return `${moving ? 'movingStyle' : 'style'}-${placeOf(loaded)}`
  if (moving && !isFile(address)) return 'service'
  if (via === 'getScript' || via === 'import') return via
  return `${moving ? 'moving' : 'fixed'}-${placeOf(loaded)}`
}

function* loadedByPages({ pages, plainPages }: Ui5App): Generator<Loaded> {
  // the tag that loads UI5 itself is left out: its host is judged, not its hash
  for (const page of pages) yield* loadedByPage(page, page.bootstrap.at.span?.start)
  for (const page of plainPages) yield* loadedByPage(page, undefined)
}

function* loadedByPage({ file, test, document }: PlainPage, boot: number | undefined): Generator<Loaded> {
  if (!test) yield* loadedByElements(elementsOf(document), file, boot)
}

/** `<html:script src="…"/>` of a view, which renders it as it is written. Fact: SAPUI5 documentation, "Using Native HTML in XML Views". */
function* loadedByViews({ views }: Ui5App): Generator<Loaded> {
  for (const { file, test, native } of views) if (!test) yield* loadedByElements(native, file, undefined)
}

function* loadedByElements(elements: Iterable<MarkupElement>, file: string, boot: number | undefined): Generator<Loaded> {
  for (const element of elements) {
    const source = sourceOf(element)
    if (source === undefined || element.startTag.start === boot) continue
    yield {
      address: source.value.trim(),
      at: { file, span: source.valueSpan },
      style: element.localName === 'link',
      integrity: (attributeOf(element, 'integrity')?.value.trim() ?? '') !== '',
      crossorigin: attributeOf(element, 'crossorigin') !== undefined,
      via: 'page',
    }
  }
}

function sourceOf(element: MarkupElement): ReturnType<typeof attributeOf> {
  if (element.localName === 'script') return attributeOf(element, 'src')
  if (element.localName !== 'link') return undefined
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
      yield { address, at: place, style: kind === 'css', integrity: false, crossorigin: false, via: 'manifest' }
    }
  }
}

function shorten(address: string): string {
  return cutText(address, 119)
}

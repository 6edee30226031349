import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `<allow-navigation href="*"/>`, or any host by one scheme or more. */
const NAVIGATION = /<allow-navigation\s(?:[^<>]{0,300}?\s)?href\s{0,10}=\s{0,10}["']((?:\*|(?:\*|https?):\/\/\*(?:\/\*?)?))["']/
/** The same of requests: the template of Cordova comes with it, so it is no finding by itself. */
const REQUESTS = /<access\s(?:[^<>]{0,300}?\s)?origin\s{0,10}=\s{0,10}["'](?:\*|(?:\*|https?):\/\/\*(?:\/\*?)?)["']/
/** The file that SAP's build service for hybrid apps writes, and fills in itself: nobody chose these hosts. */
const TEMPLATE = /<widget\s(?:[^<>]{0,300}?\s)?id\s{0,10}=\s{0,10}["']\{\{BundleIdentifier\}\}["']/
const DEFENCE = { impact: 'defence', evidence: 'shown' } as const
const ARBITRARY_LOADS = /<key>\s{0,40}(NSAllowsArbitraryLoads)\s{0,40}<\/key>\s{0,200}<true\s{0,10}\/>/
/** Beside one of these iOS ignores the key above. */
const NARROWER = /<key>\s{0,40}NSAllows(?:ArbitraryLoads(?:InWebContent|ForMedia|InMedia)|LocalNetworking)\s{0,40}<\/key>/

/**
 * A hybrid app whose WebView may be led to any page, or that may connect without TLS.
 * Facts: documentation of Apache Cordova, "Allow List Guide" and README of cordova-plugin-whitelist ("Navigation Whitelist": top-level navigations of the WebView;
 * `*` for the entire network is not recommended); Apple, "NSAppTransportSecurity" (`NSAllowsArbitraryLoads`; iOS 10 ignores it beside the narrower keys).
 * Impact: a page of an attacker gets the plugins of the app, such as files, contacts and stored logons; that the user gets there is assumed. Connections
 * without TLS need an address without it as well. As SAP's build service for hybrid apps writes the file, it is a defence that is off: the app itself is all that it opens.
 */
export const hybridAppOpenNavigation: Rule = defineRule({
  id: 'ui5/hybrid-app-open-navigation',
  impact: 'session',
  reach: 'anyone',
  evidence: 'assumed',
  grades: { loads: { impact: 'defence', evidence: 'shown' } },
  confidence: 'high',
  cwe: [939, 319],
  since: '0.3.0',
  docs: 'https://cordova.apache.org/docs/en/latest/guide/appdev/allowlist/',
  on: 'project',

  *check({ files, step }) {
    for (const { path, kind, content } of files.values()) {
      const judge = kind.role === undefined ? undefined : JUDGES.get(kind.role)
      if (judge === undefined || kind.test || content.as !== 'text' || content.text === undefined) continue
      step(1 + (content.text.length >> 8))
      const found = judge(withoutComments(content.text))
      if (found !== undefined) yield { ...found.match, at: { file: path, span: found.span } }
    }
  },

  text: () => ({
    en: {
      title: 'Hybrid app may navigate to any website',
      message: 'allow-navigation is set to "{href}": the WebView of the app may be led to any website.',
      why: 'A page of an attacker that the WebView opens, by a link or a redirect, can use the plugins of the app, such as files, contacts and stored credentials.',
      fix: 'Name the hosts that the app needs: <allow-navigation href="https://shop.example.com/*" />. Open other links in the browser of the device, with allow-intent.',
      variants: {
        requests: {
          message:
            'allow-navigation is set to "{href}", and access origin allows all hosts: the WebView of the app may be led to any website, and send data to any host.',
        },
        loads: {
          title: 'App Transport Security disabled in an iOS app',
          message: 'NSAllowsArbitraryLoads is true: the app may connect to any host without TLS.',
          why: 'An attacker on the network path can read and change what the app sends and loads by an http:// URL, such as a script or a session.',
          fix: 'Remove NSAllowsArbitraryLoads. If one host has no TLS yet, name that host in NSExceptionDomains.',
        },
      },
    },
    fr: {
      title: 'Application hybride pouvant ouvrir n’importe quel site',
      message: 'allow-navigation vaut "{href}" : la WebView de l’application peut être menée vers n’importe quel site.',
      why: 'Une page d’un attaquant ouverte dans la WebView, par un lien ou une redirection, peut utiliser les plugins de l’application : fichiers, contacts, identifiants enregistrés.',
      fix: 'Indiquez les hôtes nécessaires : <allow-navigation href="https://shop.example.com/*" />. Ouvrez les autres liens dans le navigateur de l’appareil, avec allow-intent.',
      variants: {
        requests: {
          message:
            'allow-navigation vaut "{href}", et access origin autorise tous les hôtes : la WebView de l’application peut être menée vers n’importe quel site et envoyer des données à tout hôte.',
        },
        loads: {
          title: 'App Transport Security désactivé dans une application iOS',
          message: 'NSAllowsArbitraryLoads vaut true : l’application peut se connecter à tout hôte sans TLS.',
          why: 'Un attaquant placé sur le réseau peut lire et modifier ce que l’application envoie et charge par une URL en http://, par exemple un script ou une session.',
          fix: 'Supprimez NSAllowsArbitraryLoads. Si un hôte n’a pas encore de TLS, indiquez cet hôte dans NSExceptionDomains.',
        },
      },
    },
  }),
})

interface Found {
  readonly span: Span
  readonly match: Pick<Match, 'args' | 'variant' | 'impact' | 'evidence'>
}

/** By the role of the file. */
const JUDGES: ReadonlyMap<string, (text: string) => Found | undefined> = new Map([
  [
    'cordova-config',
    (text): Found | undefined => {
      const found = NAVIGATION.exec(text)
      if (found === null) return undefined
      const [whole, href = ''] = found
      const end = found.index + whole.length - 1
      const match = {
        args: { href },
        ...(REQUESTS.test(text) && { variant: 'requests' }),
        ...(TEMPLATE.test(text) && DEFENCE),
      }
      return { span: { start: end - href.length, end }, match }
    },
  ],
  [
    'apple-info',
    (text): Found | undefined => {
      const found = NARROWER.test(text) ? null : ARBITRARY_LOADS.exec(text)
      if (found === null) return undefined
      const [whole, key = ''] = found
      const start = found.index + whole.indexOf(key)
      return { span: { start, end: start + key.length }, match: { args: { href: '' }, variant: 'loads' } }
    },
  ],
])

/** The text with blanks in the place of comments: places stay what they are. */
function withoutComments(text: string): string {
  let code = ''
  let from = 0
  for (let open = text.indexOf('<!--'); open >= 0; open = text.indexOf('<!--', from)) {
    const close = text.indexOf('-->', open)
    const end = close < 0 ? text.length : close + 3
    code += text.slice(from, open) + ' '.repeat(end - open)
    from = end
  }
  return code + text.slice(from)
}

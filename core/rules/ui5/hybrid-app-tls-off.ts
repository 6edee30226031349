import { blankComments } from '../../model/reach/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `badCertificateCallback = (cert, host, port) => true`, or a body that only returns it, behind statements that decide nothing. */
const ACCEPTS_ALL =
  /\bbadCertificateCallback\s{0,10}=\s{0,10}\(?\s{0,10}\([^()]{0,200}\)\s{0,10}(?:=>\s{0,10}true\b(?!\s{0,10}[&?=])|\{(?:(?!\b(?:if|return|throw|switch|while|for)\b)[^{}]){0,300}\breturn\s{1,10}true\s{0,5};\s{0,40}\})/g
/** What a build for stores leaves out, as a block or a statement begins. Facts: Flutter, foundation library; Dart language, "Assert". */
const IN_DEBUG =
  /\bif\s{0,5}\((?:[^(){}|]{0,80}&&)?\s{0,10}(?:kDebugMode|!\s{0,3}kReleaseMode)\b(?:\s{0,10}&&[^{}|]{0,80})?\)\s{0,10}[\w.?!]{0,100}$|\bassert\s{0,5}\(\s{0,10}\(\)\s{0,10}$/
const FOR_ALL = /\bHttpOverrides\.global\s{0,10}=/
const CREDENTIALS = /passw(?:or)?d|authorization|client_?secret|access_?token/i
/** How much of what stands before a block is read, and how far before a place the blocks around it may begin. */
const HEAD = 200
const NEAR = 2000

/** Whether one of the blocks around a place is left out of builds for stores. */
function isInDebug(code: string, place: number): boolean {
  const from = Math.max(0, place - NEAR)
  if (IN_DEBUG.test(code.slice(Math.max(0, place - HEAD), place))) return true
  let closed = 0
  for (let at = place - 1; at >= from; at--) {
    if (code[at] === '}') closed++
    else if (code[at] === '{' && closed > 0) closed--
    else if (code[at] === '{' && IN_DEBUG.test(code.slice(Math.max(0, at - HEAD), at))) return true
  }
  return false
}

const BEGINS = /\/\/|\/\*|(?:\br)?(?:'{3}|"{3}|'|")/g
const OF_COMMENT = /\/\*|\*\//g

/** Where a comment or a text ends that begins at a place. */
function endOf(opening: string, text: string, start: number): number {
  const from = start + opening.length
  if (opening === '/*') {
    let depth = 1
    OF_COMMENT.lastIndex = from
    for (let found = OF_COMMENT.exec(text); found !== null; found = OF_COMMENT.exec(text)) {
      depth += found[0] === '/*' ? 1 : -1
      if (depth === 0) return found.index + 2
    }
    return text.length
  }
  const isRaw = opening.startsWith('r')
  const quote = opening === '//' ? '\n' : isRaw ? opening.slice(1) : opening
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\' && !isRaw && opening !== '//') at++
    else if (text.startsWith(quote, at)) return opening === '//' ? at : at + quote.length
    else if (text[at] === '\n' && quote.length === 1) return at
  }
  return text.length
}

/** The text with blanks in the place of comments, which may lie in each other, and of what is quoted: places stay what they are. Fact: Dart language, "Comments", "Strings". */
function codeOf(text: string): string {
  const pieces: string[] = []
  let from = 0
  BEGINS.lastIndex = 0
  for (let found = BEGINS.exec(text); found !== null; found = BEGINS.exec(text)) {
    const end = endOf(found[0], text, found.index)
    pieces.push(text.slice(from, found.index), text.slice(found.index, end).replaceAll(/[^\n]/g, ' '))
    from = end
    BEGINS.lastIndex = end
  }
  return pieces.join('') + text.slice(from)
}

/**
 * An app of Flutter that accepts any certificate of a server.
 * Facts: Dart 3, dart:io, `HttpClient.badCertificateCallback` (true: the connection goes on with a certificate that cannot be authenticated), `HttpOverrides.global`.
 * Impact: whoever sits on the network path of a device reads and changes what the app sends; that credentials are among it is assumed, unless a file that sends some sets this up.
 */
export const hybridAppTlsOff: Rule = defineRule({
  id: 'ui5/hybrid-app-tls-off',
  impact: 'takeover',
  attacker: 'network',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [295],
  since: '0.3.0',
  docs: 'https://api.dart.dev/stable/dart-io/HttpClient/badCertificateCallback.html',
  on: 'project',

  *check({ files, step }) {
    const sources = [...files.values()].flatMap(({ path, kind, content }) => {
      if (kind.role !== 'dart' || kind.test || content.as !== 'text' || content.text === undefined) return []
      step(1 + (content.text.length >> 8))
      return { path, text: blankComments(content.text), code: codeOf(content.text) }
    })
    const sends = sources.some(({ text, code }) => FOR_ALL.test(code) && CREDENTIALS.test(text))
    for (const { path, text, code } of sources)
      for (const { 0: written, index } of code.matchAll(ACCEPTS_ALL)) {
        step(NEAR >> 6)
        if (isInDebug(code, index)) continue
        const isShown = sends || CREDENTIALS.test(text)
        yield {
          at: { file: path, span: { start: index, end: index + written.length } },
          args: {},
          groupKey: path,
          ...(isShown && { evidence: 'shown' as const }),
        }
      }
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled in a Flutter app',
      message: 'badCertificateCallback always returns true: the app accepts any certificate, even a self-signed one.',
      why: 'An attacker on the network path, such as the operator of a Wi-Fi network, can impersonate the server, and read and change its traffic, including passwords and tokens.',
      fix: 'Remove badCertificateCallback. For a private CA, add its certificate to the trusted ones: SecurityContext.defaultContext.setTrustedCertificatesBytes(bytes). For local servers alone, put it behind if (kDebugMode).',
    },
    fr: {
      title: 'Validation du certificat TLS désactivée dans une application Flutter',
      message: 'badCertificateCallback renvoie toujours true : l’application accepte n’importe quel certificat, même auto-signé.',
      why: 'Un attaquant placé sur le réseau, comme l’exploitant d’un réseau Wi-Fi, peut se faire passer pour le serveur, et lire ou modifier les échanges, y compris mots de passe et jetons.',
      fix: 'Supprimez badCertificateCallback. Pour une autorité de certification privée, ajoutez son certificat : SecurityContext.defaultContext.setTrustedCertificatesBytes(octets). Pour des serveurs locaux seuls, placez-le derrière if (kDebugMode).',
    },
  }),
})

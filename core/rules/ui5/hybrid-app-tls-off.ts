import { blankComments } from '../../model/reach/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `badCertificateCallback = (cert, host, port) => true`, or a body that only returns it. */
const ACCEPTS_ALL =
  /\bbadCertificateCallback\s{0,10}=\s{0,10}\(?\s{0,10}\([^()]{0,200}\)\s{0,10}(?:=>\s{0,10}true\b(?!\s{0,10}[&?=])|\{\s{0,40}return\s{1,10}true\s{0,5};\s{0,40}\})/g
/** What a build for stores leaves out. Fact: Flutter, foundation library. */
const IN_DEBUG = /\bk(?:Debug|Release|Profile)Mode\b|\bassert\s{0,5}\(/
const FOR_ALL = /\bHttpOverrides\.global\s{0,10}=/
const CREDENTIALS = /passw(?:or)?d|authorization|client_?secret|access_?token/i
/** How far before it a condition stands. */
const NEAR = 300

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
      return { path, text: blankComments(content.text) }
    })
    const sends = sources.some(({ text }) => FOR_ALL.test(text) && CREDENTIALS.test(text))
    for (const { path, text } of sources)
      for (const { 0: written, index } of text.matchAll(ACCEPTS_ALL)) {
        if (IN_DEBUG.test(text.slice(Math.max(0, index - NEAR), index))) continue
        const isShown = sends || CREDENTIALS.test(text)
        yield {
          at: { file: path, span: { start: index, end: index + written.length } },
          args: {},
          groupKey: path,
          ...(isShown && { evidence: 'shown' as const }),
        }
      }
  },

  text: {
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
  },
})

import { bodyBehind, closingOf, isWritten, type JavaToken } from '../../parse/java-tokens.ts'
import type { Match, Span } from '../../types.ts'
import { javaSources } from './_java/sources.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An HTTP client of Java that accepts any certificate, or that of any host.
 * Facts: Apache HttpClient 5, NoopHostnameVerifier and TrustSelfSignedStrategy; javax.net.ssl, HostnameVerifier and X509TrustManager; Netty, InsecureTrustManagerFactory.
 * Impact: an attacker on the network path reads and changes what the client sends, credentials included, as in `cap/tls-verification-off`.
 */
export const javaTlsOff: Rule = defineRule({
  id: 'cap/java-tls-off',
  impact: 'takeover',
  attacker: 'network',
  reach: 'user',
  confidence: 'high',
  cwe: [295],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
  on: 'cap-root',

  *check(root) {
    if (root.test) return
    for (const { file, tokens } of javaSources(root, WORDS)) {
      for (const [index, token] of tokens.entries()) {
        if (token.kind !== 'word') continue
        const { text: setting, start, end } = token
        const found = faultAt(tokens, index)
        if (found !== undefined) yield toMatch(file, { start, end }, setting, found)
      }
    }
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled in Java code',
      message: '{setting} makes this client accept any certificate, even a self-signed one.',
      why: 'An attacker on the network path can impersonate the server, and read and change its traffic, including credentials and tokens.',
      fix: 'Remove the loadTrustMaterial call with {setting}, so that the client uses the default trust store. For a private CA, add its certificate to a trust store and load that with loadTrustMaterial(file, password).',
      variants: {
        selfSigned: {
          message: '{setting} makes this client accept any self-signed certificate.',
        },
        strategy: {
          message: 'The trust strategy passed to {setting} makes this client accept any certificate, even a self-signed one.',
          fix: 'Remove this {setting} call, so that the client uses the default trust store. For a private CA, add its certificate to a trust store and load that with loadTrustMaterial(file, password).',
        },
        manager: {
          message:
            'This {setting} checks nothing: clients with this trust manager accept any certificate, even a self-signed one.',
          fix: 'Remove this trust manager, so that clients use the default trust store. For a private CA, load its certificate into a KeyStore and initialize a TrustManagerFactory with that KeyStore.',
        },
        netty: {
          fix: 'Remove the trustManager call with {setting}, so that the client uses the default trust store. For a private CA, pass its certificate to SslContextBuilder: trustManager(new File("<ca>.pem")).',
        },
        host: {
          title: 'TLS host name verification disabled in Java code',
          message: '{setting} makes this client accept a certificate that was issued for another host.',
          fix: 'Remove {setting}, so that the client compares the host name with the certificate. If the names differ, have a certificate issued with the host name as a subject alternative name.',
        },
      },
    },
    fr: {
      title: 'Validation des certificats TLS désactivée dans du code Java',
      message: 'Avec {setting}, ce client accepte n’importe quel certificat, même auto-signé.',
      why: 'Un attaquant placé sur le réseau peut se faire passer pour le serveur, et lire ou modifier tous les échanges, y compris les identifiants et les jetons.',
      fix: 'Supprimez l’appel de loadTrustMaterial avec {setting}, pour que le client utilise le magasin de certificats par défaut. Pour une autorité de certification interne, ajoutez son certificat à un magasin et chargez ce magasin avec loadTrustMaterial(file, password).',
      variants: {
        selfSigned: {
          message: 'Avec {setting}, ce client accepte n’importe quel certificat auto-signé.',
        },
        strategy: {
          message:
            'Avec la stratégie de confiance passée à {setting}, ce client accepte n’importe quel certificat, même auto-signé.',
          fix: 'Supprimez cet appel de {setting}, pour que le client utilise le magasin de certificats par défaut. Pour une autorité de certification interne, ajoutez son certificat à un magasin et chargez ce magasin avec loadTrustMaterial(file, password).',
        },
        manager: {
          message:
            'Cette méthode {setting} ne vérifie rien : les clients dotés de ce gestionnaire de confiance acceptent n’importe quel certificat, même auto-signé.',
          fix: 'Supprimez ce gestionnaire de confiance, pour que les clients utilisent le magasin de certificats par défaut. Pour une autorité de certification interne, chargez son certificat dans un KeyStore et initialisez un TrustManagerFactory avec ce KeyStore.',
        },
        netty: {
          fix: 'Supprimez l’appel de trustManager avec {setting}, pour que le client utilise le magasin de certificats par défaut. Pour une autorité de certification interne, passez son certificat à SslContextBuilder : trustManager(new File("<ca>.pem")).',
        },
        host: {
          title: 'Vérification du nom d’hôte TLS désactivée dans du code Java',
          message: 'Avec {setting}, ce client accepte un certificat émis pour un autre hôte.',
          fix: 'Supprimez {setting}, pour que le client compare le nom d’hôte au certificat. Si les noms diffèrent, faites émettre un certificat qui contient le nom d’hôte (subject alternative name).',
        },
      },
    },
  }),
})

const WORDS =
  /HostnameVerifier|TrustAllStrategy|TrustSelfSignedStrategy|InsecureTrustManagerFactory|checkServerTrusted|loadTrustMaterial/
const HOST_CLASSES: ReadonlySet<string> = new Set(['NoopHostnameVerifier', 'AllowAllHostnameVerifier'])
const TRUST_CLASSES: ReadonlySet<string> = new Set(['TrustAllStrategy', 'TrustSelfSignedStrategy', 'InsecureTrustManagerFactory'])
const HOST_SETTERS = /^(?:set(?:Default|SSL)?HostnameVerifier|hostnameVerifier)$/

/** The first trusts a chain of one certificate, and no other that is unknown. */
const OF_CLASS: ReadonlyMap<string, Found> = new Map([
  ['TrustSelfSignedStrategy', 'selfSigned'],
  ['InsecureTrustManagerFactory', 'netty'],
])

type Found = 'host' | 'trust' | 'selfSigned' | 'strategy' | 'manager' | 'netty'

function faultAt(tokens: readonly JavaToken[], index: number): Found | undefined {
  const text = tokens[index]?.text ?? ''
  // an import names it only
  const isUsed = isWritten(tokens, index + 1, '.', 'INSTANCE') || isWritten(tokens, index - 1, 'new')
  if (isUsed && HOST_CLASSES.has(text)) return 'host'
  if (isUsed && TRUST_CLASSES.has(text)) return OF_CLASS.get(text) ?? 'trust'
  if (HOST_SETTERS.test(text) && givesTrue(tokens, index + 1)) return 'host'
  if (text === 'loadTrustMaterial' && givesTrue(tokens, index + 1)) return 'strategy'
  return text === 'checkServerTrusted' && checksNothing(tokens, index + 1) ? 'manager' : undefined
}

/** `((host, session) -> true)`, also behind another argument. */
function givesTrue(tokens: readonly JavaToken[], open: number): boolean {
  if (!isWritten(tokens, open, '(')) return false
  const close = closingOf(tokens, open)
  return isWritten(tokens, close - 2, '->', 'true')
}

/** `void checkServerTrusted(X509Certificate[] chain, String type) {}`. */
function checksNothing(tokens: readonly JavaToken[], open: number): boolean {
  if (!isWritten(tokens, open, '(')) return false
  const body = bodyBehind(tokens, closingOf(tokens, open))
  return body !== undefined && isWritten(tokens, body, '{', '}')
}

function toMatch(file: string, span: Span, setting: string, found: Found): Match {
  return { at: { file, span }, args: { setting }, ...(found !== 'trust' && { variant: found }) }
}

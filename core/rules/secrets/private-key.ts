import {
  createExpiryReader,
  ENCODED_KEYWORDS,
  limitMatches,
  PRIVATE_KEY_KEYWORD,
  type CredentialFile,
} from '../../secrets/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { ScanDay } from '../subjects.ts'

const OPEN = { impact: 'takeover', evidence: 'shown', confidence: 'high' } as const
/** By itself it opens nothing: encrypted, or its certificate has expired. */
const GUARDED = { impact: 'defence', evidence: 'shown', confidence: 'high' } as const

/** A private key in PEM, with a body that is one: a header around a variable is none, and neither are certificates and public keys.
 *  Impact: whoever has the key acts as its owner, where it is known what trusts it; an encrypted one needs its passphrase first. A key whose certificate stands beside it and has expired
 *  opens nothing that asks for a certificate; what has signed or encrypted with it before, its owner alone knows.
 *  Facts: RFC 7468 (textual encodings), RFC 1421 (encrypted ones), RFC 5208 and RFC 8410 (PKCS #8), PROTOCOL.key of OpenSSH 9. */
export const privateKey: Rule = defineRule({
  id: 'secrets/private-key',
  impact: 'takeover',
  reach: 'anyone',
  usage: 'deployed',
  grades: { encrypted: { impact: 'defence' }, expired: { impact: 'defence' } },
  confidence: 'high',
  cwe: [321, 798],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Key_Management_Cheat_Sheet.html#key-compromise-and-recovery',
  keywords: [PRIVATE_KEY_KEYWORD, ...ENCODED_KEYWORDS],
  inTests: true,
  on: 'credentials',

  check: (credentials, { date }) => limitMatches(findMatches(credentials, date)),

  text: () => ({
    en: {
      title: 'Private key in the project',
      message: '{name} contains a private key ({kind}).',
      why: 'Anyone who can read the project or its history can act as the owner of this key, for example log in, sign, decrypt or get tokens from a service that trusts the key.',
      fix: 'Create a new key pair, replace the old public key or certificate wherever it is trusted, and keep the new private key in a service binding, a secret store or a pipeline secret. Deleting the old key here is not enough: the version history may still contain it.',
      variants: {
        encrypted: {
          title: 'Encrypted private key in the project',
          message: '{name} contains a private key ({kind}) protected only by a passphrase.',
          why: 'Anyone who can read the project or its history can try any number of passphrases offline until one fits.',
        },
        expired: {
          title: 'Private key of an expired certificate in the project',
          message: '{name} contains a private key ({kind}); its certificate beside it expired on {day}.',
          why: 'A service that checks the certificate no longer accepts the key. If the certificate was renewed for the same key, anyone who can read the project or its history can still act as its owner.',
        },
      },
    },
    fr: {
      title: 'Clé privée dans le projet',
      message: '{name} contient une clé privée ({kind}).',
      why: 'Toute personne pouvant lire le projet ou son historique peut agir au nom du propriétaire de cette clé, par exemple se connecter, signer, déchiffrer ou obtenir des jetons d’un service qui accepte la clé.',
      fix: 'Créez une nouvelle paire de clés, remplacez l’ancienne clé publique ou le certificat partout où ils sont acceptés, et conservez la nouvelle clé privée dans une liaison de service, un gestionnaire de secrets ou un secret du pipeline. Supprimer l’ancienne clé ne suffit pas : l’historique des versions peut encore la contenir.',
      variants: {
        encrypted: {
          title: 'Clé privée chiffrée dans le projet',
          message: '{name} contient une clé privée ({kind}) que seule une phrase secrète protège.',
          why: 'Toute personne pouvant lire le projet ou son historique peut essayer hors ligne autant de phrases secrètes que nécessaire pour trouver la bonne.',
        },
        expired: {
          title: 'Clé privée d’un certificat expiré dans le projet',
          message: '{name} contient une clé privée ({kind}) ; le certificat qui l’accompagne a expiré le {day}.',
          why: 'Un service qui vérifie le certificat n’accepte plus la clé. Si le certificat a été renouvelé pour la même clé, toute personne pouvant lire le projet ou son historique peut encore agir au nom de son propriétaire.',
        },
      },
    },
  }),
})

function* findMatches(credentials: CredentialFile, date: ScanDay['date']): Generator<Match> {
  const { file } = credentials
  const expiryOf = createExpiryReader(file.text, date)
  for (const key of credentials.privateKeys()) {
    const { label, body, span, isEncrypted, isWhole } = key
    const expired = expiryOf(key)
    const known = isEncrypted ? GUARDED : OPEN
    const grade = isWhole ? known : ({ ...known, confidence: 'medium' } as const)
    yield {
      at: { file: file.path, span },
      secret: body,
      args: {
        name: quoteWord(credentials.nameAt(span.start)),
        kind: kindOf(label),
        ...(expired !== undefined && { day: expired }),
      },
      ...(isEncrypted && { variant: 'encrypted' }),
      ...(expired === undefined
        ? credentials.gradeAt(grade, isEncrypted ? undefined : 'login', span)
        : { ...GUARDED, variant: 'expired' }),
    }
  }
}

function kindOf(label: string): string {
  if (label === '' || label === 'ENCRYPTED') return 'PKCS #8'
  return label === 'OPENSSH' ? 'OpenSSH' : label
}

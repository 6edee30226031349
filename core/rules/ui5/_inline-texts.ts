import type { Localized } from '../../types.ts'

/** What inline code in an attribute costs a content security policy: a hash alone does not allow it. */
export const BY_HASH: Localized<string> = {
  en: "A content security policy can allow this code only with 'unsafe-hashes' and a hash, or with 'unsafe-inline', which also allows code that an attacker injects.",
  fr: "Une Content Security Policy ne peut autoriser ce code que par 'unsafe-hashes' avec une empreinte (hash), ou par 'unsafe-inline', qui autorise aussi le code injecté par un attaquant.",
}

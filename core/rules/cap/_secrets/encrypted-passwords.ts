import { resolveValue, valuesOf, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAccountPassword } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A comparison of a stored password that is decrypted for it. */
export interface EncryptedPassword extends Span {
  readonly variant: 'encrypted'
  /** What is decrypted, as it is called. */
  readonly name: string
  /** What it is compared with. */
  readonly value: Value
}

/** What a script must hold: a comparison, and a word for decryption. */
export const MAY_DECRYPT: RegExp = /decr[iy]pt|decipher/i

/** `decrypt`, `decryptPassword`, `AES.decrypt`. Facts: CryptoJS 4, `AES.decrypt(ciphertext, key)`; Node.js 24, "Crypto", `createDecipheriv`. */
const DECRYPTS = /^(?:\w{1,20}_)?decr[iy]pt(?:ed)?(?:_?(?:text|string|data|value|password|passwd|pwd|aes|sync))?$/i
/** What tells the password that is sent from that of the row. */
const SIDES =
  'old current stored saved hashed encrypted enc decrypted dec plain input entered typed given provided sent original'.split(' ')

/** The same behind it: `passwordStored`. */
const SIDE_BEHIND =
  /(?:Stored|Saved|Encrypted|Decrypted|Plain|Entered|Given|Sent)$|_(?:stored|saved|encrypted|decrypted|plain|entered|given|sent)$/

/**
 * Passwords that a login decrypts to compare them: `decrypt(user.password, key) === password`. Whoever has the key, which the server has, reads all of them; a hash tells
 * nobody. What is decrypted to log in somewhere else is not compared.
 */
export function* encryptedPasswords(facts: ScriptFacts): Generator<EncryptedPassword> {
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'operation' || !/^[!=]==?$/.test(value.operator)) continue
    const [one, other] = value.operands
    if (one === undefined || other === undefined || value.operands.length !== 2) continue
    // where both sides are decrypted, the second is that which is stored as often as not
    const pairs = [
      { own: other, sent: one },
      { own: one, sent: other },
    ]
    for (const { own, sent } of pairs) {
      const name = decryptedName(own)
      if (name === undefined || (passwordName(sent) ?? decryptedName(sent)) === undefined) continue
      yield { start: value.start, end: value.end, variant: 'encrypted', name, value: sent }
      break
    }
  }
}

/** The password in `decrypt(password, key)`, `AES.decrypt(password, key).toString(Utf8)`, also by a name. */
function decryptedName(value: Value): string | undefined {
  let here = awaited(resolveValue(value))
  for (let hops = 0; hops < MAX_HOPS && here.kind === 'call' && lastNameOf(here.callee) === 'toString'; hops++) {
    if (here.callee.kind !== 'member') return undefined
    here = awaited(resolveValue(here.callee.object))
  }
  if (here.kind !== 'call' || !DECRYPTS.test(lastNameOf(here.callee) ?? '')) return undefined
  const [first] = here.args
  return first && passwordName(first)
}

const MAX_HOPS = 2

/** The name of a variable or a column. */
function passwordName(value: Value): string | undefined {
  if (value.kind !== 'reference' && value.kind !== 'member') return undefined
  const name = lastNameOf(value)
  return name !== undefined && isAccountPassword(name.replace(SIDE_BEHIND, ''), SIDES) ? name : undefined
}

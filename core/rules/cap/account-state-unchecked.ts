import { defineRule, type Rule } from '../rule.ts'
import { issuedTokens, type IssuedToken } from './_callers/issued-tokens.ts'

/**
 * A token for an account that may be deactivated, while another function refuses such accounts before it issues the same token.
 * Facts: jsonwebtoken 9 (README): a token that is signed is valid until it ends, whatever becomes of the account. OWASP, "Session Management".
 * Impact: somebody who lost access keeps it. That no other place ends the session, the project does not prove.
 */
export const accountStateUnchecked: Rule = defineRule({
  id: 'cap/account-state-unchecked',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [613],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration',
  on: 'cap-root',
  extracts: [issuedTokens],

  *check(root) {
    if (root.test) return
    const issued = root.scripts.get(issuedTokens)
    const refusing = statesByToken(issued)
    for (const { file, value } of refusing.size === 0 ? [] : issued) {
      const { start, end, entity, mentions, elsewhere } = value
      if (mentions === 'unknown' || mentions.length > 0) continue
      const states = refusing.get(tokenKey(file, value)) ?? new Set()
      root.step(1 + states.size * elsewhere.length)
      // another function of the file may end sessions of such accounts
      const state = [...states].find((one) => !elsewhere.includes(one))
      if (state === undefined) continue
      yield { at: { file, span: { start, end } }, args: { entity, state }, groupKey: `${file} ${entity}` }
    }
  },

  text: {
    en: {
      title: 'Token issued without checking whether the account is active',
      message:
        'This token is issued for a row of {entity} without a look at its {state}, although another function of this file rejects accounts by {state} before it issues such a token.',
      why: 'Somebody whose account was deactivated or locked gets a new token with all roles in this way, again and again, as long as the row exists.',
      fix: 'Compare {state} of the row here as the other function does, and reject the request before the token is signed.',
    },
    fr: {
      title: 'Jeton émis sans vérifier que le compte est actif',
      message:
        'Ce jeton est émis pour une ligne de {entity} sans vérifier {state}, alors qu’une autre fonction de ce fichier rejette des comptes d’après {state} avant d’émettre un tel jeton.',
      why: 'Une personne dont le compte a été désactivé ou verrouillé obtient ainsi un nouveau jeton avec tous ses rôles, encore et encore, tant que la ligne existe.',
      fix: 'Comparez {state} de la ligne ici comme le fait l’autre fonction, et rejetez la requête avant de signer le jeton.',
    },
  },
})

/** By which states a file refuses accounts before it signs such a token. */
function statesByToken(
  issued: readonly { readonly file: string; readonly value: IssuedToken }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { file, value } of issued) {
    if (value.state === undefined) continue
    const key = tokenKey(file, value)
    const states = found.get(key)
    if (states === undefined) found.set(key, new Set([value.state]))
    else states.add(value.state)
  }
  return found
}

function tokenKey(file: string, { entity, secret }: IssuedToken): string {
  return JSON.stringify([file, entity, secret])
}

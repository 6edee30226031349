import { defineRule, type Rule } from '../rule.ts'
import { issuedTokens, statesOfSessions, type IssuedToken, type StateOfSessions } from './_callers/issued-tokens.ts'

/**
 * A token for an account that may be deactivated, while another function refuses such accounts before it issues the same token.
 * Facts: jsonwebtoken 9 (README): a token that is signed is valid until it ends, whatever becomes of the account. OWASP, "Session Management".
 * Impact: somebody who lost access keeps it. That no other place ends the session, the project does not prove: silent where a script that verifies tokens or deletes sessions names the state.
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
  extracts: [issuedTokens, statesOfSessions],

  *check(root) {
    if (root.test) return
    const issued = root.scripts.get(issuedTokens)
    const refusing = refusalsByToken(issued)
    if (refusing.size === 0) return
    const files = filesByState(root.scripts.get(statesOfSessions))
    for (const { file, value } of issued) {
      const { start, end, entity, fields, mentions, elsewhere } = value
      if (mentions === 'unknown' || mentions.length > 0) continue
      const others = refusing.get(tokenKey(file, value)) ?? []
      root.step(1 + others.length * (1 + elsewhere.length + fields.length))
      // another function of the file may end sessions of such accounts; a link of a mail does not say what a session says
      const state = others.find(
        (one) =>
          !elsewhere.includes(one.state) &&
          !isElsewhere(files.get(one.state), file) &&
          one.fields.every((name) => fields.includes(name)),
      )?.state
      if (state === undefined) continue
      yield { at: { file, span: { start, end } }, args: { entity, state }, groupKey: `${file} ${entity}` }
    }
  },

  text: () => ({
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
  }),
})

interface Refusing {
  readonly state: string
  readonly fields: readonly string[]
}

/** By which states a file refuses accounts before it signs such a token, and what the token says. Each once. */
function refusalsByToken(
  issued: readonly { readonly file: string; readonly value: IssuedToken }[],
): ReadonlyMap<string, readonly Refusing[]> {
  const found = new Map<string, Map<string, Refusing>>()
  for (const { file, value } of issued) {
    const { state, fields } = value
    if (state === undefined) continue
    const key = tokenKey(file, value)
    const one = [JSON.stringify([state, fields]), { state, fields }] as const
    const others = found.get(key)
    if (others === undefined) found.set(key, new Map([one]))
    else others.set(...one)
  }
  return new Map([...found].map(([key, others]) => [key, [...others.values()]]))
}

/** Files whose scripts look at a state at each request, or end sessions by it. */
function filesByState(
  sessions: readonly { readonly file: string; readonly value: StateOfSessions }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { file, value } of sessions)
    for (const name of value.names) {
      const files = found.get(name)
      if (files === undefined) found.set(name, new Set([file]))
      else files.add(file)
    }
  return found
}

/** What the same file does elsewhere is told by the token itself. */
function isElsewhere(files: ReadonlySet<string> | undefined, file: string): boolean {
  return files !== undefined && files.size > (files.has(file) ? 1 : 0)
}

function tokenKey(file: string, { entity, secret }: IssuedToken): string {
  return JSON.stringify([file, entity, secret])
}

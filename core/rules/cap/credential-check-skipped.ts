import {
  excerptOf,
  findPart,
  keyOf,
  valuesOf,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { roleChecks } from '../../model/cap/index.ts'
import { createDevelopmentReader, isAccountPassword, isDeveloperFile, isOfUi5App, isToolFile } from '../../model/script/index.ts'
import { isAround } from '../../facts/span-index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Subjects } from '../subjects.ts'
import { callerCheckExtracts } from './_callers/caller-checks.ts'
import { openOperation } from './_model/set-rights.ts'
import { failedLogins } from './_secrets/failed-logins.ts'
import { GIVES_SESSION, ignoredComparisons } from './_secrets/ignored-comparisons.ts'
import { unaskedLogins } from './_secrets/unasked-logins.ts'

/** `hash && stored && hash !== stored`, before anything is parsed. */
const JOINED = /(?:passw|pwd|hash|token|secret|otp)\w{0,40}['"\])]{0,3}\s{0,4}&&[^;{}]{1,300}!==?/i

/** `data.user == data.password`, in either order. */
const SAME =
  /\.(?:user|usuario|login|e?mail|correo)\w{0,20}\s{0,4}={2,3}\s{0,4}\w{1,40}\.(?:passw|pwd|clave|senha|contrase)|\.(?:passw|pwd|clave|senha|contrase)\w{0,20}\s{0,4}={2,3}\s{0,4}\w{1,40}\.(?:user|usuario|login|e?mail|correo)/i

/** A block that catches, and an answer: each by itself, texts are long. */
const CATCH = /\bcatch\s{0,5}[({]/
const ANSWERS = /\.json\s{0,5}\(/

function mayFailOpen(text: string): boolean {
  return CATCH.test(text) && ANSWERS.test(text)
}

/** `bcrypt.compareSync(sent, user.password)` */
const COMPARES = /\b(?:compare|verify)(?:Sync)?\(/

/**
 * A login that compares passwords, hashes or tokens only where both are there: `if (sent && stored && sent !== stored) throw`.
 * The same of a login that lets in whoever sends the name of the user as password: `input.user == input.password`, beside the comparison with what is stored.
 * And one that compares the password with its hash and does not look at the answer, or takes the promise of it for the answer.
 * And one that has another system check the password, and answers as if it were right where that fails.
 * And one that makes a token for the account that the client names, and asks for no proof at all.
 * Facts: OWASP Authentication Cheat Sheet; CWE-636, "Not Failing Securely"; OWASP Proactive Controls, "Fail Safely": what is missing must be refused.
 * Impact: whoever gets one of the two to be empty logs in as the user; which of them may be empty is mostly not in the project.
 */
export const credentialCheckSkipped: Rule = defineRule({
  id: 'cap/credential-check-skipped',
  impact: 'takeover',
  reach: 'anyone',
  // which of the two may be missing is not in the project
  evidence: 'assumed',
  grades: {
    check: { impact: 'takeover', reach: 'user', evidence: 'assumed' },
    // whoever reads the code, or tries it once, knows the way
    same: { impact: 'takeover', reach: 'user', evidence: 'shown', inOpenRoute: 'shown' },
    dropped: { evidence: 'shown' },
    promise: { evidence: 'shown' },
    // what is done with the answer of such a login, another program decides
    failsOpen: { impact: 'bounded', evidence: 'shown' },
    // which users have none, a configuration says
    stored: { impact: 'takeover', reach: 'user', evidence: 'assumed' },
    unasked: { inOpenRoute: 'assumed' },
  },
  confidence: 'medium',
  cwe: [287, 636],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
  keywords: ['passw', 'pwd', 'hash', 'token', 'secret', 'otp', 'clave', 'senha', 'contrase'],
  prefilter: (text) => JOINED.test(text) || SAME.test(text) || COMPARES.test(text) || mayFailOpen(text),
  extracts: [unaskedLogins, ...callerCheckExtracts, roleChecks],
  checks: {
    'server-script': checkScript,

    *project({ scripts }) {
      for (const { file, value } of scripts.get(unaskedLogins)) {
        if (value.event !== undefined) continue
        const at = { file, span: { start: value.start, end: value.end } }
        yield {
          at,
          args: { one: quoteWord(value.client), other: value.entity },
          variant: 'unasked',
          ...(!value.isLoginRoute && { isOfOpenRoute: true as const }),
        }
      }
    },

    *'cap-root'(root, { reach }) {
      if (root.test || root.runtime === 'java') return
      for (const { file, value } of root.scripts.get(unaskedLogins)) {
        const open = value.event && openOperation(root, file, value.event)
        if (open === undefined) continue
        yield {
          at: { file, span: { start: value.start, end: value.end } },
          args: { one: quoteWord(value.client), other: value.entity },
          variant: 'unasked',
          exposure: reach.ofService(open.service),
        }
      }
    },
  },
  text: () => ({
    en: {
      title: 'Authentication bypass: check skipped for missing values',
      message: '{function} compares {one} with {other} only if both are set; if one of them is missing, the login succeeds.',
      why: 'An attacker who sends no value, or names an account without a stored one, is logged in as that user without any proof.',
      fix: 'Refuse missing values: if (!{one} || !{other} || {one} !== {other}) throw new Error("Invalid credentials").',
      variants: {
        check: {
          message: '{function} compares {one} with {other} only if both are set; if one of them is missing, the check passes.',
          why: 'An attacker who sends no value, or names an account without a stored one, passes this check without any proof.',
        },
        dropped: {
          title: 'Authentication bypass: result of the password check ignored',
          message:
            '{one} says whether the password fits, but nothing reads its result, and the function goes on with any password.',
          why: 'An attacker logs in as any user whose name or mail address they know, with any password.',
          fix: 'Refuse the login unless the result is true: if (!(await {other})) throw new Error("Invalid credentials").',
        },
        failsOpen: {
          title: 'Authentication bypass: login succeeds when its check fails',
          message:
            '{one} has the password checked, but where it throws, as it also does for a wrong password, this response still reports a successful login.',
          why: 'An attacker logs in as any user with any password: the wrong password itself makes the check throw, and so does an outage of the other system.',
          fix: 'Respond with 401 if the other system refuses the password, and with 503 for all other errors: return res.status(503).json({ success: false }). Keep logins for tests out of the code that is deployed.',
        },
        promise: {
          title: 'Authentication bypass: result of the password check ignored',
          message:
            '{one} gives a promise, which is taken as its result without await: a promise is always true, whatever the password.',
          why: 'An attacker logs in as any user whose name or mail address they know, with any password.',
          fix: 'Refuse the login unless the result is true: if (!(await {other})) throw new Error("Invalid credentials").',
        },
        stored: {
          message:
            '{function} compares {one} with {other} only if a password is stored: for users without one, any password passes.',
          why: 'An attacker who knows the name of a user without a stored password, such as one of a configuration, logs in as that user.',
          fix: 'Refuse users without a stored password: if (!{one} || {one} !== {other}), and store hashes rather than passwords. Let the identity provider log users in where the server is deployed.',
        },
        unasked: {
          title: 'Login without a password or any other proof',
          message:
            'This call issues a token for the row of {other} that {one} names, and nothing in the function asks the client for a password or another proof.',
          why: 'An attacker who sends the name or ID of another user gets a token of that user, and acts as them until it expires.',
          fix: 'Let the identity provider log users in, and issue this token only for who is authenticated (req.user.id). Or compare a password with its stored hash before the token is issued.',
        },
        same: {
          title: 'Authentication bypass: user name accepted as password',
          message:
            'The login compares {one} with {other}, which both come from the client, beside the check of the stored password.',
          why: 'An attacker who sends the name or mail address of a user as the password, too, takes the branch of a successful login as that user.',
          fix: 'Remove the comparison of {one} with {other}. Log the user in only if the identity provider or the stored hash confirms the password.',
        },
      },
    },
    fr: {
      title: 'Contournement de l’authentification : valeurs absentes acceptées',
      message: '{function} ne compare {one} à {other} que si les deux sont définis ; si l’un manque, la connexion réussit.',
      why: 'Un attaquant qui n’envoie aucune valeur, ou qui nomme un compte sans valeur enregistrée, est connecté au nom de cet utilisateur sans aucune preuve.',
      fix: 'Refusez les valeurs absentes : if (!{one} || !{other} || {one} !== {other}) throw new Error("Identifiants incorrects").',
      variants: {
        check: {
          message: '{function} ne compare {one} à {other} que si les deux sont définis ; si l’un manque, la vérification passe.',
          why: 'Un attaquant qui n’envoie aucune valeur, ou qui nomme un compte sans valeur enregistrée, passe cette vérification sans aucune preuve.',
        },
        dropped: {
          title: 'Contournement de l’authentification : contrôle du mot de passe ignoré',
          message:
            '{one} dit si le mot de passe convient, mais rien ne lit son résultat, et la fonction continue avec n’importe quel mot de passe.',
          why: 'Un attaquant se connecte comme tout utilisateur dont il connaît le nom ou l’adresse, avec n’importe quel mot de passe.',
          fix: 'Refusez la connexion si le résultat n’est pas vrai : if (!(await {other})) throw new Error("Identifiants incorrects").',
        },
        failsOpen: {
          title: 'Contournement de l’authentification : connexion acceptée quand la vérification échoue',
          message:
            '{one} fait vérifier le mot de passe, mais en cas d’exception, levée aussi pour un mot de passe erroné, cette réponse annonce quand même une connexion réussie.',
          why: 'Un attaquant se connecte comme n’importe quel utilisateur avec n’importe quel mot de passe : un mot de passe erroné suffit à faire échouer la vérification, tout comme une panne de l’autre système.',
          fix: 'Répondez 401 si l’autre système refuse le mot de passe, et 503 pour toute autre erreur : return res.status(503).json({ success: false }). N’incluez pas de connexion de test dans le code déployé.',
        },
        promise: {
          title: 'Contournement de l’authentification : contrôle du mot de passe ignoré',
          message:
            '{one} donne une promesse, prise pour son résultat sans await : une promesse est toujours vraie, quel que soit le mot de passe.',
          why: 'Un attaquant se connecte comme tout utilisateur dont il connaît le nom ou l’adresse, avec n’importe quel mot de passe.',
          fix: 'Refusez la connexion si le résultat n’est pas vrai : if (!(await {other})) throw new Error("Identifiants incorrects").',
        },
        stored: {
          message:
            '{function} ne compare {one} à {other} que si un mot de passe est enregistré : pour les utilisateurs sans mot de passe, tout passe.',
          why: 'Un attaquant qui connaît le nom d’un utilisateur sans mot de passe enregistré, par exemple dans une configuration, se connecte en son nom.',
          fix: 'Refusez les utilisateurs sans mot de passe : if (!{one} || {one} !== {other}), et enregistrez des condensats plutôt que des mots de passe. Une fois le serveur déployé, laissez le fournisseur d’identité connecter les utilisateurs.',
        },
        unasked: {
          title: 'Connexion sans mot de passe ni autre preuve',
          message:
            'Cet appel émet un jeton pour la ligne de {other} que désigne {one}, et rien dans la fonction ne demande au client un mot de passe ou une autre preuve.',
          why: 'Un attaquant qui envoie le nom ou l’identifiant d’un autre utilisateur obtient un jeton de celui-ci, et agit en son nom jusqu’à son expiration.',
          fix: 'Laissez le fournisseur d’identité connecter les utilisateurs, et n’émettez ce jeton que pour la personne authentifiée (req.user.id). Ou comparez un mot de passe à son condensat enregistré avant d’émettre le jeton.',
        },
        same: {
          title: 'Contournement de l’authentification : nom accepté comme mot de passe',
          message:
            'La connexion compare {one} à {other}, qui viennent tous deux du client, à côté du contrôle du mot de passe enregistré.',
          why: 'Un attaquant qui envoie le nom ou l’adresse d’un utilisateur aussi comme mot de passe suit la branche d’une connexion réussie au nom de cet utilisateur.',
          fix: 'Supprimez la comparaison de {one} à {other}. Ne connectez l’utilisateur que si le fournisseur d’identité ou le hachage enregistré confirme le mot de passe.',
        },
      },
    },
  }),
})

function* checkScript({ path, text, content: { facts }, budget }: Subjects['server-script']): Generator<Match> {
  if (isDeveloperFile(path) || isToolFile(path) || isOfUi5App(path)) return
  const isForDevelopers = createDevelopmentReader(facts)
  for (const guard of facts.guards) {
    budget.step()
    const sides = guard.exits ? sidesOf(guard.test) : undefined
    const name = sides && nameAround(guard.function)
    if (sides === undefined || name === undefined || isForDevelopers(guard) || isOver(guard, facts)) continue
    const [one, other] = sides
    yield {
      at: { file: path, span: { start: guard.test.start, end: guard.test.end } },
      args: { function: quoteWord(name), one: quoteWord(excerptOf(text, one)), other: quoteWord(excerptOf(text, other)) },
      ...(!LOGS_IN.test(name) && { variant: 'check' }),
    }
  }
  yield* storedAlone(path, text, facts, isForDevelopers)
  if (COMPARES.test(text))
    for (const { call, how, around } of ignoredComparisons(facts, text, (count) => budget.step(count))) {
      budget.step(facts.calls.length)
      if (isForDevelopers(call)) continue
      const rest = text.slice(call.end, around.end)
      yield {
        at: { file: path, span: { start: call.start, end: call.end } },
        args: { one: quoteWord(excerptOf(text, call.callee)), other: quoteWord(excerptOf(text, call)) },
        variant: how,
        // a function without a session may confirm the password of a user who is logged in
        ...(!GIVES_SESSION.test(rest) && { reach: 'user' as const, evidence: 'assumed' as const }),
      }
    }
  if (mayFailOpen(text))
    for (const { start, end, check } of failedLogins(facts, (count) => budget.step(count))) {
      if (isForDevelopers({ start, end })) continue
      yield {
        at: { file: path, span: { start, end } },
        args: { one: quoteWord(excerptOf(text, check.callee)) },
        variant: 'failsOpen',
        ...(GIVES_SESSION.test(text.slice(start, end)) && { impact: 'takeover', evidence: 'assumed' as const }),
      }
    }
  if (!SAME.test(text)) return
  for (const { value } of valuesOf(facts)) {
    budget.step()
    const same = sameSent(value)
    if (same === undefined || isForDevelopers(value) || !isProof(same, value, facts)) continue
    yield {
      at: { file: path, span: { start: value.start, end: value.end } },
      args: { one: quoteWord(excerptOf(text, same.user)), other: quoteWord(excerptOf(text, same.password)) },
      variant: 'same',
    }
  }
}

const CREDENTIAL = /passw(?:or)?d|passwort|pwd|(?:hash|token|secret|otp)(?:ed|s)?$|^(?:hash|token|secret|otp)(?=[A-Z_]|$)/i
/** Two entries of one form, and what is compared to see a change. */
const OTHER = /confirm|repeat|again|retype|re_?enter|verify|csrf|xsrf|etag|file|content|commit|cache|previous|prev|last|new|old/i

/** `sent && stored && sent !== stored`: what is compared, where both are asked for in front of it. */
function sidesOf(test: Value): readonly [Value, Value] | undefined {
  if (!('options' in test) || test.isAnd !== true) return undefined
  const asked = new Set(test.options.slice(0, -1).map(keyOf))
  const last = test.options.at(-1)
  if (last === undefined || !('operator' in last) || !/^!==?$/.test(last.operator)) return undefined
  const [one, other] = last.operands
  if (one === undefined || other === undefined) return undefined
  const isBoth = [one, other].every((side) => {
    const [key, name] = [keyOf(side), lastNameOf(side) ?? '']
    return key !== undefined && asked.has(key) && CREDENTIAL.test(name) && !OTHER.test(name)
  })
  return isBoth ? [one, other] : undefined
}

/** `if (user.password && user.password !== sent)`, in a login: any password fits a user of whom none is stored. */
function* storedAlone(
  path: string,
  text: string,
  { guards }: ScriptFacts,
  isForDevelopers: (place: Span) => boolean,
): Generator<Match> {
  for (const { test, exits, function: around } of guards) {
    if (!exits || !('options' in test) || test.isAnd !== true || test.options.length !== 2) continue
    const [stored, compared] = test.options
    if (stored?.kind !== 'member' || compared === undefined || !('operator' in compared)) continue
    const sides = /^!==?$/.test(compared.operator) ? compared.operands : []
    const sent = sides.find((side) => keyOf(side) !== keyOf(stored))
    const isOfAccount = isPassword(stored.name) && ACCOUNT.test(lastNameOf(stored.object) ?? '')
    const isPair = sides.length === 2 && sides.some((side) => keyOf(side) === keyOf(stored))
    const name = sent !== undefined && isPair && isOfAccount ? nameAround(around) : undefined
    if (name === undefined || sent === undefined || !LOGS_IN.test(name) || isForDevelopers(test)) continue
    yield {
      at: { file: path, span: { start: test.start, end: test.end } },
      args: { function: quoteWord(name), one: quoteWord(excerptOf(text, stored)), other: quoteWord(excerptOf(text, sent)) },
      variant: 'stored',
    }
  }
}

const ACCOUNT = /(?:user|account|member|employee|login|row|record|found)$/i

const LOGS_IN = /log_?[io]n|sign_?in|authenticate/i
const CHECKS =
  /^(?:\w{0,20}[._])?(?:verify|validate|check|confirm|authori[sz]e)\w{0,20}(?:pass|pwd|user|token|credential|secret|otp|login)/i

/** The function that logs in or checks a credential, by its name. */
function nameAround(from: FunctionFact | undefined): string | undefined {
  for (let here = from; here !== undefined; here = here.parent)
    if (LOGS_IN.test(here.name) || CHECKS.test(here.name)) return here.name
  return undefined
}

/** Whether an earlier condition of the function refuses what is missing. */
function isOver(guard: Guard, { guards }: ScriptFacts): boolean {
  const sides = sidesOf(guard.test)?.map(keyOf)
  return guards.some(
    ({ test, exits, function: within, end }) =>
      exits && within === guard.function && end <= guard.start && missingIn(test).some((key) => sides?.includes(key)),
  )
}

/** Of `!sent || !stored`: the names. */
function missingIn(test: Value): readonly (string | undefined)[] {
  const parts = 'options' in test ? test.options : [test]
  return parts.flatMap((part) => ('operator' in part && part.operator === '!' ? part.operands.map(keyOf) : []))
}

const USER = /^(?:user|usuario|login|e?mail|correo)(?:_?(?:name|id|address))?$/i
const isPassword = (name = ''): boolean => /^(?:user_?)?clave$/i.test(name) || isAccountPassword(name)

interface SentPair {
  readonly user: Value
  readonly password: Value
}

/** `data.user == data.password`: two fields of what one caller sends. */
function sameSent(value: Value): SentPair | undefined {
  if (!('operator' in value) || !/^===?$/.test(value.operator)) return undefined
  const [one, other] = value.operands
  if (one?.kind !== 'member' || other?.kind !== 'member') return undefined
  const sent = keyOf(one.object)
  if (sent === undefined || sent !== keyOf(other.object)) return undefined
  const [user, password] = USER.test(one.name ?? '') ? [one, other] : [other, one]
  return USER.test(user.name ?? '') && isPassword(password.name) ? { user, password } : undefined
}

/** The password is compared with something else in the same function, and no condition refuses what is the same: a form for new passwords does. */
function isProof({ user, password }: SentPair, same: Value, { guards }: ScriptFacts): boolean {
  const isSame = ({ start, end }: Value): boolean => start === same.start && end === same.end
  if (guards.some(({ test, exits }) => exits && isSame(test))) return false
  const isOther = (side: Value): boolean =>
    'name' in side && keyOf(side) !== keyOf(user) && keyOf(side) !== keyOf(password) && !OTHER.test(side.name ?? '')
  const isStored = (part: Value): boolean =>
    'operator' in part &&
    /^[!=]==?$/.test(part.operator) &&
    part.operands.some((side) => keyOf(side) === keyOf(password)) &&
    part.operands.some(isOther)
  return guards.some(({ test, function: around }) => isAround(around, same.start) && findPart(test, isStored) !== undefined)
}

import { excerptOf, keyOf, type FunctionFact, type Guard, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createDevelopmentReader, isDeveloperFile, isOfUi5App, isToolFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `hash && stored && hash !== stored`, before anything is parsed. */
const JOINED = /(?:passw|pwd|hash|token|secret|otp)\w{0,40}['"\])]{0,3}\s{0,4}&&[^;{}]{1,300}!==?/i

/**
 * A login that compares passwords, hashes or tokens only where both are there: `if (sent && stored && sent !== stored) throw`.
 * Facts: OWASP Authentication Cheat Sheet; CWE-636, "Not Failing Securely"; OWASP Proactive Controls, "Fail Safely": what is missing must be refused.
 * Impact: whoever gets one of the two to be empty logs in as the user; which of them may be empty is mostly not in the project.
 */
export const credentialCheckSkipped: Rule = defineRule({
  id: 'cap/credential-check-skipped',
  impact: 'takeover',
  reach: 'anyone',
  // which of the two may be missing is not in the project
  evidence: 'assumed',
  grades: { check: { impact: 'takeover', reach: 'user', evidence: 'assumed' } },
  confidence: 'medium',
  cwe: [287, 636],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
  keywords: ['passw', 'pwd', 'hash', 'token', 'secret', 'otp'],
  prefilter: (text) => JOINED.test(text),
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }) {
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
  },

  text: {
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
      },
    },
  },
})

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

import { constantOf, excerptOf, findPart, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createDevelopmentReader, isDeveloperFile, isRequestName, isToolFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match, Place, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { isAnswer, takesRequest } from './_routes/route-answers.ts'
import { mailedCodes } from './_secrets/mailed-codes.ts'
import { answeredPasswords } from './_xs/answered-passwords.ts'

/**
 * The first password of a user, which the server has made, in the answer to whoever created the user.
 * Facts: OWASP Forgot Password Cheat Sheet; OWASP Application Security Verification Standard 5, "Password Security" (initial passwords and their validity).
 * Or a code that is sent to a user by mail, to prove that it is the user who asks.
 * Or a stored password, which an XSJS script reads from the table of users and answers.
 * Impact: who creates users, and whoever reads answers in proxies and logs, logs in as somebody else; where the user has to choose another one, only before that.
 */
export const passwordInResponse: Rule = defineRule({
  id: 'cap/password-in-response',
  impact: 'takeover',
  reach: 'privileged',
  confidence: 'medium',
  cwe: [200, 522],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
  keywords: ['password', 'passwd', 'pwd'],
  prefilter: (text) => FIRST_WORD.test(text),
  extracts: [answeredPasswords, mailedCodes],
  checks: {
    *'server-script'({ path, text, content: { facts }, budget }) {
      if (isDeveloperFile(path) || isToolFile(path)) return
      const isForDevelopers = createDevelopmentReader(facts)
      const answers = [
        ...facts.calls.flatMap((call) => (isAnswer(call) || isReply(call) ? call.args : [])),
        ...facts.functions.flatMap((fact) => (takesRequest(fact) ? fact.returns : [])),
      ]
      const told = new Set<number>()
      const forcesChange = MUST_CHANGE.test(text)
      for (const answer of answers) {
        budget.step()
        const found = passwordIn(answer)
        if (found === undefined || told.has(found.start) || isForDevelopers(found)) continue
        told.add(found.start)
        const { start, end } = found
        yield {
          at: { file: path, span: { start, end } },
          args: { value: quoteWord(excerptOf(text, found.value)), field: found.name },
          // it opens the account only until its user has logged in
          ...(forcesChange && { evidence: 'assumed' as const }),
        }
      }
    },

    *project({ scripts, reach }): Generator<Match> {
      for (const { file, value } of scripts.get(answeredPasswords)) {
        const at = { file, span: value.at }
        yield {
          at,
          args: { value: quoteWord(value.value), field: value.column },
          variant: 'stored',
          exposure: reach.at(at),
          ...(value.isChecked && { reach: 'privileged' as const }),
          ...(value.isUnsure && { evidence: 'assumed' as const }),
        }
      }
      yield* answeredCodes(scripts, reach)
    },
  },

  text: () => ({
    en: {
      title: 'Password of a new user in a response',
      message: 'The response contains {value} as "{field}", the password that the server has set for a user.',
      why: 'The creator of the user, and an attacker who can read responses in the browser, in proxies or in logs, can log in as this user.',
      fix: 'Leave it out of the response. Send the user a link that is valid once and for a short time, with which they choose a password of their own.',
      variants: {
        code: {
          title: 'Code that is mailed to a user also in the response',
          message: '{value} is sent to a user to prove who they are, and is part of the response to the caller as well.',
          why: 'The code proves that the caller reads the mail of the user. An attacker who asks for it in the name of another user reads it in the response, and takes over the account.',
          fix: 'Leave {value} out of the response: answer only that a message was sent, the same text whether the account exists or not.',
        },
        stored: {
          title: 'Stored passwords of users in a response',
          message: 'The response contains {value}, the column "{field}" of a row of the database.',
          why: 'A caller gets the passwords of users as they are stored, and can log in as them, here and where people use the same password.',
          fix: 'Leave the column out of the statement and of the response. Store a salted hash of each password, made by a slow function such as PBKDF2, and compare it on the server.',
        },
      },
    },
    fr: {
      title: 'Mot de passe d’un nouvel utilisateur dans une réponse',
      message: 'La réponse contient {value} dans "{field}", le mot de passe que le serveur a défini pour un utilisateur.',
      why: 'Le créateur de l’utilisateur, et un attaquant qui peut lire les réponses dans le navigateur, des proxys ou des journaux, peuvent se connecter à sa place.',
      fix: 'Retirez-le de la réponse. Envoyez à l’utilisateur un lien valable une seule fois et peu de temps, par lequel il choisit lui-même son mot de passe.',
      variants: {
        code: {
          title: 'Code envoyé par e-mail à un utilisateur aussi dans la réponse',
          message: '{value} est envoyé à un utilisateur pour prouver son identité, et la réponse à l’appelant le contient aussi.',
          why: 'Le code prouve que l’appelant lit les messages de l’utilisateur. Un attaquant qui le demande au nom d’un autre le lit dans la réponse et prend le contrôle du compte.',
          fix: 'Retirez {value} de la réponse : répondez seulement qu’un message a été envoyé, par le même texte que le compte existe ou non.',
        },
        stored: {
          title: 'Mots de passe enregistrés d’utilisateurs dans une réponse',
          message: 'La réponse contient {value}, la colonne "{field}" d’une ligne de la base de données.',
          why: 'Un appelant obtient les mots de passe d’utilisateurs tels qu’ils sont enregistrés et peut se connecter à leur place, ici et partout où ils emploient le même.',
          fix: 'Retirez la colonne de l’instruction et de la réponse. Enregistrez un hachage salé de chaque mot de passe, fait par une fonction lente comme PBKDF2, et comparez-le sur le serveur.',
        },
      },
    },
  }),
})

/** `must_reset_password: true`, `user.mustChangePassword = true`: the row says that the user has to choose another one. */
const MUST_CHANGE =
  /(?:must|force|require|needs?)s?_?(?:to_?)?(?:(?:reset|change|renew)|update_?(?:password|pwd))\w{0,20}\s{0,4}[:=]\s{0,4}true\b|(?:password|pwd)_?(?:reset|change)_?(?:required|needed|forced)\s{0,4}[:=]\s{0,4}true\b/i

const FIRST_WORD = /(?:temp|initial|generat|random|default|new|first|start|one_?time)\w{0,12}(?:password|passwd|pwd)/i
/** A password that is given to somebody, by the name of its field. */
const FIRST = /^(?:user_?)?(?:temp(?:orary)?|initial|generated|random|first|start|one_?time)_?(?:password|passwd|pwd)$/i
const ANY = /^(?:(?:new|default|user)_?)?(?:password|passwd|pwd)$/i
/** A function that makes one. */
const MAKES = /^(?:generate|create|make|random|new)\w{0,20}(?:password|passwd|pwd)\w{0,10}$/i
const PROTECTS = /hash|encrypt|mask|bcrypt|redact|cipher/i

/** `req.reply(…)` of CAP. */
function isReply({ callee }: CallValue): boolean {
  return 'object' in callee && callee.name === 'reply' && isRequestName(lastNameOf(callee.object))
}

const MAX_DEPTH = 4

/** `{ userId, tempPassword: password }`, `{ password: generatePassword() }`, also within other objects. */
function passwordIn(answer: Value, depth = 0): (Span & { readonly name: string; readonly value: Value }) | undefined {
  const made = resolveValue(answer)
  if (!('fields' in made) || depth > MAX_DEPTH) return undefined
  for (const { key, value, start, end } of made.fields) {
    if (key === undefined) continue
    if ((FIRST.test(key) && isText(value)) || (ANY.test(key) && isMade(value))) return { start, end, name: key, value }
    const inner = passwordIn(value, depth + 1)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** No hash, no placeholder, no answer to the question whether there is one. */
function isText(value: Value): boolean {
  if (constantOf(value) !== undefined || 'operands' in value || 'fields' in value) return false
  const given = lastNameOf(value) ?? ('callee' in value ? lastNameOf(value.callee) : undefined) ?? ''
  if (/^(?:is|has|must|needs?|should|undefined$)/i.test(given)) return false
  return findPart(value, (part) => PROTECTS.test(lastNameOf(part) ?? '')) === undefined
}

function isMade(value: Value): boolean {
  const made = resolveValue(value)
  const call = 'value' in made && typeof made.value === 'object' && made.value !== null ? made.value : made
  return 'callee' in call && MAKES.test(lastNameOf(call.callee) ?? '') && !PROTECTS.test(lastNameOf(call.callee) ?? '')
}

/** Codes that are mailed, in an answer of the same function or of one that calls it and answers what it gives. */
function* answeredCodes(scripts: Project['scripts'], reach: Project['reach']): Generator<Match> {
  const uses = scripts.get(mailedCodes)
  const answering = new Set(uses.flatMap(({ value }) => (value.kind === 'answers' ? [value.name] : [])))
  const asked = new Map<string, Place>()
  for (const { file, value } of uses)
    if (value.kind === 'asked' && (value.by === '' || answering.has(value.by))) asked.set(value.name, { file, span: value.at })
  for (const { file, value } of uses) {
    if (value.kind !== 'answered' && value.kind !== 'returned') continue
    const at = { file, span: value.at }
    const from = value.kind === 'answered' ? at : asked.get(value.name)
    if (from !== undefined) yield { at, args: { value: quoteWord(value.value) }, variant: 'code', exposure: reach.at(from) }
  }
}

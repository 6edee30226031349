import {
  accessesOf,
  excerptOf,
  findPart,
  functionAround,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createAllowedReader } from '../../flow/index.ts'
import { isContextRoot, isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { roleChecks, uncheckedInCode } from '../../model/cap/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { callerCheckExtracts } from './_callers/caller-checks.ts'
import { createPrivilegedListReader } from './_callers/privileged-lists.ts'
import { openOperations, setRights } from './_model/set-rights.ts'
import { signedUpPrivileges } from './_callers/signed-up-users.ts'
import { writtenColumns } from './_rows/written-columns.ts'

/**
 * A role that the client sends is written into a record of the application, by a function that asks nobody for a right.
 * Facts: OWASP API Security Top 10 2023, API3 (broken object property level authorization); Mongoose 8, Sequelize 6, Prisma 6, TypeORM 0.3 (README of each).
 * Impact: a user becomes what a role allows, and so does anybody where the route asks for no login; that nothing in front of it asks for a right is assumed, unless it is such a
 * route or the function itself lets owners pass.
 */
export const privilegeFromRequest: Rule = defineRule({
  id: 'cap/privilege-from-request',
  impact: 'takeover',
  reach: 'user',
  evidence: 'assumed',
  grades: { password: { evidence: 'shown' }, generated: { evidence: 'shown' } },
  inOpenRoute: 'shown',
  confidence: 'medium',
  cwe: [269, 915],
  since: '0.3.0',
  docs: 'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
  keywords: [
    'role',
    'Role',
    'isAdmin',
    'is_admin',
    'uperAdmin',
    'uper_admin',
    'SUPERADMIN',
    'SUPER_ADMIN',
    'permissions',
    'privileges',
  ],
  prefilter: (text) =>
    (/\bbody\b/.test(text) && WRITES_ANYWHERE.test(text)) || (text.includes('.entries(') && SIGNS_UP.test(text)),

  extracts: [setRights, ...callerCheckExtracts, roleChecks],
  checks: {
    *'server-script'({ path, text, content: { facts }, budget }) {
      if (isToolFile(path) || isDeveloperFile(path) || /admin/i.test(path)) return
      const step = (count?: number): void => budget.step(count)
      const isAllowed = createAllowedReader(facts, step)
      const isOneOfPrivileged = createPrivilegedListReader(facts, step)
      const isChecked = (value: Value, { start }: CallValue, around: FunctionFact): boolean => {
        const made = resolveValue(value)
        const options = 'options' in made ? made.options : [value]
        return isAllowed(value, start) && !options.some((option) => isOneOfPrivileged(option, around))
      }
      const told = new Set<number>()
      for (const call of facts.calls) {
        const written = isWrite(call) ? privilegesIn(call) : columnsIn(call)
        if (written.length === 0) continue
        const around = functionAround(facts, call.start)
        if (around === undefined || /admin/i.test(around.name)) continue
        step(facts.calls.length)
        for (const { name, value, start, end } of written) {
          const rest = textWithout(text, around, { start, end })
          if (told.has(start) || isChecked(value, call, around) || asksForRight(rest)) continue
          told.add(start)
          const at = { file: path, span: { start, end } }
          yield {
            at,
            args: { field: name, part: excerptOf(text, value) },
            ...(letsOwnerPass(rest) && { evidence: 'shown' as const }),
          }
        }
      }
      for (const { name, value, call, around, start, end } of signedUpPrivileges(facts, text, PRIVILEGES, step)) {
        if (isChecked(value, call, around) || asksForRight(text.slice(around.start, around.end))) continue
        yield {
          at: { file: path, span: { start, end } },
          args: { field: name, part: excerptOf(text, value) },
          variant: 'signUp',
          // a role may be one of ordinary users
          ...(/admin|super/i.test(name) && { evidence: 'shown' as const }),
        }
      }
    },

    *'cap-root'(root, { reach }) {
      if (root.test || root.runtime === 'java') return
      for (const { file, value } of root.scripts.get(setRights)) {
        root.step()
        const { start, end, column, client, whose, isPassword, isGenerated } = value
        const open = openOperations(root, file, value)
        const first = open.find(({ service, operation }) => uncheckedInCode(root, service, [operation]).length > 0)
        if (first === undefined) continue
        yield {
          at: { file, span: { start, end } },
          args: { field: column, part: client, whose, operation: quoteWord(first.operation.name) },
          exposure: reach.ofService(first.service),
          variant: isGenerated ? 'generated' : isPassword ? 'password' : 'ofUser',
        }
      }
    },
  },

  text: {
    en: {
      title: 'Role or privilege taken from the request',
      message: '{field} of a stored record is set to {part}, which the client sends, and the function checks no right.',
      why: 'Every caller can give a record a role of their choice: their own account becomes that of an administrator.',
      fix: 'Leave {field} out of what clients may write and set it on the server. Change it only in a route for administrators that checks the role of the caller first.',
      variants: {
        ofUser: {
          title: 'Role of any user set by an operation for all users',
          message:
            'All users can call {operation}, which sets {field} of the user {whose} to {part}; the handler checks no role.',
          fix: "Annotate {operation} with @requires: '<role of administrators>', or check that role in the handler before the query and reject the request without it.",
        },
        password: {
          title: 'Password of any user set without a proof',
          message:
            'All users can call {operation}, which sets {field} of the user {whose} to {part}; the handler checks neither the user nor the old password.',
          why: 'An attacker sets the password of another user, such as an administrator, and logs in as that user.',
          fix: "Change the password of the caller alone, after a comparison with the old one: .where({ ID: req.user.id }). For resets by administrators annotate {operation} with @requires: '<role of administrators>'.",
        },
        generated: {
          title: 'New password of any user answered to the caller',
          message:
            'All users can call {operation}, which sets {field} of the user {whose} to a generated value and answers it; the handler checks neither the user nor a proof.',
          why: 'An attacker calls it for another user, such as an administrator, reads the new password in the answer, and logs in as that user.',
          fix: 'Leave the generated value out of the answer: send a code that is valid once to the address stored with the user, and set {field} in a second operation that verifies this code.',
        },
        signUp: {
          message: 'People who register choose {field} themselves: this statement stores {part}, which the client sends.',
          fix: 'Remove {field} from the parameters of the operation. In the new row name what the client may choose, such as name and e-mail address, and set {field} to a fixed value.',
        },
      },
    },
    fr: {
      title: 'Rôle ou privilège repris de la requête',
      message: '{field} d’un enregistrement reçoit {part}, que le client envoie, et la fonction ne vérifie aucun droit.',
      why: 'Tout appelant peut donner à un enregistrement le rôle de son choix : son propre compte devient celui d’un administrateur.',
      fix: 'Retirez {field} de ce que les clients peuvent écrire et définissez-le sur le serveur. Ne le modifiez que dans une route d’administration qui vérifie d’abord le rôle de l’appelant.',
      variants: {
        ofUser: {
          title: 'Rôle de n’importe quel utilisateur défini par une opération ouverte à tous',
          message:
            'Tout utilisateur peut appeler {operation}, qui affecte {part} à {field} de l’utilisateur {whose} ; le gestionnaire ne vérifie aucun rôle.',
          fix: "Annotez {operation} avec @requires: '<rôle des administrateurs>', ou vérifiez ce rôle dans le gestionnaire avant la requête et rejetez la requête sans ce rôle.",
        },
        password: {
          title: 'Mot de passe de n’importe quel utilisateur défini sans preuve',
          message:
            'Tout utilisateur peut appeler {operation}, qui affecte {part} à {field} de l’utilisateur {whose} ; le gestionnaire ne vérifie ni l’utilisateur ni l’ancien mot de passe.',
          why: 'Un attaquant définit le mot de passe d’un autre utilisateur, par exemple d’un administrateur, et se connecte à sa place.',
          fix: "Ne modifiez que le mot de passe de l’appelant, après comparaison avec l’ancien : .where({ ID: req.user.id }). Pour les réinitialisations par des administrateurs, annotez {operation} avec @requires: '<rôle des administrateurs>'.",
        },
        generated: {
          title: 'Nouveau mot de passe de n’importe quel utilisateur renvoyé à l’appelant',
          message:
            'Tout utilisateur peut appeler {operation}, qui affecte une valeur générée à {field} de l’utilisateur {whose} et la renvoie ; le gestionnaire ne vérifie ni l’utilisateur ni une preuve.',
          why: 'Un attaquant l’appelle pour un autre utilisateur, par exemple un administrateur, lit le nouveau mot de passe dans la réponse et se connecte à sa place.',
          fix: 'Retirez la valeur générée de la réponse : envoyez un code à usage unique à l’adresse enregistrée de l’utilisateur, et définissez {field} dans une seconde opération qui vérifie ce code.',
        },
        signUp: {
          message: 'Toute personne qui s’inscrit choisit {field} : cette instruction enregistre {part}, que le client envoie.',
          fix: 'Retirez {field} des paramètres de l’opération. Dans la nouvelle ligne, nommez ce que le client peut choisir, comme le nom et l’adresse électronique, et donnez à {field} une valeur fixe.',
        },
      },
    },
  },
})

/** Operations of CAP by which people register. */
const SIGNS_UP = /['"`](?:\w{0,5}sign_?up|\w{0,5}_?regist)\w{0,20}['"`]/i
/** Methods that keep what they are given. Facts: as above; MongoDB 6, Collection. */
const WRITES =
  /^(?:create|insertOne|insertMany|update|updateOne|updateMany|upsert|findByIdAndUpdate|findOneAndUpdate|findOrCreate|replaceOne|build|bulkCreate)$/
const WRITES_ANYWHERE =
  /\b(?:create|insert\w{0,5}|update\w{0,5}|upsert|find\w{2,6}AndUpdate|findOrCreate|replaceOne|build|bulkCreate|new)\b|\b(?:INSERT|insert)\s{1,20}(?:INTO|into)\b|\b(?:UPDATE|update)\s{1,20}[\w."`]/
/** Classes of users: `new User({ role })`. */
const ACCOUNTS = /^(?:\w{0,20}(?:User|Account|Member|Employee|Admin))$/
/** What gives its owner rights. */
const PRIVILEGES =
  /^(?:(?:user|account)?_?roles?(?:_?(?:id|name|code))?|is_?admin|(?:is_?)?super_?(?:user|admin)|power_?user|permissions|privileges|authorities|access_?level)$/i
/** What a function looks at that knows the rights of its caller. */
const CHECKS =
  /\b(?:checkLocalScope|checkScope|hasRole|requireRole|isAdmin\(|authInfo|hasPermission|authorize)\b|\.is\(|\b(?:user|session|auth|token|decoded|payload|caller|currentUser)\??\.\w{0,20}(?:[rR]ole|[aA]dmin|[pP]ermission|scope)/

/** `user.role !== 'admin' && user.id !== req.params.id`: refused is only who is neither; the owner of the row goes on. */
const OR_OWNER =
  /\w{0,20}[rR]ole\s{0,5}!==?\s{0,5}["'`][^"'`\n]{1,40}["'`]\s{0,10}&&[^&|()\n]{0,80}[iI][dD]\s{0,5}!==?|[iI][dD]\s{0,5}!==?[^&|()\n]{0,80}&&[^&|()\n]{0,80}[rR]ole\s{0,5}!==?/g

function letsOwnerPass(text: string): boolean {
  return text.replaceAll(OR_OWNER, '').length < text.length
}

function asksForRight(text: string): boolean {
  return CHECKS.test(text.replaceAll(OR_OWNER, ''))
}

function isWrite({ callee, kind }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (kind === 'new') return ACCOUNTS.test(name)
  return 'object' in callee && WRITES.test(name) && !/^(?:Object|hash|hmac)$/.test(lastNameOf(callee.object) ?? '')
}

interface Privilege {
  readonly name: string
  readonly value: Value
  readonly start: number
  readonly end: number
}

/** Columns that statements write with what the client sends. */
function columnsIn(call: CallValue): readonly Privilege[] {
  return writtenColumns(call).flatMap(({ name, value }) =>
    PRIVILEGES.test(name) && isOfBody(value) ? [{ name, value, start: value.start, end: value.end }] : [],
  )
}

const MAX_DEPTH = 3

function privilegesIn({ args }: CallValue): readonly Privilege[] {
  const within = (value: Value, depth: number): readonly Privilege[] => {
    const made = resolveValue(value)
    if (made.kind !== 'object' || depth > MAX_DEPTH) return []
    return made.fields.flatMap(({ key, value: given, start, end }) => {
      // what rows are chosen by is not written
      if (key === undefined || key === 'where') return []
      if (PRIVILEGES.test(key) && isOfBody(given)) return [{ name: key, value: given, start, end }]
      return within(given, depth + 1)
    })
  }
  return args.flatMap((given) => within(given, 0))
}

/** `req.body.role`, under whatever name, or what stands for it. */
function isOfBody(value: Value): boolean {
  const made = resolveValue(value)
  const parts = made.kind === 'choice' ? made.options : [value]
  return parts.some((part) => findPart(part, isBodyItself) !== undefined)
}

function isBodyItself(part: Value): boolean {
  return (
    'name' in part &&
    accessesOf(part).some(
      ({ root, steps }) => isContextRoot(root) && steps[steps[0] === 'request' ? 1 : 0] === 'body' && steps.length >= 2,
    )
  )
}

function textWithout(
  text: string,
  around: { readonly start: number; readonly end: number },
  field: { readonly start: number; readonly end: number },
): string {
  return text.slice(around.start, field.start) + text.slice(field.end, around.end)
}

import { roleChecks } from '../../model/cap/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { callerCheckExtracts } from './_callers/caller-checks.ts'
import { openOperation, setRights } from './_model/set-rights.ts'
import { writtenPrivileges } from './_callers/written-privileges.ts'
import { createModelReader, schemaFields } from './_rows/schema-fields.ts'
import { storedBodies, storedPrivileges } from './_rows/stored-bodies.ts'

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
  extracts: [writtenPrivileges, schemaFields, storedBodies, setRights, ...callerCheckExtracts, roleChecks],
  checks: {
    project: judgeWrites,

    *'cap-root'(root, { reach }) {
      if (root.test || root.runtime === 'java') return
      for (const { file, value } of root.scripts.get(setRights)) {
        root.step()
        const { start, end, column, client, whose, isPassword, isGenerated } = value
        const first = openOperation(root, file, value)
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

  text: () => ({
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
        body: {
          title: 'Role or privilege stored with the whole request body',
          message:
            'This statement stores all of {part} in {model}, which has the field {field}, and the function checks no right.',
          fix: 'Name in the row what clients may choose, such as name and e-mail address, and set {field} to a fixed value. Change it only in a route for administrators that checks the role of the caller first.',
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
        body: {
          title: 'Rôle ou privilège enregistré avec tout le corps de la requête',
          message:
            'Cette instruction enregistre tout {part} dans {model}, qui a le champ {field}, et la fonction ne vérifie aucun droit.',
          fix: 'Nommez dans la nouvelle ligne ce que le client peut choisir, comme le nom et l’adresse électronique, et donnez à {field} une valeur fixe. Ne le modifiez que dans une route d’administration qui vérifie d’abord le rôle de l’appelant.',
        },
        signUp: {
          message: 'Toute personne qui s’inscrit choisit {field} : cette instruction enregistre {part}, que le client envoie.',
          fix: 'Retirez {field} des paramètres de l’opération. Dans la nouvelle ligne, nommez ce que le client peut choisir, comme le nom et l’adresse électronique, et donnez à {field} une valeur fixe.',
        },
      },
    },
  }),
})

/** Roles that are named, and those that come with all of a body. */
function* judgeWrites(project: Project): Generator<Match> {
  const fieldsOf = createModelReader(project)
  for (const { file, value } of project.scripts.get(writtenPrivileges)) {
    const { start, end, field, part, model, isSignUp, isShown } = value
    // what the schema lets pass, no user may do more by
    if (model !== undefined && fieldsOf(file, model).get(field) === true) continue
    yield {
      at: { file, span: { start, end } },
      args: { field, part },
      ...(isSignUp && { variant: 'signUp' }),
      ...(isShown && { evidence: 'shown' }),
    }
  }
  for (const { file, span, field, part, model } of storedPrivileges(project, fieldsOf))
    yield { at: { file, span }, args: { field, part, model: quoteWord(model) }, variant: 'body' }
}

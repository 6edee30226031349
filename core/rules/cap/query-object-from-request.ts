import { claimConditions } from './_rows/claim-conditions.ts'
import { conditionValues, type ConditionValue } from './_rows/condition-values.ts'
import type { LoginToken } from './_rows/login-tokens.ts'
import { openConditions, openUses, type OpenCondition, type OpenUse } from './_rows/open-conditions.ts'
import { createQueryReader, queryParsers, type QueryReader } from './_routes/query-parsers.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import { findUnreadBodies } from '../../model/reach/index.ts'
import { quoteWord } from '../../quote.ts'
import type { GradeFacts, Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'
import { groupBy } from '../../lists.ts'
import { isBelow } from '../../paths.ts'
import type { Project } from '../subjects.ts'

/**
 * A field of a JSON body or a query string that becomes a value of a condition as it is: sent as an object, it is an operator of MongoDB or a comparison of SQL.
 * Facts: Express 4, "req.body" and "req.query" (nested objects, by `express.json` and `qs`); Express 5, "Moving to Express 5" (queries are texts and lists of texts); multer 2
 * (append-field 1: fields of a form named `name[like]` nest as well); MongoDB 8, "Query Operators"; Mongoose 8, "sanitizeFilter";
 * @sap/cds 9.9.3, lib/ql/cds.ql-predicates.js (`where({ key: { '!=': '' } })` compares so; what actions declare as a text the adapters refuse otherwise);
 * the same of 7.9.5 and 6.8.4, lib/ql/Whereable.js; @sap/cds 7.9.5, 8.9.4 and 9.6.3, checks of input (members that an `@open` type doesn't declare pass with any value);
 * mysqljs/sqlstring 2.3 (objects become `key = 'val'` pairs, `stringifyObjects`), which mysql 2 and mysql2 3 use for `query`, and not for `execute`.
 * Impact: a condition that all rows fulfil finds, changes or deletes rows of others; one on what stands in for a login, such as the token of a forgotten password, finds
 * a user whose token nobody knows. Whether a schema in front of the route refuses objects is not known; of a whole condition its fields are enough, whatever they hold.
 * Of a login that signs a token for the row found without a password, an operator makes anyone any user; where the token keeps what was sent, later queries select by it.
 * A number of the row, as the only condition of a route that asks nobody who calls, leads to each row anyway: an object saves the attacker counting.
 * A change of all that writes constants, times and codes that nobody is told gives little, unless it is a password or a role. So does a look-up of which nothing is read
 * but whether there is a row, or whether it is active.
 */
export const queryObjectFromRequest: Rule = defineRule({
  id: 'cap/query-object-from-request',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [943],
  since: '0.3.0',
  docs: 'https://mongoosejs.com/docs/tutorials/query_casting.html',
  grades: {
    // a filter inside what the route lists; fields that it leaves out can be guessed by it
    list: { impact: 'bounded', evidence: 'shown' },
  },
  docsByVariant: {
    cql: 'https://cap.cloud.sap/docs/node.js/cds-ql#where',
    sql: 'https://sidorares.github.io/node-mysql2/docs/documentation',
  },
  extracts: [conditionValues, claimConditions, queryParsers, openConditions],
  checks: {
    /** Messages of sockets: of routes the conditions themselves tell more. */
    *flow(hit, { scripts }) {
      if (hit.entry !== 'request' || hit.concatenated) return
      if (scripts.get(conditionValues).some(({ value }) => value === 'sanitized')) return
      const variant = hit.api.effects.has('list') ? 'list' : 'look-up'
      const facts = hit.api.effects.has('change') ? ({ evidence: 'shown' } as const) : {}
      yield { ...gradeHit(hit, facts), args: { column: hit.sink, value: hit.quotedPart }, variant }
    },

    *project(project) {
      const { scripts, npm, capRoots, reach, once } = project
      for (const root of capRoots) yield* openMatches(openUses(root), reach)
      let queries: QueryReader | undefined
      const found = scripts.get(conditionValues)
      const isSanitized = found.some(({ value }) => value === 'sanitized')
      const open = found.flatMap(({ file, value }) => {
        if (value === 'sanitized' || (isSanitized && value.database !== 'cap')) return []
        if (/^\w+\.body\b/.test(value.client) && once(findUnreadBodies)(file)) return []
        if (!DRIVERS[value.database].some((name) => isUsedIn(file, name, npm.packages))) return []
        if (value.inQuery === true && (queries ??= createQueryReader(project)).areTexts(file)) return []
        return [{ file, value }]
      })
      const claims = new Set(scripts.get(claimConditions).map(({ value: claim }) => claim))
      // one for each query: of the column that proves something, or else of the first
      const byQuery = groupBy(open, ({ file, value }) => `${file} ${value.query ?? value.start}`)
      for (const { file, value } of withoutSame([...byQuery.values()].flatMap(worstOf))) {
        const {
          column,
          client,
          whole,
          database,
          effect,
          isAccount,
          isLimited,
          isTold,
          isOfLogin,
          isNumberAlone,
          token,
          start,
          end,
        } = value
        const isProof = whole === undefined && PROOF.test(column)
        yield {
          at: { file, span: { start, end } },
          args: { column: whole === undefined ? quoteWord(column) : column, name: column, value: client },
          ...(database !== 'mongo' && { variant: database === 'mysql' ? 'sql' : 'cql' }),
          ...(whole !== undefined && { variant: whole }),
          ...(isProof && { impact: 'takeover', reach: 'anyone', inOpenRoute: 'shown' }),
          // the page may believe the answer, but no route knows of it
          ...(isProof && isTold === true && { impact: 'bounded', evidence: 'shown' }),
          ...(isOfLogin === true && { reach: 'anyone' }),
          ...(whole === 'look-up' && gradeWhole(effect)),
          ...(whole === undefined && !isProof && gradeUse(isAccount === true)),
          ...(whole === undefined && !isProof && effect === 'fixed' && gradeWhole(effect)),
          ...(isNumberAlone === true && isAccount !== true && { impactInOpenRoute: 'bounded', inOpenRoute: 'shown' }),
          ...(isLimited === true && { impact: 'bounded', evidence: 'shown' }),
          ...(token !== undefined && !isProof && ofToken(token, claims)),
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Operator injection in a database query',
      message:
        'The condition on {column} takes {value} as it is, and the client can send an object with query operators in its place.',
      why: 'With { "$ne": null } as the value, an attacker matches all documents: a look-up finds the data of another user, and an update or deletion affects any document.',
      fix: 'Convert the value: String({value}). Or reject the request unless typeof {value} === "string", or set mongoose.set("sanitizeFilter", true) for all queries.',
      variants: {
        'look-up': {
          message:
            'The filter of {column}() is {value}: the client sends the whole condition, with fields and operators of its choice.',
          why: 'With an empty condition or { "$ne": null } for a field, an attacker matches documents of other users: a check of a token finds one without it, and a change or deletion affects any document.',
          fix: 'Build the filter from the fields that the route needs, each as a string: {column}({ _id: String({value}._id) }). Reject the request if one is missing.',
        },
        list: {
          message:
            'The filter of {column}() is {value}: the client sends the whole condition, with fields and operators of its choice.',
          why: 'With operators such as $regex, an attacker finds out the values of fields that the response leaves out, and with $where runs slow conditions on the database.',
          fix: 'Build the filter from the fields that clients may filter by, each as a string: {column}({ city: String({value}.city) }).',
        },
        cql: {
          message:
            'The condition on {column} takes {value} as it is; cds.ql reads an object from the client as an operator with its value.',
          why: 'With { "like": "%" } as the value, an attacker matches all rows: a look-up finds those of other users, and an update or deletion changes any row.',
          fix: 'Convert the value: String({value}). Or reject the request unless typeof {value} === "string", or declare an action with a parameter of that type instead of the route.',
        },
        open: {
          message:
            'The condition on {column} takes {value}, which the model lets through with any value; cds.ql reads an object from the client as an operator with its value.',
          why: 'With { "!=": "x" } or { "like": "%" } as the value, an attacker matches rows without knowing what they hold: a look-up by a password or code finds an account, and a change affects any row.',
          fix: 'Declare a parameter with a scalar type, such as {name} : String, instead of the open type or the JSON text: CAP then rejects objects. Or convert the value: String({value}).',
        },
        login: {
          message:
            'The condition on {column} takes {value} as it is, and the function signs a token for the account found, whatever the password.',
          why: 'With { "$ne": null } as the value, an attacker gets a token of the first account, and with { "$gt": "m" } those of others, without knowing a name or a password.',
        },
        claim: {
          message:
            'The condition on {column} takes {value} as it is. The token keeps it, too, and later queries select rows by what the token says.',
          why: 'An attacker who logs in with an object such as { "$gte": "own@mail" } that matches their own account gets a token with this operator: later queries then also match the rows of other users.',
          fix: 'Convert the value: String({value}). And sign what is stored in the row found rather than what the client sent.',
        },
        sql: {
          message:
            'The placeholder for {column} takes {value} as it is; query() of the mysql driver turns an object from the client into a comparison.',
          why: 'With { "{name}": 1 } as the value, the condition becomes {name} = `{name}` = 1, which matches rows of other users: a look-up finds their data, and a check of a PIN or token in it is bypassed.',
          fix: 'Convert the value: String({value}). Or call execute() instead of query(), or create the connection with stringifyObjects: true.',
        },
      },
    },
    fr: {
      title: 'Injection d’opérateurs dans une requête de base de données',
      message:
        'La condition sur {column} prend {value} tel quel, et le client peut envoyer à sa place un objet avec des opérateurs de requête.',
      why: 'Avec la valeur { "$ne": null }, un attaquant sélectionne tous les documents : une recherche trouve les données d’un autre utilisateur, et une modification ou suppression touche n’importe quel document.',
      fix: 'Convertissez la valeur : String({value}). Ou rejetez la requête sauf si typeof {value} === "string", ou appelez mongoose.set("sanitizeFilter", true) pour toutes les requêtes.',
      variants: {
        'look-up': {
          message:
            'Le filtre de {column}() est {value} : le client envoie toute la condition, avec les champs et opérateurs de son choix.',
          why: 'Avec une condition vide ou { "$ne": null } pour un champ, un attaquant sélectionne des documents d’autres utilisateurs : la vérification d’un jeton en trouve un sans lui, et une modification ou suppression touche n’importe quel document.',
          fix: 'Construisez le filtre avec les champs dont la route a besoin, chacun sous forme de chaîne : {column}({ _id: String({value}._id) }). Rejetez la requête s’il en manque un.',
        },
        list: {
          message:
            'Le filtre de {column}() est {value} : le client envoie toute la condition, avec les champs et opérateurs de son choix.',
          why: 'Avec des opérateurs comme $regex, un attaquant devine les valeurs de champs que la réponse ne contient pas, et avec $where il exécute des conditions lentes dans la base de données.',
          fix: 'Construisez le filtre avec les champs que les clients peuvent filtrer, chacun sous forme de chaîne : {column}({ city: String({value}.city) }).',
        },
        cql: {
          message:
            'La condition sur {column} prend {value} tel quel ; cds.ql lit un objet envoyé par le client comme un opérateur avec sa valeur.',
          why: 'Avec la valeur { "like": "%" }, un attaquant sélectionne toutes les lignes : une recherche trouve celles d’autres utilisateurs, et une modification ou suppression touche n’importe quelle ligne.',
          fix: 'Convertissez la valeur : String({value}). Ou rejetez la requête sauf si typeof {value} === "string", ou déclarez une action avec un paramètre de ce type à la place de la route.',
        },
        open: {
          message:
            'La condition sur {column} prend {value}, que le modèle laisse passer avec n’importe quelle valeur ; cds.ql lit un objet envoyé par le client comme un opérateur avec sa valeur.',
          why: 'Avec la valeur { "!=": "x" } ou { "like": "%" }, un attaquant sélectionne des lignes sans connaître leur contenu : une recherche par mot de passe ou par code trouve un compte, et une modification touche n’importe quelle ligne.',
          fix: 'Déclarez un paramètre de type scalaire, comme {name} : String, au lieu du type ouvert ou du texte JSON : CAP rejette alors les objets. Ou convertissez la valeur : String({value}).',
        },
        login: {
          message:
            'La condition sur {column} prend {value} tel quel, et la fonction signe un jeton pour le compte trouvé, quel que soit le mot de passe.',
          why: 'Avec la valeur { "$ne": null }, un attaquant obtient un jeton du premier compte, et avec { "$gt": "m" } ceux d’autres, sans connaître ni nom ni mot de passe.',
        },
        claim: {
          message:
            'La condition sur {column} prend {value} tel quel. Le jeton le garde aussi, et des requêtes ultérieures sélectionnent des lignes par ce que dit le jeton.',
          why: 'Un attaquant qui se connecte avec un objet comme { "$gte": "own@mail" } qui correspond à son propre compte obtient un jeton avec cet opérateur : les requêtes ultérieures sélectionnent alors aussi les lignes d’autres utilisateurs.',
          fix: 'Convertissez la valeur : String({value}). Et signez ce qui est enregistré dans la ligne trouvée plutôt que ce que le client a envoyé.',
        },
        sql: {
          message:
            'Le paramètre pour {column} prend {value} tel quel ; query() du pilote mysql transforme un objet envoyé par le client en une comparaison.',
          why: 'Avec la valeur { "{name}": 1 }, la condition devient {name} = `{name}` = 1, qui sélectionne des lignes d’autres utilisateurs : une recherche trouve leurs données, et la vérification d’un code ou d’un jeton y est contournée.',
          fix: 'Convertissez la valeur : String({value}). Ou appelez execute() au lieu de query(), ou créez la connexion avec stringifyObjects: true.',
        },
      },
    },
  }),
})

/** Of the values of one query those that prove who somebody is, or the first. */
function worstOf<Item extends { readonly value: ConditionValue }>(values: readonly Item[]): readonly Item[] {
  const proving = values.find(({ value }) => value.whole === undefined && PROOF.test(value.column))
  return proving === undefined ? values.slice(0, 1) : [proving]
}

/** Behind a query that takes the same value, one of which little comes says nothing new. */
function* withoutSame<Item extends { readonly file: string; readonly value: ConditionValue }>(
  found: readonly Item[],
): Generator<Item> {
  const told = new Set<string>()
  for (const item of found) {
    const { within, column, client, effect } = item.value
    const key = `${item.file} ${within} ${column} ${client}`
    if (within === undefined || effect !== 'fixed' || !told.has(key)) yield item
    told.add(key)
  }
}

/** What a value gives that is compared. Where the row found has a password to compare, or where an account is made, it tells no more than that there is such a row. */
function gradeUse(isAccount: boolean): GradeFacts {
  if (isAccount) return { impact: 'bounded', evidence: 'shown', inOpenRoute: 'assumed' }
  return { inOpenRoute: 'assumed' }
}

/** A token for whoever is found, whose password nobody asks for; or one that keeps what was sent, by which later queries select rows of others. */
function ofToken({ isUnasked, claim }: LoginToken, claims: ReadonlySet<string>): Partial<Match> {
  if (isUnasked) return { variant: 'login', impact: 'takeover', evidence: 'shown', inOpenRoute: 'shown' }
  if (claim === undefined || !claims.has(claim)) return {}
  return { variant: 'claim', impact: 'data', evidence: 'assumed', inOpenRoute: 'assumed' }
}

/** One for each query: of the columns that prove something, or else of the first. */
function* openMatches(uses: readonly OpenUse[], reach: Project['reach']): Generator<Match> {
  const byQuery = groupBy(uses, ({ file, value }) => `${file} ${value.query}`)
  for (const [groupKey, query] of byQuery) {
    const proving = query.filter(({ value }) => provesUser(value))
    for (const { file, value, called } of proving.length > 0 ? proving : query.slice(0, 1)) {
      const { column, client, start, end } = value
      const exposures = called.map(({ service, element }) => reach.ofElement(service, element))
      const exposure = exposures.find((one) => one.reach === 'anyone') ?? exposures[0]
      yield {
        at: { file, span: { start, end } },
        args: { column: quoteWord(column), name: client.slice(client.lastIndexOf('.') + 1), value: client },
        variant: 'open',
        groupKey,
        ...(exposure !== undefined && { exposure }),
        ...gradeOpen(value, proving.length > 0),
      }
    }
  }
}

/** A look-up by what the client names anyway finds no more with an operator: only what nobody knows is passed by it, or a change affects more rows. */
function gradeOpen({ isChange, isFixed, isLimited, isAccount }: OpenCondition, isProof: boolean): GradeFacts {
  if (isProof && isAccount !== true) return { impact: 'takeover', evidence: 'shown' }
  if (isChange === true && isFixed !== true && isLimited !== true) return {}
  return { impact: 'bounded', evidence: 'shown' }
}

/** Whoever finds the row is taken for its user: `where({ mail, password })`; the `code` of an entity for one-time codes. */
function provesUser({ column, entity, isChange }: OpenCondition): boolean {
  return isChange !== true && (PROOF.test(column) || (/^code$/i.test(column) && CODES.test(entity)))
}

/** What a condition of the client's own gives, by what is done with the documents that it matches. */
function gradeWhole(effect: ConditionValue['effect']): GradeFacts {
  switch (effect) {
    case 'free':
      return { evidence: 'shown', inOpenRoute: 'shown' }
    case 'fixed':
      return { impact: 'bounded', evidence: 'shown', inOpenRoute: 'shown' }
    case 'code':
      return { impact: 'takeover', inOpenRoute: 'shown' }
    default:
      return { inOpenRoute: 'assumed' }
  }
}

/** Columns whose value proves who somebody is to a route that asks for no login. */
const PROOF =
  /^(?:otp|pin|passwd|password|token)$|(?:reset|verif\w{0,8}|forgot\w{0,3}|recover\w?|activation|confirm\w{0,6}|invit\w{0,5}|magic)_?(?:pass\w{0,4}_?)?(?:token|code|key|otp)$/i

/** Entities for codes that are sent to somebody. */
const CODES = /(?:^|_)otp(?![a-z])|otp(?:_|$)|Otp(?![a-z])|OTP|one_?time|verification|(?:login|reset|magic)_?(?:code|link)/

const DRIVERS: Readonly<Record<ConditionValue['database'], readonly string[]>> = {
  mongo: ['mongoose', 'mongodb'],
  mysql: ['mysql', 'mysql2'],
  cap: ['@sap/cds'],
}

/** The package around a file, or one around that, depends on it. */
function isUsedIn(file: string, name: string, packages: readonly NpmPackage[]): boolean {
  return packages.some(({ folder, dependencies }) => isBelow(file, folder) && dependencies.some((one) => one.name === name))
}

import { findOrigin, findPart, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { registrationOf, roleChecks } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import type { GradeFacts, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { clientData, type ClientData } from './_rows/client-data.ts'
import { createDebitReader } from './_callers/debited-rows.ts'
import { DECIDER, isDeciderOfSide, isDecision, isDecisionSent, isOfDecision, isRowOfPerson } from './_callers/decisions.ts'
import { ACCOUNT_WORDS, askedAccounts } from './_callers/asked-accounts.ts'
import { createAnswerReader, type AnsweredRows } from './_rows/answered-rows.ts'
import { ACTOR, BOOKED, BOOKER, insertedInto, isOpinion, isUserBeside, PERSON, rowsWithUsers } from './_rows/booked-rows.ts'
import { AUTHOR_WORDS, clientAuthors } from './_rows/client-authors.ts'
import { createTakenReader } from './_rows/taken-data.ts'
import { callerLookups } from './_rows/user-entities.ts'
import { writtenAuthors } from './_rows/written-authors.ts'
import { handlerRegistrations } from './_callers/caller-checks.ts'
import { createBareReader } from './_callers/bare-handlers.ts'
import { knowsCallers } from './_callers/asked-users.ts'
import { CALLER, isCallerAsked, isWholeRequest, looksAtCaller } from './_callers/looks-at-callers.ts'
import { DECIDER_WORDS, namedDeciders } from './_callers/named-deciders.ts'
import { PASSED_WORDS, passedUsers } from './_callers/passed-users.ts'
import { PASSWORD_WORDS, passwordSetters, passwordsOfOthers } from './_callers/password-setters.ts'
import { replacedUser, sendsOn } from './_callers/replaced-users.ts'
import { fieldPairs, isKeyed, sqlPairs, type ColumnPair } from './_rows/column-pairs.ts'
import { comparedOwners, OWNER, REFUSES } from './_callers/compared-owners.ts'
import { CONSTANT_WORDS, constantUsers } from './_callers/constant-users.ts'
import { setRights } from './_model/set-rights.ts'
import { findHandledFunctions, type HandledFunctions } from './_handlers/handled-functions.ts'
import { JAVA_OWNER_WORDS, namedOwners } from './_java/named-owners.ts'
import { XS_WORDS, xsIdentities } from './_xs/identities.ts'

/** Addresses of people: the same are looked up before a row is made, so it counts where the rows are given back. */
const ADDRESS = /^(?:default|user|owner|login|contact|work|private)?_?e?mail(?:_?(?:address|id))?$/i
/** Who sends what only the owner of a row got proves to be that one. */
const PROOF =
  /^(?:(?:(?:one_?time|reset|verification|confirmation|access|security|otp)_?){0,2}(?:otp|token|pin|pass(?:word|code))|(?:one_?time|reset|verification|confirmation|access|security|otp)_?code)$/i

const RARE = ['req.cookies', '} = req', '$.request', '{ data', '{data']
interface Found extends Span {
  readonly column: string
  readonly client: string
  readonly variant?: 'account' | 'actor' | 'asked' | 'booked' | 'compared' | 'constant' | 'decider' | 'helper' | 'passed'
  readonly grade?: GradeFacts
}

/**
 * The client says who it is: a filter for the rows of a user, or the name of who decided, is what the request holds, although the project authenticates its callers.
 * Facts: capire, "Authentication" (req.user is the authenticated user; data of a request is what the client sends); OWASP API Security Top 10 2023, API1.
 * Impact: a user reads the rows of others, or decides in their name; that another place compares the id with the user is not known, unless a handler of CAP gives the rows
 * back as they are, changes with a decision the rows that wait for the named person, or records as the one who decides the person whom it looks up, and none runs before it. Whether a user exists, what is chosen with such rows among others or fills the new row of that user, and what somebody likes, is little. Who sets a password logs in as its user.
 */
export const userIdFromClient: Rule = defineRule({
  id: 'cap/user-id-from-client',
  impact: 'data',
  evidence: 'assumed',
  grades: {
    'xs-password': { impact: 'takeover', evidence: 'shown' },
    password: { impact: 'takeover', evidence: 'shown' },
  },
  confidence: 'medium',
  cwe: [639, 290],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#cds-user',
  keywords: ['req.data', 'req.body', 'req.query', 'request.data', 'request.body', 'request.query', ...RARE],
  prefilter: (text) =>
    text.includes('$.request') ||
    /\b(?:where|set|with|entries|query|execute|run|find\w{0,10}|update\w{0,10}|create|(?:get|resolve|load|fetch|read|list|collect|query|is|has|can|may|owns|belongs|assert|ensure|require|verify|check|validate|guard)[A-Z]\w{0,40}|(?:on|handle)(?:Get|Resolve|Load|Find|Fetch|Read|List|Collect|Query)\w{0,40})\(/.test(
      text,
    ),
  extracts: [writtenAuthors, callerLookups, handlerRegistrations, passwordSetters, setRights, roleChecks],
  checks: {
    *'cap-root'(root, { reach }) {
      yield* clientAuthors(root, reach)
      yield* passwordsOfOthers(root, reach)
      yield* namedOwners(root, reach)
    },

    *'server-script'({ path, text, content: { facts }, budget }) {
      if (isDeveloperFile(path) || isOfUi5App(path)) return
      const seen = new Set<string>()
      const step = (count?: number): void => budget.step(count)
      let functions: HandledFunctions | undefined
      yield* xsIdentities(facts, path, text, step)
      const found: readonly Found[] = [
        ...findChosen(facts, text, step),
        ...comparedOwners(facts, text, step),
        ...findHandedOn(facts, text, step),
        ...findAsked(facts, text, step),
        ...askedAccounts(facts, text, step),
        ...constantUsers(facts, step),
        ...passedUsers(facts, text, step),
        ...namedDeciders(facts, text, step),
      ]
      const isBare = createBareReader(facts, step)
      for (const { start, end, column, client, variant, grade } of found) {
        const key = `${start} ${column}`
        if (seen.has(key)) continue
        seen.add(key)
        if (isOfQuery(client) && (functions ??= findHandledFunctions(facts)).handlerOf({ start, end }) !== undefined) continue
        yield {
          at: { file: path, span: { start, end } },
          args: { column: quoteWord(column), value: client },
          ...(variant !== undefined && { variant }),
          ...(grade?.evidence === 'shown' && grade.impact === undefined && !isBare({ start, end }) ? {} : grade),
          ...(!knowsCallers(text) && { isToldByRoute: true as const }),
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Rows of a user selected by a user ID from the request',
      message: 'The condition compares {column} with {value}, which the client sends, and not with the authenticated user.',
      why: 'A user can send the ID of another user, and so read or change the rows of that user.',
      fix: 'Compare {column} with the authenticated user instead of {value}: req.user.id. If some users may act for others, check their role first and reject the request (403) otherwise.',
      variants: {
        compared: {
          title: 'Ownership check against a user ID from the request',
          message: 'The check compares {column} with {value}, which the client sends, and not with the authenticated user.',
          why: 'A user who sends the ID that the row holds passes the check for the row of another user.',
        },
        asked: {
          title: 'Ownership check against a user ID from the request',
          message: '{column} checks the permissions of {value}, which the client sends, and not those of the authenticated user.',
          why: 'A user who sends the ID of another user passes the check with the permissions of that user.',
          fix: 'Pass req.user.id to {column} instead of {value}. If some users may act for others, check their role first and reject the request (403) otherwise.',
        },
        helper: {
          title: 'Data of a user read by a user ID from the request',
          message:
            '{column} reads data for {value}, which the client sends, and not for the authenticated user; the result is returned.',
          why: 'A user can send the ID of another user, and so read the data of that user.',
          fix: 'Pass req.user.id to {column} instead of {value}. If some users may read the data of others, check their role first and reject the request (403) otherwise.',
        },
        booked: {
          title: 'Row created for a user named in the request',
          message: '{column} of the new row is set to {value}, which the client sends, and not to the authenticated user.',
          why: 'A user can create rows in the name of another user: hours, claims or requests that this user never entered.',
          fix: 'Set {column} to the authenticated user instead of {value}: req.user.id. If some users may enter data for others, check their role first and reject the request (403) otherwise.',
        },
        ...XS_WORDS.en,
        account: ACCOUNT_WORDS.en,
        constant: CONSTANT_WORDS.en,
        author: AUTHOR_WORDS.en,
        java: JAVA_OWNER_WORDS.en,
        passed: PASSED_WORDS.en,
        decider: DECIDER_WORDS.en,
        password: PASSWORD_WORDS.en,
        actor: {
          title: 'Author of a decision taken from the request',
          message: '{column} is set to {value}, which the client sends, and not to the authenticated user.',
          why: 'A user can approve or change something in the name of another user, and the record does not show who it was.',
          fix: 'Set {column} to the authenticated user instead of {value}: req.user.id. If some users may act for others, check their role first and keep both names.',
        },
      },
    },
    fr: {
      title: 'Lignes d’un utilisateur choisies par un identifiant de la requête',
      message: 'La condition compare {column} à {value}, envoyé par le client, et non à l’utilisateur authentifié.',
      why: 'Un utilisateur peut envoyer l’identifiant d’un autre et ainsi lire ou modifier les lignes de celui-ci.',
      fix: 'Comparez {column} à l’utilisateur authentifié au lieu de {value} : req.user.id. Si certains peuvent agir pour d’autres, vérifiez d’abord leur rôle et rejetez la requête (403) sinon.',
      variants: {
        compared: {
          title: 'Contrôle de propriété d’après un identifiant de la requête',
          message: 'Le contrôle compare {column} à {value}, envoyé par le client, et non à l’utilisateur authentifié.',
          why: 'Un utilisateur qui envoie l’identifiant que contient la ligne passe le contrôle, quel que soit le propriétaire de la ligne.',
        },
        asked: {
          title: 'Contrôle de propriété d’après un identifiant de la requête',
          message: '{column} vérifie les droits de {value}, envoyé par le client, et non ceux de l’utilisateur authentifié.',
          why: 'Un utilisateur qui envoie l’identifiant d’un autre passe le contrôle avec les droits de celui-ci.',
          fix: 'Passez req.user.id à {column} au lieu de {value}. Si certains peuvent agir pour d’autres, vérifiez d’abord leur rôle et rejetez la requête (403) sinon.',
        },
        helper: {
          title: 'Données d’un utilisateur lues d’après un identifiant de la requête',
          message:
            '{column} lit des données pour {value}, envoyé par le client, et non pour l’utilisateur authentifié ; le résultat est renvoyé.',
          why: 'Un utilisateur peut envoyer l’identifiant d’un autre et ainsi lire les données de celui-ci.',
          fix: 'Passez req.user.id à {column} au lieu de {value}. Si certains peuvent lire les données d’autres, vérifiez d’abord leur rôle et rejetez la requête (403) sinon.',
        },
        booked: {
          title: 'Ligne créée pour un utilisateur désigné dans la requête',
          message: '{column} de la nouvelle ligne reçoit {value}, envoyé par le client, et non l’utilisateur authentifié.',
          why: 'Un utilisateur peut créer des lignes au nom d’un autre : des heures, des frais ou des demandes que celui-ci n’a jamais saisis.',
          fix: 'Affectez à {column} l’utilisateur authentifié au lieu de {value} : req.user.id. Si certains peuvent saisir pour d’autres, vérifiez d’abord leur rôle et rejetez la requête (403) sinon.',
        },
        ...XS_WORDS.fr,
        account: ACCOUNT_WORDS.fr,
        constant: CONSTANT_WORDS.fr,
        author: AUTHOR_WORDS.fr,
        java: JAVA_OWNER_WORDS.fr,
        passed: PASSED_WORDS.fr,
        decider: DECIDER_WORDS.fr,
        password: PASSWORD_WORDS.fr,
        actor: {
          title: 'Auteur d’une décision pris dans la requête',
          message: '{column} reçoit {value}, envoyé par le client, et non l’utilisateur authentifié.',
          why: 'Un utilisateur peut approuver ou modifier quelque chose au nom d’un autre, et l’enregistrement ne montre pas qui c’était.',
          fix: 'Affectez à {column} l’utilisateur authentifié au lieu de {value} : req.user.id. Si certains peuvent agir pour d’autres, vérifiez d’abord leur rôle et conservez les deux noms.',
        },
      },
    },
  }),
})

/** In a handler of CAP the query is an object of CQN, whose properties only the server sets: no query string. Fact: capire, "cds.Request" (`req.query`). */
const OF_QUERY = /^\w{1,60}\.query\.(\w{0,60})/
const STATEMENTS = /^(?:SELECT|INSERT|UPSERT|UPDATE|DELETE)$/

function isOfQuery(client: string): boolean {
  const property = OF_QUERY.exec(client)?.[1]
  return property !== undefined && !STATEMENTS.test(property)
}

const FILTERS = /^(?:where|and|find\w{0,20}|count|filter|delete\w{0,10}|byKey)$/
const WRITES = /^(?:set|with|data|entries|update\w{0,10}|insert\w{0,10}|create\w{0,10}|save|put|patch)$/

function* findChosen(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<Found> {
  const answeredRows = createAnswerReader(facts, step)
  const takenData = createTakenReader(facts, step)
  const isOfDebit = createDebitReader(facts, step)
  const isAskedBefore = facts.calls.some((call) => runsBeforeReading(call))
  let besides: ReadonlySet<string> | undefined
  for (const call of facts.calls) {
    step()
    const name = lastNameOf(call.callee) ?? ''
    const [isFilter, isWrite] = [FILTERS.test(name) || isKeyed(call, name), WRITES.test(name)]
    const isSend = !isFilter && !isWrite && sendsOn(call, name)
    const pairs = isFilter || isWrite || isSend ? call.args.flatMap((given) => fieldPairs(given, step)) : sqlPairs(call, name)
    for (const { column, value, start, end, isInserted } of pairs) {
      const isActor = !isFilter && isActorIn(column, pairs)
      const isBooker = !isActor && name === 'entries' && BOOKER.test(column)
      const isBeside = isBooker && pairs.some((pair) => isUserBeside(pair, column))
      const isTwin = isBooker && !isBeside && (besides ??= rowsWithUsers(facts, step)).has(`${insertedInto(call)} ${column}`)
      const isBooked = isBeside || isTwin || (isBooker && BOOKED.test(insertedInto(call)))
      const isPut = isInserted === true || isSend || (isWrite && !isFilter)
      const isDecider = isFilter && DECIDER.test(column) && isOfDecision(call, step)
      if (!isActor && !isBooked && !isDecider && (!(OWNER.test(column) || ADDRESS.test(column)) || isPut)) continue
      const replaced = isActor && isPut ? replacedUser(call, value, facts.guards, step) : undefined
      const found = replaced ?? clientData(value) ?? takenData(value) ?? (isActor ? lookedUp(value, step) : undefined)
      // what stands in the place of the user is a person, whatever its name
      const isPerson = replaced !== undefined || found?.isCompared === true || PERSON.test(found?.name ?? '')
      if (found === undefined || !isPerson || (isSend && replaced === undefined)) continue
      if (isBooked && !isBeside && !isTwin && CHECKS_BEFORE.test(text) && CALLER.test(text)) continue
      if (isFilter && pairs.some(({ column, value }) => PROOF.test(column) && clientData(value) !== undefined)) continue
      if (ADDRESS.test(column) && (pairs.length > 1 || !isAnswer(call, step))) continue
      if (!isBeside && replaced === undefined && isCallerAsked(found, call, facts, text, step)) continue
      const isDecided = isDecider || (isActor && pairs.some(isDecisionSent) && isRowOfPerson(value, step))
      const rows = isDecided || (isFilter && isOfDebit(call)) ? 'whole' : answeredRows(call)
      yield {
        ...(replaced?.at ?? { start, end }),
        column,
        client: found.client,
        ...(isActor && { variant: 'actor' }),
        ...(isBooked && { variant: 'booked', ...(isOpinion(insertedInto(call)) && { grade: LITTLE }) }),
        ...((isDecided || (isFilter && !isActor)) && { grade: gradeOf(rows, found, isAskedBefore) }),
      }
    }
  }
}

/** A column that says who decided or did something. */
function isActorIn(column: string, pairs: readonly ColumnPair[]): boolean {
  return ACTOR.test(column) || (DECIDER.test(column) && pairs.some(isDecision)) || isDeciderOfSide(column, pairs)
}

const LITTLE: GradeFacts = { impact: 'bounded', evidence: 'shown' }

function gradeOf(rows: AnsweredRows | undefined, { part }: ClientData, isAskedBefore: boolean): GradeFacts {
  if (rows === 'existence' || rows === 'choice' || rows === 'new') return LITTLE
  return rows === 'whole' && part === 'data' && !isAskedBefore ? { evidence: 'shown' } : {}
}

/** A handler of the file that runs before an operation or a read, and may compare. */
function runsBeforeReading(call: CallValue): boolean {
  const found = registrationOf(call)
  return found?.phase === 'before' && found.events.some((event) => event === undefined || !CHANGES.test(event))
}

const CHANGES = /^(?:CREATE|UPDATE|DELETE|UPSERT|INSERT|PATCH|NEW|EDIT|SAVE|CANCEL)$/

/** The user whom a query finds by what the client sends: `actor.ID` of `SELECT.one.from(Users).where({ email: req.data.actorEmail })`. */
function lookedUp(value: Value, step: (count?: number) => void): ReturnType<typeof clientData> {
  const part = findOrigin(value, (one) => {
    step()
    const found = clientData(one)
    return found !== undefined && PERSON.test(found.name) ? 'source' : undefined
  })
  return part && clientData(part)
}

/** A handler of the same file that runs before may compare. */
const CHECKS_BEFORE = /\.before\(/

/** What the call gives is what the function around it gives back, or a part of that. */
function isAnswer({ function: around, start, end }: CallValue, step: (count?: number) => void): boolean {
  return around.returns.some(
    (value) =>
      findOrigin(value, (part) => {
        step()
        return part.start === start && part.end === end ? 'source' : undefined
      }) !== undefined,
  )
}

/** Also as methods of controllers are called: `onFindVisits`, `handleGetVisits`. */
const READS =
  /^(?:get|resolve|load|find|fetch|read|list|collect|query)(?:[A-Z]|$)|^(?:on|handle)(?:Get|Resolve|Load|Find|Fetch|Read|List|Collect|Query)/
const PERSON_KEY =
  /^(?:user|employee|owner|requester|account|caller|author|member|manager|actor)(?:_?(?:id|uuid|email|mail|name|key))?$/i
const USER_KEY = /^(?:user|employee|owner|requester|account)_?(?:id|uuid|email|mail|name)$/i

/** `return loadPermissions(req.data.userId)`: another function gets nothing of the caller, and so cannot compare. */
function* findHandedOn(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<Found> {
  for (const call of facts.calls) {
    step(1 + call.args.length)
    const name = lastNameOf(call.callee) ?? ''
    if (!READS.test(name) || call.args.some(isWholeRequest)) continue
    for (const argument of call.args) {
      const found = clientData(argument)
      if (found?.part !== 'data' || !USER_KEY.test(found.name) || looksAtCaller(found.request, text)) continue
      if (isAnswer(call, step))
        yield { start: argument.start, end: argument.end, column: name, client: found.client, variant: 'helper' }
    }
  }
}

/** `isOwner(order, userId)`, `canEdit(userId, note)`: names of functions that tell whether somebody may go on. */
const TELLS_RIGHT =
  /^(?:is|has|can|may|owns|belongs)[A-Z_]?\w{0,20}(?:owner|member|author|access|permission|right|allowed|belong|participant)|^(?:owns|belongsTo|can[A-Z]\w{0,30})$/i
/** Those that throw where that is not so. */
const REQUIRES_RIGHT =
  /^(?:assert|ensure|require|verify|check|validate|guard)[A-Z_]?\w{0,20}(?:owner|member|access|permission|right|allowed|belong)/i

/** `verifyApprover(orderId, userId)`: whether somebody may decide about something, which another argument names. */
const CHECKS_DECIDER =
  /^(?:is|has|can|may|assert|ensure|require|verify|check|validate|guard)[A-Z_]\w{0,20}(?:approver|reviewer|decider|signatory)/i
/** Those who act; an approver or a reviewer in the request may be one who is asked to decide later. */
const ACTS = /(?:^|_)(?:user|caller|actor|current_?user|logged_?in_?user|performer)(?:_?(?:id|uuid|email|mail|name|key))?$/i

/** The client says who decides, and about what. */
function asksDecider(name: string, { args }: CallValue, { name: sent }: ClientData): boolean {
  return CHECKS_DECIDER.test(name) && ACTS.test(sent) && args.filter((one) => clientData(one) !== undefined).length > 1
}

/** `if (!(await isOwner(order, req.data.userId))) return req.reject(403)`: the function knows nobody else to compare with. */
function* findAsked(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<Found> {
  const refusing = facts.guards.filter(({ inside }) => REFUSES.test(text.slice(inside.start, inside.end)))
  for (const call of facts.calls) {
    step()
    const name = lastNameOf(call.callee) ?? ''
    const isAnswered = (): boolean => {
      step(refusing.length)
      return refusing.some(
        ({ test }) => findPart(test, (part) => part.start === call.start && part.end === call.end) !== undefined,
      )
    }
    const isOfDecider = CHECKS_DECIDER.test(name)
    if (!isOfDecider && !REQUIRES_RIGHT.test(name) && !(TELLS_RIGHT.test(name) && isAnswered())) continue
    if (call.args.some(isWholeRequest)) continue
    for (const argument of call.args) {
      const found = clientData(argument)
      if (found === undefined || !(isOfDecider ? asksDecider(name, call, found) : PERSON_KEY.test(found.name))) continue
      if (looksAtCaller(found.request, text)) continue
      yield { start: argument.start, end: argument.end, column: name, client: found.client, variant: 'asked' }
    }
  }
}

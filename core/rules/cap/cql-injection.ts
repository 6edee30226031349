import { accessesOf, excerptOf, findOrigin, isReadOnlyFrom, type Value } from '../../facts/index.ts'
import { findCallbacks } from '../../facts/callbacks.ts'
import { toCapFile } from '../../flow/cap-receivers.ts'
import { composeText, type OwnCode } from '../../flow/composed-text.ts'
import { findOwnCalls } from '../../flow/own-calls.ts'
import { findOwnFields } from '../../flow/own-fields.ts'
import { isQueryResult, querySinkOf, type QuerySink } from '../../flow/query-sinks.ts'
import { isOwnName, isRequestData } from '../../flow/request-data.ts'
import {
  askOnce,
  createSettledReader,
  furtherOf,
  isCheckedChain,
  isEscaped,
  isHandedToCheck,
  isQuoted,
  textsThrough,
} from '../../flow/settled-values.ts'
import { isDeveloperFile, isToolFile, runsInBrowser } from '../../model/script/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

const FIX_SQL = {
  en: "Use ? placeholders and pass the values as parameters: db.run('SELECT … WHERE ID = ?', [id]). Compare a variable table or column name with an allowlist in the code.",
  fr: "Utilisez des marqueurs ? et passez les valeurs en paramètres : db.run('SELECT … WHERE ID = ?', [id]). Comparez un nom variable de table ou de colonne à une liste d’autorisation du code.",
}

/** A tagged template would bind a value where the query needs a name. */
const FIX_COLUMNS = {
  en: 'Compare the column name with an allowlist first: if (!COLUMNS.includes(name)) return req.reject(400). Choose the sort direction from constants too.',
  fr: 'Comparez d’abord le nom de colonne à une liste d’autorisation : if (!COLUMNS.includes(name)) return req.reject(400). Choisissez aussi le sens du tri parmi des constantes.',
}

/** What the rule is about, before anything is parsed: CAP's query functions, cds itself, and the drivers of databases, that of XS classic among them. */
const QUERIES =
  /\b(?:SELECT|UPDATE|DELETE|INSERT|UPSERT)\s{0,8}[.(`]|\bcds\b|\bcql\b|\bCQL\b|\bhdb|\bhana|@sap\/|\$\.db\b|\.run\(|query\.where\(|(?:exec|execute|prepare|[qQ]uery|S(?:ql|QL)|Statement)\(\s{0,20}["'`](?:SELECT|INSERT|UPDATE|DELETE)\s/

/**
 * The text of a query put together from values instead of passing them as parameters.
 * CAP binds the values of its own template tags, of objects and of the second argument; a template in parentheses is a plain string.
 * Facts: capire, "Avoiding SQL injection" (cds.ql); @sap/cds 9.9 lib/ql, which arguments are parsed; documentation of hdb and @sap/hana-client.
 * Within one file; a function's parameter counts as not traced. `req.query` as a whole is CQN that CAP made, no text.
 * Severity: HIGH, any user of the service injects with one request, a login in front included; LOW where the origin of the value is unknown.
 */
export const cqlInjection: Rule = defineRule({
  id: 'cap/cql-injection',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [89],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-ql#avoiding-sql-injection',
  keywords: ['cds', 'SELECT', 'UPDATE', 'DELETE', 'cql', 'hana', 'hdb', 'query.where('],
  prefilter: (text) => QUERIES.test(text),
  checks: {
    *script(file) {
      const { facts } = file.content
      const callbacks = findCallbacks(facts)
      const cap = toCapFile(facts, callbacks)
      const isSent = askOnce((value) => isRead(value) && accessesOf(value).some((access) => isRequestData(access, callbacks)))
      const isResult = askOnce((value) => isQueryResult(value, cap))
      const isOurs = askOnce((value) => isOwn(value) || isEscaped(value))
      const seen = new Set<Value>()
      let own: OwnCode | undefined
      let isSettled: (value: Value) => boolean = () => false
      const known = (value: Value): boolean | undefined => {
        file.budget.step()
        return isOurs(value) || isSettled(value) ? true : undefined
      }

      for (const call of facts.calls) {
        const sink = querySinkOf(call, facts, cap)
        // a page has databases of its own
        if (sink === undefined || (sink.isUnknown === true && runsInBrowser(file.path, facts))) continue
        if (own === undefined) {
          file.budget.step(facts.calls.length)
          own = { calls: findOwnCalls(facts), fields: findOwnFields(facts) }
          isSettled = createSettledReader(facts, own, known, file.budget)
        }
        const { calls, fields } = own
        if (sink.isElsewhere === true && calls.calledBy(call) !== undefined) continue
        const further = (value: Value): readonly Value[] | undefined => furtherOf(value, calls, fields)
        for (const text of sink.texts.flatMap((one) => textsThrough(one, calls))) {
          if (seen.has(text)) continue
          seen.add(text)
          const { parts, text: written, isComposed } = composeText(text, known, own)
          file.budget.step(facts.guards.length)
          const open = parts.filter((part) => !isCheckedChain(facts, part, text.start))
          const [first] = open
          if (first === undefined || !isQueryText(sink, written)) continue

          let origin: Value | undefined
          for (const part of open) {
            origin ??= findOrigin(
              part,
              (value) => {
                if (known(value) === true || isResult(value) || isQuoted(value)) return 'clean'
                return isSent(value) ? 'source' : undefined
              },
              further,
            )
          }
          if (origin !== undefined) {
            const { start } = origin
            if (isCheckedChain(facts, origin, text.start) || isCheckedChain(facts, origin, start)) continue
            file.budget.step(facts.calls.length)
            if (isHandedToCheck(facts, file.text, origin, text)) origin = undefined
          }
          const grade = isComposed ? gradeComposed(sink, written, origin) : gradeWhole(sink, first, isSent)
          // who runs a script by hand hands over what they like
          if (grade === undefined || (origin === undefined && (isToolFile(file.path) || isDeveloperFile(file.path)))) continue

          const at = { file: file.path, span: { start: text.start, end: text.end } }
          const args = { part: excerptOf(file.text, origin ?? first), sink: sink.name }
          const source = origin && { file: file.path, span: { start: origin.start, end: origin.end } }
          const flow = source && [
            { at: source, step: 'source', args },
            { at, step: 'sink', args },
          ]
          yield { at, args, ...grade, ...(flow && { flow }) }
          // one finding for a call; what callers hand over is theirs
          if (sink.texts.includes(text)) break
        }
      }
    },

    *flow(hit) {
      // within one file the text itself is looked at
      if (hit.steps.every(({ at }) => at.file === hit.at.file)) return
      const variant = hit.detail === 'sql' || hit.detail === 'columns' || hit.detail === 'whole' ? hit.detail : undefined
      yield { ...gradeHit(hit), args: { part: hit.part, sink: hit.sink }, ...(variant !== undefined && { variant }) }
    },
  },

  text: {
    en: {
      title: 'SQL injection: query text built from request data',
      message: '{part} from the request is concatenated into the query text passed to {sink}.',
      why: 'With a quote in that value an attacker changes the query: they read rows of other users, and conditions that should protect these rows no longer hold.',
      fix: 'Remove the parentheses, so that it is a tagged template whose values CAP binds: .where`ID = ${id}`. Or pass an object: .where({ ID: id }).',
      variants: {
        sql: {
          title: 'SQL injection through request data',
          message: '{part} from the request is concatenated into the SQL statement passed to {sink}.',
          why: 'An attacker can inject SQL and read, change or delete everything that the database user can access, bypassing every @requires and @restrict.',
          fix: FIX_SQL.en,
        },
        'sql-untraced': {
          title: 'SQL built from a value of unknown origin',
          message:
            '{part} is concatenated into the SQL statement passed to {sink}; where its value comes from is not visible here.',
          why: 'If an attacker can influence that value, now or after a later change, they can inject SQL, bypassing every @requires and @restrict.',
          fix: FIX_SQL.en,
        },
        'cql-untraced': {
          title: 'Query text built from a value of unknown origin',
          message: '{part} is concatenated into the query text passed to {sink}; where its value comes from is not visible here.',
          why: 'If an attacker can influence that value, now or after a later change, they can change the query and read rows of other users.',
        },
        columns: { fix: FIX_COLUMNS.en },
        'columns-untraced': {
          title: 'Query text built from a value of unknown origin',
          message: '{part} is concatenated into the query text passed to {sink}; where its value comes from is not visible here.',
          why: 'If an attacker can influence that value, now or after a later change, they can change the query and read rows of other users.',
          fix: FIX_COLUMNS.en,
        },
        whole: {
          title: 'SQL injection: the request contains the query',
          message: '{part} from the request is passed to {sink} as the whole query.',
          why: 'An attacker decides what is read or changed: no condition of this service limits the query.',
          fix: 'Write the queries in the code and let the request select one of them by name; pass values as parameters.',
        },
      },
      steps: { source: '{part} comes from the request', sink: 'it is part of the query text passed to {sink}' },
    },
    fr: {
      title: 'Injection SQL : texte de requête composé avec des données reçues',
      message: '{part}, issu de la requête de l’appelant, est concaténé dans le texte de requête passé à {sink}.',
      why: 'Avec un guillemet dans cette valeur, un attaquant modifie la requête : il lit les lignes d’autres utilisateurs, et les conditions qui les protégeaient ne valent plus.',
      fix: 'Retirez les parenthèses pour en faire un gabarit étiqueté dont CAP lie les valeurs : .where`ID = ${id}`. Ou passez un objet : .where({ ID: id }).',
      variants: {
        sql: {
          title: 'Injection SQL par des données reçues',
          message: '{part}, issu de la requête de l’appelant, est concaténé dans l’instruction SQL passée à {sink}.',
          why: 'Un attaquant peut injecter du SQL et lire, modifier ou supprimer tout ce à quoi l’utilisateur de la base accède, en contournant tous les @requires et @restrict.',
          fix: FIX_SQL.fr,
        },
        'sql-untraced': {
          title: 'SQL composé avec une valeur d’origine inconnue',
          message: '{part} est concaténé dans l’instruction SQL passée à {sink} ; l’origine de sa valeur n’est pas visible ici.',
          why: 'Si un attaquant peut influencer cette valeur, aujourd’hui ou après une modification, il peut injecter du SQL, en contournant tous les @requires et @restrict.',
          fix: FIX_SQL.fr,
        },
        'cql-untraced': {
          title: 'Texte de requête composé avec une valeur d’origine inconnue',
          message: '{part} est concaténé dans le texte de requête passé à {sink} ; l’origine de sa valeur n’est pas visible ici.',
          why: 'Si un attaquant peut influencer cette valeur, aujourd’hui ou après une modification, il peut modifier la requête et lire les lignes d’autres utilisateurs.',
        },
        columns: { fix: FIX_COLUMNS.fr },
        'columns-untraced': {
          title: 'Texte de requête composé avec une valeur d’origine inconnue',
          message: '{part} est concaténé dans le texte de requête passé à {sink} ; l’origine de sa valeur n’est pas visible ici.',
          why: 'Si un attaquant peut influencer cette valeur, aujourd’hui ou après une modification, il peut modifier la requête et lire les lignes d’autres utilisateurs.',
          fix: FIX_COLUMNS.fr,
        },
        whole: {
          title: 'Injection SQL : l’appelant fournit la requête entière',
          message: '{part}, issu de la requête de l’appelant, est passé à {sink} comme requête entière.',
          why: 'Un attaquant décide de ce qui est lu ou modifié : aucune condition de ce service ne limite la requête.',
          fix: 'Écrivez les requêtes dans le code et laissez l’appelant en choisir une par son nom ; passez les valeurs en paramètres.',
        },
      },
      steps: { source: '{part} vient de la requête de l’appelant', sink: 'il fait partie du texte de requête passé à {sink}' },
    },
  },
})

type Grade = Pick<Match, 'severity' | 'variant' | 'confidence'>

function gradeComposed(sink: QuerySink, written: string, origin: Value | undefined): Grade | undefined {
  const isSql = sink.language === 'sql'
  const variant = isSql ? 'sql' : sink.isOfColumns === true ? 'columns' : undefined
  if (origin !== undefined) {
    const confidence = sink.isGuess ? 'medium' : 'high'
    return { confidence, ...(variant && { variant }) }
  }
  // `${namespace}.Books` is a name put together, which is another fault
  if (sink.isElsewhere === true || (sink.takesNames && !/[\s({[=']/.test(written))) return undefined
  return { severity: 'LOW', variant: `${variant ?? 'cql'}-untraced` }
}

/** A text that is passed on as it came: reported only where it surely is the caller's, since most such values are queries of CAP. */
function gradeWhole(sink: QuerySink, part: Value, isSent: (value: Value) => boolean): Grade | undefined {
  if (!sink.takesWhole || sink.isGuess || !isSent(part)) return undefined
  const isPart = accessesOf(part).every(({ steps }) => steps.length > 1)
  return isPart ? { variant: 'whole', confidence: 'high' } : undefined
}

const SQL = /\b(?:select|insert|upsert|update|delete|merge|call|truncate|drop|alter|create|set|with|from|where)\b/i
/** Remote services take such a text as a request. */
const HTTP = /^\s*(?:GET|POST|PUT|PATCH|DELETE)\s+\//

/** What begins a statement of SQL, and hardly a sentence. */
const STATEMENT =
  /^[\s("]*(?:select\s[^]*?\sfrom\s|insert\s+into\s|upsert\s|merge\s+into\s|update\s[^]*?\sset\s|delete\s+from\s|call\s|truncate\s+table\s|(?:drop|alter|create)\s+(?:table|view|schema|user|role)\s|set\s+schema\s)/i

function isQueryText(sink: QuerySink, written: string): boolean {
  if (sink.language === 'sql' && HTTP.test(written)) return false
  if (sink.isUnknown === true) return STATEMENT.test(written.replaceAll('\0', ' '))
  return !sink.isGuess || SQL.test(written)
}

function isRead(value: Value): boolean {
  return value.kind === 'reference' || value.kind === 'member' || value.kind === 'call'
}

function isOwn(value: Value): boolean {
  return isRead(value) && isReadOnlyFrom(value, isOwnName)
}

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

const FIX_SQL = {
  en: "Keep the text constant with ? in it and hand the values over beside it: db.run('SELECT … WHERE ID = ?', [id]). A name that varies comes out of a list in the code.",
  fr: "Gardez un texte constant avec des ? et passez les valeurs à côté : db.run('SELECT … WHERE ID = ?', [id]). Un nom qui varie se prend dans une liste du code.",
}

/** A tag would put in a value where a name is meant. */
const FIX_COLUMNS = {
  en: 'Compare the name with a list in the code before: if (!COLUMNS.includes(name)) return req.reject(400); and pick the direction there too.',
  fr: 'Comparez d’abord le nom à une liste du code : if (!COLUMNS.includes(name)) return req.reject(400) ; et choisissez-y aussi le sens du tri.',
}

/** What the rule is about, before anything is parsed: CAP's query functions, cds itself, and the drivers of databases, that of XS classic among them. */
const QUERIES =
  /\b(?:SELECT|UPDATE|DELETE|INSERT|UPSERT)\s{0,8}[.(`]|\bcds\b|\bcql\b|\bCQL\b|\bhdb|\bhana|@sap\/|\$\.db\b|\.run\(|query\.where\(|(?:exec|execute|prepare|[qQ]uery|S(?:ql|QL)|Statement)\(\s{0,20}["'`](?:SELECT|INSERT|UPDATE|DELETE)\s/

/** The text of a query put together from values instead of carrying them beside it.
 *  CAP reads values of its own template tags, of objects and of the second argument; a template in parentheses is a plain string.
 *  Facts: capire, "Avoiding SQL injection" (cds.ql); @sap/cds 9.9 lib/ql, which arguments are parsed; documentation of hdb and @sap/hana-client.
 *  Within one file; a function's parameter counts as not traced. `req.query` as a whole is CQN that CAP made, no text. */
export const cqlInjection: Rule = defineRule({
  id: 'cap/cql-injection',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [89],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-ql#avoiding-sql-injection',
  keywords: ['cds', 'SELECT', 'UPDATE', 'DELETE', 'cql', 'hana', 'hdb', 'query.where('],
  prefilter: (text) => QUERIES.test(text),
  on: 'script',

  *check(file) {
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

  text: {
    en: {
      title: 'Query text is built from request data',
      message: '{part} comes with the request and becomes part of the text that {sink} takes as a query.',
      why: 'With a quote in that value the caller writes the rest of the query: rows of others are read, and conditions that should protect them are gone.',
      fix: 'Take the parentheses away, so that it is a tagged template: .where`ID = ${id}`; or hand over an object: .where({ ID: id }).',
      variants: {
        sql: {
          title: 'SQL is built from request data',
          message: '{part} comes with the request and becomes part of the SQL that {sink} runs as it stands.',
          why: 'With a quote in that value the caller writes SQL of their own: reads, changes or deletes what the database user may, past every @restrict.',
          fix: FIX_SQL.en,
        },
        'sql-untraced': {
          title: 'SQL is built from a value that varies',
          message: '{part} becomes part of the SQL that {sink} runs as it stands.',
          why: 'If a caller can choose that value, here or in a later change, they write SQL of their own, past every @restrict.',
          fix: FIX_SQL.en,
        },
        'cql-untraced': {
          title: 'Query text is built from a value that varies',
          message: '{part} becomes part of the text that {sink} takes as a query.',
          why: 'If a caller can choose that value, here or in a later change, they write the rest of the query.',
        },
        columns: { fix: FIX_COLUMNS.en },
        'columns-untraced': {
          title: 'Query text is built from a value that varies',
          message: '{part} becomes part of the text that {sink} takes as a query.',
          why: 'If a caller can choose that value, here or in a later change, they write the rest of the query.',
          fix: FIX_COLUMNS.en,
        },
        whole: {
          title: 'The caller sends the query',
          message: '{sink} takes {part} as its query, and that comes with the request.',
          why: 'The caller decides what is read or changed; no condition of this service stands in the way.',
          fix: 'Let the caller choose among queries that stand in the code, and hand over the values beside the text.',
        },
      },
      steps: { source: '{part} comes with the request', sink: '{sink} takes the text with it' },
    },
    fr: {
      title: 'Le texte d’une requête est composé avec des données reçues',
      message: '{part} arrive avec la requête de l’appelant et entre dans le texte que {sink} prend comme requête.',
      why: 'Avec un guillemet dans cette valeur, l’appelant écrit la suite de la requête : il lit les lignes des autres, et les conditions qui devaient les protéger disparaissent.',
      fix: 'Retirez les parenthèses pour en faire un gabarit étiqueté : .where`ID = ${id}` ; ou passez un objet : .where({ ID: id }).',
      variants: {
        sql: {
          title: 'Du SQL est composé avec des données reçues',
          message: '{part} arrive avec la requête de l’appelant et entre dans le SQL que {sink} exécute tel quel.',
          why: 'Avec un guillemet dans cette valeur, l’appelant écrit son propre SQL : il lit, modifie ou supprime tout ce que peut l’utilisateur de la base, sans égard aux @restrict.',
          fix: FIX_SQL.fr,
        },
        'sql-untraced': {
          title: 'Du SQL est composé avec une valeur variable',
          message: '{part} entre dans le SQL que {sink} exécute tel quel.',
          why: 'Si un appelant peut choisir cette valeur, ici ou après une modification, il écrit son propre SQL, sans égard aux @restrict.',
          fix: FIX_SQL.fr,
        },
        'cql-untraced': {
          title: 'Le texte d’une requête est composé avec une valeur variable',
          message: '{part} entre dans le texte que {sink} prend comme requête.',
          why: 'Si un appelant peut choisir cette valeur, ici ou après une modification, il écrit la suite de la requête.',
        },
        columns: { fix: FIX_COLUMNS.fr },
        'columns-untraced': {
          title: 'Le texte d’une requête est composé avec une valeur variable',
          message: '{part} entre dans le texte que {sink} prend comme requête.',
          why: 'Si un appelant peut choisir cette valeur, ici ou après une modification, il écrit la suite de la requête.',
          fix: FIX_COLUMNS.fr,
        },
        whole: {
          title: 'L’appelant envoie la requête lui-même',
          message: '{sink} prend {part} comme requête, et cela arrive de l’appelant.',
          why: 'L’appelant décide de ce qui est lu ou modifié ; aucune condition de ce service ne l’arrête.',
          fix: 'Laissez l’appelant choisir parmi des requêtes écrites dans le code, et passez les valeurs à côté du texte.',
        },
      },
      steps: { source: '{part} arrive avec la requête de l’appelant', sink: '{sink} prend le texte qui la contient' },
    },
  },
})

type Grade = Pick<Match, 'severity' | 'variant' | 'confidence'>

function gradeComposed(sink: QuerySink, written: string, origin: Value | undefined): Grade | undefined {
  const isSql = sink.language === 'sql'
  const variant = isSql ? 'sql' : sink.isOfColumns === true ? 'columns' : undefined
  if (origin !== undefined) {
    const confidence = sink.isGuess ? 'medium' : 'high'
    return { severity: isSql ? 'CRITICAL' : 'HIGH', confidence, ...(variant && { variant }) }
  }
  // `${namespace}.Books` is a name put together, which is another fault
  if (sink.isElsewhere === true || (sink.takesNames && !/[\s({[=']/.test(written))) return undefined
  return { variant: `${variant ?? 'cql'}-untraced` }
}

/** A text that is handed on as it came: told only where it surely is the caller's, since most such values are queries of CAP. */
function gradeWhole(sink: QuerySink, part: Value, isSent: (value: Value) => boolean): Grade | undefined {
  if (!sink.takesWhole || sink.isGuess || !isSent(part)) return undefined
  const isPart = accessesOf(part).every(({ steps }) => steps.length > 1)
  return isPart ? { severity: sink.language === 'sql' ? 'CRITICAL' : 'HIGH', variant: 'whole', confidence: 'high' } : undefined
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

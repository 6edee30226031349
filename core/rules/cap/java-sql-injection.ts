import { closingOf, isWritten, type JavaToken } from '../../parse/java-tokens.ts'
import { javaSources } from './_java/sources.ts'
import { requestMethods } from './_java/requests.ts'
import type { CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * SQL text that a method of CAP Java or of a controller puts together with what its request tells.
 * Facts: capire, "Avoiding SQL injection"; Spring, JdbcTemplate and NamedParameterJdbcTemplate (values are bound by ? and :name); Jakarta Persistence, createNativeQuery.
 * Impact: reads and changes data of the database with one request; of a definition whose name comes from elsewhere, its origin is a guess.
 */
export const javaSqlInjection: Rule = defineRule({
  id: 'cap/java-sql-injection',
  impact: 'data',
  grades: { definition: { evidence: 'guessed' } },
  confidence: 'medium',
  cwe: [89],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#injection-attacks',
  checks: {
    'cap-root': judgeRequests,
    *project({ files, step }) {
      for (const { file, tokens } of javaSources({ files: [...files.values()] }, DEFINITIONS)) {
        step(tokens.length)
        yield* judgeDefinitions(file, tokens)
      }
    },
  },

  text: () => ({
    en: {
      title: 'SQL injection through request data in Java',
      message: 'A value from the request is inserted into the SQL statement passed to {call}.',
      why: 'An attacker can inject SQL and read, change or delete everything that the database user can access, bypassing every @requires and @restrict.',
      fix: 'Use ? placeholders and pass the values after the statement: jdbc.queryForList("… WHERE ID = ?", id), or write the query with the CQN API of CAP: Select.from(…).where(…). Take variable column names from a constant Map.',
      variants: {
        definition: {
          title: 'SQL definition assembled from a variable name in Java',
          message:
            '{name} is concatenated into the definition (CREATE, DROP, ALTER, GRANT) passed to {call}; nothing here limits its characters.',
          why: 'If an attacker can influence the name, for example through a tenant or subaccount ID, they can inject SQL that runs with the permissions of an administrator.',
          fix: 'Accept only names that match a strict pattern before the call: if (!{name}.matches("[A-Z][A-Z0-9_]{0,60}")) throw new IllegalArgumentException(), and quote the name. Names cannot be bound as parameters.',
        },
        native: {
          fix: 'Use placeholders and bind the values: {call}("… WHERE ID = ?1").setParameter(1, id), or write the query with the CQN API of CAP: Select.from(…).where(…). Take variable column names from a constant Map.',
        },
        statement: {
          fix: 'Use ? placeholders and bind the values: connection.prepareStatement("… WHERE ID = ?"), then setString(1, id), or write the query with the CQN API of CAP: Select.from(…).where(…). Take variable column names from a constant Map.',
        },
      },
    },
    fr: {
      title: 'Injection SQL par des données de la requête dans du code Java',
      message: 'Une valeur issue de la requête de l’appelant est insérée dans l’instruction SQL passée à {call}.',
      why: 'Un attaquant peut injecter du SQL et lire, modifier ou supprimer tout ce à quoi l’utilisateur de la base a accès, en contournant tous les @requires et @restrict.',
      fix: 'Utilisez des marqueurs de paramètre (?) et passez les valeurs après l’instruction : jdbc.queryForList("… WHERE ID = ?", id), ou écrivez la requête avec l’API CQN de CAP : Select.from(…).where(…). Si des noms de colonnes varient, prenez-les dans une Map constante.',
      variants: {
        definition: {
          title: 'Définition SQL composée à partir d’un nom variable en Java',
          message:
            '{name} est concaténé dans la définition (CREATE, DROP, ALTER, GRANT) passée à {call} ; rien ici n’en limite les caractères.',
          why: 'Si un attaquant peut influencer ce nom, par exemple par un identifiant de locataire ou de sous-compte, il peut injecter du SQL exécuté avec les droits d’un administrateur.',
          fix: 'N’acceptez que des noms conformes à un modèle strict avant l’appel : if (!{name}.matches("[A-Z][A-Z0-9_]{0,60}")) throw new IllegalArgumentException(), et mettez le nom entre guillemets. Un nom ne peut pas être lié comme paramètre.',
        },
        native: {
          fix: 'Utilisez des marqueurs de paramètre et liez les valeurs : {call}("… WHERE ID = ?1").setParameter(1, id), ou écrivez la requête avec l’API CQN de CAP : Select.from(…).where(…). Si des noms de colonnes varient, prenez-les dans une Map constante.',
        },
        statement: {
          fix: 'Utilisez des marqueurs de paramètre (?) et liez les valeurs : connection.prepareStatement("… WHERE ID = ?"), puis setString(1, id), ou écrivez la requête avec l’API CQN de CAP : Select.from(…).where(…). Si des noms de colonnes varient, prenez-les dans une Map constante.',
        },
      },
    },
  }),
})

const RUNS_SQL =
  /^(?:query|queryForList|queryForMap|queryForObject|queryForRowSet|queryForStream|update|execute|executeQuery|executeUpdate|batchUpdate|createNativeQuery|createQuery|prepareStatement)$/
/** How values are bound depends on what runs the statement; without a variant it is a JdbcTemplate. */
function variantOf(call: string): { readonly variant?: string } {
  if (/^create(?:Native)?Query$/.test(call)) return { variant: 'native' }
  return /^(?:prepareStatement|executeQuery|executeUpdate)$/.test(call) ? { variant: 'statement' } : {}
}

const STATEMENT = /^\s*(?:select|insert|update|delete|upsert|merge|call|with|from)\b/i

/** Tokens of a statement that are looked at. */
const MAX_TOKENS = 500

/** Where the first argument ends: values behind it are bound. */
function statementEnd(body: readonly JavaToken[], from: number): number {
  const last = Math.min(body.length, from + MAX_TOKENS)
  for (let at = from; at < last; at++) {
    if (isWritten(body, at, '(')) at = closingOf(body, at)
    else if (isWritten(body, at, ',') || isWritten(body, at, ')')) return at
  }
  return last
}

/** The first argument, or what the variable was declared with that it is: `String sql = "SELECT …" + name;`. */
function statementAt(body: readonly JavaToken[], from: number): { readonly from: number; readonly to: number } {
  const to = statementEnd(body, from)
  const { kind, text } = body[from] ?? {}
  if (to !== from + 1 || kind !== 'word') return { from, to }
  const declared = body.findLastIndex(
    (token, at) => at < from && token.text === text && isWritten(body, at - 1, 'String') && isWritten(body, at + 1, '='),
  )
  if (declared === -1) return { from, to }
  const end = body.findIndex((_, at) => at > declared && isWritten(body, at, ';'))
  return { from: declared + 2, to: end === -1 ? declared + 2 : Math.min(end, declared + MAX_TOKENS) }
}

/** `"SELECT … '" + name + "'"`, `String.format("SELECT … %s", name)`. */
function isComposed(argument: readonly JavaToken[]): boolean {
  const [first] = argument
  const isFormat = isWritten(argument, 0, 'String', '.', 'format', '(')
  const text = isFormat ? argument[4] : first
  if (text?.kind !== 'string' || !STATEMENT.test(text.text)) return false
  return isFormat || argument.some(({ kind, text: sign }) => kind === 'symbol' && sign === '+')
}

function* judgeRequests(root: CapRoot): Generator<Match> {
  if (root.test) return
  for (const { file, tokens } of javaSources(root, /JdbcTemplate|create(?:Native)?Query|createStatement|prepareStatement/)) {
    for (const { body, isTainted } of requestMethods(tokens)) {
      for (const [index, { kind, text: call, start, end }] of body.entries()) {
        if (kind !== 'word' || !RUNS_SQL.test(call) || !isWritten(body, index - 1, '.') || !isWritten(body, index + 1, '('))
          continue
        const { from, to } = statementAt(body, index + 2)
        if (isComposed(body.slice(from, to)) && isTainted(from, to))
          yield { at: { file, span: { start, end } }, args: { call, name: '' }, ...variantOf(call) }
      }
    }
  }
}

/** Definitions of users, schemas and tables, whose names no placeholder can stand for. */
const DEFINITION = /^\s*(?:create|drop|alter|grant|revoke|truncate)\s+\w/i
const DEFINITIONS = /"\s{0,5}(?:CREATE|DROP|ALTER|GRANT|REVOKE|TRUNCATE|create|drop|alter|grant|revoke|truncate)\s/

/** `createNativeQuery("DROP USER " + name)`: where the name comes from is not followed. */
function* judgeDefinitions(file: string, tokens: readonly JavaToken[]): Generator<Match> {
  for (const [index, { kind, text: call, start, end }] of tokens.entries()) {
    if (kind !== 'word' || !RUNS_SQL.test(call) || !isWritten(tokens, index - 1, '.') || !isWritten(tokens, index + 1, '('))
      continue
    const argument = tokens.slice(index + 2, statementEnd(tokens, index + 2))
    const [first, sign, name] = argument
    if (first?.kind !== 'string' || !DEFINITION.test(first.text) || sign?.text !== '+' || name?.kind !== 'word') continue
    if (tokens.some((_, at) => at < index && isWritten(tokens, at, name.text, '.', 'matches', '('))) continue
    // a constant of the class, or what a call quotes
    if (/^[A-Z][A-Z0-9_]+$/.test(name.text) || /quote|escape|sanitiz|identifier/i.test(name.text)) continue
    yield { at: { file, span: { start, end } }, args: { call, name: name.text }, variant: 'definition', confidence: 'low' }
  }
}

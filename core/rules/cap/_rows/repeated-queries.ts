import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  constantOf,
  excerptOf,
  findPart,
  pathOf,
  resolveValue,
  type Binding,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isOnTheWay } from '../../../facts/guards.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { RuleText, Span } from '../../../types.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'

/** A query that is made again without its condition for one person, where that finds nothing. */
interface RepeatedQuery extends Span {
  /** What is asked for: an entity, or the path of a remote service. */
  readonly rows: string
  /** The second query, as it is written. */
  readonly query: string
}

/** `let rows = await load(user); if (!rows.length) rows = await loadAll()`, where both ask for the same rows: whoever has none gets those of others. */
export const repeatedQueries: Extract<RepeatedQuery> = defineExtract({
  name: 'cap-repeated-queries',
  keywords: ['SELECT', 'filter='],
  prefilter: (text) => /\.length|\bif\s{0,4}\(\s{0,4}!/.test(text) && /user|employee|owner|person|member|subject/i.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => [...findRepeated(facts, text, step)],
})

const MOST_VALUES = 4

function* findRepeated(
  { bindings, guards }: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): Generator<RepeatedQuery> {
  for (const binding of bindings) {
    step()
    const [first, ...others] = binding.definitions
    if (first?.value === undefined || others.length === 0 || others.length > MOST_VALUES) continue
    for (const { value, kind, operator, start } of others) {
      if (value === undefined || kind !== 'assign' || operator !== '=') continue
      const rows = sameRows(queryIn(first.value), queryIn(value))
      if (rows === undefined) continue
      step(guards.length)
      const around = guards.filter((guard) => isOnTheWay(guard, start))
      const isForNone = around.some(({ exits, test }) => !exits && isEmptiness(test, binding))
      // who has a role may see all rows
      const isOfRole = around.some(({ test }) => !isEmptiness(test, binding) && mentionsUser(test))
      if (isForNone && !isOfRole) yield { start: value.start, end: value.end, rows, query: excerptOf(text, value) }
    }
  }
}

/** Of `await srv.run(SELECT.from(Shifts))` too. */
function queryIn(value: Value): Value {
  const here = awaited(value)
  const [query] = here.kind === 'call' && lastNameOf(here.callee) === 'run' ? here.args : []
  return query === undefined ? here : resolveValue(query)
}

/** `!rows.length`, `rows.length === 0`, `!rows`. */
function isEmptiness(test: Value, binding: Binding): boolean {
  if (test.kind === 'choice') return test.isAnd !== true && test.options.some((option) => isEmptiness(option, binding))
  if (test.kind !== 'operation') return false
  const [one, other] = test.operands
  const counted = one?.kind === 'member' && one.name === 'length' ? one.object : one
  if (counted?.kind !== 'reference' || counted.binding !== binding) return false
  return test.operator === '!' || (/^===?$/.test(test.operator) && other !== undefined && constantOf(other) === 0)
}

/** What both ask for, the first one for a person, the second one for all. */
function sameRows(first: Value, second: Value): string | undefined {
  if (first.kind !== 'call' || second.kind !== 'call') return undefined
  const [limited, whole] = [baseOf(first), baseOf(second)]
  if (limited !== undefined || whole !== undefined) {
    const entity = limited?.kind === 'read' && whole?.kind === 'read' ? entityOf(limited.call.args[0]) : undefined
    const isSame = entity !== undefined && entity === entityOf(whole?.call.args[0])
    return isSame && mentionsUser(first) && !isLimited(second) ? entity : undefined
  }
  const path = pathOf(first.callee)?.join(' ')
  if (path === undefined || path !== pathOf(second.callee)?.join(' ')) return undefined
  const [own, all] = [piecesOf(first.args[0]), piecesOf(second.args[0])]
  const [source = ''] = (own[0]?.text ?? '').split('?')
  if (source === '' || source !== (all[0]?.text ?? '').split('?')[0]) return undefined
  return isOfPerson(own) && !isOfPerson(all) && !all.some(({ text }) => /filter=/.test(text)) ? source : undefined
}

function isLimited(query: Value): boolean {
  const names = /^(?:where|and|having|byKey)$/
  return findPart(query, (part) => part.kind === 'call' && names.test(lastNameOf(part.callee) ?? '')) !== undefined
}

interface Piece {
  readonly text: string
  /** A value follows. */
  readonly isOpen: boolean
}

/** The fixed pieces of a text. */
function piecesOf(value: Value | undefined): readonly Piece[] {
  const here = value && resolveValue(value)
  if (here?.kind === 'template') return here.texts.map((text, index) => ({ text, isOpen: index < here.parts.length }))
  const parts = here?.kind === 'concat' ? here.parts : here === undefined ? [] : [here]
  const texts = parts.map((part) => constantOf(part))
  return texts.flatMap((text, index) =>
    typeof text === 'string' ? [{ text, isOpen: index + 1 < texts.length && typeof texts[index + 1] !== 'string' }] : [],
  )
}

const PERSON = /user|employee|owner|person|member|worker|subject/i

/** `$filter=userId eq '${userId}'` */
function isOfPerson(pieces: readonly Piece[]): boolean {
  return pieces.some(({ text, isOpen }) => {
    if (!isOpen || !text.includes('filter=')) return false
    const [operator, element = ''] = text
      .replaceAll("'", ' ')
      .trimEnd()
      .split(/[\s=(]/)
      .slice(-2)
      .toReversed()
    return operator === 'eq' && PERSON.test(element)
  })
}

/** What is told of them. */
export const REPEATED_WORDS: { readonly en: RuleText; readonly fr: RuleText } = {
  en: {
    title: 'Query repeated without the filter on the user',
    message: 'If the query for the rows of one user in {entity} finds nothing, it is repeated without this filter: {value}.',
    why: 'A user without rows of their own gets rows of other users, such as their pay, leave or reviews.',
    fix: 'Return an empty result if the query finds nothing, and remove the second query. Serve sample data from a file, and only outside of production.',
  },
  fr: {
    title: 'Requête répétée sans le filtre sur l’utilisateur',
    message: 'Si la requête des lignes d’un utilisateur dans {entity} ne trouve rien, elle est répétée sans ce filtre : {value}.',
    why: 'Un utilisateur sans lignes propres reçoit celles d’autres : la paie, les congés ou les évaluations des premiers venus.',
    fix: 'Renvoyez un résultat vide si la requête ne trouve rien, et supprimez la seconde requête. Servez des données d’exemple depuis un fichier, et seulement hors production.',
  },
}

import { constantOf, valuesOf, type Binding, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import type { GradeFacts, RuleText, Span } from '../../../types.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { fieldPairs } from '../_rows/column-pairs.ts'

/** A name of a user that the code itself says, in place of the one who calls. The span is that of the name as written. */
export interface ConstantUser extends Span {
  readonly column: string
  readonly client: string
  readonly variant: 'constant'
  readonly grade?: GradeFacts
}

/** Columns that say whose row it is; who made or changed one may be the program itself. */
const OWNER = /^(?:owner|user|employee|requester|requestor|account_?owner|author|member)(?:_?(?:id|name|mail|email))?$/i
/** Users of the program itself, and what belongs to all. */
const OF_PROGRAM =
  /default|system|tech|service|batch|^job|bot$|anonymous|unknown|guest|public|global|shared|common|^all$|^none$|^n\/a$|^any$/i
const QUERIES = /^(?:where|entries|set|with)$/
/** What tells who calls: `req.user`, `req.authInfo`, `getCurrentUser(req)`. */
const CALLER =
  /^(?:user|authInfo|tokenInfo|currentUser|session|securityContext|jwt|locals)$|(?:user|caller|principal)(?:_?(?:id|name|key|info))?$/i

/**
 * `const userId = "admin"`, where a handler finds or stores rows by it and never asks who calls: what stands there while one develops without a login.
 * Fact: capire, "Authentication", cds.User: req.user.id is the authenticated user.
 */
export function* constantUsers(facts: ScriptFacts, step: (count?: number) => void): Generator<ConstantUser> {
  const named = new Set(facts.bindings.filter(isConstantUser))
  if (named.size === 0) return
  const queries = facts.calls.filter((call) => QUERIES.test(lastNameOf(call.callee) ?? ''))
  step(facts.bindings.length + facts.calls.length)
  const handled = findHandledFunctions(facts)
  let callers: ReturnType<typeof createCallerReader> | undefined
  const seen = new Set<Binding>()
  for (const call of queries) {
    for (const { column, value } of call.args.flatMap((given) => fieldPairs(given, step))) {
      const binding = value.kind === 'reference' ? value.binding : undefined
      if (binding === undefined || seen.has(binding) || !OWNER.test(column) || !named.has(binding)) continue
      const handlers = handled.handlersOf(call)
      if (handlers.length === 0 || handlers.some(({ service }) => service.kind === 'connected')) continue
      callers ??= createCallerReader(facts, step)
      const around = [call.function, ...handlers.flatMap(({ fact }) => fact ?? [])]
      if (around.some((fact) => callers?.(fact) === true)) continue
      seen.add(binding)
      const [written] = binding.definitions
      if (written?.value === undefined) continue
      const { start, end } = written.value
      yield { start, end, column, client: JSON.stringify(constantOf(written.value)), variant: 'constant' }
    }
  }
}

/** `const userId = "admin"`, which nothing replaces. */
function isConstantUser({ name, kind, definitions }: Binding): boolean {
  const [only, other] = definitions
  if ((kind !== 'const' && kind !== 'let' && kind !== 'var') || only?.value === undefined || other !== undefined) return false
  if (only.kind !== 'init' || only.path.length > 0 || only.value.kind !== 'literal') return false
  const { value } = only.value
  return typeof value === 'string' && value !== '' && OWNER_NAME.test(name) && !OF_PROGRAM.test(name) && !OF_PROGRAM.test(value)
}

const OWNER_NAME =
  /^(?:current|logged_?in|my|the|db|session|login|auth)?_?(?:owner|user|employee|requester|author|member|caller)(?:_?(?:id|name|mail|email|key))?$/i

/** Whether something in a span asks who calls. */
function createCallerReader(facts: ScriptFacts, step: (count?: number) => void): (around: Span) => boolean {
  step(facts.values.length)
  const asking: Span[] = valuesOf(facts).flatMap(({ value }) => (asksCaller(value) ? [value] : []))
  // const { user } = req
  for (const { definitions } of facts.bindings)
    for (const { path, start, end } of definitions) if (path.some((name) => CALLER.test(name))) asking.push({ start, end })
  const within = createInnerIndex(asking)
  return (around) => within(around).length > 0
}

function asksCaller(value: Value): boolean {
  const name = value.kind === 'member' ? value.name : value.kind === 'call' ? calledName(value) : undefined
  return name !== undefined && CALLER.test(name)
}

function calledName({ callee }: CallValue): string | undefined {
  return callee.kind === 'reference' ? callee.name : undefined
}

export const CONSTANT_WORDS: { readonly en: RuleText; readonly fr: RuleText } = {
  en: {
    title: 'Constant user instead of the authenticated one',
    message:
      '{column} of the rows that this handler reads or writes is the constant {value}; the handler never asks who calls (req.user).',
    why: 'All callers share the rows of this one user: each of them reads, overwrites and deletes what the others have entered.',
    fix: 'Replace {value} with req.user.id, or with the ID that you look up by it, and reject requests without a user.',
  },
  fr: {
    title: 'Utilisateur constant à la place de celui authentifié',
    message:
      '{column} des lignes que ce gestionnaire lit ou écrit est la constante {value} ; le gestionnaire ne demande jamais qui l’appelle (req.user).',
    why: 'Tous les appelants partagent les lignes de ce seul utilisateur : chacun lit, écrase et supprime ce que les autres ont saisi.',
    fix: 'Remplacez {value} par req.user.id, ou par l’identifiant que vous cherchez d’après lui, et rejetez les requêtes sans utilisateur.',
  },
}

import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findCallbacks, methodAround } from '../../facts/callbacks.ts'
import { functionAround, valuesOf, type ScriptFacts, type Value } from '../../facts/index.ts'
import { isAround } from '../../facts/span-index.ts'
import { isOfUi5App, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { openRequestsIn, type OpenRequest } from '../../model/ui5/index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { comparedAccount } from './_compared-accounts.ts'
import { findAnsweredLogins } from './_login-answers.ts'
import { isOfOwnStorage, storageWrites, type StorageWrite } from './_own-storage.ts'

/** What a script decides a login by. */
export interface LoginDecision {
  readonly at: Span
  readonly variant?: 'open' | 'code' | 'list' | 'answered' | 'queried'
  /** The field of the password. */
  readonly name: string
  /** That sends the accounts to anyone. */
  readonly host: string
  /** The table of accounts that is asked for a row with the password. */
  readonly set?: string
  /** The account is one that the same user has entered. */
  readonly isOwn: boolean
  /** The method that compares. */
  readonly method?: string
}

/** The decisions of scripts of apps: what stands behind them, only the app tells. */
export const loginDecisions: Extract<LoginDecision> = defineExtract({
  name: 'ui5-login-decisions',
  keywords: PASSWORD_KEYWORDS,
  inPages: true,
  isFor: isOfUi5App,
  prefilter: mayDecideLogin,
  collect: ({ facts, text, step }) => [...loginDecisionsIn(facts, text, step)],
})

/** Whether a script may decide a login: it names a password, and compares or goes on. */
export function mayDecideLogin(text: string, hits: Parameters<typeof mayNamePassword>[1]): boolean {
  return mayNamePassword(text, hits) && (/[=!]==?/.test(text) || /navTo|location|set(?:Property|Item)/.test(text))
}

/** Comparisons of the entered password with one that the page has got, and answers about it. */
export function* loginDecisionsIn(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<LoginDecision> {
  for (const { start, end, queried } of findAnsweredLogins(facts, text, step)) {
    const decision = { at: { start, end }, host: '', isOwn: false }
    if (queried === undefined) yield { ...decision, variant: 'answered', name: '' }
    else yield { ...decision, variant: 'queried', name: queried.password, set: queried.set }
  }
  const callbacks = findCallbacks(facts)
  let requests: readonly OpenRequest[] | undefined
  let writes: readonly StorageWrite[] | undefined
  const isOwn = (value: Value): boolean =>
    isOfOwnStorage(value, (writes ??= storageWrites(facts, callbacks, step)), callbacks, step)
  for (const { value } of valuesOf(facts)) {
    const found = comparedAccount(value, callbacks)
    if (found === undefined) continue
    requests ??= [...openRequestsIn(facts, step)]
    // what is asked for in a module itself, any of its functions may use
    const request = requests.findLast(
      (one) => one.function.kind !== 'file' && one.start < value.start && isAround(one.function, value.start),
    )
    const isOpen = found.kept !== 'code' && request !== undefined
    const method = methodAround(functionAround(facts, value.start))?.name
    const variant = isOpen ? 'open' : found.kept === 'answer' ? undefined : found.kept
    yield {
      at: { start: value.start, end: value.end },
      name: found.name,
      host: request?.host ?? '',
      isOwn: variant === 'list' && isOwn(value),
      ...(variant !== undefined && { variant }),
      ...(method !== undefined && { method: lastName(method) }),
    }
  }
}

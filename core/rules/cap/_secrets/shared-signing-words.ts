import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { groupBy } from '../../../lists.ts'
import { accessesOf, resolveValue, type Access, type Value } from '../../../facts/index.ts'
import { resolveModule } from '../../../flow/index.ts'
import { createDevelopmentReader, runsInBrowser, isDeployedCode } from '../../../model/script/index.ts'
import type { ProjectModels } from '../../subjects.ts'
import {
  keyTextsIn,
  namesPackage,
  signingCalls,
  SIGNING_KEYWORDS,
  stagesOf,
  type KeyText,
  type SigningWord,
} from './signing-words.ts'

/** A word that a module of settings gives to others: `module.exports = { secret: 'painting' }`. */
interface OfferedWord extends KeyText {
  readonly name: string
}

const SECRET_NAME = /secret|key|jwt/i
/** Settings lie a few levels deep: `config.auth.jwt.secret`. */
const MAX_DEPTH = 3

const offeredWords: Extract<OfferedWord> = defineExtract({
  name: 'cap-offered-signing-words',
  keywords: ['secret', 'key', 'jwt'],
  prefilter: (text) => /\bexports?\b/.test(text) && /(?:secret|key|jwt)\w{0,20}["']?\s{0,4}[:=]/i.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts }) {
    if (runsInBrowser(path, facts)) return
    const stages = stagesOf(facts)
    for (const { name, value } of facts.exports) {
      if (value === undefined) continue
      for (const [path, setting] of settingsOf(value, name === 'default' ? [] : [name], 0)) {
        if (!SECRET_NAME.test(path.at(-1) ?? '')) continue
        for (const word of keyTextsIn(setting, stages)) yield { name: path.join('.'), ...word }
      }
    }
  },
})

const SETS_GLOBAL = /\bglobal(?:This)?(?:\.|\[)[\w"'\].]{1,60}\s{0,5}=(?!=)/

/** Words that a script keeps for all others: `global.settings = { tokenKey: 'painting' }`. Fact: Node.js 24, "Global objects". */
const globalWords: Extract<OfferedWord> = defineExtract({
  name: 'cap-global-signing-words',
  keywords: ['global.', 'global[', 'globalThis.', 'globalThis['],
  prefilter: (text) => SETS_GLOBAL.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts }) {
    if (runsInBrowser(path, facts)) return
    const stages = stagesOf(facts)
    for (const { target, value } of facts.assignments)
      for (const access of accessesOf(target)) {
        const name = globalNameOf(access)
        if (name === undefined) continue
        for (const [path, setting] of settingsOf(value, [name], 0))
          for (const word of keyTextsIn(setting, stages)) yield { name: path.join('.'), ...word }
      }
  },
})

/** What stands for the object of all globals in place of a module. */
const GLOBAL = 'global'

function globalNameOf({ root, steps }: Access): string | undefined {
  return /^global:(?!process$)/.test(root) ? [root.slice('global:'.length), ...steps].join('.') : undefined
}

/** The values that a module exports, by their paths in what it exports. */
function* settingsOf(value: Value, path: readonly string[], depth: number): Generator<readonly [readonly string[], Value]> {
  const made = resolveValue(value)
  if (made.kind !== 'object') yield [path, value]
  else if (depth < MAX_DEPTH)
    for (const { key, value: field } of made.fields) if (key !== undefined) yield* settingsOf(field, [...path, key], depth + 1)
}

/** Where a script signs or verifies with a value of another module. */
interface BorrowedWord extends Pick<SigningWord, 'onlySigns' | 'identifies' | 'isFallback'> {
  readonly source: string
  readonly name: string
  readonly what: string
}

const borrowedWords: Extract<BorrowedWord> = defineExtract({
  name: 'cap-borrowed-signing-words',
  keywords: SIGNING_KEYWORDS,
  prefilter: (text) => namesPackage(text) && /["'`]\.{1,2}\/|\bglobal(?:This)?[.[]/.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts, step }) {
    if (runsInBrowser(path, facts)) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const { call, key, row, identifies } of signingCalls(facts, step)) {
      if (isForDevelopers(call)) continue
      const isFallback = resolveValue(key).kind === 'choice'
      for (const access of accessesOf(key)) {
        const link = linkOf(access)
        if (link !== undefined)
          yield { ...link, what: row.what, onlySigns: row.onlySigns === true, identifies: identifies(), isFallback }
      }
    }
  },
})

function linkOf(access: Access): Pick<BorrowedWord, 'source' | 'name'> | undefined {
  const { root, steps } = access
  const global = globalNameOf(access)
  if (global !== undefined) return { source: GLOBAL, name: global }
  if (!root.startsWith('module:.')) return undefined
  const names = steps[0] === 'default' ? steps.slice(1) : steps
  return { source: root.slice('module:'.length), name: names.join('.') }
}

export const sharedWordExtracts: readonly Extract[] = [offeredWords, globalWords, borrowedWords]

interface SharedWord {
  readonly file: string
  readonly value: SigningWord
}

/** Words of modules of settings, and of globals, that other files sign and verify with, each once. */
export function sharedWords({ scripts }: Pick<ProjectModels, 'scripts'>): readonly SharedWord[] {
  const offered = scripts.get(offeredWords)
  const paths = new Map(offered.map(({ file }) => [file, file]))
  const uses = new Map<string, Pick<SigningWord, 'what' | 'onlySigns' | 'identifies' | 'isFallback'>>()
  for (const { file, value: use } of scripts.get(borrowedWords)) {
    const target = use.source === GLOBAL ? GLOBAL : resolveModule(file, use.source, paths)
    if (target === undefined) continue
    const key = `${target} ${use.name}`
    const known = uses.get(key)
    uses.set(key, {
      // a session of a store tells less than a token
      what: known?.what === undefined || known.what === 'express-session' ? use.what : known.what,
      onlySigns: use.onlySigns && known?.onlySigns !== false,
      identifies: use.identifies || known?.identifies === true,
      isFallback: use.isFallback && known?.isFallback !== false,
    })
  }
  const toWords = (file: string, { name, ...word }: OfferedWord, owner: string): readonly SharedWord[] => {
    const use = uses.get(`${owner} ${name}`)
    if (use === undefined) return []
    const identifies = use.identifies && !use.onlySigns
    return [{ file, value: { ...word, ...use, identifies, isFallback: word.isFallback || use.isFallback } }]
  }
  return [
    ...offered.flatMap(({ file, value }) => toWords(file, value, file)),
    // which of several a global holds, the order says in which scripts run
    ...[...groupBy(scripts.get(globalWords), ({ value: { name } }) => name).values()].flatMap((all) =>
      all.length === 1 ? all.flatMap(({ file, value }) => toWords(file, value, GLOBAL)) : [],
    ),
  ]
}

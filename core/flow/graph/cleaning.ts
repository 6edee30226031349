import { constantOf, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { CLEANING, CLEANING_NAMES, PARSING, STRIPPING_CLEANS } from '../tables/propagators.ts'

/** The rules for which a call makes what it gets harmless. */
export function cleanedBy({ callee, args }: CallValue, paths: readonly string[]): readonly string[] | undefined {
  for (const path of paths) {
    const faults = CLEANING.get(path)
    if (faults !== undefined) return faults
  }
  const name = lastNameOf(callee) ?? ''
  // quotes doubled by hand: text.replace(/'/g, "''")
  const [pattern] = args
  const replaced = pattern?.kind === 'regex' ? pattern.pattern : pattern?.kind === 'literal' ? String(pattern.value) : ''
  if (/^replace(?:All)?$/.test(name) && replaced.includes("'"))
    return isEscapingMarkup(name, args) ? ['cap/cql-injection', 'cap/reflected-xss'] : ['cap/cql-injection']
  if (isStripping(name, args)) return STRIPPING_CLEANS
  // a mask: text.replace(/.(?=.{3})/g, '*')
  if (/^replace(?:All)?$/.test(name) && /^[*xX#.-]{1,20}[@.]?(?:\$\d)?$/.test(String((args[1] && constantOf(args[1])) ?? '')))
    return ['cap/sensitive-log']
  // a line of a log stays one line
  if (/^replace(?:All)?$/.test(name) && /[\n\r]|\\[nrs]|\\p\{C|\\x00/.test(replaced)) return ['cap/log-injection']
  if (isEscapingMarkup(name, args)) return ['cap/reflected-xss']
  // each character that means something is escaped
  if (/^replace(?:All)?$/.test(name) && String((args[1] && constantOf(args[1])) ?? '').endsWith('$&'))
    return ['cap/code-injection']
  return CLEANING_NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

/** `text.replace(/[&<>]/g, (char) => ENTITIES[char])`: no tag begins in what is left. */
function isEscapingMarkup(name: string, [found, put]: readonly Value[]): boolean {
  if (!/^replace(?:All)?$/.test(name) || found?.kind !== 'regex' || !found.flags.includes('g')) return false
  const characters = /^\(?\[([^\]^][^\]]*)\]\)?$/.exec(found.pattern)?.[1] ?? ''
  return characters.includes('<') && put !== undefined && !(put.kind === 'literal' && String(put.value).includes('<'))
}

/** `text.replace(/[^\w]/g, '')`: nothing is left that could end a text. */
function isStripping(name: string, [found, put]: readonly Value[]): boolean {
  if (!/^replace(?:All)?$/.test(name) || found?.kind !== 'regex' || !found.flags.includes('g')) return false
  return (
    /^(?:\[\^[\w\\.: -]+\]|\\[WD])[+*]?$/.test(found.pattern) && put?.kind === 'literal' && /^[\w ]*$/.test(String(put.value))
  )
}

/** What it gives is an object, no text. */
export function isMerging(path: string): boolean {
  return (
    PARSING.has(path) ||
    path.startsWith('module:lodash') ||
    path.startsWith('module:underscore') ||
    path.startsWith('global:Object ') ||
    path.startsWith('global:Array ') ||
    path.startsWith('global:JSON ')
  )
}

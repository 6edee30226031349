import type { Localized } from '../../core/index.ts'
import { isNearMiss } from '../../core/host.ts'
import { RULES } from '../../core/scanner.ts'
import { UsageFault } from './usage.ts'

/** The id of a rule that exists, its area left out where its name is that of one rule alone: a typing error would tell nothing at all. */
export function readRule(text: string): string {
  const id = text.toLowerCase()
  const [rule, ...others] = RULES.filter((one) => one.id === id || one.id.endsWith(`/${id}`))
  if (rule !== undefined && others.length === 0) return rule.id
  const [shown, hint] = [text.slice(0, 100), suggestRules(id)]
  throw new UsageFault({ en: `There is no rule ${shown}: ${hint.en}`, fr: `Il n’y a pas de règle ${shown} : ${hint.fr}` })
}

/** Rules that are named in an answer; of more a part would be no help. */
const MAX_SUGGESTED = 5

function suggestRules(id: string): Localized<string> {
  // SQL before SQLite
  const words = wordsOf(nameOf(id))
  const hasWords = (rule: (typeof RULES)[number]): number =>
    namesOf(rule).some((name) => words.every((word) => wordsOf(name).includes(word))) ? 1 : 0
  const near = findRules(id).toSorted((one, other) => hasWords(other) - hasWords(one))
  if (near.length === 0) return { en: 'parapet rules lists them', fr: 'parapet rules les énumère' }
  const named = near
    .slice(0, MAX_SUGGESTED)
    .map((rule) => rule.id)
    .join(', ')
  const left = near.length - MAX_SUGGESTED
  return {
    en: `did you mean ${named}?${left > 0 ? ` parapet rules ${nameOf(id)} lists ${left} more` : ''}`,
    fr: `vouliez-vous dire ${named} ?${left > 0 ? ` parapet rules ${nameOf(id)} en énumère ${left} de plus` : ''}`,
  }
}

/** Rules whose id or title has every word of a text in it, of its area where that has any; else those that a typing error keeps apart from it. */
export function findRules(text: string, rules: typeof RULES = RULES): typeof RULES {
  const id = text.toLowerCase()
  const name = nameOf(id)
  const area = id.slice(0, id.length - name.length)
  const words = wordsOf(name)
  const found = rules.filter((rule) => namesOf(rule).some((one) => words.every((word) => one.includes(word))))
  const ofArea = found.filter((rule) => rule.id.startsWith(area))
  if (ofArea.length > 0) return ofArea
  return found.length > 0 ? found : rules.filter((rule) => isNearMiss(name, nameOf(rule.id)))
}

/** What a rule is called, in lower case. */
function namesOf({ id, text }: (typeof RULES)[number]): readonly string[] {
  const { en, fr } = text()
  return [id, en.title, fr.title].map((name) => name.toLowerCase())
}

const wordsOf = (name: string): readonly string[] => name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1)

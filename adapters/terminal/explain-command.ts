import { rowsOf, RULES, wordByExample, wordGradeRows } from '../../core/scanner.ts'
import { ruleUrl, type Locale } from '../../core/index.ts'
import type { Arguments } from './arguments.ts'
import { findRules, readRule } from './find-rules.ts'
import { createPainter } from './paint.ts'
import { UsageFault } from './usage.ts'
import { say, SEVERITY_WORDS } from './words.ts'

/** `parapet explain`: what a rule looks for, why, and how to repair it. */
export function explainRule({ operands, locale, rulesUrl }: Arguments): string {
  const [name, ...rest] = operands
  if (name === undefined || rest.length > 0)
    throw new UsageFault({
      en: 'parapet explain takes the id of one rule: parapet rules lists them',
      fr: 'parapet explain attend l’id d’une règle : parapet rules les énumère',
    })
  const id = readRule(name)
  const rule = RULES.find((other) => other.id === id)
  if (rule === undefined) throw new UsageFault('')
  const paint = createPainter(process.stdout, process.env)
  const { title, message, why, fix } = wordByExample(rule, locale)
  const cwe = rule.cwe.map((number) => `CWE-${number}`).join(' ')
  const severity = paint.severity(rule.severity, SEVERITY_WORDS[locale][rule.severity])
  const lines = [
    paint.strong(title),
    `${rule.id}  ${severity}  ${cwe}`,
    '',
    message,
    '',
    say(locale, 'why') + why,
    say(locale, 'fix') + fix,
    '',
    ...wordGradeRows(rowsOf(rule), locale).map((row) => say(locale, 'severity') + row),
    '',
    ...new Set([ruleUrl(rule.id, rule.docs, { rulesUrl }), rule.docs]),
  ]
  return `${lines.join('\n')}\n`
}

/** `parapet rules`: every rule on a line, or those that a text finds; `parapet rules <id>` explains it. */
export function listRules(args: Arguments): string {
  const { operands, locale, areas, rules, outputs } = args
  if (outputs.some(({ format }) => format !== 'text'))
    throw new UsageFault({
      en: 'parapet rules writes text; GET /api/rules of the service gives JSON',
      fr: 'parapet rules écrit du texte ; GET /api/rules du service donne du JSON',
    })
  const [text, ...rest] = operands
  if (rest.length > 0)
    throw new UsageFault({
      en: 'parapet rules takes one text: it lists the rules that have it in their id or title',
      fr: 'parapet rules attend un texte : il énumère les règles qui l’ont dans leur id ou leur titre',
    })
  if (RULES.some(({ id }) => id === text?.toLowerCase())) return explainRule(args)
  const isWanted = ({ id }: (typeof RULES)[number]): boolean =>
    (areas.length === 0 || areas.some((area) => id.startsWith(`${area}/`))) && (rules.length === 0 || rules.includes(id))
  const told = RULES.filter(isWanted)
  return listOf(text === undefined ? told : searchRules(told, text), locale)
}

/** By id or title; where there is none, what may have been meant. */
function searchRules(rules: typeof RULES, text: string): typeof RULES {
  const found = findRules(text, rules)
  if (found.length === 0)
    throw new UsageFault({
      en: `No rule has ${text.slice(0, 100)} in its id or title: parapet rules lists all`,
      fr: `Aucune règle n’a ${text.slice(0, 100)} dans son id ou son titre : parapet rules les énumère toutes`,
    })
  return found
}

function listOf(rules: typeof RULES, locale: Locale): string {
  const width = Math.max(...rules.map(({ id }) => id.length)) + 2
  return rules.map((rule) => `${rule.severity.padEnd(9)}${rule.id.padEnd(width)}${wordByExample(rule, locale).title}\n`).join('')
}

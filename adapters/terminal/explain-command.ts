import { rowsOf, RULES, ruleUrl, wordByExample, wordGradeRows } from '../../core/index.ts'
import { readRule, type Arguments } from './arguments.ts'
import { createPainter } from './paint.ts'
import { UsageFault } from './usage.ts'
import { say, SEVERITY_WORDS } from './words.ts'

/** `parapet explain`: what a rule looks for, why, and how to repair it. */
export function explainRule({ operands, locale, rulesUrl }: Arguments): string {
  const [name, ...rest] = operands
  if (name === undefined || rest.length > 0)
    throw new UsageFault('parapet explain takes the id of one rule: parapet rules lists them')
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

/** `parapet rules`: every rule on a line. */
export function listRules({ locale, areas, outputs }: Arguments): string {
  if (outputs.some(({ format }) => format !== 'text'))
    throw new UsageFault('parapet rules writes text; GET /api/rules of the service gives JSON')
  return RULES.filter(({ id }) => areas.length === 0 || areas.some((area) => id.startsWith(`${area}/`)))
    .map((rule) => `${rule.severity.padEnd(9)}${rule.id.padEnd(40)}${wordByExample(rule, locale).title}\n`)
    .join('')
}

import { AREAS } from '../core/index.ts'
import { pickLocale, setLanguage } from './_language.ts'
import { loadScanner } from './_load-scanner.ts'
import type { Route } from './_route.ts'
import type { RuleAnswer } from './_schemas.ts'

export const rules: Route = {
  method: 'GET',
  path: '/api/rules',
  summary: 'All rules with their texts and severities',
  localised: true,
  answers: { 200: { description: 'Every rule', schema: 'Rules' } },
  refusals: [],
  async handle(event, service): Promise<RuleAnswer[]> {
    const locale = pickLocale(event, service.language)
    const [rules, { rowsOf, wordByExample }] = await Promise.all([service.loadRules(), loadScanner()])
    setLanguage(event, locale)
    return AREAS.flatMap((area) =>
      rules
        .filter(({ id }) => id.startsWith(`${area}/`))
        .map((rule) => {
          const { id, severity, confidence, cwe, text, docs, since } = rule
          const words = wordByExample({ id, text }, locale)
          return {
            id,
            area,
            severity,
            confidence,
            cwe: cwe.map((number) => `CWE-${number}`),
            ...words,
            docs,
            since,
            grades: [...rowsOf(rule)],
          }
        }),
    )
  },
}

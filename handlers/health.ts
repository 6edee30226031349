import { pickLocale, setLanguage } from './_language.ts'
import type { Route } from './_route.ts'
import type { Health } from './_schemas.ts'

export const health: Route = {
  method: 'GET',
  path: '/api/health',
  summary: 'Whether the service is up, and which one it is',
  localised: true,
  answers: { 200: { description: 'It is', schema: 'Health' } },
  refusals: [],
  handle(event, { version, language }): Health {
    const lang = pickLocale(event, language)
    setLanguage(event, lang)
    return { status: 'ok', version, service: 'Parapet', lang }
  },
}

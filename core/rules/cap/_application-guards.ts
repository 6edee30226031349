import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { folderOf } from '../../paths.ts'

/**
 * Where a script of NestJS has something run in front of all controllers: it may ask who calls. The item is the folder whose controllers it is about.
 * Facts: NestJS 11, "Guards" (APP_GUARD, useGlobalGuards) and "Middleware" (MiddlewareConsumer, functional middleware by `app.use`).
 */
export const applicationGuards: Extract<string> = defineExtract({
  name: 'cap-application-guards',
  keywords: ['APP_GUARD', 'useGlobalGuards', 'MiddlewareConsumer', 'NestFactory'],
  prefilter: (text) => GUARDS.test(text),
  *collect({ path }) {
    yield /^(?:.{0,400}?\/)?src\//.exec(path)?.[0] ?? folderOf(path)
  },
})

const GUARDS =
  /\bAPP_GUARD\b|\buseGlobalGuards\s{0,5}\(|\bMiddlewareConsumer\b|\.use\(\s{0,20}[\w.]{0,40}(?:passport|auth|jwt|xssec|verif|oidc|session)/i

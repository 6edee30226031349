import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { stringConstantOf, fieldOf, pathsOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isDeployedCode } from '../../model/script/index.ts'
import { groupBy } from '../../lists.ts'
import { folderOf, ownerOf } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What a script of a server does that counts for CSRF. */
type SessionUse =
  | { readonly kind: 'session'; readonly at: Span; readonly name: string; readonly setting: string }
  /** It reads forms, keeps who is logged in, or has a defence. */
  | { readonly kind: 'form' | 'identity' | 'defence' }
  | { readonly kind: 'route'; readonly route: string }

/** Facts: csurf 1, csrf-csrf 4, csrf-sync 4, lusca 1, @dr.pogodin/csurf, tiny-csrf 1 (README of each); Fetch Metadata, "Sec-Fetch-Site"; a check of Origin or Referer, or a header that no form sends. */
const DEFENDS =
  /csrf|xsrf|\blusca\b|sec-fetch-site|sameSite|x-requested-with|headers\s{0,4}\.\s{0,4}origin\b|\b(?:get|header)\(\s{0,4}["']origin["']|headers\[\s{0,4}["']origin["']|\breferer\b[^\n]{0,60}(?:startsWith|includes|indexOf|[!=]==)|new URL\([^\n)]{0,40}\breferer\b/i
/** Facts: passport 0.7, `passport.session()` and `req.isAuthenticated()`. */
const IDENTIFIES =
  /\bsession\??\.(?:user\w{0,20}|uid|account\w{0,10}|login\w{0,10}|logged\w{0,10}|is_?logged\w{0,10}|auth\w{0,20}|role\w{0,5}|member\w{0,10}|employee\w{0,10}|email)\b|\bisAuthenticated\(|\bpassport\.session\(/i

const sessionUses: Extract<SessionUse> = defineExtract({
  name: 'cap-session-uses',
  keywords: [
    'session',
    'urlencoded',
    'body-parser',
    '.post(',
    'csrf',
    'xsrf',
    'Csrf',
    'CSRF',
    'lusca',
    'sameSite',
    'isAuthenticated',
    'origin',
    'referer',
  ],
  prefilter: (text) => DEFENDS.test(text) || IDENTIFIES.test(text) || /urlencoded|-session["'`]|\.post\(/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    if (DEFENDS.test(text)) yield { kind: 'defence' }
    if (IDENTIFIES.test(text)) yield { kind: 'identity' }
    for (const call of facts.calls) {
      step()
      const route = changingRoute(call)
      if (route !== undefined) yield { kind: 'route', route }
      const paths = pathsOf(call).map((path) => path.join(' '))
      if (paths.some((path) => FORMS.test(path))) yield { kind: 'form' }
      const session = paths.map((path) => SESSIONS.exec(path)?.[1]).find((name) => name !== undefined)
      const options = session === undefined ? undefined : call.args[0] && resolveValue(call.args[0])
      if (session === undefined || options === undefined || !isPlain(options)) continue
      const { start, end } = call.callee
      const setting = session === 'express-session' ? 'cookie: { sameSite: "lax" }' : 'sameSite: "lax"'
      const cookie = fieldOf(options, 'cookie')?.value
      if (cookie === undefined || isPlain(resolveValue(cookie)))
        yield { kind: 'session', at: { start, end }, name: session, setting }
    }
  },
})

const SESSIONS = /^module:(express-session|cookie-session) (?:default )?\(\)$/
/** What reads bodies that a form of any page can send. Facts: Express 5, `express.urlencoded`; body-parser 2; HTML, "Form submission" (enctype). */
const FORMS = /^module:(?:express|body-parser) (?:default )?urlencoded \(\)$|^module:body-parser (?:default )?\(\)$/

/** An object all of whose fields stand there. */
function isPlain(value: Value): boolean {
  return 'fields' in value && value.fields.every(({ key }) => key !== undefined)
}

const APPS = /app|router|server|express/i
/** By these people log in or read something; other systems call back. */
const ENTRANCE =
  /(?:^|\/)(?:log-?(?:in|out|on|off)|sign-?(?:in|out|up)|auth\w{0,20}|register|registration|sessions?|(?:get|list|fetch|find|search|query|filter)\w{0,40}|token|contact|(?:forgot|reset|recover)\w{0,20}|(?:web)?hooks?|callback)\/?$/i

/** `app.post('/visits', …)` */
function changingRoute({ callee, args }: CallValue): string | undefined {
  if (!('object' in callee) || callee.name !== 'post' || args.length < 2) return undefined
  const path = stringConstantOf(args[0])
  if (path === undefined || !path.startsWith('/') || ENTRANCE.test(path)) return undefined
  return APPS.test(lastNameOf(callee.object) ?? '') ? path : undefined
}

/**
 * An Express server recognises users by the cookie of a session without SameSite, reads bodies of forms, and has routes for POST without a defence against CSRF.
 * Facts: express-session 1.18, `cookie.sameSite` (not set by default); cookie-session 2.1, `sameSite`; RFC 6265bis, "SameSite"; MDN, "Set-Cookie": Safari and Firefox take a missing one as
 * None, Chrome as Lax but for the first two minutes. Bodies of JSON alone need a preflight, which a server without CORS doesn't answer.
 * Impact: a page of an attacker sends single requests in the session of its visitor, without the answer.
 */
export const sessionCsrfMissing: Rule = defineRule({
  id: 'cap/session-csrf-missing',
  impact: 'bounded',
  reach: 'anyone',
  confidence: 'medium',
  cwe: [352, 1275],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
  extracts: [sessionUses],
  on: 'project',

  *check({ scripts, npm, approuters }) {
    const folders = new Set(npm.packages.map(({ folder }) => folder))
    const servers = groupBy(scripts.get(sessionUses), ({ file }) => ownerOf(file, folders) ?? folderOf(file))
    for (const uses of servers.values()) {
      const kinds = new Set(uses.map(({ value }) => value.kind))
      if (!kinds.has('form') || !kinds.has('identity') || kinds.has('defence')) continue
      const [session] = uses.flatMap(({ file, value }) => (value.kind === 'session' ? { file, ...value } : []))
      const [route] = uses.flatMap(({ value }) => (value.kind === 'route' ? value.route : []))
      if (session === undefined || route === undefined) continue
      yield {
        at: { file: session.file, span: session.at },
        args: { name: session.name, route: `POST ${route}`, setting: session.setting },
        // it may be reached by an approuter alone, which asks for a token
        ...(approuters.length > 0 && { evidence: 'assumed' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Missing CSRF protection of an Express session',
      message:
        'The cookie of {name} has no SameSite attribute, forms are parsed, and no CSRF token or origin is checked: {route} accepts requests of any page.',
      why: 'A page of an attacker submits a form to this server. Browsers without a Lax default, such as Safari and Firefox, send the cookie along, and the action runs in the session of the user.',
      fix: 'Add {setting} to the options of this call. Where pages of other sites have to send requests, check a token for each of them instead, for example with csrf-csrf.',
    },
    fr: {
      title: 'Protection CSRF absente pour une session Express',
      message:
        'Le cookie de {name} n’a pas d’attribut SameSite, les formulaires sont analysés, et ni jeton CSRF ni origine ne sont vérifiés : {route} accepte les requêtes de toute page.',
      why: 'La page d’un attaquant envoie un formulaire à ce serveur. Les navigateurs sans Lax par défaut, comme Safari et Firefox, y joignent le cookie, et l’action s’exécute dans la session de l’utilisateur.',
      fix: 'Ajoutez {setting} aux options de cet appel. Si des pages d’autres sites doivent envoyer des requêtes, vérifiez plutôt un jeton pour chacune, par exemple avec csrf-csrf.',
    },
  }),
})

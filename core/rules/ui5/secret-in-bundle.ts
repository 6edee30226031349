import { valuesOf, type Value } from '../../facts/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'

const PREFIXES = ['VITE_', 'REACT_APP_', 'NEXT_PUBLIC_', 'EXPO_PUBLIC_', 'VUE_APP_', 'NUXT_PUBLIC_', 'GATSBY_'] as const

/** A variable of the environment that a bundler writes into what it builds, as `process.env` or `import.meta.env` has it. */
const BUNDLED = /^(?:VITE|REACT_APP|NEXT_PUBLIC|EXPO_PUBLIC|VUE_APP|NUXT_PUBLIC|GATSBY)_(\w{1,80})$/

/** The stage that a name may end with. */
const STAGE = /_(?:DEV|TEST|QA|PROD|PRODUCTION|\d{1,2})$/
/** Names of what nobody but its owner may know. */
const SECRET =
  /(?:^|_)(?:SECRET|PASSWORD|PASSWD|PWD|PRIVATE_KEY|SECRET_KEY|SERVICE_ROLE(?:_KEY)?|CLIENT_SECRET|AUTH_TOKEN|REFRESH_TOKEN|JWT_SECRET|SIGNING_KEY)$/
/** Providers that are paid by the request, or act for the owner of the key: their documentation says that keys belong on a server. */
const PAID =
  /(?:^|_)(?:OPEN_?AI|GEMINI|GEN_?AI|GENERATIVE_?AI|ANTHROPIC|CLAUDE|MISTRAL|GROQ|COHERE|HUGGING_?FACE|DEEP_?SEEK|PERPLEXITY|REPLICATE|ELEVEN_?LABS|STABILITY|OPEN_?ROUTER|TOGETHER_?AI|TWILIO|SENDGRID|RESEND|MAILGUN|POSTMARK|PINECONE)_(?:\w{1,20}_)?(?:KEY|TOKEN)$/
/** What providers mean for pages, and settings that only speak of a password. */
const FOR_PAGES =
  /PUBLI(?:C|SHABLE)|ANON(?:_|$)|MAPS?_|MAPBOX|FIREBASE|SITE_KEY|CAPTCHA|SEARCH|CSRF|XSRF|SHOW|HIDE|RESET|FORGOT|ENABLE/

/**
 * Code of a page reads a credential from a variable of the environment that its bundler writes into the bundle.
 * Facts: Vite 7, "Env Variables and Modes" (VITE_ variables end up in the bundle and should hold nothing sensitive); Create React App, "Adding Custom Environment Variables"; Next.js 15, Expo 53, Vue CLI 5, Nuxt 3 and Gatsby 5,
 * "Environment variables"; OpenAI, "Best practices for API key safety" (never in browsers or mobile apps); Google AI, "Using Gemini API keys".
 * Impact: whoever opens the page or unpacks the app has the credential. That the variable is set for what is built is assumed.
 */
export const secretInBundle: Rule = defineRule({
  id: 'ui5/secret-in-bundle',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [522, 540],
  since: '0.3.0',
  docs: 'https://vite.dev/guide/env-and-mode',
  keywords: PREFIXES,
  on: 'script',

  *check({ path, content: { facts } }) {
    if (isDeveloperFile(path) || isToolFile(path)) return
    for (const { value } of valuesOf(facts)) {
      const [, whole = ''] = 'object' in value ? (BUNDLED.exec(value.name ?? '') ?? []) : []
      const name = whole.replace(STAGE, '')
      if (!(SECRET.test(name) || PAID.test(name)) || FOR_PAGES.test(name) || !('object' in value)) continue
      if (!isEnvironment(value.object)) continue
      yield {
        at: { file: path, span: { start: value.start, end: value.end } },
        args: { name: quoteWord(value.name ?? '') },
        groupKey: `${path} ${value.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'Credential built into a page or mobile app',
      message: 'The code reads {name}, which the bundler writes into the files that every user downloads.',
      why: 'An attacker finds the value in the scripts of the page or app and uses it like its owner: requests to a paid API at the owner’s expense, or data that the credential opens.',
      fix: 'Move the call to a server that reads the variable under a name without the public prefix, and let the page ask that server. Revoke the credential: it counts as known once the page was built with it.',
    },
    fr: {
      title: 'Identifiant intégré à une page ou à une application mobile',
      message: 'Le code lit {name}, que l’outil de build écrit dans les fichiers téléchargés par chaque utilisateur.',
      why: 'Un attaquant trouve cette valeur dans les scripts de la page ou de l’application et s’en sert comme son propriétaire : appels d’une API payante à ses frais, ou données que l’identifiant ouvre.',
      fix: 'Déplacez l’appel vers un serveur qui lit la variable sous un nom sans préfixe public, et faites appeler ce serveur par la page. Révoquez l’identifiant : il est réputé connu dès que la page a été construite avec lui.',
    },
  },
})

/** `process.env`, `import.meta.env`, which is no name. */
function isEnvironment(value: Value): boolean {
  if (!('object' in value) || value.name !== 'env') return false
  const { object } = value
  return !('name' in object) || (object.name === 'process' && 'binding' in object && object.binding === undefined)
}

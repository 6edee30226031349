import { createDevelopmentReader, isToolFile } from '../../model/script/index.ts'
import { booleanOf } from '../../parse/data.ts'
import { inEachLanguage } from '../../arguments.ts'
import { quoteWord } from '../../quote.ts'
import type { Localized } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findOpenOrigins } from './_routes/cors-enabled-globally.ts'
import { carrierExtracts, createCarrierReader, openWithCredentials } from './_routes/cors-credentials.ts'
import { userReads } from './_model/open-services.ts'
import { isOpenToAll, keyIn, productionSettings, type CapRoot } from '../../model/cap/index.ts'

const LIST_FIX: Localized<string> = {
  en: "List the allowed origins: cors({ origin: ['https://<app-host>'], credentials: true }), or send Access-Control-Allow-Origin only if an allowlist includes the origin of the request.",
  fr: "Indiquez les origines autorisées : cors({ origin: ['https://<hôte-app>'], credentials: true }), ou n’envoyez Access-Control-Allow-Origin que si une liste d’autorisation contient l’origine de la requête.",
}

const CONTAINS_FIX: Localized<string> = {
  en: 'Compare the whole origin with an allowlist before sending it back: if (ALLOWED.includes(origin)). Add local addresses to it only where NODE_ENV is not production.',
  fr: 'Comparez l’origine complète à une liste d’autorisation avant de la renvoyer : if (ALLOWED.includes(origin)). N’y ajoutez des adresses locales que si NODE_ENV n’est pas production.',
}

/**
 * A middleware that allows every origin: that of CAP, for development, or one in the project's own code.
 * Facts: @sap/cds 9.9.3, server.js (`cors` sends the caller's origin back), lib/env/defaults.js (off in production); cors 2.8.5 (any origin by default).
 * Impact: without cookies it takes a service that is reachable without a token; with credentials a visit of a malicious page acts in the session of its visitor;
 * under a condition of the environment it is assumed that it holds, and where the cookies have SameSite=Lax or Strict, that a page of the same site is malicious. Where all callers are known by a token in a header, no browser sends anything by itself,
 * and services of CAP that all take callers without a login, in a package without sessions, cookies and a look at the user, hold nothing for one user alone.
 */
export const corsEnabledGlobally: Rule = defineRule({
  id: 'cap/cors-enabled-globally',
  impact: 'defence',
  reach: 'anyone',
  grades: { credentials: { impact: 'session' }, contains: { impact: 'session' }, endsWith: { impact: 'session' } },
  confidence: 'high',
  cwe: [942],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#cors-middleware',
  keywords: ['cors', 'Access-Control-Allow-Origin', 'access-control-allow-origin'],
  prefilter: (text) => /\bcors\b|enableCors|access-control-allow-origin/i.test(text),

  extracts: [openWithCredentials, ...carrierExtracts, userReads],

  checks: {
    *'cap-root'(root) {
      for (const setting of productionSettings(root, 'server', 'cors')) {
        if (booleanOf(setting.node) !== true) continue
        yield { at: setting.place, args: { key: keyIn(setting, 'server', 'cors'), file: setting.place.file } }
      }
    },

    *'server-script'({ path, text, content, budget }) {
      if (isToolFile(path)) return
      const isForDevelopers = createDevelopmentReader(content.facts)
      for (const { start, end, credentials, sometimes } of findOpenOrigins(content.facts, (count) => budget.step(count))) {
        if (credentials || isForDevelopers({ start, end })) continue
        const at = { file: path, span: { start, end } }
        const args = { how: wordOrigin(text.slice(start, end)) }
        yield { at, variant: 'code', args, ...(sometimes === true && { evidence: 'assumed' as const }) }
      }
    },

    // by what callers are known, the files of a package tell together
    *project({ scripts, npm, capRoots, step }) {
      const carriersIn = createCarrierReader(scripts, npm, step)
      const isOfOpenRoot = createOpenReader(capRoots)
      for (const {
        file,
        value: { start, end, contains, endsWith, sometimes },
      } of scripts.get(openWithCredentials)) {
        const at = { file, span: { start, end } }
        const text = contains ?? endsWith
        const carriers = carriersIn(file)
        // a host of the same site has to be taken over first
        const evidence = sometimes === true || carriers === 'own-site' ? { evidence: 'assumed' as const } : {}
        if (carriers === 'header') yield { at, variant: 'bearer' }
        else if (carriers === undefined && isOfOpenRoot(file)) yield { at, variant: 'open' }
        else if (text !== undefined)
          yield {
            at,
            variant: contains === undefined ? 'endsWith' : 'contains',
            args: { text: quoteWord(text) },
            ...(carriers === 'own-site' && evidence),
          }
        else yield { at, variant: 'credentials', ...evidence }
      }
    },
  },

  text: () => ({
    en: {
      title: 'CORS allows any origin',
      message: '{key} is true in {file} and applies to production: CAP allows every origin to read responses.',
      why: 'From a visitor’s browser, a malicious website can call services that require no token, for instance inside a company network, and read the responses.',
      fix: "Remove {key} from {file}, or move it into \"[development]\". For known origins, run \"npm install cors\" and add to server.js: cds.on('bootstrap', app => app.use(require('cors')({ origin: ['https://<app-host>'] }))).",
      variants: {
        code: {
          message: 'This CORS configuration allows every origin ({how}) to read the application’s responses.',
          fix: "List the allowed origins, for example cors({ origin: ['https://<app-host>'] }), or send Access-Control-Allow-Origin only if an allowlist includes the origin of the request. Remove CORS if the UI and the services have the same origin.",
        },
        contains: {
          title: 'CORS origin check by substring, with credentials',
          message: 'Every origin that contains {text} is allowed, together with Access-Control-Allow-Credentials: true.',
          why: 'An attacker can register a host name that contains this text. Its pages can send requests with a logged-in visitor’s cookies, unless their SameSite attribute prevents this, and read the responses.',
          fix: CONTAINS_FIX.en,
        },
        endsWith: {
          title: 'CORS allows hosts of others, with credentials',
          message: 'Every origin that ends with {text} is allowed, together with Access-Control-Allow-Credentials: true.',
          why: 'Others have hosts under this name too. Their pages can send requests with a logged-in visitor’s cookies, unless their SameSite attribute prevents this, and read the responses.',
          fix: CONTAINS_FIX.en,
        },
        bearer: {
          title: 'CORS allows foreign origins, for tokens in headers',
          message:
            'This CORS configuration lets foreign origins read responses with credentials; the code knows its callers by a token in a header.',
          why: 'No browser sends such a token by itself, so a malicious website reads only what needs none. That changes as soon as a session cookie opens these routes.',
          fix: LIST_FIX.en,
        },
        open: {
          title: 'CORS allows foreign origins, for services without a login',
          message:
            'This CORS configuration lets foreign origins read responses with credentials; no service of the application requires a login, and no code reads a cookie.',
          why: 'A malicious website reads only what it could request itself. That changes as soon as a session cookie or a password opens these services.',
          fix: LIST_FIX.en,
        },
        credentials: {
          title: 'CORS allows any origin with credentials',
          message: 'This CORS configuration allows every origin together with Access-Control-Allow-Credentials: true.',
          why: 'A malicious website can send requests with a logged-in visitor’s cookies, unless their SameSite attribute prevents this, and read the responses with that user’s permissions.',
          fix: LIST_FIX.en,
        },
      },
    },
    fr: {
      title: 'CORS autorise toute origine',
      message: '{key} vaut true dans {file} et s’applique à la production : CAP autorise toute origine à lire les réponses.',
      why: 'Un site malveillant peut, depuis le navigateur d’un visiteur, appeler des services qui n’exigent pas de jeton, par exemple dans un réseau d’entreprise, et en lire les réponses.',
      fix: "Supprimez {key} de {file}, ou déplacez-le dans \"[development]\". Pour des origines connues, exécutez \"npm install cors\" et ajoutez à server.js : cds.on('bootstrap', app => app.use(require('cors')({ origin: ['https://<hôte-app>'] }))).",
      variants: {
        code: {
          message: 'Cette configuration CORS autorise toute origine ({how}) à lire les réponses de l’application.',
          fix: "Indiquez les origines autorisées, par exemple cors({ origin: ['https://<hôte-app>'] }), ou n’envoyez Access-Control-Allow-Origin que si une liste d’autorisation contient l’origine de la requête. Supprimez CORS si l’interface et les services ont la même origine.",
        },
        contains: {
          title: 'Contrôle de l’origine CORS par sous-chaîne, avec cookies',
          message: 'Toute origine qui contient {text} est autorisée, avec Access-Control-Allow-Credentials: true.',
          why: 'Un attaquant peut enregistrer un nom d’hôte contenant ce texte. Ses pages peuvent envoyer des requêtes avec les cookies d’un visiteur connecté, sauf si leur attribut SameSite l’empêche, et lire les réponses.',
          fix: CONTAINS_FIX.fr,
        },
        endsWith: {
          title: 'CORS autorise des hôtes de tiers, cookies compris',
          message: 'Toute origine qui se termine par {text} est autorisée, avec Access-Control-Allow-Credentials: true.',
          why: 'D’autres ont aussi des hôtes sous ce nom. Leurs pages peuvent envoyer des requêtes avec les cookies d’un visiteur connecté, sauf si leur attribut SameSite l’empêche, et lire les réponses.',
          fix: CONTAINS_FIX.fr,
        },
        bearer: {
          title: 'CORS autorise des origines tierces, avec jetons en en-tête',
          message:
            'Cette configuration CORS laisse des origines tierces lire les réponses avec credentials ; le code reconnaît ses appelants à un jeton dans un en-tête.',
          why: 'Aucun navigateur n’envoie de lui-même un tel jeton : un site malveillant ne lit que ce qui n’en exige pas. Cela change dès qu’un cookie de session ouvre ces routes.',
          fix: LIST_FIX.fr,
        },
        open: {
          title: 'CORS autorise des origines tierces, sans authentification',
          message:
            'Cette configuration CORS laisse des origines tierces lire les réponses avec credentials ; aucun service de l’application n’exige d’authentification, et aucun code ne lit de cookie.',
          why: 'Un site malveillant ne lit que ce que tout le monde peut lire. Cela change dès qu’un cookie de session ou un mot de passe ouvre ces services.',
          fix: LIST_FIX.fr,
        },
        credentials: {
          title: 'CORS autorise toute origine, cookies compris',
          message: 'Cette configuration CORS autorise toute origine, avec Access-Control-Allow-Credentials: true.',
          why: 'Un site malveillant peut envoyer des requêtes avec les cookies d’un visiteur connecté, sauf si leur attribut SameSite l’empêche, et lire les réponses avec les droits de cet utilisateur.',
          fix: LIST_FIX.fr,
        },
      },
    },
  }),
})

/** Services that ask nobody who calls answer a page of another site no more than they answer everybody, unless code or a condition of a view chooses by the user. */
function createOpenReader(capRoots: readonly CapRoot[]): (file: string) => boolean {
  let open: ReadonlySet<string> | undefined
  return (file) => {
    if (open === undefined) {
      const others = new Set(capRoots.filter((root) => !answersAllAlike(root)).flatMap(pathsOf))
      const alike = capRoots.filter(answersAllAlike).flatMap(pathsOf)
      open = new Set(alike.filter((path) => !others.has(path)))
    }
    return open.has(file)
  }
}

function pathsOf({ files }: CapRoot): readonly string[] {
  return files.map(({ path }) => path)
}

function answersAllAlike(root: CapRoot): boolean {
  if (!isOpenToAll(root) || root.scripts.get(userReads).length > 0) return false
  const elements = root.services.flatMap((service) => service.elements)
  root.step(elements.length)
  return !elements.some(({ query }) => query?.where?.text.includes('$user') === true)
}

/** What in a call allows every origin, as far as it is written there. */
function wordOrigin(written: string): string {
  if (/["'`]\*["'`]/.test(written) && !/\borigin\s{0,5}(?:\|\||\?\?)/i.test(written)) return '"*"'
  if (/\borigin["']?\s{0,5}:\s{0,5}true\b/.test(written)) return 'origin: true'
  if (/\(\s{0,5}\)$/.test(written))
    return inEachLanguage({ en: 'the default without options', fr: 'valeur par défaut sans options' })
  // options that are written out, without an origin
  if (/\(\s{0,5}\{[^]{0,2000}\}\s{0,5}\)$/.test(written) && !/origin|\.\.\./i.test(written))
    return inEachLanguage({ en: 'the default without an origin option', fr: 'valeur par défaut sans option origin' })
  return /origin/i.test(written)
    ? inEachLanguage({ en: 'the Origin header is sent back unchecked', fr: 'l’en-tête Origin est renvoyé sans contrôle' })
    : inEachLanguage({ en: 'as set in the options', fr: 'd’après les options' })
}

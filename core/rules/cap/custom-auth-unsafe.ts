import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { effectiveConfiguration, type CapRoot } from '../../model/cap/index.ts'
import { createDevelopmentReader, isDeveloperFile } from '../../model/script/index.ts'
import { stringOf } from '../../parse/data.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { findRequestUsers, type RequestUser } from './_request-users.ts'

const SETS_USER = /\.user\s{0,8}(?:\?\?|\|\|)?=(?!=)|context\s{0,8}=\s{0,8}\{/

/** Users that productive code makes of what a request says of itself. */
const requestUsers: Extract<Span & Pick<RequestUser, 'reason'>> = defineExtract({
  name: 'cap-request-users',
  keywords: ['req.user', 'request.user', 'context.user', 'cds.context'],
  prefilter: (text) => SETS_USER.test(text),
  *collect({ path, facts }) {
    if (isDeveloperFile(path) || path.includes('/webapp/')) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const { start, end, reason } of findRequestUsers(facts))
      if (!isForDevelopers({ start, end })) yield { start, end, reason }
  },
})

/** Code that believes a request about who sends it: a middleware (`auth.impl`, or one of server.js) or a handler that makes the user out of headers,
 *  parameters or a token that nobody verified. A middleware that only development is configured with is fine.
 *  Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth (impl counts more than kind), lib/req/user.js. */
export const customAuthUnsafe: Rule = defineRule({
  id: 'cap/custom-auth-unsafe',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [287],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  extracts: [requestUsers],
  on: 'project',

  *check({ scripts, capRoots }: Project) {
    const users = scripts.get(requestUsers)
    const development = users.length === 0 ? new Set() : new Set(capRoots.flatMap(implementationsOfDevelopment))
    for (const { file, value } of users) {
      const { start, end, reason } = value
      if (development.has(withoutEnding(file))) continue
      yield { at: { file, span: { start, end } }, ...(reason !== 'sent' && { variant: reason }) }
    }
  },

  text: {
    en: {
      title: 'A request says itself who sends it',
      message: 'The user is made of what the request sends, and nothing here has checked it.',
      why: 'Whoever reaches the service writes the name and the roles of any user into a header, and is that user.',
      fix: 'Take the user from a verified token: kind jwt or ias, or createSecurityContext of @sap/xssec in your middleware.',
      variants: {
        decoded: {
          title: 'The user comes from a token that nobody checked',
          message: 'The user is made of the claims of a token that was decoded without its signature being verified.',
          why: 'Anybody can write a token with any user, tenant and scope in it; without the check of the signature it is believed.',
          fix: 'Verify the token: kind jwt or ias does, or createSecurityContext of @sap/xssec, or jwt.verify with a key and algorithms.',
        },
        privileged: {
          title: 'Every request gets a privileged user',
          message: 'The middleware makes each request one of a privileged user, and nothing here has checked it.',
          why: 'Whoever reaches the service passes every @requires and @restrict.',
        },
      },
    },
    fr: {
      title: 'Une requête dit elle-même qui l’envoie',
      message: 'L’utilisateur est construit avec ce qu’envoie la requête, et rien ici ne l’a vérifié.',
      why: 'Quiconque atteint le service écrit dans un en-tête le nom et les rôles de l’utilisateur de son choix, et devient cet utilisateur.',
      fix: 'Prenez l’utilisateur d’un jeton vérifié : kind jwt ou ias, ou createSecurityContext de @sap/xssec dans votre middleware.',
      variants: {
        decoded: {
          title: 'L’utilisateur vient d’un jeton que personne n’a vérifié',
          message: 'L’utilisateur est construit avec les claims d’un jeton décodé sans vérification de sa signature.',
          why: 'N’importe qui peut écrire un jeton avec l’utilisateur, le tenant et les scopes de son choix ; sans vérification de la signature, on le croit.',
          fix: 'Vérifiez le jeton : kind jwt ou ias le fait, ou createSecurityContext de @sap/xssec, ou jwt.verify avec une clé et des algorithmes.',
        },
        privileged: {
          title: 'Chaque requête reçoit un utilisateur privilégié',
          message: 'Le middleware fait de chaque requête celle d’un utilisateur privilégié, et rien ici ne l’a vérifiée.',
          why: 'Quiconque atteint le service passe tous les @requires et @restrict.',
        },
      },
    },
  },
})

/** Middlewares that only profiles for development name, without their ending. */
function implementationsOfDevelopment(root: CapRoot): string[] {
  const pathIn = (profile: string): string | undefined => {
    const path = stringOf(effectiveConfiguration(root, [profile]).value('requires', 'auth', 'impl')?.node)
    const relative = path?.replace(/^(?:\.\/)+/, '')
    return relative === undefined ? undefined : withoutEnding(root.root === '' ? relative : `${root.root}/${relative}`)
  }
  const production = pathIn('production')
  return ['development', 'test', 'hybrid'].flatMap((profile) => {
    const path = pathIn(profile)
    return path === undefined || path === production ? [] : path
  })
}

function withoutEnding(path: string): string {
  return path.replace(/\.[cm]?[jt]s$/, '')
}

import type { ScriptFacts } from '../../facts/types.ts'
import { effectiveConfiguration, type CapRoot } from '../../model/cap/index.ts'
import { scriptsKeptBy } from '../../model/kept-scripts.ts'
import { createDevelopmentReader, isDeveloperFile } from '../../model/script/index.ts'
import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { findRequestUsers } from './_request-users.ts'

const SETS_USER = /\.user\s{0,8}(?:\?\?|\|\|)?=(?!=)|context\s{0,8}=\s{0,8}\{/

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
  keywords: ['req.user', 'request.user', 'context.user', 'cds.context'],
  looks: (text) => SETS_USER.test(text),
  keeps: makesRequestUsers,
  on: ['project'],
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

  *check({ files, capRoots }: Project) {
    let development: ReadonlySet<string> | undefined
    for (const { path, content } of scriptsKeptBy(files.values(), makesRequestUsers)) {
      if (isDeveloperFile(path) || path.includes('/webapp/')) continue
      const { facts } = content
      const isForDevelopers = createDevelopmentReader(facts)
      for (const { start, end, reason } of findRequestUsers(facts)) {
        development ??= new Set(capRoots.flatMap(implementationsOfDevelopment))
        if (development.has(withoutEnding(path)) || isForDevelopers({ start, end })) continue
        yield { at: { file: path, span: { start, end } }, ...(reason !== 'sent' && { variant: reason }) }
      }
    }
  },
})

function makesRequestUsers(facts: ScriptFacts): boolean {
  return findRequestUsers(facts).length > 0
}

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

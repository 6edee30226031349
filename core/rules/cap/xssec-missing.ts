import { authStrategyOf, lockedAs, packageOf, placeKey, type CapRoot } from '../../model/cap/index.ts'
import type { NpmProject } from '../../model/npm/index.ts'
import { foldersAround } from '../../paths.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A strategy that checks tokens, without the library that checks them where the application runs.
 *  Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth/xssec.js: it is no dependency of CAP, and without it the server does not start. */
export const xssecMissing: Rule = defineRule({
  id: 'cap/xssec-missing',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  on: 'cap-root',

  *check(root, { npm }) {
    const missing = missingFrom(root, npm)
    if (missing === undefined) return
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      const { kind, setting, custom } = authStrategyOf(configuration)
      // without any declaration production asks for jwt, but then nobody has set up a login so far
      if (custom || kind === undefined || setting === undefined || !/^(?:jwt|xsuaa|ias)$/i.test(kind)) continue
      const key = missing.at === undefined ? placeKey(setting) : ''
      if (!seen.has(key)) {
        const args = { kind, file: missing.file }
        const grade = root.deployed ? {} : { severity: 'LOW' as const }
        yield missing.at === undefined
          ? { at: setting.place, args, ...grade }
          : { at: missing.at, args, variant: 'development', ...grade }
      }
      seen.add(key)
    }
  },

  text: {
    en: {
      title: 'The library that checks tokens is not installed',
      message: 'Authentication in production is {kind}, but {file} does not name @sap/xssec among its "dependencies".',
      why: 'CAP leaves checking tokens to it and does not start without it; which version then comes in, by whatever other package, nobody has chosen.',
      fix: 'Run npm add @sap/xssec in the folder of {file}.',
      variants: {
        development: {
          title: 'The library that checks tokens is a development dependency',
          message:
            'Authentication in production is {kind}, but {file} names @sap/xssec among its "devDependencies", which production leaves out.',
          fix: 'Move @sap/xssec to "dependencies".',
        },
      },
    },
    fr: {
      title: 'La bibliothèque qui vérifie les jetons n’est pas installée',
      message: 'L’authentification en production est {kind}, mais {file} ne nomme pas @sap/xssec dans « dependencies ».',
      why: 'CAP lui confie la vérification des jetons et ne démarre pas sans elle ; la version qu’un autre paquet apporterait alors, personne ne l’a choisie.',
      fix: 'Exécutez npm add @sap/xssec dans le dossier de {file}.',
      variants: {
        development: {
          title: 'La bibliothèque qui vérifie les jetons est une dépendance de développement',
          message:
            'L’authentification en production est {kind}, mais {file} nomme @sap/xssec dans « devDependencies », que la production laisse de côté.',
          fix: 'Déplacez @sap/xssec dans « dependencies ».',
        },
      },
    },
  },
})

/** The package.json that should name it; `at`: where it names it for development alone. Undefined: it is there, or may be. */
function missingFrom(root: CapRoot, npm: NpmProject): { file: string; at?: Place } | undefined {
  const own = packageOf(root, npm)
  if (own === undefined) return undefined
  const around = new Set(foldersAround(root.root))
  const named = npm.packages.filter(({ folder }) => folder === own.folder || around.has(folder)).flatMap((it) => it.dependencies)
  // the approuter brings it too
  if (named.some(({ name, member }) => member !== 'devDependencies' && /^@sap\/(?:xssec|approuter)$/.test(name))) return undefined
  if (lockedAs(own, '@sap/xssec').some(({ scope }) => scope !== 'development')) return undefined
  const tool = own.dependencies.find(({ name }) => name === '@sap/xssec')
  return tool === undefined ? { file: own.file } : { file: own.file, at: { file: own.file, span: tool.nameSpan } }
}

import { authStrategyOf, lockedAs, packageOf, placeKey, type CapRoot } from '../../model/cap/index.ts'
import { type NpmProject, type PackageManager } from '../../model/npm/index.ts'
import { foldersAround } from '../../paths.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Token validation configured for production, without the library that validates tokens among its dependencies.
 * Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth/xssec.js: it is no dependency of CAP, and without it the server does not start.
 * Impact: the application fails closed.
 */
export const xssecMissing: Rule = defineRule({
  id: 'cap/xssec-missing',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#jwt',
  on: 'cap-root',

  *check(root, { npm }) {
    const missing = missingFrom(root, npm)
    if (missing === undefined) return
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      const { kind, setting, custom } = authStrategyOf(configuration)
      // jwt is the default, but where nothing declares it, authentication is not set up yet
      if (custom || kind === undefined || setting === undefined || !/^(?:jwt|xsuaa|ias)$/i.test(kind)) continue
      const key = missing.at === undefined ? placeKey(setting) : ''
      if (!seen.has(key)) {
        const args = { ...missing.manager, kind, file: missing.file }
        yield missing.at === undefined ? { at: setting.place, args } : { at: missing.at, args, variant: 'development' }
      }
      seen.add(key)
    }
  },

  text: () => ({
    en: {
      title: 'Missing dependency on @sap/xssec',
      message: 'The authentication kind in production is "{kind}", but @sap/xssec is not among the "dependencies" of {file}.',
      why: 'CAP needs this library to validate tokens and does not start without it. If another package installs it, an outdated version with known vulnerabilities can end up validating tokens.',
      fix: 'Run "{add} @sap/xssec" in the folder of {file}, and commit the lock file.',
      variants: {
        development: {
          title: 'Token validation library in devDependencies only',
          message:
            'The authentication kind in production is "{kind}", but @sap/xssec is among the "devDependencies" of {file}, which are not installed in production.',
          fix: 'Move @sap/xssec from "devDependencies" to "dependencies" in {file} and run "{install}".',
        },
      },
    },
    fr: {
      title: 'Dépendance @sap/xssec manquante',
      message:
        'Le type d’authentification en production est "{kind}", mais @sap/xssec ne figure pas dans "dependencies" de {file}.',
      why: 'CAP a besoin de cette bibliothèque pour valider les jetons et ne démarre pas sans elle. Si un autre paquet l’installe, les jetons risquent d’être validés par une version obsolète comportant des vulnérabilités connues.',
      fix: 'Exécutez "{add} @sap/xssec" dans le dossier de {file}, et versionnez le fichier de verrouillage.',
      variants: {
        development: {
          title: 'Bibliothèque de validation des jetons dans devDependencies seulement',
          message:
            'Le type d’authentification en production est "{kind}", mais @sap/xssec figure dans "devDependencies" de {file}, que la production n’installe pas.',
          fix: 'Déplacez @sap/xssec de "devDependencies" vers "dependencies" dans {file} et exécutez "{install}".',
        },
      },
    },
  }),
})

/** The package.json that should name it; `at`: its place among the devDependencies. Undefined: it is there, or may be. */
function missingFrom(root: CapRoot, npm: NpmProject): { file: string; manager: PackageManager; at?: Place } | undefined {
  const own = packageOf(root, npm)
  if (own === undefined) return undefined
  const named = [own.folder, ...foldersAround(root.root)].flatMap((folder) => npm.byFolder.get(folder)?.dependencies ?? [])
  // the approuter depends on it too
  if (named.some(({ name, member }) => member !== 'devDependencies' && /^@sap\/(?:xssec|approuter)$/.test(name))) return undefined
  if (lockedAs(own, '@sap/xssec').some(({ scope }) => scope !== 'development')) return undefined
  const tool = own.dependencies.find(({ name }) => name === '@sap/xssec')
  const missing = { file: own.file, manager: own.manager }
  return tool === undefined ? missing : { ...missing, at: { file: own.file, span: tool.nameSpan } }
}

import { managerOfLock } from '../../model/npm/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `0.0.1-security`, `0.0.1-security.1`: no other version is called so. */
const PLACEHOLDER = /^0\.0\.\d{1,3}-security(?:\.\d{1,3})?$/

/**
 * A package that npm emptied: its releases were malicious, or its name is one that nobody may take. It holds no code, so whatever loads it does not get
 * what its author wanted. Facts: https://github.com/npm/security-holder.
 * Severity: LOW, hygiene: the placeholder does nothing, but the name was once an attacker's, or is a module of Node.js.
 */
export const placeholderPackage: Rule = defineRule({
  id: 'npm/placeholder-package',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1357],
  since: '0.2.0',
  docs: 'https://github.com/npm/security-holder',
  on: 'packages',

  *check({ file, packages }) {
    for (const { name, version, range, start, end, path = name } of packages) {
      if (!PLACEHOLDER.test(version)) continue
      const folder = file.slice(0, file.lastIndexOf('/') + 1)
      const args = { ...managerOfLock(file), package: name, version: range ?? version, path }
      yield { at: { file, span: { start, end } }, args, identity: `${name}@${version}`, groupKey: `${folder} ${name}@${version}` }
    }
  },

  text: {
    en: {
      title: 'Placeholder for a package that npm removed',
      message:
        '{package} {version} is an empty placeholder that npm published in place of the original. Dependency path: {path}.',
      why: 'Earlier releases under this name were malicious, or the name is that of a built-in Node.js module: the dependency is a mistake, and an earlier installation may have run an attacker’s code.',
      fix: 'Run "{remove} {package}". Built-in Node.js modules need no package. If an earlier version of it was ever installed, revoke the credentials on that machine.',
    },
    fr: {
      title: 'Paquet de substitution publié par npm',
      message: '{package} {version} est un paquet vide que npm a publié à la place de l’original. Chemin de dépendance : {path}.',
      why: 'D’anciennes versions portant ce nom étaient malveillantes, ou c’est le nom d’un module intégré à Node.js : la dépendance est une erreur, et une installation antérieure a pu exécuter le code d’un attaquant.',
      fix: 'Exécutez "{remove} {package}". Les modules intégrés à Node.js n’ont besoin d’aucun paquet. Si une version antérieure a été installée, révoquez les identifiants présents sur cette machine.',
    },
  },
})

import { managerOfLock, type NpmPackage } from '../../model/npm/index.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Modules of Node.js whose names npm holds. */
const BUILT_IN: ReadonlySet<string> = new Set(
  'assert buffer child_process cluster crypto dgram dns events fs http http2 https module net os path process querystring readline stream tls url util vm zlib'.split(
    ' ',
  ),
)

/** `0.0.1-security`, `0.0.1-security.1`: no other version is called so. */
const PLACEHOLDER = /^0\.0\.\d{1,3}-security(?:\.\d{1,3})?$/

/**
 * A package that npm emptied: its releases were malicious, or its name is one that nobody may take. It holds no code, so whatever loads it does not get
 * what its author wanted. Facts: https://github.com/npm/security-holder.
 * Impact: the placeholder does nothing, but the name was once an attacker's, or is a module of Node.js.
 */
export const placeholderPackage: Rule = defineRule({
  id: 'npm/placeholder-package',
  impact: 'hygiene',
  circumstance: 'unfixed',
  confidence: 'high',
  cwe: [1357],
  since: '0.2.0',
  docs: 'https://github.com/npm/security-holder',
  on: 'packages',

  *check(subject, { npm }) {
    const { file, packages } = subject
    const manager = managerOfLock(subject, npm)
    for (const { name, version, range, start, end, path = name } of packages) {
      if (!PLACEHOLDER.test(version)) continue
      const folder = file.slice(0, file.lastIndexOf('/') + 1)
      const [parent = name] = path.split(' > ')
      const args = { ...manager, package: name, version: range ?? version, path, parent }
      const match = {
        args,
        ...withVariant(BUILT_IN.has(name), parent !== name),
        identity: `${name}@${version}`,
        groupKey: `${folder} ${name}@${version}`,
      }
      // where it is to be removed
      const wanted =
        parent === name
          ? npm.packages.flatMap((it) => (it.locks.some((lock) => lock.file === file) ? namedBy(it, name) : []))
          : []
      for (const at of wanted) yield { at, ...match }
      yield { at: { file, span: { start, end } }, ...match }
    }
  },

  text: () => ({
    en: {
      title: 'Placeholder for a package that npm removed',
      message:
        '{package} {version} is an empty placeholder that npm published in place of the original. Dependency path: {path}.',
      why: 'Earlier releases under this name may have been malicious, and an earlier installation may have run an attacker’s code.',
      fix: 'Remove {package} from package.json and run "{install}". If an earlier version was ever installed on a machine, revoke the credentials stored there.',
      variants: {
        builtIn: {
          message:
            '{package} {version} is an empty placeholder under the name of a built-in Node.js module. Dependency path: {path}.',
          why: 'The dependency is a mistake: under this name, Node.js loads its built-in module instead of the package.',
          fix: 'Remove {package} from package.json and run "{install}": the built-in module needs no package.',
        },
        below: {
          fix: 'Update {parent}, which brings in {package}, to a release that does not require it, or replace {parent}. If an earlier version of {package} was ever installed on a machine, revoke the credentials stored there.',
        },
        builtInBelow: {
          message:
            '{package} {version} is an empty placeholder under the name of a built-in Node.js module. Dependency path: {path}.',
          why: 'The dependency is a mistake: under this name, Node.js loads its built-in module instead of the package.',
          fix: 'Update {parent}, which brings in {package}, to a release that does not require it, or replace {parent}. The placeholder itself is harmless.',
        },
      },
    },
    fr: {
      title: 'Paquet de substitution publié par npm',
      message: '{package} {version} est un paquet vide que npm a publié à la place de l’original. Chemin de dépendance : {path}.',
      why: 'D’anciennes versions publiées sous ce nom étaient peut-être malveillantes : une installation antérieure a pu exécuter le code d’un attaquant.',
      fix: 'Supprimez {package} de package.json et exécutez "{install}". Si une version antérieure a été installée sur une machine, révoquez les identifiants qui s’y trouvent.',
      variants: {
        builtIn: {
          message:
            '{package} {version} est un paquet vide qui porte le nom d’un module intégré à Node.js. Chemin de dépendance : {path}.',
          why: 'La dépendance est une erreur : sous ce nom, Node.js charge son module intégré et non le paquet.',
          fix: 'Supprimez {package} de package.json et exécutez "{install}" : le module intégré n’a besoin d’aucun paquet.',
        },
        below: {
          fix: 'Passez {parent}, qui installe {package}, à une version qui ne l’exige plus, ou remplacez {parent}. Si une version antérieure de {package} a été installée sur une machine, révoquez les identifiants qui s’y trouvent.',
        },
        builtInBelow: {
          message:
            '{package} {version} est un paquet vide qui porte le nom d’un module intégré à Node.js. Chemin de dépendance : {path}.',
          why: 'La dépendance est une erreur : sous ce nom, Node.js charge son module intégré et non le paquet.',
          fix: 'Passez {parent}, qui installe {package}, à une version qui ne l’exige plus, ou remplacez {parent}. Le paquet vide lui-même est inoffensif.',
        },
      },
    },
  }),
})

function namedBy({ file, dependencies }: NpmPackage, name: string): Place[] {
  return dependencies.flatMap((it) => (it.name === name ? [{ file, span: { start: it.start, end: it.end } }] : []))
}

function withVariant(isBuiltIn: boolean, isBelow: boolean): { readonly variant?: string } {
  if (isBelow) return { variant: isBuiltIn ? 'builtInBelow' : 'below' }
  return isBuiltIn ? { variant: 'builtIn' } : {}
}

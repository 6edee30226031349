import { defineRule, type Rule } from '../rule.ts'
import { namesOf } from './_messages.ts'

/**
 * Entries of a lock file without a hash, or with SHA-1 alone: one finding per file, for whoever wrote it wrote it as a whole. Links, folders and what
 * comes in another package’s archive need none. Facts: npm documentation, "package-lock.json" (integrity); yarn 1 and pnpm write it too.
 */
export const lockfileIntegrityMissing: Rule = defineRule({
  id: 'npm/lockfile-integrity-missing',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [353],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/configuring-npm/package-lock-json',
  on: 'packages',

  *check({ file, packages, lock }) {
    if (lock === undefined) return
    const judged = packages.filter(({ integrity }) => integrity !== undefined)
    const total = String(judged.length)
    const without = judged.filter(({ integrity }) => integrity === 'none')
    const weak = judged.filter(({ integrity }) => integrity === 'weak')
    if (without.length > 0) yield { at: { file }, args: { count: String(without.length), total, names: namesOf(without) } }
    else if (weak.length > 0) {
      const args = { count: String(weak.length), total, names: namesOf(weak) }
      yield { at: { file }, args, severity: 'LOW', variant: 'weak' }
    }
  },

  text: {
    en: {
      title: 'The lock file has no hashes',
      message: '{count} of {total} packages have no hash in the lock file: {names}.',
      why: 'Without a hash an installation takes whatever the registry, a proxy or a cache hands out under that version, changed or not.',
      fix: 'Delete node_modules and these entries, and install again with a current npm and a registry that tells hashes.',
      variants: {
        weak: {
          title: 'The lock file has SHA-1 hashes alone',
          message: '{count} of {total} packages have a SHA-1 hash alone in the lock file: {names}.',
          why: 'Two archives with one SHA-1 hash can be made; the hash then tells nothing.',
        },
      },
    },
    fr: {
      title: 'Le fichier de verrouillage n’a pas d’empreintes',
      message: '{count} paquets sur {total} n’ont pas d’empreinte dans le fichier de verrouillage : {names}.',
      why: 'Sans empreinte, une installation prend ce que le registre, un mandataire ou un cache fournit sous cette version, modifié ou non.',
      fix: 'Supprimez node_modules et ces entrées, puis réinstallez avec un npm récent et un registre qui donne les empreintes.',
      variants: {
        weak: {
          title: 'Le fichier de verrouillage n’a que des empreintes SHA-1',
          message: '{count} paquets sur {total} n’ont qu’une empreinte SHA-1 dans le fichier de verrouillage : {names}.',
          why: 'On sait fabriquer deux archives de même empreinte SHA-1 ; l’empreinte ne prouve alors plus rien.',
        },
      },
    },
  },
})

import { managerOfLock } from '../../model/npm/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { namesOf } from './_messages.ts'

/**
 * Entries of a lock file without a hash, or with SHA-1 alone: one finding per file, because one installation wrote all of it. Links, folders and bundled
 * packages need none. Facts: npm documentation, "package-lock.json" (integrity); yarn 1 and pnpm write it too.
 * Impact: whoever changes an archive at its source, or on the way, chooses the code.
 */
export const lockfileIntegrityMissing: Rule = defineRule({
  id: 'npm/lockfile-integrity-missing',
  impact: 'takeover',
  reach: 'privileged',
  evidence: 'assumed',
  // nobody finds another archive with the same SHA-1
  grades: { weak: { impact: 'defence', evidence: 'shown' } },
  confidence: 'high',
  cwe: [353],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json',
  on: 'packages',

  *check(subject, { npm }) {
    const { file, packages, lock } = subject
    if (lock === undefined) return
    const judged = packages.filter(({ integrity }) => integrity !== undefined)
    const { install } = managerOfLock(subject, npm)
    const total = String(judged.length)
    const without = judged.filter(({ integrity }) => integrity === 'none')
    const weak = judged.filter(({ integrity }) => integrity === 'weak')
    if (without.length > 0)
      yield { at: { file }, args: { install, count: String(without.length), total, names: namesOf(without) } }
    else if (weak.length > 0) {
      const args = { install, count: String(weak.length), total, names: namesOf(weak) }
      yield { at: { file }, args, variant: 'weak' }
    }
  },

  text: () => ({
    en: {
      title: 'Missing integrity hashes in the lock file',
      message: 'Packages without an integrity hash in the lock file: {count} of {total} ({names:and}).',
      why: 'A compromised registry, proxy or cache can deliver a modified archive under the same version, and the installation does not detect it.',
      fix: 'Delete node_modules and the lock file, run "{install}" with a current version of the package manager, review the changed versions and commit the new lock file. If entries still have no SHA-512 hash, install these packages from a registry that provides one.',
      variants: {
        weak: {
          title: 'SHA-1 integrity hashes in the lock file',
          message: 'Packages with only a SHA-1 hash in the lock file: {count} of {total} ({names:and}).',
          why: 'SHA-1 does not resist collisions: an attacker who has prepared two archives with the same hash and controls the registry or a cache can swap them, and the installation does not detect it.',
        },
      },
    },
    fr: {
      title: 'Empreintes d’intégrité manquantes dans le fichier de verrouillage',
      message: 'Paquets sans empreinte d’intégrité dans le fichier de verrouillage : {count} sur {total} ({names:et}).',
      why: 'Un registre, un proxy ou un cache compromis peut fournir une archive modifiée sous le même numéro de version, sans que l’installation le détecte.',
      fix: 'Supprimez node_modules et le fichier de verrouillage, exécutez "{install}" avec une version récente du gestionnaire de paquets, vérifiez les versions modifiées et versionnez le nouveau fichier. Si des entrées n’ont toujours pas d’empreinte SHA-512, installez ces paquets depuis un registre qui en fournit.',
      variants: {
        weak: {
          title: 'Empreintes SHA-1 dans le fichier de verrouillage',
          message: 'Paquets n’ayant qu’une empreinte SHA-1 dans le fichier de verrouillage : {count} sur {total} ({names:et}).',
          why: 'SHA-1 ne résiste pas aux collisions : un attaquant qui a préparé deux archives de même empreinte et contrôle le registre ou un cache peut les échanger sans que l’installation le détecte.',
        },
      },
    },
  }),
})

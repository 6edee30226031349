import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Scripts that npm runs by itself on every machine that installs the package (npm documentation, "scripts", life cycle). */
const HOOKS: ReadonlySet<string> = new Set(['preinstall', 'install', 'postinstall'])

/** Files of the campaigns of 2025 and 2026 that spread through such scripts. */
const WORM = /\b(?:setup_bun|bun_environment)\.js\b/
/** Its loader of 2026 has a name that others have too; it was always started before the installation (SAP Note 3747787). */
const LOADER = /^\s{0,10}(?:node|bun)(?:\s{1,5}run)?\s{1,5}(?:\.\/)?setup\.mjs\s{0,10}$/
const LOADS = /\b(?:curl|wget|Invoke-WebRequest|iwr|Invoke-RestMethod)\b/i
const RUNS_WHAT_IT_LOADS =
  /\b(?:curl|wget|iwr|Invoke-WebRequest)\b[^;&]{0,500}\|\s{0,5}(?:sudo\s{1,5})?(?:ba|z|da)?sh\b|\b(?:curl|wget|iwr|Invoke-WebRequest)\b[^;&]{0,500}\|\s{0,5}(?:node|python3?|iex|perl)\b|\b(?:ba|z)?sh\s{1,5}(?:-c\s{1,5}["']?\$|<)\(\s{0,5}(?:curl|wget)\b/i
const HIDES =
  /\bbase64\s{1,5}(?:-d|-D|--decode)\b|\beval\b|\batob\(|Buffer\.from\([^)]{1,500},\s{0,5}\\?["']base64|powershell[^&|]{0,200}\s-e(?:nc(?:odedcommand)?)?\s/i
const INLINE = /\bnode\s{1,5}(?:-e|--eval|-p|--print)\b|\bpowershell\b/i
const INLINE_NETWORK = /\bnode\s{1,5}(?:-e|--eval)\b.{0,2000}(?:https?:\/\/|require\([^)]{0,20}https?\b|fetch\(|child_process)/i

/**
 * A script of the project’s own that runs on every installation and downloads or hides code. Ordinary ones (husky, patch-package, cds, ui5, an
 * installation in another folder) are not reported. Facts: npm documentation, "scripts"; SAP Note 3747787.
 * Severity: HIGH, remote or hidden code runs on every machine that installs; MEDIUM for a mere file name, LOW for what is only hard to review.
 */
export const lifecycleScriptOwn: Rule = defineRule({
  id: 'npm/lifecycle-script-own',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [506],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/using-npm/scripts#life-cycle-scripts',
  on: 'project',

  *check({ npm }) {
    for (const { file, scripts } of npm.packages) {
      for (const { name, command, start, end } of scripts) {
        const grade = HOOKS.has(name) ? gradeOf(name, command) : undefined
        if (grade !== undefined) yield { at: { file, span: { start, end } }, args: { script: name, command }, ...grade }
      }
    }
  },

  text: {
    en: {
      title: 'Install script with inline code or downloads',
      message: '"{script}" in package.json runs on every installation ({command}).',
      why: 'Install scripts run without review on developer machines and in pipelines, which hold credentials; inline code and downloads escape code review.',
      fix: 'Replace "{script}" with a script that is run on demand, for example "npm run setup", and move its code to a project file.',
      variants: {
        hostile: {
          title: 'Install script that runs remote or obfuscated code',
          message: '"{script}" in package.json runs remote, hidden or known malicious code on every installation ({command}).',
          why: 'An attacker who controls that address or wrote the hidden part can run code on every machine that installs the project and steal its credentials, as the npm worms of 2025 and 2026 did.',
          fix: 'Remove "{script}" from package.json. If you did not write it, treat the project as compromised and revoke every credential that was on a machine where it was installed.',
        },
      },
    },
    fr: {
      title: 'Script d’installation avec code intégré ou téléchargement',
      message: '"{script}" dans package.json s’exécute à chaque installation ({command}).',
      why: 'Les scripts d’installation s’exécutent sans revue sur les postes de développement et dans les pipelines, qui détiennent des identifiants ; le code intégré à la commande et les téléchargements échappent à la relecture.',
      fix: 'Remplacez "{script}" par un script lancé à la demande, par exemple "npm run setup", et déplacez son code dans un fichier du projet.',
      variants: {
        hostile: {
          title: 'Script d’installation exécutant du code distant ou masqué',
          message:
            '"{script}" dans package.json exécute à chaque installation du code distant, masqué ou connu comme malveillant ({command}).',
          why: 'Un attaquant qui contrôle cette adresse ou a écrit la partie masquée peut exécuter du code sur chaque machine qui installe le projet et voler ses identifiants, comme l’ont fait les vers npm de 2025 et 2026.',
          fix: 'Supprimez "{script}" de package.json. Si vous ne l’avez pas écrit, considérez le projet comme compromis et révoquez tous les identifiants présents sur une machine où il a été installé.',
        },
      },
    },
  },
})

function gradeOf(name: string, command: string): Pick<Match, 'severity' | 'variant' | 'confidence'> | undefined {
  if (WORM.test(command) || RUNS_WHAT_IT_LOADS.test(command) || HIDES.test(command) || INLINE_NETWORK.test(command))
    return { severity: 'HIGH', variant: 'hostile' }
  if (name === 'preinstall' && LOADER.test(command)) return { severity: 'MEDIUM', variant: 'hostile', confidence: 'medium' }
  return LOADS.test(command) || INLINE.test(command) ? {} : undefined
}

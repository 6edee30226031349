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
 * A script of the project’s own that runs on every installation and loads or hides code. Ordinary ones (husky, patch-package, cds, ui5, an
 * installation in another folder) are left alone. Facts: npm documentation, "scripts"; SAP Note 3747787.
 */
export const lifecycleScriptOwn: Rule = defineRule({
  id: 'npm/lifecycle-script-own',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [506],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/using-npm/scripts#life-cycle-scripts',
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
      title: 'An install script runs code that is hard to review',
      message: '"{script}" runs by itself on every installation: {command}',
      why: 'Install scripts run before anybody looks, on developers’ machines and in pipelines where keys lie.',
      fix: 'Put the code into a file of the project, and call it where it is needed instead of on every installation.',
      variants: {
        hostile: {
          title: 'An install script runs code from elsewhere, or hidden code',
          message: '"{script}" runs by itself on every installation and executes what nobody can review: {command}',
          why: 'Whoever controls that address, or wrote the hidden part, runs code on every machine that installs the project. The worms of 2025 and 2026 spread in exactly this way.',
          fix: 'Remove the script. If you did not write it, treat the project as compromised and renew every key that was on a machine where it was installed.',
        },
      },
    },
    fr: {
      title: 'Un script d’installation exécute du code difficile à relire',
      message: '« {script} » s’exécute de lui-même à chaque installation : {command}',
      why: 'Les scripts d’installation s’exécutent avant toute relecture, sur les postes des développeurs et dans les chaînes d’intégration où se trouvent des clés.',
      fix: 'Placez ce code dans un fichier du projet, et appelez-le là où il est nécessaire plutôt qu’à chaque installation.',
      variants: {
        hostile: {
          title: 'Un script d’installation exécute du code venu d’ailleurs, ou du code caché',
          message: '« {script} » s’exécute de lui-même à chaque installation et lance ce que personne ne peut relire : {command}',
          why: 'Quiconque contrôle cette adresse, ou a écrit la partie cachée, exécute du code sur chaque machine qui installe le projet. Les vers de 2025 et 2026 se sont propagés exactement ainsi.',
          fix: 'Supprimez ce script. Si vous ne l’avez pas écrit, considérez le projet comme compromis et renouvelez toutes les clés présentes sur une machine où il a été installé.',
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

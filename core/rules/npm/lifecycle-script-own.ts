import type { Localized, Match } from '../../types.ts'
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
const INLINE_NETWORK = /\bnode\s{1,5}(?:-e|--eval)\b.{0,2000}(?:https?:\/\/|require\([^)]{0,20}https?\b|fetch\()/i
const INLINE_PROCESS = /\bnode\s{1,5}(?:-e|--eval)\b.{0,2000}child_process/i

const REMOVE: Localized<string> = {
  en: 'Remove "{script}" from package.json. If you did not write it, treat the project as compromised and revoke every credential that was on a machine where the project was installed.',
  fr: 'Supprimez "{script}" de package.json. Si vous ne l’avez pas écrit, considérez le projet comme compromis et révoquez tous les identifiants présents sur une machine où le projet a été installé.',
}

/**
 * A script of the project’s own that runs on every installation and downloads or hides code. Ordinary ones (husky, patch-package, cds, ui5, an
 * installation in another folder) are not reported. Facts: npm documentation, "scripts"; SAP Note 3747787.
 * Impact: code of an attacker runs on every machine that installs, where a script loads or hides what it runs; a mere file name, and what is only hard to
 * review, prove nothing.
 */
export const lifecycleScriptOwn: Rule = defineRule({
  id: 'npm/lifecycle-script-own',
  impact: 'takeover',
  reach: 'anyone',
  // it runs wherever the package is installed, for tests too
  usage: 'deployed',
  // most such scripts are harmless, and what they load or hold is not seen
  evidence: 'guessed',
  grades: {
    worm: { evidence: 'assumed' },
    remote: { evidence: 'assumed' },
    hidden: { evidence: 'assumed' },
    network: { evidence: 'assumed' },
    process: { evidence: 'assumed' },
  },
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

  text: () => ({
    en: {
      title: 'Install script with inline code',
      message: '"{script}" in package.json runs inline code on every installation ({command}).',
      why: 'Install scripts run automatically on developer machines and in pipelines, which often hold credentials; malicious code is easily overlooked in a command.',
      fix: 'Move the code to a project file, and rename "{script}" in package.json so that the script runs only on demand, for example to "setup" ("npm run setup").',
      variants: {
        download: {
          title: 'Install script with a download',
          message: '"{script}" in package.json downloads a file on every installation ({command}).',
          why: 'Install scripts run automatically on developer machines and in pipelines, which often hold credentials; code reviews do not cover what they download.',
          fix: 'Commit the downloaded file and remove "{script}" from package.json, or rename the script so that it runs only on demand, for example to "setup" ("npm run setup").',
        },
        remote: {
          title: 'Install script that runs remote code',
          message: '"{script}" in package.json downloads code and runs it on every installation ({command}).',
          why: 'An attacker who controls that address can run code on every machine that installs the project, and steal credentials there.',
          fix: REMOVE.en,
        },
        network: {
          title: 'Install script with network access',
          message: '"{script}" in package.json runs inline code that uses the network on every installation ({command}).',
          why: 'Such code can download and run other code on every machine that installs the project, and steal credentials there, as the npm worms of 2025 and 2026 did.',
          fix: REMOVE.en,
        },
        process: {
          title: 'Install script with inline code that starts processes',
          message: '"{script}" in package.json runs inline code that starts processes on every installation ({command}).',
          why: 'Such code can run other programs on every machine that installs the project, and steal credentials there, as the npm worms of 2025 and 2026 did.',
          fix: REMOVE.en,
        },
        hidden: {
          title: 'Install script that runs obfuscated code',
          message: '"{script}" in package.json decodes code and runs it on every installation ({command}).',
          why: 'Hidden code can steal credentials from every machine that installs the project, as the npm worms of 2025 and 2026 did.',
          fix: REMOVE.en,
        },
        worm: {
          title: 'Install script that runs a file named like a known worm',
          message:
            'On every installation, "{script}" in package.json starts a file named like the loader of a known npm worm ({command}).',
          why: 'The npm worms of 2025 and 2026 started this way and stole credentials from the machines that installed them.',
          fix: REMOVE.en,
        },
      },
    },
    fr: {
      title: 'Code contenu dans la commande d’un script d’installation',
      message:
        '"{script}" dans package.json exécute à chaque installation du code contenu dans la commande elle-même ({command}).',
      why: 'Les scripts d’installation s’exécutent automatiquement sur les postes de développement et dans les pipelines, où se trouvent souvent des identifiants ; du code malveillant passe facilement inaperçu dans une commande.',
      fix: 'Déplacez le code dans un fichier du projet et renommez "{script}" dans package.json, par exemple en "setup", pour ne lancer le script qu’à la demande ("npm run setup").',
      variants: {
        download: {
          title: 'Script d’installation avec téléchargement',
          message: '"{script}" dans package.json télécharge un fichier à chaque installation ({command}).',
          why: 'Les scripts d’installation s’exécutent automatiquement sur les postes de développement et dans les pipelines, où se trouvent souvent des identifiants ; les revues de code ne couvrent pas ce qu’ils téléchargent.',
          fix: 'Versionnez le fichier téléchargé et supprimez "{script}" de package.json, ou renommez ce script, par exemple en "setup", pour ne le lancer qu’à la demande ("npm run setup").',
        },
        remote: {
          title: 'Script d’installation exécutant du code distant',
          message: '"{script}" dans package.json télécharge du code et l’exécute à chaque installation ({command}).',
          why: 'Un attaquant qui contrôle cette adresse peut exécuter du code sur chaque machine qui installe le projet et y voler des identifiants.',
          fix: REMOVE.fr,
        },
        network: {
          title: 'Script d’installation accédant au réseau',
          message:
            '"{script}" dans package.json exécute à chaque installation du code contenu dans la commande elle-même, et ce code accède au réseau ({command}).',
          why: 'Ce code peut en télécharger d’autre et l’exécuter sur chaque machine qui installe le projet, puis y voler des identifiants, comme l’ont fait les vers npm de 2025 et 2026.',
          fix: REMOVE.fr,
        },
        process: {
          title: 'Script d’installation lançant des processus',
          message:
            '"{script}" dans package.json exécute à chaque installation du code contenu dans la commande elle-même, et ce code lance des processus ({command}).',
          why: 'Ce code peut lancer d’autres programmes sur chaque machine qui installe le projet et y voler des identifiants, comme l’ont fait les vers npm de 2025 et 2026.',
          fix: REMOVE.fr,
        },
        hidden: {
          title: 'Script d’installation exécutant du code masqué',
          message: '"{script}" dans package.json décode du code et l’exécute à chaque installation ({command}).',
          why: 'Du code masqué peut voler les identifiants de chaque machine qui installe le projet, comme l’ont fait les vers npm de 2025 et 2026.',
          fix: REMOVE.fr,
        },
        worm: {
          title: 'Script d’installation lançant un fichier qui porte le nom d’un ver connu',
          message:
            'À chaque installation, "{script}" dans package.json lance un fichier qui porte le nom du chargeur d’un ver npm connu ({command}).',
          why: 'C’est ainsi que les vers npm de 2025 et 2026 démarraient, puis volaient des identifiants sur les machines où ils étaient installés.',
          fix: REMOVE.fr,
        },
      },
    },
  }),
})

function gradeOf(name: string, command: string): Pick<Match, 'evidence' | 'variant' | 'confidence'> | undefined {
  const hostile = WORM.test(command)
    ? 'worm'
    : RUNS_WHAT_IT_LOADS.test(command)
      ? 'remote'
      : HIDES.test(command)
        ? 'hidden'
        : INLINE_NETWORK.test(command)
          ? 'network'
          : INLINE_PROCESS.test(command)
            ? 'process'
            : undefined
  if (hostile !== undefined) return { variant: hostile }
  if (name === 'preinstall' && LOADER.test(command)) return { evidence: 'guessed', variant: 'worm', confidence: 'medium' }
  if (LOADS.test(command)) return { variant: 'download' }
  return INLINE.test(command) ? {} : undefined
}

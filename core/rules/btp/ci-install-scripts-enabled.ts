import { findCredentialBlocks, findPipelineSteps } from '../../model/deployment/index.ts'
import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const INSTALLS = /\b(?:npm\s{1,5}(?:ci|i|install)|yarn\s{1,5}install|pnpm\s{1,5}(?:i|install))\b[^\n;&|]{0,300}/g
/** Names of variables that hold a credential. */
const CREDENTIAL = /(?:TOKEN|PASSWORD|PASSWD|SECRET|CREDENTIALS?|API_?KEY)$/i

/**
 * A pipeline that installs packages with their install scripts while credentials to publish or deploy are in its environment.
 * Facts: npm documentation, "config" (ignore-scripts); SAP Note 3747787.
 * Impact: nothing by itself, a dependency must publish a malicious release first.
 */
export const ciInstallScriptsEnabled: Rule = defineRule({
  id: 'btp/ci-install-scripts-enabled',
  impact: 'defence',
  reach: 'pipeline',
  // whatever its name, a pipeline runs
  usage: 'deployed',
  confidence: 'medium',
  cwe: [506],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/using-npm/config#ignore-scripts',
  on: 'project',

  *check({ files, npm }) {
    if (npm.settings.some(({ key, value }) => key === 'ignore-scripts' && value === 'true')) return
    for (const { file, command: run, secrets, job } of findPipelineSteps(files)) {
      const command = installOf(stringOf(run) ?? '')
      const variables = command === undefined ? [] : secrets.filter((name) => CREDENTIAL.test(name))
      if (run === undefined || command === undefined || variables.length === 0) continue
      yield {
        at: { file, span: { start: run.start, end: run.end } },
        args: { command, safe: `${command} --ignore-scripts`, file, variables: variables.join(', ') },
        groupKey: `${file} ${job} ${variables.join()}`,
      }
    }
    for (const { file, variables: all, text, start: offset } of findCredentialBlocks(files)) {
      const variables = all.filter((name) => CREDENTIAL.test(name)).join(', ')
      // in a string of Groovy
      const command = variables === '' ? undefined : installOf(text)?.split(/["']/, 1)[0]?.trimEnd()
      if (command === undefined) continue
      const start = offset + text.indexOf(command)
      const args = { command, safe: `${command} --ignore-scripts`, file, variables }
      yield { at: { file, span: { start, end: start + command.length } }, args, groupKey: `${file} ${variables}` }
    }
  },

  text: () => ({
    en: {
      title: 'Install scripts run with CI credentials in the environment',
      message: '"{command}" can run install scripts of packages with {variables:and} in the environment.',
      why: 'A malicious release of a dependency can read the credentials in the environment and exfiltrate them, as the npm worms of 2025 did.',
      fix: 'Use "{safe}" in {file}, and set {variables:and} only for the step or job that publishes or deploys. If a package needs its install script, run that script in a step without {variables:or}.',
    },
    fr: {
      title: 'Scripts d’installation exécutés avec les secrets de la CI',
      message:
        '"{command}" peut exécuter les scripts d’installation des paquets, qui ont alors accès à {variables:et} dans l’environnement.',
      why: 'Une version malveillante d’une dépendance peut lire les secrets de l’environnement et les exfiltrer, comme l’ont fait les vers npm de 2025.',
      fix: 'Utilisez "{safe}" dans {file}, et ne définissez {variables:et} que pour l’étape ou la tâche qui publie ou déploie. Si un paquet a besoin de son script d’installation, exécutez ce script dans une étape sans {variables:ou}.',
    },
  }),
})

function installOf(run: string): string | undefined {
  for (const [command] of run.slice(0, 20_000).matchAll(INSTALLS)) if (!/--ignore-scripts\b/.test(command)) return command.trim()
  return undefined
}

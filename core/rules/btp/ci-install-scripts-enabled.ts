import { findPipelineSteps } from '../../model/deployment/index.ts'
import { at, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const INSTALLS = /\b(?:npm\s{1,5}(?:ci|i|install)|yarn\s{1,5}install|pnpm\s{1,5}(?:i|install))\b[^\n;&|]{0,300}/g
/** Names of variables that open something: registries, the platform, repositories. */
const CREDENTIAL = /(?:TOKEN|PASSWORD|PASSWD|SECRET|CREDENTIALS?|API_?KEY)$/i

/**
 * A pipeline that installs packages with their scripts while the keys to publish or deploy lie in its environment: the first place where hostile
 * releases look. Facts: npm documentation, "config" (ignore-scripts); SAP Note 3747787.
 */
export const ciInstallScriptsEnabled: Rule = defineRule({
  id: 'btp/ci-install-scripts-enabled',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [506],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/using-npm/config#ignore-scripts',
  on: 'project',

  *check({ files, npm }) {
    if (npm.settings.some(({ key, value }) => key === 'ignore-scripts' && value === 'true')) return
    for (const { file, command: run, scopes, job } of findPipelineSteps(files)) {
      const command = installOf(stringOf(run) ?? '')
      const variables = command === undefined ? [] : credentialsOf(scopes)
      if (run === undefined || command === undefined || variables.length === 0) continue
      yield {
        at: { file, span: { start: run.start, end: run.end } },
        args: { command, variables: variables.join(', ') },
        sameAs: `${file} ${job} ${variables.join()}`,
      }
    }
  },

  text: {
    en: {
      title: 'Install scripts run beside the keys of a pipeline',
      message: '"{command}" runs the scripts of every package while {variables} is in the environment.',
      why: 'One hostile release among hundreds of packages reads the key and sends it away: so the worms of 2025 and 2026 spread.',
      fix: 'Install with "npm ci --ignore-scripts" in a step of its own, and give the key only to the step that publishes or deploys.',
    },
    fr: {
      title: 'Des scripts d’installation s’exécutent à côté des clés d’une chaîne d’intégration',
      message: '« {command} » exécute les scripts de chaque paquet pendant que {variables} se trouve dans l’environnement.',
      why: 'Une seule version hostile parmi des centaines de paquets lit la clé et l’envoie au loin : c’est ainsi que les vers de 2025 et 2026 se sont propagés.',
      fix: 'Installez avec « npm ci --ignore-scripts » dans une étape à part, et ne donnez la clé qu’à l’étape qui publie ou déploie.',
    },
  },
})

function installOf(run: string): string | undefined {
  for (const [command] of run.slice(0, 20_000).matchAll(INSTALLS)) if (!/--ignore-scripts\b/.test(command)) return command.trim()
  return undefined
}

/** Variables of the workflow, the job and the step that hold a secret of the repository. The token that GitHub makes for each run ends with it. */
function credentialsOf(nodes: readonly DataNode[]): string[] {
  return nodes.flatMap((node) =>
    membersOf(at(node, 'env')).flatMap(({ key, value }) => {
      const written = stringOf(value) ?? ''
      // `${{ secrets.X }}` of GitHub, `$(x)` of Azure
      const isSecret = /\bsecrets\.(?!GITHUB_TOKEN\b)|^\$\([\w.-]{1,100}\)$/.test(written)
      return isSecret && CREDENTIAL.test(key) ? [key] : []
    }),
  )
}

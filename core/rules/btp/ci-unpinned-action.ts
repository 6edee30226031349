import { findWorkflows, mayWrite, type Workflow, type WorkflowJob } from '../../model/deployment/index.ts'
import { at, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Owners whose tags one has to trust anyway: GitHub itself, SAP and its open source organisations. */
const TRUSTED: ReadonlySet<string> = new Set([
  'actions',
  'github',
  'sap',
  'sap-samples',
  'cap-js',
  'capire',
  'ui5',
  'ui5-community',
])
const COMMIT = /^[\da-f]{40}$|^sha256:[\da-f]{64}$/i
const PUBLISHES = /\b(?:npm|yarn|pnpm)\s{1,5}(?:-\w{1,20}\s{1,5}){0,3}publish\b|semantic-release|changeset\s{1,5}publish/

/**
 * An action by a name that can be moved to other code, and workflows without bounds on their token. In a job that publishes by identity token a moved
 * action can publish in the project’s name: that is how packages of CAP were taken over in 2026. Facts: GitHub documentation, "Security hardening".
 */
export const ciUnpinnedAction: Rule = defineRule({
  id: 'btp/ci-unpinned-action',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://docs.github.com/actions/security-for-github-actions/security-guides/security-hardening-for-github-actions',
  on: 'project',

  *check({ files }): Generator<Match> {
    for (const workflow of findWorkflows(files)) {
      const { file, jobs } = workflow
      for (const job of jobs) {
        const publishes = isPublishing(workflow, job)
        for (const uses of [job.uses, ...job.steps.map((step) => step.uses)]) {
          const match = uses === undefined ? undefined : judgeAction(uses, job, publishes)
          if (match !== undefined && uses !== undefined)
            yield { at: { file, span: { start: uses.start, end: uses.end } }, ...match }
        }
      }
      yield* judgePermissions(workflow)
    }
  },

  text: {
    en: {
      title: 'A pipeline runs an action that its owner can change',
      message: '{action} names the tag or branch {reference}, which its owner, or whoever takes over the account, can move.',
      why: 'The changed action runs with the secrets of the pipeline and its token, without any change in your repository.',
      fix: 'Write the commit, "{action}@<40 digits> # {reference}", and let a bot update it.',
      variants: {
        publish: {
          title: 'A pipeline that publishes runs an action that its owner can change',
          message:
            '{action}@{reference} runs in the job {job}, which may publish in the name of the project ("id-token: write").',
          why: 'Whoever moves the tag publishes packages in your name, signed by your own pipeline.',
        },
        all: {
          title: 'The token of a pipeline may do everything',
          message: '"permissions: write-all" gives every action of {job} the right to change the repository.',
          why: 'One hostile or mistaken action is enough to change code, releases and packages.',
          fix: 'Write "permissions: {}" on top of the workflow, and give each job what it needs.',
        },
        none: {
          title: 'The token of a pipeline has no bounds in the workflow',
          message: 'The workflow {job} does not say what its token may do: a setting outside of the project decides.',
          why: 'Where that setting is the old default, every action of the workflow may change the repository.',
          fix: 'Write "permissions: { contents: read }" on top of the workflow, and give single jobs more where they need it.',
        },
      },
    },
    fr: {
      title: 'Une chaîne d’intégration exécute une action que son propriétaire peut changer',
      message:
        '{action} nomme l’étiquette ou la branche {reference}, que son propriétaire, ou quiconque prend son compte, peut déplacer.',
      why: 'L’action modifiée s’exécute avec les secrets de la chaîne et son jeton, sans aucun changement dans votre dépôt.',
      fix: 'Écrivez le commit, « {action}@<40 chiffres> # {reference} », et laissez un robot le mettre à jour.',
      variants: {
        publish: {
          title: 'Une chaîne qui publie exécute une action que son propriétaire peut changer',
          message: '{action}@{reference} s’exécute dans la tâche {job}, qui peut publier au nom du projet (« id-token: write »).',
          why: 'Quiconque déplace l’étiquette publie des paquets en votre nom, signés par votre propre chaîne.',
        },
        all: {
          title: 'Le jeton d’une chaîne d’intégration peut tout faire',
          message: '« permissions: write-all » donne à chaque action de {job} le droit de modifier le dépôt.',
          why: 'Une seule action hostile ou erronée suffit pour modifier le code, les versions publiées et les paquets.',
          fix: 'Écrivez « permissions: {} » en tête du workflow, et donnez à chaque tâche ce dont elle a besoin.',
        },
        none: {
          title: 'Le jeton d’une chaîne d’intégration n’a pas de bornes dans le workflow',
          message: 'Le workflow {job} n’indique pas ce que son jeton peut faire : un réglage extérieur au projet en décide.',
          why: 'Si ce réglage est l’ancien défaut, chaque action du workflow peut modifier le dépôt.',
          fix: 'Écrivez « permissions: { contents: read } » en tête du workflow, et donnez davantage aux tâches qui en ont besoin.',
        },
      },
    },
  },
})

function isPublishing(workflow: Workflow, job: WorkflowJob): boolean {
  if (!mayWrite(job.permissions ?? workflow.permissions, 'id-token')) return false
  return job.steps.some(({ run }) => PUBLISHES.test(stringOf(run) ?? ''))
}

function judgeAction(uses: DataNode, { name }: WorkflowJob, publishes: boolean): Omit<Match, 'at'> | undefined {
  const written = stringOf(uses) ?? ''
  const [, action = '', owner = '', reference = ''] = /^(([\w.-]{1,100})\/[^@\s]{1,300})@(\S{1,200})$/.exec(written) ?? []
  // without an address: of the repository itself; docker:// has no owner
  if (reference === '' || written.startsWith('.') || written.startsWith('docker:') || COMMIT.test(reference)) return undefined
  const args = { action, reference, job: name }
  const isTrusted = TRUSTED.has(owner.toLowerCase())
  if (publishes && !isTrusted) return { args, severity: 'HIGH', variant: 'publish' }
  // of those that one trusts anyway it is one habit
  return isTrusted ? { args, severity: 'LOW', sameAs: 'trusted' } : { args, sameAs: `${action}@${reference}` }
}

function* judgePermissions({ file, node, permissions, jobs }: Workflow): Generator<Match> {
  const all = [{ permissions, name: file }, ...jobs].filter(({ permissions: given }) => stringOf(given?.value) === 'write-all')
  for (const { permissions: given, name } of all)
    if (given !== undefined)
      yield { at: { file, span: { start: given.keySpan.start, end: given.value.end } }, args: { job: name }, variant: 'all' }
  const runs = jobs.some((job) => job.steps.length > 0 && job.permissions === undefined)
  const key = at(node, 'jobs')
  if (permissions === undefined && runs && key !== undefined)
    yield { at: { file }, args: { job: file }, severity: 'LOW', variant: 'none', sameAs: 'permissions' }
}

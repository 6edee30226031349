import { findGitlabIncludes, findWorkflows, mayWrite, type Workflow, type WorkflowJob } from '../../model/deployment/index.ts'
import { at, membersOf, stringOf, textsBelow, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Owners that a workflow for SAP projects trusts anyway: GitHub, SAP and its open source organizations, vendors of the platforms that it deploys to. */
const TRUSTED: ReadonlySet<string> = new Set([
  'actions',
  'github',
  'sap',
  'sap-samples',
  'cap-js',
  'capire',
  'ui5',
  'ui5-community',
  'kyma-project',
  'cloudfoundry',
  'docker',
  'azure',
  'aws-actions',
  'google-github-actions',
])
/** Those of the repository; the token of the run may do what `permissions` say. */
const SECRET = /\bsecrets\b(?!\s{0,5}\.\s{0,5}GITHUB_TOKEN\b)/
/** Scopes of the token that write nothing but posts. Fact: GitHub documentation, "Workflow syntax" (permissions). */
const POSTS: ReadonlySet<string> = new Set(['issues', 'discussions'])
const COMMIT = /^[\da-f]{40}$|^sha256:[\da-f]{64}$/i
const PUBLISHES = /\b(?:npm|yarn|pnpm)\s{1,5}(?:-\w{1,20}\s{1,5}){0,3}publish\b|semantic-release|changeset\s{1,5}publish/

/**
 * A GitHub Action or a file included into a GitLab pipeline by a tag or branch instead of a commit, and workflows that do not limit the rights of their token.
 * Facts: GitHub documentation, "Security hardening for GitHub Actions" (pinning, permissions; read-only default since February 2023);
 * GitLab documentation, "CI/CD YAML syntax reference" (include:integrity, include:project, include:component).
 * Impact: what the action may do: with the secrets or the writing token of a job it acts as the project, else it changes what the job builds. Few have
 * control of actions of GitHub, SAP, the vendors of platforms and the owner of the repository itself, and of other repositories of the same GitLab. Rights of a token give nothing before a
 * step is compromised.
 */
export const ciUnpinnedAction: Rule = defineRule({
  id: 'btp/ci-unpinned-action',
  impact: 'takeover',
  reach: 'pipeline',
  // whatever its name, a pipeline runs
  usage: 'deployed',
  // somebody has to move the tag
  evidence: 'assumed',
  grades: {
    all: { impact: 'defence', evidence: 'shown' },
    none: { impact: 'defence', evidence: 'shown' },
    // of the same GitLab
    project: { reach: 'privileged' },
    component: { reach: 'privileged' },
  },
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://docs.github.com/actions/security-for-github-actions/security-guides/security-hardening-for-github-actions',
  docsByVariant: {
    remote: 'https://docs.gitlab.com/ci/yaml/#includeremote',
    project: 'https://docs.gitlab.com/ci/yaml/#includeproject',
    component: 'https://docs.gitlab.com/ci/yaml/#includecomponent',
  },
  on: 'project',

  *check({ files }): Generator<Match> {
    const trusted = new Set([...TRUSTED, ...ownersOf(files)])
    for (const workflow of findWorkflows(files)) {
      const { file, jobs } = workflow
      for (const job of jobs) {
        const publishes = isPublishing(workflow, job)
        for (const uses of [job.uses, ...job.steps.map((step) => step.uses)]) {
          const match = uses === undefined ? undefined : judgeAction(uses, workflow, job, { publishes, trusted })
          if (match !== undefined && uses !== undefined)
            yield { at: { file, span: { start: uses.start, end: uses.end } }, ...match }
        }
      }
      yield* judgePermissions(workflow)
    }
    yield* judgeIncludes(files)
  },

  text: () => ({
    en: {
      title: 'GitHub Action not pinned to a commit',
      message:
        '{action} is referenced by the tag or branch {reference}, which the action’s owner can move to other code at any time.',
      why: 'An attacker who takes over the action’s repository can run code in the pipeline, with the job’s token permissions and secrets, if any, without any change in your repository.',
      fix: 'Use "uses: {action}@<commit SHA> # {reference}" in {file}; "gh api repos/{repository}/commits/{reference} --jq .sha" prints the SHA. Have Dependabot or Renovate update it.',
      variants: {
        publish: {
          title: 'Unpinned GitHub Action in a publishing job',
          message:
            'Job {job} publishes with "id-token: write" and uses {action}@{reference}, a tag or branch that the action’s owner can move to other code.',
          why: 'An attacker who takes over the action’s repository can publish packages in your name, signed by your own pipeline.',
        },
        all: {
          title: 'Workflow token with full write access',
          message: '"permissions: write-all" in {job} gives the GITHUB_TOKEN of every step full write access to the repository.',
          why: 'A compromised action or dependency in a single step can change the repository’s code, releases and packages.',
          fix: 'Set "permissions: {}" at the top of {file}, and give each job only what it needs, for example "permissions: { contents: read }".',
        },
        none: {
          title: 'Workflow token permissions not restricted',
          message:
            'Workflow {job} does not set "permissions": the default of the repository or organization decides what GITHUB_TOKEN can do.',
          why: 'If that default is "read and write", as GitHub set it until February 2023, a compromised step can change the repository.',
          fix: 'Set "permissions: { contents: read }" at the top of {file}, and grant more to individual jobs that need it.',
        },
        remote: {
          title: 'Included pipeline without an integrity check',
          message: 'The pipeline includes {source} without checking its integrity: each run uses whatever the server returns.',
          why: 'An attacker who controls that URL can run code in the pipeline, with its variables and its token, without any change in your repository.',
          fix: 'Write this include as { remote: {source}, integrity: sha256-<hash> }; "openssl dgst -sha256 -binary <file> | base64" prints the hash of the downloaded file. Or commit the file and use "local:".',
        },
        project: {
          title: 'Included pipeline not pinned to a commit',
          message: 'The pipeline includes {source} at {reference}, a reference that can point to other code at any time.',
          why: 'An attacker who can push to that repository can run code in the pipeline, with its variables and its token, without any change in your repository.',
          fix: 'Set "ref: <commit SHA>" next to "project: {source}".',
        },
        component: {
          title: 'Included pipeline component not pinned',
          message: 'The pipeline includes {source} at {reference}, a reference that can point to other code at any time.',
          why: 'An attacker who can change that component can run code in the pipeline, with its variables and its token, without any change in your repository.',
          fix: 'Use "component: {source}@<commit SHA>", or at least a full version such as 1.2.3.',
        },
      },
    },
    fr: {
      title: 'Action GitHub non épinglée à un commit',
      message:
        '{action} est référencée par l’étiquette ou la branche {reference}, que le propriétaire de l’action peut à tout moment faire pointer vers un autre code.',
      why: 'Un attaquant qui prend le contrôle du dépôt de l’action peut exécuter du code dans le pipeline, avec les droits du jeton et les secrets de la tâche, s’il y en a, sans aucune modification de votre dépôt.',
      fix: 'Utilisez "uses: {action}@<SHA du commit> # {reference}" dans {file} ; "gh api repos/{repository}/commits/{reference} --jq .sha" affiche le SHA. Confiez sa mise à jour à Dependabot ou à Renovate.',
      variants: {
        publish: {
          title: 'Action GitHub non épinglée dans une tâche de publication',
          message:
            'La tâche {job} publie avec "id-token: write" et utilise {action}@{reference}, une étiquette ou une branche que le propriétaire de l’action peut faire pointer vers un autre code.',
          why: 'Un attaquant qui prend le contrôle du dépôt de l’action peut publier des paquets en votre nom, signés par votre propre pipeline.',
        },
        all: {
          title: 'Jeton de workflow avec tous les droits d’écriture',
          message:
            '"permissions: write-all" dans {job} donne au GITHUB_TOKEN de chaque étape tous les droits d’écriture sur le dépôt.',
          why: 'Une seule action ou dépendance compromise peut modifier le code, les versions publiées et les paquets du dépôt.',
          fix: 'Définissez "permissions: {}" en tête de {file}, et ne donnez à chaque tâche que le nécessaire, par exemple "permissions: { contents: read }".',
        },
        none: {
          title: 'Droits du jeton de workflow non restreints',
          message:
            'Le workflow {job} ne définit pas "permissions" : la valeur par défaut du dépôt ou de l’organisation détermine les droits de GITHUB_TOKEN.',
          why: 'Si cette valeur est « lecture et écriture », celle que GitHub définissait jusqu’en février 2023, une étape compromise peut modifier le dépôt.',
          fix: 'Définissez "permissions: { contents: read }" en tête de {file}, et accordez davantage aux seules tâches qui en ont besoin.',
        },
        remote: {
          title: 'Pipeline inclus sans contrôle d’intégrité',
          message:
            'Le pipeline inclut {source} sans en vérifier l’intégrité : chaque exécution utilise ce que le serveur renvoie.',
          why: 'Un attaquant qui contrôle cette adresse peut exécuter du code dans le pipeline, avec ses variables et son jeton, sans aucune modification de votre dépôt.',
          fix: 'Écrivez cette inclusion sous la forme { remote: {source}, integrity: sha256-<empreinte> } ; "openssl dgst -sha256 -binary <fichier> | base64" affiche l’empreinte du fichier téléchargé. Ou versionnez le fichier et utilisez "local:".',
        },
        project: {
          title: 'Pipeline inclus non épinglé à un commit',
          message: 'Le pipeline inclut {source} à la référence {reference}, qui peut à tout moment pointer vers un autre code.',
          why: 'Un attaquant pouvant écrire dans ce dépôt peut exécuter du code dans le pipeline, avec ses variables et son jeton, sans aucune modification de votre dépôt.',
          fix: 'Définissez "ref: <SHA du commit>" à côté de "project: {source}".',
        },
        component: {
          title: 'Composant de pipeline non épinglé',
          message: 'Le pipeline inclut {source} à la référence {reference}, qui peut à tout moment pointer vers un autre code.',
          why: 'Un attaquant pouvant modifier ce composant peut exécuter du code dans le pipeline, avec ses variables et son jeton, sans aucune modification de votre dépôt.',
          fix: 'Utilisez "component: {source}@<SHA du commit>", ou au moins une version complète telle que 1.2.3.',
        },
      },
    },
  }),
})

function isPublishing(workflow: Workflow, job: WorkflowJob): boolean {
  if (!mayWrite(job.permissions ?? workflow.permissions, 'id-token')) return false
  return job.steps.some(({ run }) => PUBLISHES.test(stringOf(run) ?? ''))
}

/** Who owns the repository, by what its package.json says: whoever may move a tag there may change this repository as well. Fact: npm documentation, package.json, `repository`. */
function ownersOf(files: Parameters<typeof findWorkflows>[0]): readonly string[] {
  const content = files.get('package.json')?.content
  const repository = content?.as === 'data' ? at(content.roots[0], 'repository') : undefined
  const address = stringOf(repository) ?? stringOf(at(repository, 'url')) ?? ''
  const owner =
    /^(?:github:|(?:git\+)?(?:https|ssh|git):\/\/(?:git@)?github\.com\/|git@github\.com:|(?=[\w.-]{1,100}\/[\w.-]{1,100}$))([\w.-]{1,100})\//.exec(
      address,
    )?.[1]
  const known = owner ?? changelogOwner(files)
  return known === undefined ? [] : [known.toLowerCase()]
}

/** Changes of the repository itself, as its changelog links them. */
const OWN_CHANGE = /\bgithub\.com\/([\w.-]{1,100}\/[\w.-]{1,100})\/(?:pull|compare|commit|releases\/tag)\//gi

/** Where package.json names no repository: all changes that the changelog links are of one. */
function changelogOwner(files: Parameters<typeof findWorkflows>[0]): string | undefined {
  const content = files.get('CHANGELOG.md')?.content
  const text = content?.as === 'text' ? (content.text ?? '') : ''
  const [repository, ...others] = new Set([...text.matchAll(OWN_CHANGE)].map(([, one = '']) => one.toLowerCase()))
  return others.length > 0 ? undefined : repository?.split('/', 1)[0]
}

interface JudgedJob {
  readonly publishes: boolean
  readonly trusted: ReadonlySet<string>
}

function judgeAction(
  uses: DataNode,
  workflow: Workflow,
  job: WorkflowJob,
  { publishes, trusted }: JudgedJob,
): Omit<Match, 'at'> | undefined {
  const written = stringOf(uses) ?? ''
  const [, action = '', owner = '', reference = ''] = /^(([\w.-]{1,100})\/[^@\s]{1,300})@(\S{1,200})$/.exec(written) ?? []
  // a path names an action of the repository itself; docker:// has no owner
  if (reference === '' || written.startsWith('.') || written.startsWith('docker:') || COMMIT.test(reference)) return undefined
  const args = { action, repository: action.split('/', 2).join('/'), reference, job: job.name, file: workflow.file }
  const isTrusted = trusted.has(owner.toLowerCase())
  if (publishes && !isTrusted) return { args, variant: 'publish' }
  // actions of trusted owners are one finding: a habit, not a decision for each
  return isTrusted
    ? { args, reach: 'privileged', groupKey: 'trusted' }
    : { args, ...(!holdsRights(workflow, job) && { impact: 'data' }), groupKey: `${action}@${reference}` }
}

/** Whether the steps of a job have a secret, or a token that may write more than posts; a token whose rights nobody limits may. */
function holdsRights(workflow: Workflow, { node, permissions = workflow.permissions }: WorkflowJob): boolean {
  if (permissions === undefined || at(node, 'secrets') !== undefined) return true
  const given = membersOf(permissions.value).flatMap(({ key, value }) => (POSTS.has(key) ? [] : value))
  if ([permissions.value, ...given].some((right) => /write/.test(stringOf(right) ?? ''))) return true
  return [at(workflow.node, 'env'), node].some((part) => textsBelow(part).some(({ text }) => SECRET.test(text)))
}

function* judgePermissions({ file, node, permissions, jobs }: Workflow): Generator<Match> {
  const all = [{ permissions, name: file }, ...jobs].filter(({ permissions: given }) => stringOf(given?.value) === 'write-all')
  for (const { permissions: given, name } of all)
    if (given !== undefined)
      yield {
        at: { file, span: { start: given.keySpan.start, end: given.value.end } },
        args: { job: name, file },
        variant: 'all',
      }
  const runs = jobs.some((job) => job.steps.length > 0 && job.permissions === undefined)
  const key = at(node, 'jobs')
  if (permissions === undefined && runs && key !== undefined)
    yield { at: { file }, args: { job: file, file }, variant: 'none', groupKey: 'permissions' }
}

function* judgeIncludes(files: Parameters<typeof findGitlabIncludes>[0]): Generator<Match> {
  for (const { file, node, kind, source, reference = 'HEAD', isVerified } of findGitlabIncludes(files)) {
    const isVersion = kind === 'component' && /^v?\d+\.\d+\.\d+/.test(reference)
    // a variable is known to the pipeline alone
    if (isVerified || isVersion || COMMIT.test(reference) || `${source}${reference}`.includes('$')) continue
    yield {
      at: { file, span: { start: node.start, end: node.end } },
      args: { source, reference },
      variant: kind,
      groupKey: `${kind} ${source} ${reference}`,
    }
  }
}

import { readWorkflow, type Workflow, type WorkflowJob, type WorkflowStep } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'

/** Values that users without rights in the repository set: titles, texts, branch names, messages and authors of commits. */
const UNTRUSTED =
  /\$\{\{[^}]{0,300}?\bgithub\.(?:head_ref|event\.(?:[\w.*[\]']{0,100}\.)?(?:title|body|head_branch|head\.(?:ref|label|repo\.default_branch)|head_commit\.(?:message|author\.(?:name|email))|message|page_name|author\.(?:name|email)))\b[^}]{0,300}\}\}/g

/** Events that users without rights in the repository trigger, and whose runs have its secrets and a token with write access. */
const UNTRUSTED_EVENTS = [
  'issues',
  'issue_comment',
  'discussion',
  'discussion_comment',
  'pull_request_target',
  'workflow_run',
  'pull_request_review',
  'pull_request_review_comment',
]

/** References to the code of the pull request. */
const HEAD =
  /\bgithub\.(?:head_ref|event\.pull_request\.(?:head\.(?:sha|ref)|merge_commit_sha)|event\.workflow_run\.head_(?:sha|branch))\b|refs\/pull\//

/** Commands that check it out: `gh pr checkout 5`, `git fetch origin pull/5/head`. */
const GETS_HEAD =
  /\bgh\s{1,5}pr\s{1,5}checkout\b[^\n]{0,100}|\bgit\s{1,5}(?:fetch|pull|checkout)\b[^\n]{0,200}?\bpull\/[^\n]{1,100}/

/** Ways to check who wrote the comment that starts a run. */
const CHECKS_AUTHOR =
  /author_association|collaborators|permission-level|github\.actor\s{0,5}==|\.user\.login\s{0,5}==|environment:/

/**
 * Script injection in GitHub workflows: untrusted context values in commands, and code of pull requests run with the rights of the repository.
 * Facts: GitHub documentation, "Security hardening for GitHub Actions" (script injections, pull_request_target).
 * Impact: any GitHub user runs code with secrets and a writing token; only those whom somebody approved, where an environment of that name stands before
 * it.
 */
export const ciUntrustedInput: Rule = defineRule({
  id: 'btp/ci-untrusted-input',
  impact: 'takeover',
  reach: 'pipeline',
  // whatever its name, a pipeline runs
  usage: 'deployed',
  // a fork's pull request has neither secrets nor a writing token
  grades: { limited: { impact: 'bounded' }, 'limited-script': { impact: 'bounded' } },
  confidence: 'high',
  cwe: [94],
  since: '0.1.0',
  docs: 'https://docs.github.com/actions/security-for-github-actions/security-guides/security-hardening-for-github-actions',
  keywords: ['github.event', 'github.head_ref', 'refs/pull/', 'gh pr checkout'],
  on: 'data',

  *check({ path, kind, text, content, budget }) {
    const [root] = content.roots
    const workflow = kind.role === 'github-workflow' && root !== undefined ? readWorkflow(path, root) : undefined
    if (workflow === undefined) return
    for (const job of workflow.jobs) {
      // who approves a run has looked at what it runs
      const reach = isApproved(job, workflow.jobs) ? { reach: 'privileged' as const } : {}
      for (const step of job.steps) {
        const code = codeOf(step)
        budget.step(code === undefined ? 1 : code.end - code.start)
        if (code !== undefined)
          for (const match of findTexts(workflow, code, step.run !== undefined, text)) yield { ...match, ...reach }
        for (const match of findCheckout(workflow, step, text)) yield { ...match, ...reach }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Script injection through an untrusted GitHub context',
      message:
        '{expression} is inserted into the command before the shell parses it, and any user who can trigger the workflow can choose its value (trigger: {events}).',
      why: 'An attacker who puts "$(command)" into that value runs this command in the pipeline, with the job’s token permissions and secrets, if any.',
      fix: 'Add "{variable}: {expression}" to the "env" of this step, and use "{read}" in the command.',
      variants: {
        limited: {
          message:
            '{expression} is inserted into the command before the shell parses it, and the author of a pull request chooses its value (trigger: {events}).',
          why: 'The author of a pull request can run commands in the pipeline. For pull requests from forks, the token is read-only and no secrets are available, so mainly caches and artifacts are at risk.',
        },
        script: {
          message:
            '{expression} is inserted into the JavaScript code before it runs, and any user who can trigger the workflow can choose its value (trigger: {events}).',
          why: 'An attacker can choose a value that ends the string and appends code, which runs in the pipeline, with the job’s token permissions and secrets, if any.',
          fix: 'Add "{variable}: {expression}" to the "env" of this step, and use process.env.{variable} in the script.',
        },
        'limited-script': {
          message:
            '{expression} is inserted into the JavaScript code before it runs, and the author of a pull request chooses its value (trigger: {events}).',
          why: 'The author of a pull request can run code in the pipeline. For pull requests from forks, the token is read-only and no secrets are available, so mainly caches and artifacts are at risk.',
          fix: 'Add "{variable}: {expression}" to the "env" of this step, and use process.env.{variable} in the script.',
        },
        checkout: {
          title: 'Untrusted pull request code in a privileged workflow',
          message:
            'The workflow checks out the code of a pull request ({expression}), although {events:or} gives its jobs access to the repository’s secrets.',
          why: 'An attacker who opens a pull request with changed build scripts or tests can run code in any step that builds or tests it, with the job’s token permissions and secrets, if any.',
          fix: 'Move the steps that build or test the code to a workflow with "on: pull_request", where actions/checkout needs no "ref", and remove this checkout from the workflow triggered by {events:or}.',
        },
      },
    },
    fr: {
      title: 'Injection de script par un contexte GitHub non fiable',
      message:
        '{expression} est inséré dans la commande avant que le shell ne l’analyse, et tout utilisateur qui peut déclencher le workflow peut en choisir la valeur (déclencheur : {events}).',
      why: 'Un attaquant qui place "$(commande)" dans cette valeur exécute cette commande dans le pipeline, avec les droits du jeton et les secrets de la tâche, s’il y en a.',
      fix: 'Ajoutez "{variable}: {expression}" au bloc "env" de cette étape, et utilisez "{read}" dans la commande.',
      variants: {
        limited: {
          message:
            '{expression} est inséré dans la commande avant que le shell ne l’analyse, et l’auteur d’une pull request en choisit la valeur (déclencheur : {events}).',
          why: 'L’auteur d’une pull request peut exécuter des commandes dans le pipeline. Pour une pull request issue d’un fork, le jeton est en lecture seule et aucun secret n’est disponible : ce sont surtout les caches et les artefacts qui sont exposés.',
        },
        script: {
          message:
            '{expression} est inséré dans le code JavaScript avant son exécution, et tout utilisateur qui peut déclencher le workflow peut en choisir la valeur (déclencheur : {events}).',
          why: 'Un attaquant peut choisir une valeur qui ferme la chaîne de caractères et ajoute du code, exécuté dans le pipeline avec les droits du jeton et les secrets de la tâche, s’il y en a.',
          fix: 'Ajoutez "{variable}: {expression}" au bloc "env" de cette étape, et utilisez process.env.{variable} dans le script.',
        },
        'limited-script': {
          message:
            '{expression} est inséré dans le code JavaScript avant son exécution, et l’auteur d’une pull request en choisit la valeur (déclencheur : {events}).',
          why: 'L’auteur d’une pull request peut exécuter du code dans le pipeline. Pour une pull request issue d’un fork, le jeton est en lecture seule et aucun secret n’est disponible : ce sont surtout les caches et les artefacts qui sont exposés.',
          fix: 'Ajoutez "{variable}: {expression}" au bloc "env" de cette étape, et utilisez process.env.{variable} dans le script.',
        },
        checkout: {
          title: 'Code d’une pull request non fiable dans un workflow privilégié',
          message:
            'Le workflow récupère le code d’une pull request ({expression}), alors que {events:ou} donne à ses tâches accès aux secrets du dépôt.',
          why: 'Un attaquant qui ouvre une pull request avec des scripts de build ou des tests modifiés peut exécuter du code dans toute étape qui compile ou teste ce code, avec les droits du jeton et les secrets de la tâche, s’il y en a.',
          fix: 'Déplacez les étapes qui compilent ou testent le code vers un workflow "on: pull_request", où actions/checkout n’a pas besoin de "ref", et retirez ce checkout du workflow déclenché par {events:ou}.',
        },
      },
    },
  }),
})

/**
 * Whether somebody approves a job, or one that it waits for, before it runs: an environment whose name or job speaks of that (GitHub documentation, "Managing
 * environments for deployment": required reviewers are a setting of the repository, which no file shows).
 */
function isApproved(job: WorkflowJob, jobs: readonly WorkflowJob[]): boolean {
  const needs = at(job.node, 'needs')
  const awaited = new Set([stringOf(needs), ...itemsOf(needs).map(stringOf)])
  return [job, ...jobs.filter(({ name }) => awaited.has(name))].some(({ name, node }) => {
    const written = at(node, 'environment')
    const environment = stringOf(written) ?? stringOf(at(written, 'name'))
    return environment !== undefined && APPROVAL.test(`${environment} ${name} ${stringOf(at(node, 'name')) ?? ''}`)
  })
}

const APPROVAL = /approv|(?:^|[^a-z])(?:manual|reviewers?|gatekeep|confirm)/i

/** What a step executes: `run`, or the script of actions/github-script. */
function codeOf({ node, run, uses }: WorkflowStep): DataNode | undefined {
  if (run !== undefined) return run
  return (stringOf(uses) ?? '').startsWith('actions/github-script@') ? at(node, 'with', 'script') : undefined
}

function* findTexts({ file, events }: Workflow, { start, end }: DataNode, isShell: boolean, text: string): Generator<Match> {
  const untrusted = UNTRUSTED_EVENTS.filter((event) => events.has(event))
  const isOpen = untrusted.length > 0
  if (!isOpen && !events.has('pull_request')) return
  for (const { 0: expression, index } of text.slice(start, end).matchAll(UNTRUSTED)) {
    const span = { start: start + index, end: start + index + expression.length }
    // several of one step need different names
    const variable = (
      /[\w.*[\]']{0,200}\.(\w{1,50})/.exec(expression.slice(expression.search(/\bgithub\./)))?.[1] ?? 'text'
    ).toUpperCase()
    const args = { expression, variable, read: `$${variable}`, events: isOpen ? untrusted.join(', ') : 'pull_request' }
    const cases = variantOfCases(!isOpen && 'limited', !isShell && 'script')
    yield { at: { file, span }, args, ...cases }
  }
}

function* findCheckout({ file, events }: Workflow, { node, uses, run }: WorkflowStep, text: string): Generator<Match> {
  const event =
    ['pull_request_target', 'workflow_run'].find((name) => events.has(name)) ??
    (events.has('issue_comment') && !CHECKS_AUTHOR.test(text) ? 'issue_comment' : undefined)
  if (event === undefined) return
  if (run !== undefined) {
    const code = text.slice(run.start, run.end)
    const found = GETS_HEAD.exec(code)
    if (found === null) return
    const span = { start: run.start + found.index, end: run.start + found.index + found[0].length }
    yield { at: { file, span }, args: { expression: found[0].trim(), events: event }, variant: 'checkout' }
    return
  }
  const ref = at(node, 'with', 'ref')
  const written = stringOf(ref)
  if (ref === undefined || written === undefined || !HEAD.test(written)) return
  if (!(stringOf(uses) ?? '').startsWith('actions/checkout@')) return
  const span = { start: ref.start, end: ref.end }
  yield { at: { file, span }, args: { expression: written, events: event }, variant: 'checkout' }
}

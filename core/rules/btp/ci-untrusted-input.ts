import { readWorkflow, type Workflow, type WorkflowStep } from '../../model/deployment/index.ts'
import { at, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What people who need no rights in the repository write: titles, texts, names of branches, messages and authors of commits. */
const UNTRUSTED =
  /\$\{\{[^}]{0,300}?\bgithub\.(?:head_ref|event\.(?:[\w.*[\]']{0,100}\.)?(?:title|body|head_branch|head\.(?:ref|label|repo\.default_branch)|head_commit\.(?:message|author\.(?:name|email))|message|page_name|author\.(?:name|email)))\b[^}]{0,300}\}\}/g

/** Whoever may start these writes nothing in the repository, and their runs have its secrets and a token that writes. */
const STRANGERS = [
  'issues',
  'issue_comment',
  'discussion',
  'discussion_comment',
  'pull_request_target',
  'workflow_run',
  'pull_request_review',
  'pull_request_review_comment',
]

/** What stands for the code of the pull request. */
const HEAD =
  /\bgithub\.(?:head_ref|event\.pull_request\.(?:head\.(?:sha|ref)|merge_commit_sha)|event\.workflow_run\.head_(?:sha|branch))\b|refs\/pull\//

/** Commands that get it: `gh pr checkout 5`, `git fetch origin pull/5/head`. */
const GETS_HEAD =
  /\bgh\s{1,5}pr\s{1,5}checkout\b[^\n]{0,100}|\bgit\s{1,5}(?:fetch|pull|checkout)\b[^\n]{0,200}?\bpull\/[^\n]{1,100}/

/** Who may start a run by a comment is asked for in some such way. */
const ASKS_WHO = /author_association|collaborators|permission-level|github\.actor\s{0,5}==|\.user\.login\s{0,5}==|environment:/

/**
 * A workflow that puts texts of strangers into a command, or runs the code of a stranger’s pull request with the rights of the repository.
 * Facts: GitHub documentation, "Security hardening for GitHub Actions" (script injections, pull_request_target).
 */
export const ciUntrustedInput: Rule = defineRule({
  id: 'btp/ci-untrusted-input',
  severity: 'HIGH',
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
    for (const step of workflow.jobs.flatMap(({ steps }) => steps)) {
      const code = codeOf(step)
      if (code !== undefined) {
        budget.step(code.end - code.start)
        yield* findTexts(workflow, code, text)
      }
      yield* findCheckout(workflow, step, text)
    }
  },

  text: {
    en: {
      title: 'A pipeline runs what a stranger writes',
      message: 'The text {expression} becomes part of the command before the shell reads it; anybody may write it ({events}).',
      why: 'A title such as "$(curl …)" runs in the pipeline, with its secrets and the rights to change the repository.',
      fix: 'Hand it over as a variable: "env: TEXT: {expression}", and write "$TEXT" in the command.',
      variants: {
        limited: {
          message: 'The text {expression} becomes part of the command before the shell reads it ({events}).',
          why: 'Whoever opens a pull request runs commands in the pipeline; there its rights are small, but it may poison caches and results.',
        },
        checkout: {
          title: 'A pipeline runs the code of a stranger’s pull request with the rights of the repository',
          message: '{expression} checks out the code of the pull request in a workflow that {events} starts.',
          why: 'Scripts and tests of that code run with the secrets of the repository and a token that may write to it.',
          fix: 'Use "pull_request" for what builds or tests the code, and keep "{events}" for what only reads the result.',
        },
      },
    },
    fr: {
      title: 'Une chaîne d’intégration exécute ce qu’un inconnu écrit',
      message:
        'Le texte {expression} fait partie de la commande avant que le shell la lise ; n’importe qui peut l’écrire ({events}).',
      why: 'Un titre comme « $(curl …) » s’exécute dans la chaîne, avec ses secrets et le droit de modifier le dépôt.',
      fix: 'Transmettez-le comme variable : « env: TEXT: {expression} », et écrivez « "$TEXT" » dans la commande.',
      variants: {
        limited: {
          message: 'Le texte {expression} fait partie de la commande avant que le shell la lise ({events}).',
          why: 'Quiconque ouvre une demande de fusion exécute des commandes dans la chaîne ; ses droits y sont faibles, mais il peut empoisonner caches et résultats.',
        },
        checkout: {
          title: 'Une chaîne d’intégration exécute le code d’un inconnu avec les droits du dépôt',
          message: '{expression} extrait le code de la demande de fusion dans un workflow que {events} déclenche.',
          why: 'Les scripts et les tests de ce code s’exécutent avec les secrets du dépôt et un jeton qui peut y écrire.',
          fix: 'Utilisez « pull_request » pour ce qui construit ou teste le code, et gardez « {events} » pour ce qui ne fait que lire le résultat.',
        },
      },
    },
  },
})

/** What a step executes: `run`, or the script of actions/github-script. */
function codeOf({ node, run, uses }: WorkflowStep): DataNode | undefined {
  if (run !== undefined) return run
  return (stringOf(uses) ?? '').startsWith('actions/github-script@') ? at(node, 'with', 'script') : undefined
}

function* findTexts({ file, events }: Workflow, { start, end }: DataNode, text: string): Generator<Match> {
  const strange = STRANGERS.filter((event) => events.has(event))
  const isOpen = strange.length > 0
  if (!isOpen && !events.has('pull_request')) return
  for (const { 0: expression, index } of text.slice(start, end).matchAll(UNTRUSTED)) {
    const span = { start: start + index, end: start + index + expression.length }
    const args = { expression, events: isOpen ? strange.join(', ') : 'pull_request' }
    yield { at: { file, span }, args, ...(!isOpen && { severity: 'MEDIUM', variant: 'limited' }) }
  }
}

function* findCheckout({ file, events }: Workflow, { node, uses, run }: WorkflowStep, text: string): Generator<Match> {
  const event =
    ['pull_request_target', 'workflow_run'].find((name) => events.has(name)) ??
    (events.has('issue_comment') && !ASKS_WHO.test(text) ? 'issue_comment' : undefined)
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

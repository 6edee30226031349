import { at, booleanOf, itemsOf, membersOf, type DataNode, type DataMember, memberOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Settings by which Renovate waits before it takes a release; the second one is the old name. Names of presets that do the same. */
const WAITS = ['minimumReleaseAge', 'stabilityDays']
const WAITING_PRESET = /minimumReleaseAge|:?stabilityDays|security:minimumReleaseAge|config:best-practices/i

/**
 * Updates that a machine merges by itself, as soon as they are published: hostile releases are found within days, not within minutes.
 * Facts: Renovate documentation, "automerge" and "minimumReleaseAge"; npm documentation, "min-release-age".
 */
export const missingMinReleaseAge: Rule = defineRule({
  id: 'npm/missing-min-release-age',
  severity: 'INFO',
  confidence: 'low',
  cwe: [506],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/using-npm/config#min-release-age',
  on: 'project',

  *check({ npm, files }) {
    // npm itself waits then
    if (npm.settings.some(({ key }) => key === 'min-release-age' || key === 'before')) return
    for (const { path: file, kind, content } of files.values()) {
      if (kind.role !== 'update-bot' || content.as !== 'data') continue
      const [root] = content.roots
      if (
        waits(root) ||
        itemsOf(at(root, 'extends')).some((item) => item.kind === 'string' && WAITING_PRESET.test(String(item.value)))
      )
        continue
      for (const { keySpan, value } of findAutomerge(root))
        yield { at: { file, span: { start: keySpan.start, end: value.end } }, sameAs: file }
    }
  },

  text: {
    en: {
      title: 'Updates are merged by themselves without waiting',
      message: 'Renovate merges updates by itself ("automerge": true) without a "minimumReleaseAge".',
      why: 'A hostile release is in your project minutes after it was published, long before anybody has noticed it.',
      fix: 'Write "minimumReleaseAge": "3 days" beside it, and "min-release-age=3" into .npmrc.',
    },
    fr: {
      title: 'Des mises à jour sont fusionnées d’elles-mêmes sans attendre',
      message: 'Renovate fusionne lui-même les mises à jour (« "automerge": true ») sans « minimumReleaseAge ».',
      why: 'Une version hostile entre dans votre projet quelques minutes après sa publication, bien avant que quelqu’un l’ait remarquée.',
      fix: 'Écrivez « "minimumReleaseAge": "3 days" » à côté, et « min-release-age=3 » dans .npmrc.',
    },
  },
})

/** On top, in a rule of `packageRules`, or in a group of updates (`minor`, `patch`). */
function* findAutomerge(root: DataNode | undefined): Generator<DataMember> {
  const groups = [root, ...itemsOf(at(root, 'packageRules')), ...membersOf(root).map(({ value }) => value)]
  for (const group of groups) {
    const member = memberOf(group, 'automerge')
    if (member !== undefined && booleanOf(member.value) === true && !waits(group)) yield member
  }
}

function waits(node: DataNode | undefined): boolean {
  return WAITS.some((key) => at(node, key) !== undefined)
}

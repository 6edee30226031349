import { at, booleanOf, itemsOf, membersOf, type DataNode, type DataMember, memberOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Settings that make Renovate wait for a release to age; the second one is the old name. The presets below do the same. */
const WAITS = ['minimumReleaseAge', 'stabilityDays']
const WAITING_PRESET = /minimumReleaseAge|:?stabilityDays|security:minimumReleaseAge|config:best-practices/i

/**
 * Updates that are merged automatically as soon as they are published: malicious releases are detected within days, not minutes.
 * Facts: Renovate documentation, "automerge" and "minimumReleaseAge"; npm documentation, "min-release-age".
 * Impact: an expected choice that should be made knowingly.
 */
export const missingMinReleaseAge: Rule = defineRule({
  id: 'npm/missing-min-release-age',
  impact: 'hygiene',
  confidence: 'low',
  cwe: [506],
  since: '0.1.0',
  docs: 'https://docs.renovatebot.com/configuration-options/#minimumreleaseage',
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
        yield { at: { file, span: { start: keySpan.start, end: value.end } }, groupKey: file }
    }
  },

  text: () => ({
    en: {
      title: 'Updates merged automatically without a minimum release age',
      message: 'Renovate merges updates automatically ("automerge": true) without "minimumReleaseAge".',
      why: 'A malicious release can be merged shortly after its publication, before it is detected and removed from the registry.',
      fix: 'Add "minimumReleaseAge": "3 days" at the top level of the Renovate configuration. With npm 11.10 or later, also set "min-release-age=3" in .npmrc.',
    },
    fr: {
      title: 'Mises à jour fusionnées automatiquement dès leur publication',
      message:
        'Renovate fusionne automatiquement les mises à jour ("automerge": true), mais "minimumReleaseAge" n’est pas défini.',
      why: 'Une version malveillante peut être fusionnée peu après sa publication, avant d’être détectée et retirée du registre.',
      fix: 'Ajoutez "minimumReleaseAge": "3 days" à la racine de la configuration de Renovate. À partir de npm 11.10, définissez aussi "min-release-age=3" dans .npmrc.',
    },
  }),
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

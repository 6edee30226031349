import type { ReportingDescriptor, ToolComponent } from 'sarif'
import type { Severity } from '../../types.ts'
import type { ReportFinding } from '../types.ts'
import { wordByExample } from '../example-words.ts'
import { escapeMarkdown, toVisible } from './characters.ts'
import { ruleUrl, type RuleFacts, type WriterOptions } from './writer.ts'

/** What GitHub sorts and gates by: from 9.0 critical, from 7.0 high, from 4.0 medium. */
export const SECURITY_SEVERITY: Readonly<Record<Severity, string>> = {
  CRITICAL: '9.5',
  HIGH: '8.0',
  MEDIUM: '5.5',
  LOW: '2.5',
  INFO: '0.5',
}

export const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'note',
  INFO: 'note',
}

/** The GUID by which SARIF's own tools know the CWE taxonomy. */
const CWE_GUID = 'FFC64C90-42B6-44CE-8BEB-F6B7DAE649E5'
const CWE = { name: 'CWE', index: 0, guid: CWE_GUID } as const
const MAX_TAGS = 10

/** A rule in a run: in full where something was found, else what a reader of the log needs to see that it was checked. */
export interface RunRule {
  readonly facts: RuleFacts
  /** The severity of its worst finding; undefined where it has none that is told. */
  readonly worst?: Severity
  readonly isFull: boolean
}

/** The numbers of the weaknesses, each at its index in the taxonomy. */
export type CweIndex = ReadonlyMap<number, number>

export function indexCwes(rules: readonly RunRule[], findings: readonly ReportFinding[]): CweIndex {
  const told = rules.filter(({ isFull }) => isFull)
  const numbers = new Set([...told.flatMap(({ facts }) => facts.cwe), ...findings.flatMap(({ cwe }) => cwe.map(toCweNumber))])
  return new Map([...numbers].sort((a, b) => a - b).map((number, index) => [number, index]))
}

export function toCweNumber(name: string): number {
  return Number(name.replace(/^CWE-/, ''))
}

/** References to the taxonomy, as results and rules make them. */
export function referToCwes(
  numbers: readonly number[],
  index: CweIndex,
): { readonly id: string; readonly index: number; readonly toolComponent: { name: string; index: number; guid: string } }[] {
  return numbers.flatMap((number) => {
    const at = index.get(number)
    return at === undefined ? [] : [{ id: String(number), index: at, toolComponent: { ...CWE } }]
  })
}

export function describeCwes(index: CweIndex): ToolComponent {
  return {
    name: CWE.name,
    guid: CWE_GUID,
    organization: 'MITRE',
    shortDescription: { text: 'The MITRE Common Weakness Enumeration' },
    informationUri: 'https://cwe.mitre.org/',
    isComprehensive: false,
    taxa: [...index.keys()].map((number) => ({
      id: String(number),
      helpUri: `https://cwe.mitre.org/data/definitions/${number}.html`,
    })),
  }
}

/**
 * A rule as SARIF describes it. Code scanning shows each alert with the severity of its rule: that is the one of the worst finding. The help of hundreds of rules
 * that found nothing would be most of a log, and nobody is shown it.
 */
export function describeRule(
  { facts: rule, worst, isFull }: RunRule,
  index: CweIndex,
  options: WriterOptions,
): ReportingDescriptor {
  const { title, why, fix } = wordByExample(rule, options.locale)
  const severity = worst ?? rule.severity
  const described = {
    id: rule.id,
    shortDescription: { text: toVisible(title) },
    defaultConfiguration: { level: LEVELS[severity] },
  }
  if (!isFull) return { ...described, properties: { 'security-severity': SECURITY_SEVERITY[severity] } }
  const reason = toVisible(why)
  const remedy = toVisible(fix)
  const url = ruleUrl(rule.id, rule.docs, options)
  const [because, repair] = options.locale === 'fr' ? ['Pourquoi', 'Correction'] : ['Why', 'Fix']
  const area = rule.id.slice(0, rule.id.indexOf('/'))
  const cweTags = rule.cwe.map((number) => `external/cwe/cwe-${String(number).padStart(3, '0')}`)
  const tags = ['security', area, ...cweTags].slice(0, MAX_TAGS)
  return {
    ...described,
    fullDescription: { text: reason },
    help: {
      text: `${reason}\n\n${repair}: ${remedy}\n\n${url}`,
      markdown: `**${because}**: ${escapeMarkdown(reason)}\n\n**${repair}**: ${escapeMarkdown(remedy)}\n\n<${url}>`,
    },
    helpUri: url,
    relationships: referToCwes(rule.cwe, index).map((target) => ({ target, kinds: ['superset'] })),
    properties: { tags, precision: rule.confidence, 'security-severity': SECURITY_SEVERITY[severity] },
  }
}

/** The rules of a run: those that ran, and what its findings say of others. `findings`: the most severe first; `hidden`: rules whose suppressed findings are told. */
export function listRules(
  rules: readonly RuleFacts[],
  findings: readonly ReportFinding[],
  hidden: readonly string[],
): readonly RunRule[] {
  const known = new Map(rules.map((rule) => [rule.id, rule]))
  const worst = new Map<string, Severity>()
  for (const finding of findings) {
    if (!known.has(finding.ruleId)) known.set(finding.ruleId, toRuleFacts(finding))
    if (!worst.has(finding.ruleId)) worst.set(finding.ruleId, finding.severity)
  }
  return [...known.values()].map((facts) => ({
    facts,
    worst: worst.get(facts.id),
    isFull: worst.has(facts.id) || hidden.includes(facts.id),
  }))
}

/** A finding whose rule is not known any more describes it. */
function toRuleFacts({ ruleId, severity, confidence, docs, title, message, why, fix, cwe }: ReportFinding): RuleFacts {
  const text = { title, message, why, fix }
  return { id: ruleId, severity, confidence, docs, cwe: cwe.map(toCweNumber), text: () => ({ en: text, fr: text }) }
}

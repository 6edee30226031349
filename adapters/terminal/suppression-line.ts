import type { ReportFinding } from '../../core/index.ts'

const SLASHES = /\.(?:[cm]?[jt]sx?|cds|xsjs(?:lib)?|java|ui5)$/i
const MARKUP = /\.(?:xml|html?|xhtml|library|theming)$/i
const HASHES = /(?:\.(?:ya?ml|properties|sh|toml|env|mtaext)|(?:^|\/)(?:Dockerfile[^/]*|Jenkinsfile|\.npmrc|\.env[^/]*))$/i

/** The comment that hides a finding from above its line. Undefined where its file has none, or it is about the whole file. */
export function suppressionComment({ ruleId, file, line }: ReportFinding, reason: string): string | undefined {
  const marker = `parapet-disable-next-line ${ruleId} -- ${reason}`
  if (line === undefined) return undefined
  if (SLASHES.test(file)) return `// ${marker}`
  if (MARKUP.test(file)) return `<!-- ${marker} -->`
  return HASHES.test(file) ? `# ${marker}` : undefined
}

/** What to write in order to hide a finding: a comment above its line, or what parapet.config.json has to hold where its file has no comments. */
export function suppressionText(finding: ReportFinding, reason: string): string {
  return suppressionComment(finding, reason) ?? configText(finding, reason)
}

/** The same in a line of its own, which says where an entry belongs. */
export function suppressionLine(finding: ReportFinding, reason: string): string {
  return suppressionComment(finding, reason) ?? `parapet.config.json: ${configText(finding, reason)}`
}

function configText({ id }: ReportFinding, reason: string): string {
  return JSON.stringify({ suppress: [{ id, reason }] })
}

import type { ReportFinding } from '../../core/index.ts'

const SLASHES = /\.(?:[cm]?[jt]sx?|cds|xsjs(?:lib)?|java|ui5)$/i
const MARKUP = /\.(?:xml|html?|xhtml|library|theming)$/i
const HASHES = /(?:\.(?:ya?ml|properties|sh|toml|env|mtaext)|(?:^|\/)(?:Dockerfile[^/]*|Jenkinsfile|\.npmrc|\.env[^/]*))$/i

/** What to write in order to hide a finding: a comment above its line, or an entry of parapet.config.json where its file has no comments. */
export function suppressionLine({ id, ruleId, file, line }: ReportFinding, reason: string): string {
  const marker = `parapet-disable-next-line ${ruleId} -- ${reason}`
  if (line !== undefined) {
    if (SLASHES.test(file)) return `// ${marker}`
    if (MARKUP.test(file)) return `<!-- ${marker} -->`
    if (HASHES.test(file)) return `# ${marker}`
  }
  return `parapet.config.json: ${JSON.stringify({ id, reason })}`
}

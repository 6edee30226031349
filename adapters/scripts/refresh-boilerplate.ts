/**
 * `tsx adapters/scripts/refresh-boilerplate.ts @sap/generator-fiori@1.32.0 @sap-ux/ui5-application-writer@0.26.8 …`: writes core/project/boilerplate-lines.ts from
 * the templates of SAP's generators, as npm publishes them. What is kept of a template are hashes of its lines.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lineHashes } from '../../core/project/boilerplate.ts'

const TARGET = new URL('../../core/project/boilerplate-lines.ts', import.meta.url)

/** Templates that end up in apps as they are and in which rules would find something, by a text that each version has. */
const TEMPLATES = [
  { name: 'locate-reuse-libs.js', mark: 'ui5_app_info' },
  { name: 'flpSandbox.html', mark: 'sap-ushell-config' },
  { name: 'changes_preview.js', mark: 'sap-ui-fl-max-layer' },
  { name: 'changes_loader.js', mark: 'changes_preview' },
]

const packages = process.argv.slice(2)
if (packages.length === 0) throw new Error('needs names and versions of generators: @sap/generator-fiori@1.32.0')

const folder = mkdtempSync(join(tmpdir(), 'boilerplate-'))
try {
  const hashes = new Map(TEMPLATES.map(({ name }) => [name, new Set<number>()]))
  for (const one of packages) {
    const file = execFileSync('npm', ['pack', one, '--silent', '--pack-destination', folder], { encoding: 'utf8' }).trim()
    const own = join(folder, file.replace(/\.tgz$/, ''))
    execFileSync('mkdir', ['-p', own])
    execFileSync('tar', ['xzf', join(folder, file), '-C', own])
    for (const path of readdirSync(own, { recursive: true, encoding: 'utf8' })) {
      const template = TEMPLATES.find(({ name }) => path.endsWith(`/${name}`))
      if (template === undefined || !path.includes('templates/')) continue
      for (const hash of lineHashes(readFileSync(join(own, path), 'utf8'))) hashes.get(template.name)?.add(hash)
    }
  }
  const rows = TEMPLATES.flatMap(({ name, mark }) => {
    const lines = [...(hashes.get(name) ?? [])].sort((a, b) => a - b).map((hash) => hash.toString(36))
    return lines.length === 0 ? [] : `  { name: '${name}', mark: '${mark}', lines: '${lines.join(' ')}' },`
  })
  writeFileSync(
    TARGET,
    `// Written by adapters/scripts/refresh-boilerplate.ts from the templates of: ${packages.join(', ')}.

/** Files that generators of SAP write: a text that each version of one has, and hashes of its lines. */
export const BOILERPLATE: readonly { readonly name: string; readonly mark: string; readonly lines: string }[] = [
${rows.join('\n')}
]
`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

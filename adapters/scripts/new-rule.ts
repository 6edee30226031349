import { existsSync, writeFileSync } from 'node:fs'

/** Writes the two files of a new rule: `npm run new-rule cap/path-traversal`. Refuses an id of another form, and a rule that exists. */
const [id = ''] = process.argv.slice(2)
const match = /^(ui5|cap|secrets|btp|npm|approuter)\/([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/.exec(id)
if (match === null)
  fail('an id is <area>/<name>, in lower case with hyphens: cap/path-traversal; areas: ui5, cap, secrets, btp, npm, approuter')
const [, area = '', name = ''] = match
const base = new URL(`../../core/rules/${area}/${name}`, import.meta.url).pathname
if (existsSync(`${base}.ts`)) fail(`core/rules/${id}.ts exists already`)
const isBrowser = area === 'ui5'
const file = isBrowser ? 'webapp/util/example.js' : 'srv/service.js'
const constant = name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

writeFileSync(
  `${base}.md`,
  `## bad: what is vulnerable here severity=LOW
\`\`\`js ${file}
vulnerable()
^^^^^^^^^^^^
\`\`\`

## good: the same, with the one thing that decides
\`\`\`js ${file}
safe()
\`\`\`

## fixed: the last bad example before this one, after its advice was followed to the letter
\`\`\`js ${file}
safe()
\`\`\`

## missed: nothing known
`,
)
writeFileSync(
  `${base}.ts`,
  `import { defineRule, type Rule } from '../rule.ts'

/**
 * What is vulnerable, in one sentence.
 * Facts: document and version, section.
 * Impact: what an attack gives.
 */
export const ${constant}: Rule = defineRule({
  id: '${id}',
  impact: 'bounded',
  confidence: 'high',
  cwe: [],
  since: '0.2.0',
  docs: 'https://',
  keywords: ['vulnerable'],
  on: '${isBrowser ? 'browser-script' : 'server-script'}',

  *check({ path, content: { facts } }) {
    for (const { callee, start, end } of facts.calls)
      if (callee.kind === 'reference' && callee.name === 'vulnerable') yield { at: { file: path, span: { start, end } } }
  },

  text: () => ({
    en: { title: 'Name of the vulnerability', message: 'What was seen here.', why: 'What an attacker can do.', fix: 'Write the exact line.' },
    fr: { title: 'Nom de la vulnérabilité', message: 'Ce qui a été vu ici.', why: 'Ce que peut faire un attaquant.', fix: 'Écrivez la ligne exacte.' },
  }),
})
`,
)
process.stdout.write(`core/rules/${id}.md and core/rules/${id}.ts are written. Write the examples first, then the rule, then run
  npm run update
  npm run test:unit -- test/rules -t ${id}
`)

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

import { expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const linesOf = async (text: string): Promise<(number | undefined)[]> => {
  const { en } = await scanFiles(new Map([['docs/hana.md', text]]))
  return allFindings(en).flatMap(({ ruleId, line }) => (ruleId.startsWith('secrets/') ? [line] : []))
}
const drawn = ['Wq7', 'Rt', '!x9', 'Lm'].join('')

test('in a code block of Markdown only what its language quotes is a value', async () => {
  const code = `# HANA
\`\`\`js
const client = hdb.createClient({ host: db.host, user: db.user, password: db.password, useTLS: true })
\`\`\`
\`\`\`ts
interface Access { url: string, uid: string, password: string }
const own = { uid: 'SHOP', serverNode: 'db.corp.cloud', password: '${drawn}' }
\`\`\`
`
  expect(await linesOf(code)).toEqual([7])
})

test('blocks of settings and commands are read as such', async () => {
  const settings = `# HANA
\`\`\`properties
hana.user=SHOP
hana.password=${drawn}
\`\`\`
\`\`\`
hdbsql -n db.corp.cloud:443 -u SHOP -p ${drawn}
\`\`\`
`
  expect(await linesOf(settings)).toEqual([4])
})

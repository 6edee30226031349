import { expect, test } from 'vitest'
import { createDice, drawShape } from './draw-shape.ts'
import { openCredentials } from './open-credentials.ts'

const SEEDS = Array.from({ length: 20 }, (_, seed) => String(seed))

function rowsOf(text: string): string[] {
  return [...openCredentials(text, { path: 'db/schema.cds' }).found().byRow.keys()]
}

test.each<[string, (value: string) => string]>([
  ['an annotation', (v) => `@my.password: '${v}'\nentity A { key ID: UUID; }\n`],
  ['a record of annotations', (v) => `entity A @(my: { password: '${v}', user: 'admin' }) { key ID: UUID; }\n`],
  ['annotate', (v) => `annotate S.A with @my.clientSecret: '${v}';\n`],
  ['a delimited name', (v) => `@![my.password]: '${v}'\nentity A { key ID: UUID; }\n`],
  ['a default', (v) => `entity A { key ID: UUID; password: String(100) not null default '${v}'; }\n`],
  ['a default without a length', (v) => `type T { apiKey : String default '${v}'; }\n`],
  ['a symbol', (v) => `type T : String enum { password = '${v}'; }\n`],
  ['a condition', (v) => `entity A as select from B where password = '${v}';\n`],
  ['a text', (v) => `@title: 'token=${v}'\nentity A { key ID: UUID; }\n`],
  ['a text block', (v) => `@Core.Description: \`\`\`\npassword: ${v}\n\`\`\`\nentity A { key ID: UUID; }\n`],
  ['the query of a path', (v) => `@path: '/srv?access_token=${v}&x=1'\nservice S { entity A { key ID: UUID; } }\n`],
  ['a comment', (v) => `// password: '${v}'\nentity A { key ID: UUID; }\n`],
])('a credential in %s of a model is found', (_, write) => {
  for (const seed of SEEDS) {
    const value = drawShape('[A-Z][0-9][a-z][A-Za-z0-9]{18}[0-9]{2}', createDice(seed))
    expect([seed, rowsOf(write(value)).length]).toEqual([seed, 1])
  }
})

test.each([
  `entity A { password: String(100); token : String(255) @title: 'Token 1'; secret : Association to Secrets; }`,
  `entity A {\n  password: String(100);\n  apiKey : String(64) default '';\n}`,
  `type T : String enum { token = 'T1'; password = 'PW'; }`,
  `@title: 'Password must have 8 characters' annotate U with { password @Common: { Label: 'Password 2', Text: token } };`,
  `annotate S.A with @(restrict: [{ grant: 'READ', to: 'TokenAdmin1', where: 'token = $user.token1' }]);`,
  `@assert.unique: { token: [token, secret] } entity K { key token : String; }`,
])('names of elements and their texts are no credentials: %s', (text) => expect(rowsOf(text)).toEqual([]))

import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const LIB = "const fs = require('fs')\nexports.load = (file) => fs.readFileSync(file, 'utf8')\n"
const TYPED = "import fs from 'fs'\nexport const load = (file: string): string => fs.readFileSync(file, 'utf8')\n"
const SERVICE = (name: string): string => SERVICE_OF(`'${name}'`)
const SERVICE_OF = (written: string): string =>
  `const { load } = require(${written})\nmodule.exports = (srv) => { srv.on('run', (req) => load(req.data.name)) }\n`
const CDS = '"dependencies":{"@sap/cds":"^9"}'

async function found(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const { en } = await scanFiles(new Map(Object.entries(texts)))
  return allFindings(en)
    .filter(({ ruleId }) => ruleId === 'cap/path-traversal')
    .map(({ file, severity }) => `${file} ${severity}`)
}

describe('a module of the project under a name that is no path', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a package of the workspace',
      {
        'package.json': `{"workspaces":["packages/*"],${CDS}}`,
        'packages/shared/package.json': '{"name":"@shop/shared","main":"lib/files.js"}',
        'packages/shared/lib/files.js': LIB,
        'srv/a.js': SERVICE('@shop/shared'),
      },
      'packages/shared/lib/files.js',
    ],
    [
      'a file of a package',
      {
        'package.json': `{"workspaces":["shared"],${CDS}}`,
        'shared/package.json': '{"name":"shared"}',
        'shared/lib/files.js': LIB,
        'srv/a.js': SERVICE('shared/lib/files'),
      },
      'shared/lib/files.js',
    ],
    [
      'a subpath that a package exports',
      {
        'package.json': `{"workspaces":["shared"],${CDS}}`,
        'shared/package.json':
          '{"name":"shared","exports":{".":"./a.js","./files":{"import":"./src/files.mjs","require":"./src/files.js"}}}',
        'shared/src/files.js': LIB,
        'srv/a.js': SERVICE('shared/files'),
      },
      'shared/src/files.js',
    ],
    [
      'a package that is compiled',
      {
        'package.json': `{"workspaces":["shared"],${CDS}}`,
        'shared/package.json': '{"name":"shared","main":"dist/index.js","types":"dist/index.d.ts"}',
        'shared/src/index.ts': "export * from './files.js'\n",
        'shared/src/files.ts': TYPED,
        'srv/a.js': SERVICE('shared'),
      },
      'shared/src/files.ts',
    ],
    [
      'a local dependency of another name',
      {
        'app/package.json': `{"dependencies":{"@sap/cds":"^9","tools":"file:../common"}}`,
        'common/package.json': '{"name":"@x/common-tools","main":"./files"}',
        'common/files.js': LIB,
        'app/srv/a.js': SERVICE('tools'),
        'app/srv/a.cds': 'service A { action run(name : String); }',
      },
      'common/files.js',
    ],
    [
      'an import of the package itself',
      {
        'package.json': `{"imports":{"#lib/*":"./srv/lib/*.js"},${CDS}}`,
        'srv/lib/files.js': LIB,
        'srv/a.js': SERVICE('#lib/files'),
      },
      'srv/lib/files.js',
    ],
    [
      'a path of TypeScript',
      {
        'package.json': `{${CDS}}`,
        'tsconfig.json': '{ "extends": "./tsconfig.base.json" }',
        'tsconfig.base.json': '{ "compilerOptions": { /* aliases */ "baseUrl": ".", "paths": { "@/*": ["srv/*"] } } }',
        'srv/lib/files.ts': TYPED,
        'srv/a.ts':
          "import { load } from '@/lib/files'\nexport default (srv: any) => { srv.on('run', (req: any) => load(req.data.name)) }\n",
      },
      'srv/lib/files.ts',
    ],
    [
      'a path below the base of TypeScript',
      {
        'package.json': `{${CDS}}`,
        'tsconfig.json': '{ "compilerOptions": { "baseUrl": "./srv" } }',
        'srv/lib/files.ts': TYPED,
        'srv/a.ts':
          "import { load } from 'lib/files'\nexport default (srv: any) => { srv.on('run', (req: any) => load(req.data.name)) }\n",
      },
      'srv/lib/files.ts',
    ],
    [
      'an alias at run time',
      {
        'package.json': `{"_moduleAliases":{"@lib":"srv/lib"},${CDS}}`,
        'srv/lib/files.js': LIB,
        'srv/a.js': SERVICE('@lib/files'),
      },
      'srv/lib/files.js',
    ],
    [
      'a path below a folder that is kept in a global',
      {
        'srv/package.json': `{${CDS}}`,
        'srv/server.js': "global.__base = __dirname + '/'\n",
        'srv/lib/files.js': LIB,
        'srv/handlers/a.js': SERVICE_OF("global.__base + 'lib/files'"),
      },
      'srv/lib/files.js',
    ],
    ...["__dirname + '/lib/files'", "require('path').join(__dirname, 'lib', 'files')"].map(
      (written): [string, Readonly<Record<string, string>>, string] => [
        `a path beside the script: ${written}`,
        { 'package.json': `{${CDS}}`, 'srv/lib/files.js': LIB, 'srv/a.js': SERVICE_OF(written) },
        'srv/lib/files.js',
      ],
    ),
  ])('%s', async (_, texts, file) => {
    expect(await found(texts)).toEqual([`${file} HIGH`])
  })

  test('a name that no descriptor explains stays a package of others', async () => {
    const texts = {
      'package.json': `{"workspaces":["shared"],${CDS}}`,
      'shared/package.json': '{"name":"@shop/shared"}',
      'shared/index.js': LIB,
      'srv/a.js': SERVICE('@shop/other'),
    }
    expect(await found(texts)).toEqual([])
  })

  test('a package of two services is reported once, and where a service calls it as what it is', async () => {
    const service = (name: string): Record<string, string> => ({
      [`${name}/package.json`]: `{"name":"${name}",${CDS}}`,
      [`${name}/srv/a.cds`]: 'service A { action run(name : String); }',
      [`${name}/srv/a.js`]: SERVICE('shared'),
    })
    const texts = {
      'package.json': '{"workspaces":["one","two","shared"]}',
      'shared/package.json': '{"name":"shared"}',
      'shared/index.js': LIB,
    }
    const both = await found({ ...texts, ...service('one'), ...service('two') })
    expect(new Set(both)).toEqual(new Set(['shared/index.js HIGH']))
    expect(await found({ ...texts, ...service('one') })).toEqual(['shared/index.js HIGH'])
  })
})

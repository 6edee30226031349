/** What is compared with CAP's own reader by hand: the `cds` of package.json, other files, variables. */
export const CONFIGURATIONS: [string, unknown, Record<string, string>?, Record<string, string>?][] = [
  ['nothing', undefined],
  ['words', { requires: { auth: 'mocked', db: 'sqlite', api: 'odata' } }],
  [
    'a word in a profile, over an object with a kind',
    { requires: { db: { kind: 'x', credentials: { url: 'u' } } }, '[production]': { requires: { db: 'y' } } },
  ],
  [
    'a word in a profile, over an object without one',
    { requires: { db: { credentials: { url: 'u' } } }, '[production]': { requires: { db: 'y' } } },
  ],
  [
    'an object over the word of a profile',
    { requires: { '[production]': { db: 'y' }, '[test]': { db: 'z' } } },
    { '.cdsrc.json': '{"[production]":{"requires":{"db":"w"}}}' },
  ],
  [
    'an object of another file over the word of a profile',
    { requires: { db: { credentials: { url: 'u' } } } },
    { '.cdsrc.json': '{"[production]":{"requires":{"db":"w"}}}' },
  ],
  [
    'profiles inside of a service',
    { requires: { auth: { kind: 'a', '[production]': { kind: 'b', users: { x: 1 } }, '[a]': { kind: 'c' } } } },
  ],
  [
    'profiles within profiles',
    { '[production]': { '[a]': { requires: { auth: 'x' } } }, '[a]': { '[test]': { log: { a: 1 } } } },
  ],
  [
    'important profiles',
    { '[a!]': { log: { x: 1 } }, '[a]': { log: { x: 2 } }, log: { x: 3, '[a!]': { y: 4 }, '[production]': { y: 5 } } },
  ],
  [
    'on and off',
    {
      requires: {
        db: false,
        auth: { kind: 'x' },
        api: true,
        '[production]': { db: true, auth: true, api: { kind: 'y' } },
        '[a]': { auth: null },
      },
    },
  ],
  ['one profile for good', { profile: 'a', '[a]': { requires: { db: 'x' } }, '[b]': { requires: { db: 'y' } } }],
  ['profiles for good', { profiles: ['b', 'a'], '[a]': { requires: { db: 'x' } }, '[b]': { requires: { db: 'y' } } }],
  ['profiles of .cdsrc.json', { x: 1 }, { '.cdsrc.json': '{"profiles":["a"],"[a]":{"x":2}}' }],
  [
    'files over files',
    { x: { a: 1 } },
    { '.cdsrc.json': '{"x":{"a":2,"b":2}}', '.cdsrc.yaml': 'x:\n  a: 3\n  b: 3\n  "[production]":\n    c: 3\n' },
  ],
  [
    'a module between .cdsrc.json and package.json',
    { x: { a: 1 } },
    {
      '.cdsrc.json': '{"x":{"a":2,"b":2,"c":2}}',
      '.cdsrc.js':
        "const settings = { x: { 'a': 3, b: `three`, d: [1, null, true], ['e']: { 5: 'f' } } }\nmodule.exports = settings\n",
    },
  ],
  ['a module with cds around', undefined, { '.cdsrc.js': "module.exports = { cds: { '[production]': { x: 1 } }, y: 2 }" }],
  ['cds around', undefined, { '.cdsrc.json': '{"cds":{"x":1},"y":2}', '.cdsrc.yaml': 'cds:\n  z: 1\nw: 3\n' }],
  ['nothing around', undefined, { '.cdsrc.json': '{"cds":null,"y":2}' }],
  ['names that are not read', undefined, { '.cdsrc': '{"x":1}', '.cdsrc.yml': 'x: 2', '.cdsrc-private.yaml': 'x: 3' }],
  [
    "kinds of the project's own",
    {
      requires: {
        auth: 'mine',
        api: { kind: 'remote', credentials: { path: '/x' } },
        kinds: {
          'mine-auth': { kind: 'basic', users: { bob: { roles: ['a'] } } },
          remote: { kind: 'rest', credentials: { url: 'u', path: '/' }, '[production]': { credentials: { url: 'p' } } },
        },
      },
    },
  ],
  ['a kind for a name', { requires: { api: true, other: true, kinds: { api: { x: 1 }, 'other-defaults': { y: 2 } } } }],
  [
    'kinds of kinds',
    { requires: { api: 'a', kinds: { a: { kind: 'b', x: 1 }, b: { kind: 'c', x: 2, y: 2 }, c: 'd', d: { z: 3 } } } },
  ],
  ['a kind of its own name', { requires: { api: 'api', kinds: { api: { kind: 'api', x: 1 } } } }],
  [
    'variables',
    { requires: { auth: 'x' } },
    {},
    {
      cds_requires_auth_kind: 'y',
      CDS_REQUIRES_DB: 'z',
      'cds.log.levels.sql': 'debug',
      cds_requires_my__api_kind: 'w',
      cds_x: 'true',
      cds_y: '0',
      cds_z: '',
    },
  ],
  [
    'variables that are JSON',
    {},
    {},
    { cds_requires_auth: '{"kind":"b","[production]":{"kind":"c"}}', cds_list: '["a"]', cds_broken: '{' },
  ],
  [
    'a variable that is all of it',
    { requires: { db: 'x' } },
    {},
    {
      CDS_CONFIG: '{"requires":{"db":{"credentials":{"url":"u"}},"[production]":{"auth":"b"}},"[a!]":{"x":1}}',
      cds_requires_auth: 'c',
    },
  ],
  ['a variable with a path', { x: 1 }, { 'more.json': '{}' }, { CDS_CONFIG: 'more.json' }],
]

/** Files of one's own machine, with variables of the process. In production CAP reads them too where they are, but builds leave them out. */
export const LOCAL_FILES: [string, Record<string, string>, Record<string, string>?][] = [
  ['.cdsrc-private.json', { '.cdsrc-private.json': '{"requires":{"auth":"b"},"[a]":{"x":1}}' }],
  ['default-env.json', { 'default-env.json': '{"cds_requires_auth":"b","cds_x":true,"cds_y":5,"cds_z":{"a":1},"PORT":4004}' }],
  ['.env', { '.env': 'cds_requires_auth_kind=b\n# a comment\ncds.x = true\n\ncds_y="z"\nCDS_CONFIG={"w":1}\n' }],
  ['.env of JSON', { '.env': '{ "cds_requires_auth_kind": "b", "cds_x": { "y": 1 } }\n' }],
  ['.env of a profile', { '.env': 'cds_x=1\ncds_y=1\n', '.a.env': 'cds_x=2\n', '.b.env': 'cds_x=3\ncds_y=3\n' }],
  ['each over each', { '.env': 'cds_x=1\ncds_y=1\ncds_z=1', 'default-env.json': '{"cds_x":"2","cds_y":"2"}' }, { cds_x: '3' }],
  ['one path, several names', { '.env': 'CDS_X=1\n', 'default-env.json': '{"cds.x":"2"}' }, { cds_x: '3' }],
  ['a variable before a file', { '.env': 'cds_x=1\ncds_x_y=2\n' }, { cds_x_y: '3' }],
]

import type { Origin, SinkDetail } from '../types.ts'
import { CAP_SINKS } from './cap-sinks.ts'
import { paths } from './call-paths.ts'
import { CODE_SINKS } from './code-sinks.ts'

/** A call that must not get data of others in some of its arguments. */
export interface SinkRow {
  /** The id of the rule that reports it. */
  readonly fault: string
  /** Access paths of the callee, with blanks between the steps. */
  readonly calls?: readonly string[]
  /** Or a method of a receiver that has this origin. */
  readonly method?: { readonly origin: Origin; readonly names: readonly string[] }
  /** Or a name and, where that is not enough, the access path that leads to it: what is called, assigned, an attribute of an element, a field of any object. */
  readonly named?: NamedSink
  /** Positions of the arguments. */
  readonly args: readonly number[]
  /** Of an argument that is an object the fields that count: `axios({ url })`, `target.shellHash`. */
  readonly fields?: readonly string[]
  /** Those alone: what is no object is no sink. */
  readonly onlyFields?: true
  readonly needs?: 'concatenated' | 'logged' | 'parsed'
  /** Only where the call has an option that runs a shell. */
  readonly whenShell?: true
  /** Only where an option of this name is given that is not false. */
  readonly whenOption?: string
  /** What the sink says of itself. */
  readonly detail?: SinkDetail
  /** Not where an option of this name is given. */
  readonly unlessOption?: string
  /** Or a method of this name of whatever. */
  readonly anyMethod?: readonly string[]
  /** Not data of clients, but this. */
  readonly of?: 'error' | 'secret' | 'personal' | 'credential'
  /** Not a value whose name, or that of its key, speaks of a credential: rules on names report those. */
  readonly unlessNamed?: 'logged' | 'stored'
  /** What the same file hands on is reported where that is done. */
  readonly isForwarded?: true
  /** What a user or an object of options is made of counts as well: `{ user: new cds.User({ id }) }`. */
  readonly nested?: true
  /** And what lies in a field of what arrives. */
  readonly isDeep?: true
  /** Only where the call has so many arguments. */
  readonly minArgs?: number
  /** Only where another argument is this constant. */
  readonly when?: { readonly index: number; readonly text: RegExp }
  /** Where in the text it stands decides: it is an address. */
  readonly isAddress?: true
  /** The content type of the response decides. */
  readonly isMarkup?: true
  /** A text that begins with a tag: `$('<b>' + name)` makes elements, `$(name)` looks for them. */
  readonly beginsWithTag?: true
  /** The whole call is what is reported. */
  readonly isWholeCall?: true
  /** Only where the template, a constant, has such a part. */
  readonly template?: Pick<RegExp, 'test'>
  /** What it makes holds the data that it gets. */
  readonly givesText?: true
  /** Only where nothing in the project is called by it. */
  readonly isForeign?: true
  /** Unless the settings say so. */
  readonly unless?: string
}

export interface NamedSink {
  readonly how: 'call' | 'set' | 'attribute' | 'field'
  readonly names: readonly string[]
  /** Access path up to the name, the name included. */
  readonly on?: Pick<RegExp, 'test'>
}

const FS =
  'readFile readFileSync writeFile writeFileSync appendFile appendFileSync createReadStream createWriteStream unlink unlinkSync rm rmSync rmdir rmdirSync readdir readdirSync ' +
  'mkdir mkdirSync open openSync stat statSync lstat opendir readJson readJsonSync readJSON readJSONSync writeJson writeJsonSync writeJSON outputFile outputFileSync outputJson ensureDir ensureFile emptyDir remove removeSync truncate'
const CDS_FILES = 'read readdir stat lstat find mkdirp mkdir rmdir rimraf rm copy'
const CDS = ['global:cds', 'module:@sap/cds']
const CDS_UTILS = CDS.map((cds) => `${cds} utils`)
const CDS_FS = CDS.flatMap((cds) => [`${cds} utils fs`, `${cds} utils fs promises`])

const FILES = ['module:fs', 'module:fs/promises', 'module:fs promises', 'module:fs-extra', 'module:graceful-fs']
/** Fact: axios 1, `axios.create(config)` gives the same methods. */
const AXIOS = ['module:axios', 'module:axios create ()']
const HTTP = ['module:http', 'module:https']

/** Facts: Node.js 24 documentation (fs, child_process, vm, http); @sap/cds 9.9.3, lib/utils; documentation of the packages named. */
export const SINKS: readonly SinkRow[] = [
  {
    fault: 'cap/path-traversal',
    calls: [...paths([...FILES, ...CDS_FS], FS), ...paths(CDS_UTILS, CDS_FILES)],
    args: [0],
  },
  // `write(path, data)`, but `write(data).to(path)`
  { fault: 'cap/path-traversal', calls: paths(CDS_UTILS, 'write append'), args: [0], minArgs: 2 },
  {
    fault: 'cap/path-traversal',
    calls: CDS_UTILS.flatMap((utils) => ['write', 'append', 'copy'].map((name) => `${utils} ${name} () to`)),
    args: [0, 1, 2, 3],
  },
  { fault: 'cap/path-traversal', calls: paths(CDS_UTILS, 'mkdirp rimraf rmdir rm'), args: [1, 2, 3] },
  {
    fault: 'cap/path-traversal',
    calls: [
      ...paths([...FILES, ...CDS_FS], 'copyFile copyFileSync rename renameSync cp cpSync copy move'),
      ...paths(CDS_UTILS, 'copy'),
    ],
    args: [0, 1],
  },
  // Fact: Express 5, "res.sendFile": with `root` the path stays below that folder
  {
    fault: 'cap/path-traversal',
    method: { origin: 'response', names: ['sendFile', 'download'] },
    args: [0],
    unlessOption: 'root',
  },
  {
    fault: 'cap/zip-slip',
    calls: paths(
      FILES,
      'writeFile writeFileSync createWriteStream appendFile appendFileSync mkdir mkdirSync outputFile outputFileSync',
    ),
    args: [0],
  },

  ...CODE_SINKS,

  {
    fault: 'cap/ssrf',
    isAddress: true,
    calls: [
      'global:fetch',
      'module:node-fetch',
      'module:node-fetch default',
      'module:undici fetch',
      'module:undici request',
      'module:got',
      'module:request',
      'module:needle',
      'module:superagent',
      ...paths(['module:got', 'module:request', 'module:superagent', 'module:needle'], 'get post put patch delete head'),
      ...paths(HTTP, 'get request'),
    ],
    args: [0],
    fields: ['url', 'uri', 'host', 'hostname'],
  },
  {
    fault: 'cap/ssrf',
    isAddress: true,
    calls: ['module:axios', 'module:axios create ()', ...paths(AXIOS, 'get post put patch delete head options request')],
    args: [0],
    fields: ['url', 'baseURL'],
  },
  {
    fault: 'cap/ssrf',
    isAddress: true,
    calls: paths(
      ['module:@sap-cloud-sdk/http-client', 'module:@sap-cloud-sdk/core'],
      'executeHttpRequest executeHttpRequestWithOrigin',
    ),
    args: [0],
    fields: ['destinationName', 'url'],
  },
  {
    fault: 'cap/ssrf',
    isAddress: true,
    calls: paths(['module:@sap-cloud-sdk/http-client', 'module:@sap-cloud-sdk/core'], 'executeHttpRequest'),
    args: [1],
    fields: ['url', 'baseURL'],
  },

  { fault: 'cap/open-redirect', method: { origin: 'response', names: ['redirect', 'location'] }, args: [0, 1], isAddress: true },
  {
    fault: 'cap/open-redirect',
    method: { origin: 'response', names: ['setHeader', 'set', 'header', 'append'] },
    args: [1],
    isAddress: true,
    when: { index: 0, text: /^location$/i },
  },
  {
    fault: 'cap/reflected-xss',
    method: { origin: 'response', names: ['send', 'write', 'end', 'setBody'] },
    args: [0],
    isMarkup: true,
  },

  {
    fault: 'cap/unsafe-deserialization',
    calls: [
      'module:node-serialize unserialize',
      'module:serialize-to-js deserialize',
      'module:funcster deepDeserialize',
      'module:v8 deserialize',
      'module:cryo parse',
    ],
    args: [0],
  },

  // Fact: js-yaml 3 (README, "API"): `load` takes !!js/function; version 4 has removed that, see the rule.
  {
    fault: 'cap/unsafe-deserialization',
    calls: paths(['module:js-yaml'], 'load loadAll'),
    args: [0],
    unlessOption: 'schema',
    detail: 'js-yaml',
  },
  // Fact: libxmljs2 (README, "parseXml"): `noent` puts entities in, those of files and addresses too.
  {
    fault: 'cap/unsafe-deserialization',
    calls: paths(['module:libxmljs', 'module:libxmljs2'], 'parseXml parseXmlString parseXmlAsync'),
    args: [0],
    whenOption: 'noent',
  },

  {
    fault: 'cap/prototype-pollution',
    calls: [
      'module:lodash merge',
      'module:lodash mergeWith',
      'module:lodash defaultsDeep',
      'module:lodash.merge',
      'module:lodash.defaultsdeep',
      ...['merge', 'mergeWith', 'defaultsDeep'].map((name) => `module:lodash/${name}`),
      'module:deepmerge',
      'module:deep-extend',
      'module:merge-deep',
      'module:extend',
    ],
    args: [1, 2, 3, 4, 5],
  },
  {
    fault: 'cap/prototype-pollution',
    calls: [
      'module:lodash set',
      'module:lodash setWith',
      'module:lodash/set',
      'module:lodash.set',
      'module:dot-prop set',
      'module:object-path set',
    ],
    args: [1],
  },

  {
    fault: 'cap/log-injection',
    calls: paths(['global:console'], 'log info warn error debug trace'),
    args: [0, 1, 2],
    needs: 'concatenated',
    detail: 'foreign',
  },

  ...CAP_SINKS,
]

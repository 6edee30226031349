import type { Origin, SinkDetail } from '../types.ts'
import { CAP_SINKS } from './cap-sinks.ts'
import { paths } from './call-paths.ts'
import { CODE_SINKS } from './code-sinks.ts'
import { FILE_SINKS } from './file-sinks.ts'
import { CONNECTION_SINKS, DOCUMENT_SINKS, HTTP_SINKS } from './http-sinks.ts'

/** A call that must not get data of others in some of its arguments. */
export interface SinkRow {
  /** The id of the rule that reports it. */
  readonly fault: string
  /** Access paths of the callee, with blanks between the steps. */
  readonly calls?: readonly string[]
  /** Or a method of a receiver that has this origin. */
  readonly method?: { readonly origin: Origin; readonly names: readonly string[] }
  /** Or a name and, where that is not enough, the access path that leads to it: what is called, assigned, an attribute of an element, a field of any object, a method of whatever. */
  readonly named?: NamedSink
  /** Positions of the arguments. */
  readonly args: readonly number[]
  /** Of an argument that is an object the fields that count: `axios({ url })`, `target.shellHash`. */
  readonly fields?: readonly string[]
  /** Those alone: what is no object is no sink. */
  readonly onlyFields?: true
  /** Of an object that is made before, these fields; of one that is written out they count by themselves. */
  readonly made?: readonly string[]
  /** What a user or an object of options is made of counts as well: `{ user: new cds.User({ id }) }`. */
  readonly nested?: true
  /** And what lies in a field of what arrives. */
  readonly isDeep?: true
  /** A function may give it instead, or a list be made by one: `list.map((one) => '<li>' + one)`. */
  readonly takesFunction?: true
  readonly needs?: 'concatenated' | 'logged' | 'parsed'
  /** Not data of clients, but this. */
  readonly of?: 'error' | 'secret' | 'personal' | 'credential'
  /** What the code around it has to look like. */
  readonly only?: CallConditions
  /**
   * What the text is, where that decides. `address`: where in it something stands · `path`: the same below the host of a destination, whatever it begins with ·
   * `window`: of a window that is opened, and that may share nothing with the page (see `opensApart`) · `either`: the same where the next argument is true, else of the
   * page itself · `markup`: by the content type of the response.
   */
  readonly as?: 'address' | 'path' | 'window' | 'either' | 'markup'
  /** What the sink says of itself. */
  readonly detail?: SinkDetail
  /** What the same file hands on is reported where that is done. */
  readonly isForwarded?: true
  /** Not where the object is followed to another sink of the fault, which says more of it. */
  readonly isPassedOn?: true
  /** The whole call is what is reported. */
  readonly isWholeCall?: true
  /** What it makes holds the data that it gets. */
  readonly givesText?: true
}

export function isAddress(as: SinkRow['as']): boolean {
  return as !== undefined && as !== 'markup'
}

/** Conditions on a call, and on what it is given. */
export interface CallConditions {
  /** It has so many arguments. */
  readonly minArgs?: number
  /** Another argument is this constant, or has a field `open` with a value that nobody knows. */
  readonly when?: { readonly index: number; readonly text: RegExp; readonly open?: string }
  /** The first of the arguments is a text that begins so. */
  readonly leading?: Pick<RegExp, 'test'>
  /** It is a text that begins with a tag: `$('<b>' + name)` makes elements, `$(name)` looks for them. */
  readonly beginsWithTag?: true
  /** The template, a constant, has such a part. */
  readonly template?: Pick<RegExp, 'test'>
  /** An option that runs a shell is given. */
  readonly whenShell?: true
  /** Of a list with an option of a shell, the text behind that: `['-c', text, 'sh', name]` hands `name` to the command as it is. */
  readonly behindOption?: RegExp
  /** An option of this name is given that is not false. */
  readonly whenOption?: string
  /** What is called was made with an option of this name that is not false: `execa({ shell: true })(command)`. */
  readonly whenMade?: string
  /** Not where an option of this name is given, unless it is one of these. */
  readonly unlessOption?: { readonly name: string; readonly is?: RegExp }
  /** Not behind a call of this method with such a constant in the same chain: `res.status(201).location(url)`. */
  readonly unlessBehind?: { readonly method: string; readonly text: RegExp }
  /** Not a value whose name, or that of its key, speaks of a credential: rules on names report those. Nor `bytes`, where a path may stand: `sharp(Buffer.from(text))`, `sharp(file.buffer)`. Nor `saved`, the address of a link with a name for the file: `link.download = 'orders.csv'`. */
  readonly unlessNamed?: 'logged' | 'stored' | 'bytes' | 'saved'
  /** Not a path that begins with a folder, and to which texts are added as they are: a segment `..` of it is still there. */
  readonly unlessSum?: true
  /** Nothing in the project is called by it. */
  readonly isForeign?: true
}

export interface NamedSink {
  readonly how: 'call' | 'set' | 'attribute' | 'field' | 'method'
  readonly names: readonly string[]
  /** Access path up to the name, the name included. */
  readonly on?: Pick<RegExp, 'test'>
}

/** Facts: documentation of the packages named. */
export const SINKS: readonly SinkRow[] = [
  ...FILE_SINKS,
  ...CODE_SINKS,

  ...HTTP_SINKS,
  ...CONNECTION_SINKS,
  ...DOCUMENT_SINKS,

  // Facts: alasql 4 (README; types/alasql.d.ts, `AlaSQL`)
  { fault: 'cap/cql-injection', calls: ['module:alasql', 'module:alasql promise'], args: [0], isDeep: true },

  { fault: 'cap/open-redirect', method: { origin: 'response', names: ['redirect'] }, args: [0, 1], as: 'address' },
  { fault: 'cap/cookie-name-from-request', method: { origin: 'response', names: ['cookie'] }, args: [0] },
  // with 201 or 202 it names what was made, and no browser goes there. Fact: RFC 9110, "Location"
  {
    fault: 'cap/open-redirect',
    method: { origin: 'response', names: ['location'] },
    args: [0],
    as: 'address',
    only: { unlessBehind: { method: 'status', text: /^20/ } },
  },
  {
    fault: 'cap/open-redirect',
    method: { origin: 'response', names: ['setHeader', 'set', 'header', 'append'] },
    args: [1],
    as: 'address',
    only: { when: { index: 0, text: /^location$/i } },
  },
  {
    fault: 'cap/reflected-xss',
    method: { origin: 'response', names: ['send', 'sendRaw', 'write', 'end', 'setBody', 'html'] },
    args: [0],
    as: 'markup',
  },

  {
    fault: 'cap/unsafe-deserialization',
    calls: [
      'module:node-serialize unserialize',
      'module:serialize-to-js deserialize',
      'module:funcster deepDeserialize',
      'module:cryo parse',
      'module:php-unserialize unserialize',
      'module:jsan parse',
      'module:arson parse',
    ],
    args: [0],
  },

  // Fact: Node.js 24, "v8.deserialize": the structured clone algorithm carries no functions, but the buffer is trusted
  { fault: 'cap/unsafe-deserialization', calls: ['module:v8 deserialize'], args: [0], detail: 'binary' },
  // Fact: js-yaml 3 (README, "API"): `load` takes !!js/function, and so does the full schema; version 4 has removed that, see the rule.
  {
    fault: 'cap/unsafe-deserialization',
    calls: paths(['module:js-yaml'], 'load loadAll'),
    args: [0],
    only: { unlessOption: { name: 'schema', is: /^DEFAULT_FULL_SCHEMA$/ } },
    detail: 'js-yaml',
  },
  // Fact: bson 6 (README, "deserialize"): functions in the document are made with `evalFunctions`
  {
    fault: 'cap/unsafe-deserialization',
    calls: paths(['module:bson', 'module:bson BSON'], 'deserialize'),
    args: [0],
    only: { whenOption: 'evalFunctions' },
  },
  // Fact: libxmljs2 (README, "parseXml"): `noent` puts entities in, those of files and addresses too.
  {
    fault: 'cap/unsafe-deserialization',
    calls: paths(['module:libxmljs', 'module:libxmljs2'], 'parseXml parseXmlString parseXmlAsync parseHtml'),
    args: [0],
    only: { whenOption: 'noent' },
    detail: 'entities',
  },

  // Fact: mongodb 6, `Collection`: the first argument is the filter, whose fields and operators decide which documents count
  {
    fault: 'cap/query-object-from-request',
    named: {
      how: 'call',
      names: [
        ...'find findOne findOneAndUpdate findOneAndDelete findOneAndReplace updateOne updateMany'.split(' '),
        ...'deleteOne deleteMany replaceOne remove countDocuments'.split(' '),
      ],
      on: /\bcollection \(\) \w+$/,
    },
    args: [0],
  },

  {
    fault: 'cap/prototype-pollution',
    calls: [
      ...paths(['module:lodash'], 'merge mergeWith defaultsDeep'),
      ...['merge', 'mergeWith', 'defaultsDeep'].map((name) => `module:lodash/${name}`),
    ],
    args: [1, 2, 3, 4, 5],
    detail: 'lodash',
  },
  ...(['lodash.merge', 'lodash.defaultsdeep', 'deepmerge'] as const).map((detail): SinkRow => ({
    fault: 'cap/prototype-pollution',
    calls: [`module:${detail}`],
    args: [1, 2, 3, 4, 5],
    detail,
  })),
  {
    fault: 'cap/prototype-pollution',
    calls: [
      'module:deep-extend',
      'module:merge-deep',
      'module:extend',
      'module:just-extend',
      'module:mixin-deep',
      'module:defaults-deep',
      'module:merge recursive',
      'module:@hapi/hoek merge',
      'module:@hapi/hoek applyToDefaults',
      'module:underscore extend',
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
      'module:lodash update',
      'module:lodash zipObjectDeep',
      'module:dot-prop set',
      'module:dot-prop setProperty',
      'module:object-path set',
      'module:set-value',
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

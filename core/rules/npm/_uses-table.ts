/**
 * What an advisory says that a project must do before it is concerned: load the package, call a function of it, set an option, be asked by a package that
 * hands on what a request holds. Read in the advisories' own words (github.com/advisories/<id>), 2026-11; how SAP's packages use others in their code.
 */
export interface UseRow {
  readonly package: string
  /** Those that the row is about; without: all of the package that no other row names. */
  readonly advisories?: readonly string[]
  /** What the own code loads for it; without: the package itself. */
  readonly loads?: readonly string[]
  /** Functions and options of which such a script names one. */
  readonly names?: readonly string[]
  /** Methods and options of what the package makes: any script may name one, which need not load the package. */
  readonly anywhere?: readonly string[]
  /** Only on a server: in a browser another implementation does the work. */
  readonly onServer?: true
  /** Packages that do it by themselves with what a request holds. */
  readonly through?: readonly string[]
  /** Packages that need it for something else: the row is about what they alone need. */
  readonly otherwise?: readonly string[]
  /** Packages that give it nothing but settings and files of the project, or nothing at all before the own code asks for that. */
  readonly ownFilesOf?: readonly string[]
  /** What the project sets for a package that does it then. */
  readonly setting?: UseSetting
  /** Acts on what its own settings say, which code or operators write: formats of logs, names of what is debugged. Nothing that a request holds gets there by itself. */
  readonly bySettings?: true
  /** In the program of its command line alone: what loads the package never runs it. */
  readonly byCommand?: true
  /** The approuter calls it where one of its routes asks for a login. */
  readonly ofLogins?: true
  /** CAP calls it for the callers of its services, where the project configures such a login. */
  readonly byCapLogins?: true
  /** Only behind another vulnerability: a polluted prototype, a proxy that answers for a foreign host. */
  readonly needsAnother?: true
}

/**
 * `destination-cache`: in the `destinationOptions` of a remote service of CAP. `websockets`, `local-dir`: in an xs-app.json. `login`: an approuter whose routes ask for a login, bound to what logs users in. `odata-v2`: the
 * adapter for OData V2 is started, by code or as a plug-in. `two-parameters`: a route of the own code has two parameters in one segment. `extended-query`: Express 4 is installed, or the own code asks for parsing.
 * Fact: Express, "Moving to Express 5" (the query parser is "simple" by default).
 */
export type UseSetting =
  | 'destination-cache'
  | 'websockets'
  | 'local-dir'
  | 'login'
  | 'odata-v2'
  | 'two-parameters'
  | 'extended-query'

/** Act when the own code calls them, on what it hands them; what other packages hand them are their own files, settings and answers of services. */
const ON_CALL =
  '@grpc/grpc-js @xmldom/xmldom adm-zip ajv archiver bn.js brace-expansion braces browserify-sign cipher-base compressing csv-parse decode-uri-component decompress deep-extend diff dompurify dot-prop ejs exceljs expr-eval ' +
  'extract-zip fast-csv fast-uri fast-xml-parser file-type flat flatted form-data glob got handlebars image-size immutable ini is-svg is-url js-yaml jsdom json-bigint json-schema json5 jsonpath ' +
  'jsonpath-plus jsonpointer jspdf jszip just-extend libxmljs2 lodash lodash-es lodash.template luxon markdown-it marked micromatch minimatch minimist moment moment-timezone mustache node-fetch ' +
  'node-forge nodemailer normalize-url nth-check object-path parse-path parse-url pbkdf2 pdfjs-dist pdfmake picomatch property-expr protobufjs request requestretry sanitize-html semver set-value ' +
  'sha.js sharp simple-git superjson svgo tar tar-fs tar-stream tmp tough-cookie trim trim-off-newlines turndown ua-parser-js underscore undici unset-value unzip-stream unzipper urijs uuid validator word-wrap xlsx xml-crypto ' +
  'xml2js xmldom y18n yaml yargs-parser'

/** What parses the bodies of uploads by itself. */
const UPLOADS = ['FileInterceptor', 'FilesInterceptor', 'FileFieldsInterceptor', 'AnyFilesInterceptor', 'MulterModule', 'multer']

/** In the place of a name: a client of HTTP is given an address whose beginning is not the project's own. */
export const OPEN_ADDRESS = '(address)'
/** The same of mails: one of their addresses is no constant. */
export const OPEN_MAIL = '(mail address)'
/** The same of tokens: they may be verified with the public key of a pair. */
export const KEY_PAIR = '(public key)'
/** The same of templates: a client may choose the option `pretty`. */
export const OPEN_PRETTY = '(pretty)'

const TABLE: readonly UseRow[] = [
  // axios: polluted prototypes ("if Object.prototype has been polluted by another dependency")
  {
    package: 'axios',
    advisories: [
      'GHSA-3g43-6gmg-66jw',
      'GHSA-6chq-wfr3-2hj9',
      'GHSA-pf86-5x62-jrwf',
      'GHSA-35jp-ww65-95wh',
      'GHSA-q8qp-cvcw-x6jj',
      'GHSA-gcfj-64vw-6mp9',
    ],
    needsAnother: true,
  },
  // credentials of a proxy, and hosts that are to be reached without one
  {
    package: 'axios',
    advisories: ['GHSA-j5f8-grm9-p9fc', 'GHSA-p92q-9vqr-4j8v', 'GHSA-pmwg-cvhr-8vh7', 'GHSA-pjwm-pj3p-43mv'],
    names: ['proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'no_proxy'],
    onServer: true,
  },
  // the name of the XSRF cookie comes from an attacker; cookies are read in browsers alone
  { package: 'axios', advisories: ['GHSA-hfxv-24rg-xrqf'], names: ['xsrfCookieName'] },
  // limits that are set and not kept
  { package: 'axios', advisories: ['GHSA-777c-7fjr-54vf'], names: ['maxContentLength', 'maxBodyLength'] },
  // settings of a request that come as parsed JSON with a key __proto__
  { package: 'axios', advisories: ['GHSA-43fc-jf86-j433'], names: ['mergeConfig', 'parse'] },
  // data: addresses and absolute ones in the place of paths, chosen by an attacker
  {
    package: 'axios',
    advisories: ['GHSA-4hjh-wcwx-xvwj', 'GHSA-jr5f-v2jv-69x6', 'GHSA-8hc4-vh64-cxmj'],
    names: [OPEN_ADDRESS],
    onServer: true,
  },
  { package: 'axios' },
  // field names, file names and boundaries of forms that the own code sends
  { package: 'form-data', loads: ['form-data', 'axios', 'node-fetch'], names: ['append', 'postForm', 'putForm'], onServer: true },
  // functions over the values of an object whose keys are a client's; packages that need async call others of it
  { package: 'async', advisories: ['GHSA-fwr7-v2mv-hh25'], names: ['mapValues', 'mapValuesLimit', 'mapValuesSeries'] },
  // events that a server sends, streams of files, and what checks the type of an uploaded file
  { package: '@nestjs/core', advisories: ['GHSA-36xv-jgw5-4q75'], loads: ['@nestjs/common'], names: ['Sse'] },
  { package: '@nestjs/core', advisories: ['GHSA-4jpv-8r57-pv7j'], loads: ['@nestjs/common'], names: ['StreamableFile'] },
  {
    package: '@nestjs/common',
    advisories: ['GHSA-cj7v-w2c7-cp7c'],
    names: ['FileTypeValidator', 'ParseFilePipeBuilder', 'addFileTypeValidator'],
  },
  // what `load` of `@langchain/core/load` makes of a text, and pages that a loader follows by their links
  {
    package: '@langchain/core',
    advisories: ['GHSA-r399-636x-v7f6'],
    loads: ['@langchain/core', 'langchain'],
    names: ['load'],
  },
  {
    package: 'langchain',
    advisories: ['GHSA-r399-636x-v7f6'],
    loads: ['@langchain/core', 'langchain'],
    names: ['load'],
  },
  {
    package: '@langchain/community',
    advisories: ['GHSA-gf3v-fwqg-4vh7', 'GHSA-mphv-75cg-56wg'],
    names: ['RecursiveUrlLoader'],
  },
  // objects in the place of the values that a statement is run with; CAP hands on values of the types of its model
  { package: 'sqlite3' },
  // "By default, destination caching is disabled"; CAP takes the option from its configuration (@sap/cds 5.9.8, libx/_runtime/remote/utils/client.js)
  {
    package: '@sap-cloud-sdk/core',
    advisories: ['GHSA-gp2f-254m-rh32'],
    loads: ['@sap-cloud-sdk/core', '@sap/cds'],
    anywhere: ['useCache', 'destinationCache', 'destinationServiceCache'],
    setting: 'destination-cache',
  },
  // two parameters in one segment of a path; the patterns of CAP and of the approuter have none. Later ones are about optional groups and wildcards
  {
    package: 'path-to-regexp',
    advisories: ['GHSA-37ch-88jc-xwx2', 'GHSA-9wv6-86v2-598j', 'GHSA-rhx6-c78j-4q9w'],
    setting: 'two-parameters',
  },
  { package: 'path-to-regexp' },
  // the option -c of its program
  { package: 'glob', advisories: ['GHSA-5j98-mcp5-4vw2'], byCommand: true },
  // documents of the own code; CAP reads its configuration in YAML (@sap/cds 9.9.3, lib/env)
  { package: 'js-yaml', ownFilesOf: ['@sap/cds', 'cosmiconfig'] },
  // only the urlencoded parser with `extended`; NestJS turns it on by itself
  {
    package: 'body-parser',
    advisories: ['GHSA-qwcr-r2fm-qrc7'],
    loads: ['body-parser', 'express'],
    names: ['urlencoded'],
    through: ['@nestjs/platform-express'],
  },
  // lists that are written with commas, or read (`comma`): options that Express and body-parser do not set
  { package: 'qs', advisories: ['GHSA-q8mj-m7cp-5q26'], names: ['encodeValuesOnly'] },
  { package: 'qs', advisories: ['GHSA-x5fp-wj9c-mxmx', 'GHSA-w7fw-mjwx-w883'], names: ['comma'] },
  // stringify() of what parse() was given; both packages only parse
  { package: 'qs', advisories: ['GHSA-4mjr-xmp4-gh2g'], loads: ['qs'] },
  // queries of addresses and bodies of forms; Express 5 has another parser for the former (express 5.1, lib/utils.js, compileQueryParser)
  {
    package: 'qs',
    otherwise: ['express', 'body-parser'],
    loads: ['express', 'body-parser'],
    names: ['urlencoded', 'extended'],
    setting: 'extended-query',
  },
  // what the server that it connects to asks for: a password in plain text
  {
    package: 'mysql2',
    advisories: ['GHSA-3f6p-5ww8-9rcr'],
    loads: ['mysql2', 'sequelize', 'typeorm', 'knex', 'drizzle-orm', '@nestjs/typeorm'],
    names: ['createConnection', 'createPool', 'createPoolCluster', 'Sequelize', 'DataSource', 'TypeOrmModule', 'knex', 'drizzle'],
  },
  // what is saved or changed by a repository; other packages use it for migrations
  { package: 'typeorm', advisories: ['GHSA-q2pj-6v73-8rgj'], loads: ['typeorm', '@nestjs/typeorm'] },
  // names of files that a client chooses; send asks for the type of a file that exists (send 0.16, index.js), Express for names of attachments
  { package: 'mime', loads: ['mime', 'express'], names: ['lookup', 'attachment', 'contentType'], ownFilesOf: ['send'] },
  // HMAC verified by createVerify() with a secret looked up by what the token says; jsonwebtoken calls verify()
  { package: 'jws', names: ['createVerify'] },
  // keys of a pair of another type than the algorithm: HMAC has one secret
  {
    package: 'jsonwebtoken',
    advisories: ['GHSA-8cf7-32gw-wr33'],
    names: [KEY_PAIR],
    through: ['express-jwt', 'passport-jwt', 'passport-azure-ad', '@nestjs/jwt'],
  },
  // algorithms that nobody names, keys that a function finds: at verification
  { package: 'jsonwebtoken', names: ['verify'], through: ['express-jwt', 'passport-jwt', 'passport-azure-ad', '@nestjs/jwt'] },
  // keys that a function finds, as jwks-rsa does, beside no list of algorithms: a secret of the own code signs for itself
  {
    package: 'express-jwt',
    advisories: ['GHSA-6g6m-m6h5-w9gf'],
    names: ['jwks-rsa', 'expressJwtSecret', 'jwksUri', 'secretCallback', 'getSecret', 'getKey', 'payload'],
  },
  // tokens of callers; logging of audits and clients of destinations fetch tokens of their own
  {
    package: '@sap/xssec',
    otherwise: ['@sap/audit-logging', '@sap-cloud-sdk/connectivity', '@sap-cloud-sdk/core', '@sap/html5-app-deployer'],
    ofLogins: true,
    byCapLogins: true,
  },
  // sockets: the approuter opens them where its descriptor says so
  {
    package: 'ws',
    through: [
      'socket.io',
      'engine.io',
      '@nestjs/platform-ws',
      'subscriptions-transport-ws',
      'express-ws',
      '@cap-js-community/websocket',
    ],
    setting: 'websockets',
  },
  // NestJS brings it along, and calls it in the interceptors that a route names (platform-express 11, multer/interceptors)
  {
    package: 'multer',
    loads: ['multer', '@nestjs/platform-express'],
    names: UPLOADS,
    ownFilesOf: ['@nestjs/platform-express'],
  },
  // redirects of a backend: a proxy hands them on, unless its option says that it follows them (http-proxy 1.18, lib/http-proxy/passes/web-incoming.js)
  {
    package: 'follow-redirects',
    otherwise: ['http-proxy'],
    loads: ['http-proxy', 'http-proxy-middleware'],
    names: ['followRedirects'],
  },
  // options of output() that opens a window
  {
    package: 'jspdf',
    advisories: ['GHSA-wfv2-pwc8-crg5'],
    names: ['pdfobjectnewwindow', 'pdfjsnewwindow', 'dataurlnewwindow'],
  },
  // images of others, which html() loads too
  {
    package: 'jspdf',
    advisories: ['GHSA-67pg-wm7f-q7fj', 'GHSA-95fx-jjr5-f39c', 'GHSA-8mvj-3j78-4qmw', 'GHSA-w532-jxjh-hjhj'],
    names: ['addImage', 'addSvgAsImage', 'html'],
  },
  // scripts, fields and notes of the document, and what is told about it
  { package: 'jspdf', advisories: ['GHSA-9vjf-qc39-jprp', 'GHSA-cjw8-79x6-5cj4'], names: ['addJS'] },
  {
    package: 'jspdf',
    advisories: ['GHSA-p5xg-68wr-hm3m', 'GHSA-pqxr-3g65-p328'],
    names: [
      'AcroForm',
      'AcroFormCheckBox',
      'AcroFormChoiceField',
      'AcroFormComboBox',
      'AcroFormEditBox',
      'AcroFormListBox',
      'AcroFormRadioButton',
      'addField',
    ],
  },
  { package: 'jspdf', advisories: ['GHSA-7x6v-j9x4-qf24'], names: ['createAnnotation'] },
  { package: 'jspdf', advisories: ['GHSA-vm32-vv63-w422'], names: ['addMetadata'] },
  // fixRequestBody() behind a body parser, with a multipart request to the backend
  { package: 'http-proxy-middleware', advisories: ['GHSA-gcq2-9pq2-cxqm', 'GHSA-9gqv-wp59-fq42'], names: ['fixRequestBody'] },
  // what the adapter for OData V2 needs it for happens with each request, once it runs; `_cap-settings.ts` says where it is a plug-in
  {
    package: 'http-proxy-middleware',
    otherwise: ['@cap-js-community/odata-v2-adapter', '@sap/cds-odata-v2-adapter-proxy'],
    setting: 'odata-v2',
  },
  // logins by OAuth, and tokens of users, which only an approuter with a service for logins has
  {
    package: '@sap/approuter',
    advisories: ['GHSA-44p5-3m5g-vfhj', 'GHSA-cpfx-964w-4jvp', 'GHSA-vhh6-v828-x62f'],
    setting: 'login',
  },
  // the approuter serves a folder of its own
  { package: '@sap/approuter', advisories: ['PSINC0011566'], setting: 'local-dir' },
  // redirects to an address that a client gives
  { package: 'express', advisories: ['GHSA-rv95-896h-c2vc', 'GHSA-qw6h-vgh9-j6wx'], names: ['redirect', 'location'] },
  // sessions that are kept over a login
  { package: 'passport', advisories: ['GHSA-v923-w3x8-wh69'], names: ['serializeUser', 'logIn', 'login'] },
  // names of functions that the advisories give
  { package: 'lodash', advisories: ['GHSA-r5fr-rjxr-66jc', 'GHSA-35jh-r3h4-6jhm'], names: ['template'] },
  { package: 'lodash-es', advisories: ['GHSA-r5fr-rjxr-66jc'], names: ['template'] },
  {
    package: 'lodash',
    advisories: ['GHSA-p6mc-m468-83gw', 'GHSA-jf85-cpcp-j695', 'GHSA-4xc9-xhrj-v574'],
    names: ['zipObjectDeep', 'defaultsDeep', 'merge', 'mergeWith', 'setWith', 'set'],
  },
  { package: 'underscore', advisories: ['GHSA-qpx9-hpmf-5gmw'], names: ['flatten', 'isEqual'] },
  { package: 'moment', advisories: ['GHSA-8hfj-j24r-96c4'], names: ['locale'] },
  // arguments of the program that one of its transports starts
  {
    package: 'nodemailer',
    advisories: ['GHSA-48ww-j4fc-435p'],
    loads: ['nodemailer', 'nodemailer-sendmail-transport'],
    names: ['sendmail'],
  },
  // the option raw of a message
  { package: 'nodemailer', advisories: ['GHSA-p6gq-j5cr-w38f'], names: ['raw'] },
  // the parser of addresses, which mailparser loads for each mail that is read (mailparser 3.7.1, lib/mail-parser.js)
  {
    package: 'nodemailer',
    advisories: ['GHSA-rcmh-qjqh-p98v'],
    loads: ['nodemailer', 'mailparser'],
    names: [OPEN_MAIL],
  },
  // the condition of populate() with $where
  {
    package: 'mongoose',
    advisories: ['GHSA-vg7j-7cwx-8wgw', 'GHSA-m7xq-9374-9rvx'],
    loads: ['mongoose', '@nestjs/mongoose', '@typegoose/typegoose'],
    anywhere: ['populate'],
  },
  // documents that an update of a client gave a key __proto__, as with $rename (huntr.dev, 1eef5a72-f6ab-4f61-b31d-fc66f5b4b467)
  {
    package: 'mongoose',
    advisories: ['GHSA-9m93-w8w6-76hh'],
    loads: ['mongoose', '@nestjs/mongoose', '@typegoose/typegoose'],
    anywhere: [
      '.update(',
      'bulkWrite',
      'findByIdAndUpdate',
      'findOneAndReplace',
      'findOneAndUpdate',
      'replaceOne',
      'updateMany',
      'updateOne',
    ],
  },
  { package: 'handlebars', names: ['compile', 'precompile', 'template'], through: ['hbs', 'express-handlebars', 'express-hbs'] },
  // an option of templates, which a client chooses; frameworks load Pug by themselves (express 4, lib/view.js)
  {
    package: 'pug',
    advisories: ['GHSA-p493-635q-r6gr'],
    loads: ['pug', 'express', '@nestjs/common', '@fastify/view', '@ladjs/koa-views', 'koa-pug', 'koa-views', 'consolidate'],
    names: [OPEN_PRETTY, 'Render'],
  },
  // the name of a function that code for pages is made as
  {
    package: 'pug',
    advisories: ['GHSA-3965-hpx2-q597'],
    names: ['compileClient', 'compileFileClient', 'compileClientWithDependenciesTracked'],
  },
  {
    package: 'ejs',
    loads: ['ejs', 'express'],
    names: ['render', 'renderFile', 'compile', 'ejs'],
  },
  // formats of a log that a client chooses, or a polluted prototype
  { package: 'morgan', advisories: ['GHSA-gwg9-rgvj-4h5j'], bySettings: true },
  // objects that are written with %o, where the variable DEBUG turns that on
  { package: 'debug', advisories: ['GHSA-9vvw-cc9w-f27h', 'GHSA-gxpj-cx7g-858c'], bySettings: true },
  // texts of durations: what code and settings write
  { package: 'ms', bySettings: true },
  // archives that are unpacked
  {
    package: 'tar',
    names: ['x', 'extract', 'Extract', 'Unpack', 'Parse', 't', 'list'],
  },
  { package: 'tar-fs', names: ['extract'] },
  // version 3, 5 and 6 with a buffer of the caller
  { package: 'uuid', names: ['v3', 'v5', 'v6', 'buf'] },
  // the functions that the titles name
  {
    package: 'validator',
    advisories: ['GHSA-9965-vmph-33xx'],
    names: ['isURL'],
    through: ['express-validator', 'class-validator'],
  },
  {
    package: 'validator',
    advisories: ['GHSA-vghf-hv5q-vc2g'],
    names: ['isLength'],
    through: ['express-validator', 'class-validator'],
  },
  { package: 'validator', through: ['express-validator', 'class-validator'] },
  { package: 'fast-uri', through: ['fastify', '@fastify/ajv-compiler'] },
  { package: 'xml-crypto', through: ['passport-saml', '@node-saml/node-saml', 'node-saml'] },
  { package: '@xmldom/xmldom', through: ['passport-saml', '@node-saml/node-saml', 'node-saml'] },
]

const HAVE_ROWS: ReadonlySet<string> = new Set(TABLE.flatMap((row) => (row.advisories === undefined ? row.package : [])))

export const USE_ROWS: readonly UseRow[] = [
  ...TABLE,
  ...ON_CALL.split(' ').flatMap((name) => (HAVE_ROWS.has(name) ? [] : { package: name })),
]

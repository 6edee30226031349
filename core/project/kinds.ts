import type { FileKind, Language, Role } from '../files.ts'

/**
 * Which path is which kind, and which class: the one definition of each.
 * `all`: all rules · `secrets`: only secrets (and fingerprints of vendored libraries) are looked for · `out`: not read, for a reason that a notice tells.
 */
export type PathClass =
  | { readonly class: 'all' | 'secrets'; readonly kind: FileKind; readonly because?: 'vendored' | 'minified' | 'office' }
  | { readonly class: 'out'; readonly because: LeftOutReason }

export type LeftOutReason = 'binary' | 'archive' | 'generated' | 'installed'

/** The `dist` folder that a source map or a debug copy lies in; undefined: it is neither, or lies elsewhere. */
export function builtFolderOf(path: string): string | undefined {
  if (!/(?:\.js\.map|-dbg(?:\.\w{1,20})?\.js)$/.test(path)) return undefined
  const segments = path.split('/').slice(0, -1)
  const at = segments.indexOf('dist')
  return at === -1 || segments.some(isLeftOutFolder) ? undefined : segments.slice(0, at + 1).join('/')
}

const INSTALLED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'jspm_packages'])

/** Folders that are never entered: what a package manager installed, and version control. */
const LEFT_OUT_FOLDERS: ReadonlySet<string> = new Set([...INSTALLED_FOLDERS, '.git', '.svn', '.hg', '__MACOSX'])

/** Output of builds: what is wrong in it is wrong in its source. */
const GENERATED_FOLDERS: ReadonlySet<string> = new Set([
  'gen',
  'dist',
  'mta_archives',
  'coverage',
  '.nyc_output',
  'target',
  '.mta',
  // what ui5-tooling-modules keeps of the packages that it bundled
  '.ui5-tooling-modules',
])

/** Below these a folder of such a name is somebody's source; below `app` of CAP, where each UI5 app is built for itself, all but `dist` are. */
const SOURCE_FOLDERS: ReadonlySet<string> = new Set(['webapp', 'srv', 'db', 'src'])

const VENDORED_FOLDERS: ReadonlySet<string> = new Set(['thirdparty', 'third-party', 'third_party', '3rdparty'])

/** Of libraries, or of whom a company buys from. */
const VENDOR_FOLDERS: ReadonlySet<string> = new Set(['vendor', 'vendors'])
/** Folders of a UI5 app in which each folder is a part of the business. */
const APP_FOLDERS: ReadonlySet<string> = new Set(
  'controller controllers view views fragment fragments model models formatter i18n dialog dialogs'.split(' '),
)
/** Files that no library brings. */
const OF_APP = /\.(?:controller\.[jt]s|(?:view|fragment)\.(?:xml|[jt]s|json)|cds)$/

const TEST_FOLDERS: ReadonlySet<string> = new Set([
  'test',
  'tests',
  '__tests__',
  '__mocks__',
  '__snap__',
  'localservice',
  'mockserver',
])

const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ...['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'xsjs', 'xsjslib'].map((ending): [string, Language] => [
    ending,
    'script',
  ]),
  ...['html', 'htm', 'xhtml'].map((ending): [string, Language] => [ending, 'html']),
  ['cds', 'cds'],
  ...['hdbprocedure', 'hdbfunction', 'hdbtablefunction', 'hdbscalarfunction', 'hdblibrary'].map((ending): [string, Language] => [
    ending,
    'sqlscript',
  ]),
])

/** Languages of servers in which no rule reads code. */
const UNREAD: ReadonlyMap<string, string> = new Map([
  ['rb', 'Ruby'],
  ['go', 'Go'],
  ['cs', 'C#'],
  ['aspx', 'ASP.NET'],
  ['jsp', 'JSP'],
  ['abap', 'ABAP'],
])

/** Languages of servers of which rules know some calls and settings, and in which no data is followed. */
const PARTLY_READ: ReadonlyMap<string, string> = new Map([
  ['java', 'Java'],
  ['py', 'Python'],
])

/** The language of a source in which no data is followed: `language` where it is looked through for credentials alone, `partly` where rules know some calls of it. */
export function unreadLanguage(path: string): { readonly name: string; readonly reason: 'language' | 'partly' } | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const [name, partly] = [UNREAD.get(ending), PARTLY_READ.get(ending)]
  if (name !== undefined) return { name, reason: 'language' }
  return partly === undefined ? undefined : { name: partly, reason: 'partly' }
}

const ARCHIVES: ReadonlySet<string> = new Set(
  'zip jar war ear mtar tar tgz gz bz2 xz lzma zst br 7z rar cab deb rpm msi apk aab ipa aar whl nupkg vsix sar'.split(' '),
)

const BINARIES: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg gif ico icns cur bmp webp avif heic heif jp2 tif tiff psd ai eps mp3 mp4 m4a m4v avi mov webm ogg wav flac woff woff2 ttf ttc otf eot mpg mpeg aac opus ' +
    'mkv flv wmv 3gp aiff wma psb xcf sketch blend fbx stl glb ktx dds tga ' +
    'pdf doc xls ppt odt ods odp epub mobi class dex dll exe so dylib o a lib pdb nib bin dat db db3 sqlite sqlite3 mdb accdb mdf ldf ibd wasm node pyc swf iso img dmg ' +
    'vdi vmdk qcow2 vhdx ova parquet avro orc npy npz pkl h5 onnx pth safetensors tflite pb gguf hprof dmp pcap pack map'
  ).split(' '),
)

/** Office Open XML: text in an archive; see office.ts. */
const OFFICE: ReadonlySet<string> = new Set(['docx', 'docm', 'xlsx', 'xlsm', 'pptx', 'pptm'])

/** Roles by name; the first that fits. */
const ROLES: readonly (readonly [RegExp, Role, Language])[] = [
  [/^manifest\.json$/, 'manifest', 'json'],
  [/^package\.json$/, 'package', 'json'],
  [/^bower\.json$/, 'bower', 'json'],
  [/^(?:package-lock|npm-shrinkwrap)\.json$/, 'package-lock', 'lock'],
  [/^pnpm-lock\.yaml$/, 'pnpm-lock', 'lock'],
  [/^pnpm-workspace\.ya?ml$/, 'pnpm-workspace', 'yaml'],
  [/^yarn\.lock$/, 'yarn-lock', 'lock'],
  [/^\.npmrc$/, 'npmrc', 'text'],
  [/^\.yarnrc$/, 'yarnrc', 'text'],
  [/^\.yarnrc\.yml$/, 'yarnrc', 'yaml'],
  [/^\.(?:nvmrc|node-version)$/, 'node-version', 'text'],
  [/^(?:renovate|\.renovaterc)(?:\.json5?)?$/, 'update-bot', 'json'],
  [/^\.nsprc$|^\.?audit-ci\.jsonc?$/, 'audit-exceptions', 'json'],
  [/^\.(?:git|docker|cf|npm)ignore$|^[^/]{1,100}\.dockerignore$/, 'ignore-file', 'text'],
  [/^(?:\.?azure-pipelines?)[^/]{0,100}\.ya?ml$/, 'azure-pipeline', 'yaml'],
  [/^\.cdsrc(?:-private)?(?:\.json)?$/, 'cdsrc', 'json'],
  [/^\.cdsrc(?:-private)?\.ya?ml$/, 'cdsrc', 'yaml'],
  [/^\.cdsrc\.js$/, 'cdsrc', 'script-data'],
  [/^(?:default-(?:env|services)|vcap|service-?keys?)[^/]{0,100}\.json$/, 'default-env', 'json'],
  [/^\.env(?:\.[^/]{1,100})?$|^[^/]{1,100}\.env$/, 'env', 'properties'],
  [/^xs-app[^/]{0,100}\.json$/, 'xs-app', 'json'],
  [/^neo-app\.json$/, 'neo-app', 'json'],
  [
    /^xs-security[^/]{0,100}\.json$|^xsuaa[^/]{0,100}\.json$|^(?:[^/]{1,100}[-_.])?(?:xs)?security(?:[-_.][^/]{1,100})?\.json$/,
    'xs-security',
    'json',
  ],
  [/^destinations?(?:[-_.][^/]{1,100})?\.json$|^[^/]{1,100}[-_.]destinations?\.json$/, 'destination', 'json'],
  [/^destinations?(?:[-_.][^/]{1,100})?\.properties$|^[^/]{1,100}[-_.]destinations?\.properties$/, 'destination', 'properties'],
  [/^ui5[^/]{0,100}\.ya?ml$/, 'ui5-yaml', 'yaml'],
  [/^\.nwabaprc\d?$/, 'nwabaprc', 'json'],
  [/^fiorisandboxconfig\.json$/, 'launchpad-config', 'json'],
  [/^sap-ui-version\.json$/, 'ui5-version', 'json'],
  [/^mtad?\.ya?ml$/, 'mta', 'yaml'],
  [/^[^/]{1,200}\.mtaext$/, 'mtaext', 'yaml'],
  [/^manifest[^/]{0,100}\.ya?ml$/, 'cf-manifest', 'yaml'],
  [/^(?:[^/]{1,100}[-_.])?compose(?:[-_.][^/]{1,100})?\.ya?ml$/, 'compose', 'yaml'],
  [/^application(?:-[^/]{1,100})?\.ya?ml$/, 'application-yaml', 'yaml'],
  [/^application(?:-[^/]{1,100})?\.properties$/, 'application-properties', 'properties'],
  [/^[^/]{1,200}\.view\.xml$/, 'view', 'xml'],
  [/^[^/]{1,200}\.fragment\.xml$/, 'fragment', 'xml'],
  // composite controls: sap.ui.core.XMLComposite
  [/^[^/]{1,200}\.control\.xml$/, 'fragment', 'xml'],
  [/^[^/]{1,200}\.view\.json$/, 'view', 'json'],
  [/^[^/]{1,200}\.fragment\.json$/, 'fragment', 'json'],
  [/^[^/]{1,200}\.view\.html$/, 'view', 'html'],
  [/^[^/]{1,200}\.fragment\.html$/, 'fragment', 'html'],
  [/^[^/]{1,200}\.view\.[jt]s$/, 'view', 'script'],
  [/^[^/]{1,200}\.fragment\.[jt]s$/, 'fragment', 'script'],
  [/^\.library$/, 'library', 'xml'],
  // read as text: what it says of passwords is all that is looked for
  [/^metadata[^/]{0,100}\.xml$/, 'odata-metadata', 'text'],
  [/^pom\.xml$/, 'pom', 'xml'],
  [/^web\.xml$/, 'web-xml', 'xml'],
  // read as text: other tools have files of these names, some of them binary
  [/^config\.xml$/, 'cordova-config', 'text'],
  // pages: `app.ejs`, `app.html.hbs`, and not `package.json.hbs`
  [/^[^/.]{1,200}(?:\.html?)?\.(?:ejs|hbs|handlebars|mustache)$/, 'page-template', 'html'],
  // read as text: the address of UI5 is all that is looked for
  [/^[^/]{1,200}\.(?:ejs|pug|jade|hbs|handlebars|mustache)$/, 'page-template', 'text'],
  [/^(?:[^/]{1,100}-)?info\.plist$/, 'apple-info', 'text'],
  [/^changelog\.md$/, 'changelog', 'text'],
  [/^[^/]{1,200}\.java$/, 'java', 'text'],
  [/^[^/]{1,200}\.py$/, 'python', 'text'],
  [/^[^/]{1,200}\.(?:php\d?|phtml|inc)$/, 'php', 'text'],
  [/^\.htaccess$/, 'htaccess', 'text'],
  // read as text: what procedures do with passwords is all that is looked for
  [/^[^/]{1,200}\.sql$/, 'sql', 'text'],
  // read as text: what it says of certificates is all that is looked for
  [/^[^/]{1,200}\.dart$/, 'dart', 'text'],
  [/^[^/]{0,200}\.hdbrole$/, 'hdbrole', 'json'],
  [/^[^/]{0,200}\.hdbgrants$/, 'hdbgrants', 'json'],
  [/^\.xsaccess$/, 'xsaccess', 'json'],
  [/^[^/]{1,200}\.xshttpdest$/, 'xshttpdest', 'properties'],
  [/^[^/]{1,200}\.xsodata$/, 'xsodata', 'text'],
  [/^[^/]{1,200}\.hdbview$/, 'hdbview', 'text'],
  [/^[^/]{1,200}\.hdbcds$/, 'hdbcds', 'text'],
  [/^[^/]{1,200}\.hdbcalculationview$/, 'hdbcalculationview', 'xml'],
  [/^(?:[^/]{1,100})?\.gitlab-ci\.ya?ml$/, 'gitlab-pipeline', 'yaml'],
  // read as text: commands are all that is looked for
  [/^jenkinsfile(?:\.[^/]{1,100})?$|^[^/]{1,100}\.jenkinsfile$/, 'jenkinsfile', 'text'],
  [/^[^/]{1,200}\.(?:sh|bash|zsh)$/, 'shell-script', 'text'],
  [/^procfile(?:\.[^/]{1,100})?$/, 'procfile', 'text'],
  [/^(?:dockerfile|containerfile)(?:\.[^/]{1,100}|[-_][^/.]{1,100})?$|^[^/]{1,100}\.dockerfile$/, 'dockerfile', 'text'],
]

/** Roles of YAML files by their path, in lower case: only the folder, or a word in the name, says what they are. Asked after the names. */
const ROLES_BY_PATH: readonly (readonly [RegExp, Role])[] = [
  [/(?:^|\/)\.github\/workflows\/[^/]{1,200}\.ya?ml$/, 'github-workflow'],
  [/(?:^|\/)\.azure-pipelines?\/[^/]{1,200}\.ya?ml$/, 'azure-pipeline'],
  [/(?:^|\/)(?:k8s|kubernetes|kyma|helm|charts?|manifests|kustomize)\/(?:[^/]{1,200}\/){0,20}[^/]{1,200}\.ya?ml$/, 'kubernetes'],
  // of a chart, wherever it lies
  [/(?:^|\/)values(?:[-_.][^/]{1,100})?\.ya?ml$/, 'kubernetes'],
  [/(?:^|\/)[^/]{0,100}(?:api-?rule|deployment|k8s|kyma|kubernetes|statefulset|cronjob)[^/]{0,100}\.ya?ml$/, 'kubernetes'],
]

/** Tables and lists of people who log in, among the files of a page. */
const ACCOUNT_TABLE = /(?:^|\/)webapp\/(?:[^/]{1,100}\/){0,10}(?:users?|accounts?|logins?|credentials?|employees?)\.(?:csv|json)$/
/** Where CAP looks for the data that it deploys with the model (capire, "Providing Initial Data"). */
const DATA_FOLDER = /(?:^|\/)db\/(?:[^/]{1,100}\/){0,10}(?:data|csv)$/

/** Whether a folder of this name is never entered, wherever it stands. */
export function isLeftOutFolder(name: string): boolean {
  return LEFT_OUT_FOLDERS.has(name)
}

/** Whether a package manager installs into a folder of this name. */
export function isInstalledFolder(name: string): boolean {
  return INSTALLED_FOLDERS.has(name)
}

/** Whether nothing within a folder is ever read: installed, generated, or of version control. */
export function isUnreadFolder(path: string): boolean {
  const found = classifyPath(`${path}/file`)
  return found.class === 'out' && (found.because === 'installed' || found.because === 'generated')
}

/** Kind and class of a file by its path in the project (`/` separators). What its bytes say comes later: `isMinified`, kind-by-text.ts. */
export function classifyPath(path: string): PathClass {
  const segments = path.split('/')
  const name = (segments.pop() ?? '').toLowerCase()
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : ''
  if (segments.some(isLeftOutFolder)) return { class: 'out', because: 'installed' }
  if (ARCHIVES.has(ending)) return { class: 'out', because: 'archive' }
  if (BINARIES.has(ending)) return { class: 'out', because: ending === 'map' ? 'generated' : 'binary' }
  if (isGenerated(segments, name)) return { class: 'out', because: 'generated' }
  if (OFFICE.has(ending)) return { class: 'secrets', kind: { language: 'text', test: false }, because: 'office' }
  const kind = kindOf(path === name ? '' : segments.join('/').toLowerCase(), name, ending)
  // the document that names the version of a UI5 runtime is read wherever that lies
  if (kind.role !== 'ui5-version' && (isVendored(segments, name) || VERSIONED_NAME.test(name)))
    return { class: 'secrets', kind, because: 'vendored' }
  if (MINIFIED_NAME.test(name)) return { class: 'secrets', kind, because: 'minified' }
  return { class: 'all', kind }
}

/** `w2ui-1.3.2.js`: a library by its name and version. */
const VERSIONED_NAME = /^[a-z][\w.-]{0,60}-v?\d{1,3}\.\d{1,3}\.\d{1,3}(?:[-.][a-z]{1,12}){0,3}\.js$/

const MINIFIED_NAME =
  /[.\-_]min\.(?:m?js|css|html)$|-preload(?:-\d)?\.js$|^library-(?:all|parameters)\.(?:js|json)$|^sap-ui-(?:core|core-nojquery|full)\.js$/

function isGenerated(segments: readonly string[], name: string): boolean {
  if (/-dbg(?:\.(?:controller|view|fragment|support|designtime))?\.js$/.test(name)) return true
  for (const [index, segment] of segments.entries()) {
    if (SOURCE_FOLDERS.has(segment)) return false
    // nobody gives a folder of source such a name
    const isHidden = segment.startsWith('.')
    if (GENERATED_FOLDERS.has(segment)) return isHidden || segment === 'dist' || !segments.slice(0, index).includes('app')
  }
  return false
}

function isVendored(segments: readonly string[], name: string): boolean {
  return segments.some((segment, index) => {
    const next = segments[index + 1]
    const folder = segment.toLowerCase()
    if (VENDORED_FOLDERS.has(folder)) return true
    if (VENDOR_FOLDERS.has(folder)) return !isOfSuppliers(segments, index, name)
    // the UI5 runtime copied into a project: `resources/sap/...`, `webapp/resources/...`, `test-resources/...`
    if (segment === 'resources' && (next === 'sap' || segments[index - 1] === 'webapp')) return true
    if (segment === 'test-resources') return true
    return segment === 'libs' && segments[index - 1] === 'webapp'
  })
}

/** `webapp/controller/vendor/SignUp.js`, `app/vendor/webapp`, `srv/vendor/orders.js`: a part of the business that is called so. */
function isOfSuppliers(segments: readonly string[], index: number, name: string): boolean {
  return (
    OF_APP.test(name) ||
    segments[index + 1] === 'webapp' ||
    // code of a service stands beside its model; packages bring its libraries
    segments[index - 1] === 'srv' ||
    segments.slice(0, index).some((segment) => APP_FOLDERS.has(segment.toLowerCase()))
  )
}

function kindOf(folder: string, name: string, ending: string): FileKind {
  const folders = folder.split('/')
  const test =
    folders.some((segment) => TEST_FOLDERS.has(segment)) ||
    /\.(?:spec|test)\.[a-z]{2,4}$/.test(name) ||
    /^flpsandbox[^/]*\.html$/.test(name)
  for (const [pattern, role, language] of ROLES) if (pattern.test(name)) return { language, role, test }
  if (ending === 'yaml' || ending === 'yml')
    for (const [pattern, role] of ROLES_BY_PATH) if (pattern.test(`${folder}/${name}`)) return { language: 'yaml', role, test }
  if (ACCOUNT_TABLE.test(`${folder}/${name}`))
    return { language: ending === 'csv' ? 'text' : 'json', role: 'account-table', test }
  if (ending === 'csv' && DATA_FOLDER.test(folder)) return { language: 'csv', test }
  return { language: LANGUAGES.get(ending) ?? 'text', test }
}

const LONG_LINE = 50_000
const LONG_AVERAGE = 500

/** No lines that somebody wrote: 500 characters on average. */
export function isDense(text: string, lines: Uint32Array): boolean {
  return text.length / lines.length > LONG_AVERAGE
}

/**
 * Minified by its text: one line over 50,000 characters, or lines of 500 on average; for scripts only,
 * data and i18n texts have long lines by nature. Files under 2,000 characters are nobody's bundle.
 */
export function isMinified(kind: FileKind, text: string, lines: Uint32Array): boolean {
  if (kind.language !== 'script' || text.length < 2000) return false
  if (isDense(text, lines)) return true
  for (let line = 1; line < lines.length; line++) if ((lines[line] ?? 0) - (lines[line - 1] ?? 0) > LONG_LINE) return true
  return text.length - (lines[lines.length - 1] ?? 0) > LONG_LINE
}

/** The head that builds of UI5 give each of their files (@openui5/sap.f 1.152.0; SAPUI5 1.28 and later). */
const UI5_BANNER =
  /^\s{0,100}\/\*!?[\s*]{0,20}(?:OpenUI5|SAPUI5|(?:SAP )?UI development toolkit for HTML5 \((?:SAPUI5|OpenUI5|SAPUI5\/OpenUI5)\))[\s*]{1,20}\(c\) Copyright [\d ,-]{4,20} ?SAP /

/** A file of UI5 itself that was copied into the project: what is wrong in it depends on its version alone. */
export function isUi5Source(kind: FileKind, text: string): boolean {
  return kind.language === 'script' && UI5_BANNER.test(text.slice(0, 500))
}

const CODE: ReadonlySet<Language> = new Set(['script', 'html', 'xml', 'sqlscript'])
const CODE_ROLES: ReadonlySet<string> = new Set(['java', 'sql', 'python', 'php', 'dart', 'odata-metadata', 'account-table'])

/** Scripts, pages, views: the bulk of a project. */
export function isCode({ language, role }: FileKind): boolean {
  return CODE.has(language) || (role !== undefined && CODE_ROLES.has(role))
}

/** Descriptors, models of services and lock files: little to read, and they decide about all code. */
export function isDescriptive(kind: FileKind): boolean {
  return !isCode(kind) && (kind.role !== undefined || kind.language === 'cds')
}

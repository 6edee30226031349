import { managerOfLock, SAP_SCOPES, type NpmProject } from '../../model/npm/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { countedNamesOf } from './_messages.ts'

/** Packages that build or fetch native parts when they are installed, known for it. */
const EXPECTED: ReadonlySet<string> = new Set(
  (
    '@apollo/protobufjs @apollo/rover @biomejs/biome @bundled-es-modules/glob @cap-js/hana @datadog/native-metrics @firebase/util @fortawesome/fontawesome-free ' +
    '@mongodb-js/zstd @nestjs/core @newrelic/native-metrics @openapitools/openapi-generator-cli @parcel/watcher @playwright/browser-chromium @prisma/client ' +
    '@prisma/engines @sap/hana-client @sap/xsjs @scarf/scarf @sentry/cli @sentry/profiling-node @swc/core @vscode/vsce-sign argon2 bcrypt better-sqlite3 ' +
    'bufferutil canvas chromedriver core-js core-js-bundle core-js-pure couchbase cpu-features cypress deasync diskusage dtrace-provider edgedriver electron ' +
    'es5-ext esbuild farmhash ffi-napi fsevents geckodriver gifsicle grpc hiredis husky iconv iltorb ibm_db is-ci isolated-vm java keytar kerberos leveldown ' +
    'libpq libxmljs libxmljs2 lmdb lzma-native mbt microtime modern-syslog mongodb-client-encryption mongodb-memory-server mozjpeg msgpackr-extract msnodesqlv8 ' +
    'msw nan nest-raven nice-napi node-expat node-gyp node-pty node-rdkafka node-sass node-snap7 nodegit nodemon nx odbc optipng-bin oracledb pg-native ' +
    'phantomjs phantomjs-prebuilt playwright pngquant-bin pre-commit protobufjs puppeteer re2 redis-memory-server ref-napi rxjs-compat segfault-handler ' +
    'selenium-webdriver serialport sharp simple-git-hooks snappy sodium-native spawn-sync sqlite3 ssh2 styled-components svelte-preprocess swagger-ui ' +
    'sse4_crc32 tree-sitter ttf2woff2 ui5-tooling-transpile ui5-tooling-modules unix-dgram unrs-resolver usb utf-8-validate uglifyjs-webpack-plugin v8-profiler-next vue-demi weak-napi webdriver-manager ' +
    'wd windows-cpu workerd wrtc xxhash yarn yorkie zeromq zlib-sync zmq zopfli-png'
  ).split(' '),
)

/**
 * Packages of a lock file that run a script on installation without being known to need one. Facts: npm documentation, "package-lock.json" (hasInstallScript);
 * pnpm 8.15, which reads `ignore-scripts` from .npmrc and leaves it aside for `pnpm rebuild` (later lock files don't tell about scripts).
 * Impact: code of whoever publishes a malicious release, on every machine that installs.
 */
export const lifecycleScriptDependency: Rule = defineRule({
  id: 'npm/lifecycle-script-dependency',
  impact: 'takeover',
  reach: 'privileged',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [506],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/using-npm/config#ignore-scripts',
  docsByVariant: { pnpm: 'https://pnpm.io/9.x/npmrc#ignore-scripts' },
  on: 'packages',

  *check(subject, { npm }) {
    const { file, packages } = subject
    if (ignoresScripts(npm)) return
    const unexpected = packages.filter(
      ({ name, runsOnInstall }) => runsOnInstall === true && !EXPECTED.has(name) && !isOfSap(name),
    )
    const [first] = unexpected
    if (first === undefined) return
    const args = { names: countedNamesOf(unexpected) }
    const isPnpm = managerOfLock(subject, npm).lock === 'pnpm-lock.yaml'
    yield { at: { file, span: { start: first.start, end: first.end } }, args, ...(isPnpm && { variant: 'pnpm' }) }
  },

  text: () => ({
    en: {
      title: 'Unexpected install scripts in dependencies',
      message: 'Packages whose install scripts have no known purpose: {names:and}.',
      why: 'Install scripts run with the permissions of the user or pipeline that installs the packages: malicious releases use them to steal tokens.',
      fix: 'Review the scripts. Then set "ignore-scripts=true" in the .npmrc file next to the lock file (it also disables the project’s own install, pre and post scripts). After each installation, run the necessary ones with "npm rebuild --ignore-scripts=false <package>".',
      variants: {
        pnpm: {
          fix: 'Review the scripts. Then set "ignore-scripts=true" in the .npmrc file next to the lock file (it also disables the project’s own install scripts). After each installation, run the necessary ones with "pnpm rebuild <package>".',
        },
      },
    },
    fr: {
      title: 'Scripts d’installation inattendus dans les dépendances',
      message: 'Paquets dont les scripts d’installation n’ont pas d’utilité connue : {names:et}.',
      why: 'Les scripts d’installation s’exécutent avec les droits de l’utilisateur ou du pipeline qui installe les paquets : des versions malveillantes s’en servent pour voler des jetons.',
      fix: 'Examinez les scripts. Définissez ensuite "ignore-scripts=true" dans le fichier .npmrc situé à côté du fichier de verrouillage (ce réglage désactive aussi les scripts install, pre… et post… du projet). Après chaque installation, lancez les scripts nécessaires avec "npm rebuild --ignore-scripts=false <paquet>".',
      variants: {
        pnpm: {
          fix: 'Examinez les scripts. Définissez ensuite "ignore-scripts=true" dans le fichier .npmrc situé à côté du fichier de verrouillage (ce réglage désactive aussi les scripts d’installation du projet). Après chaque installation, lancez les scripts nécessaires avec "pnpm rebuild <paquet>".',
        },
      },
    },
  }),
})

function isOfSap(name: string): boolean {
  return name.startsWith('@') && SAP_SCOPES.has(name.slice(0, name.indexOf('/')))
}

function ignoresScripts({ settings }: NpmProject): boolean {
  return settings.some(({ key, value }) => key === 'ignore-scripts' && value === 'true')
}

/**
 * Packages that build, test, generate or watch, whichever list of dependencies they stand in: no code of an app loads them. `sqlite3` is CAP's database of development.
 * Facts: documentation of the packages; SAP Cloud SDK 4, "Generate Clients" (a development dependency); SvelteKit, "Adapters" (they run when an app is built); SAP Fiori tools, "@sap/ux-*" and "@sap-ux/*" (design time).
 */
const NAMES: ReadonlySet<string> = new Set(
  (
    '@sap/cds-dk @sap/dev-cap-tools @sap/eslint-plugin-cds @sap/mdk-tools @sap/ux-ui5-tooling @sap/ux-specification @sap/ux-ui5-fe-mockserver-middleware @ui5/cli @ui5/linter @ui5/builder @ui5/server ' +
    '@cap-js/cds-typer @cap-js/cds-test @sap-cloud-sdk/generator @sap-cloud-sdk/generator-common @sap-cloud-sdk/openapi-generator @electron/packager @mapbox/node-pre-gyp @sap/ui5-builder-webide-extension @ui5/uiveri5 @capacitor/cli autoprefixer chai commitizen concurrently cross-env cypress electron-builder electron-packager eslint expo-cli grunt grunt-cli gulp husky ' +
    'jasmine jest karma karma-ui5 lint-staged livereload mbt metro mocha newman nock node-gyp node-pre-gyp nodemon npm npm-run-all nyc parcel playwright postcss prebuild-install prettier qunit react-scripts ' +
    'rimraf rollup sinon sqlite3 supertest tailwindcss ts-jest ts-node ts-node-dev tslint tsx typescript update vite vitest webdriverio webpack webpack-cli webpack-dev-server yo'
  ).split(' '),
)
const PREFIXES =
  /^(?:@sap\/(?:ux-|generator-|open-ux)|@sap-ux\/|@testing-library\/|@vitejs\/|@sveltejs\/(?:adapter-|vite-plugin-)|@babel\/(?:cli|core|preset-|plugin-)|@commitlint\/|@wdio\/|babel-|eslint-|karma-|wdio-|ui5-(?:task|middleware|tooling)-)/
/** Plugins of bundlers, which their configuration loads. Facts: Vite, "Plugin API" (conventions); Rollup, "Plugin Development" (conventions); webpack and Tailwind CSS, names of their own plugins. */
const BUNDLER_PLUGINS = /^(?:vite-plugin-|rollup-plugin-|@rollup\/plugin-|@tailwindcss\/(?:cli|postcss|vite)$)|-webpack-plugin$/

/** Whether a package is one of them by its name. */
export function isBuildTool(name: string): boolean {
  return NAMES.has(name) || PREFIXES.test(name) || BUNDLER_PLUGINS.test(name)
}

/** What brings files of the project to their place once, when that is deployed: to a database, to the HTML5 repository. */
const DEPLOYERS: ReadonlySet<string> = new Set(['@sap/hdi-deploy', '@sap/html5-app-deployer'])

/**
 * Tools of React Native and Expo, which the packages of the framework bring along: command lines, the development server, generators of native projects and of code, the inspector. React Native has no modules of Node.js, which
 * these need, so that none of it gets into the app. Facts: their descriptions on npm; React Native 0.79, `Libraries/Core/setUpReactDevTools.js` (`react-devtools-core` only where `__DEV__`).
 */
const APP_TOOLS: ReadonlySet<string> = new Set(
  (
    '@expo/cli @expo/config @expo/config-plugins @expo/devcert @expo/env @expo/fingerprint @expo/image-utils @expo/metro @expo/metro-config @expo/package-manager @expo/prebuild-config @expo/xcpretty expo-modules-autolinking ' +
    '@react-native/codegen @react-native/community-cli-plugin @react-native/debugger-frontend @react-native/dev-middleware @react-native/gradle-plugin @react-native/metro-config @react-native-community/cli ' +
    'metro-cache metro-config metro-file-map metro-transform-worker react-devtools-core'
  ).split(' '),
)
const APP_TOOL_PREFIXES = /^@react-native(?:\/(?:babel-|eslint-)|-community\/cli-)/

function isAppTool(name: string): boolean {
  return APP_TOOLS.has(name) || APP_TOOL_PREFIXES.test(name)
}

/** Whether a package has done its work when the app runs. */
export function isForDelivery(name: string): boolean {
  return isBuildTool(name) || isAppTool(name) || DEPLOYERS.has(name)
}

/**
 * Frameworks that build an app and serve it, and compilers of theirs: tools for building that they bring along run over the files of the project alone.
 * Facts: Next.js 16, postcss for the project's CSS; Vue 3, `@vue/compiler-sfc` for the styles of single-file components, a dependency of `vue`.
 */
const BUILDING_SERVERS: ReadonlySet<string> = new Set([
  'next',
  'nuxt',
  '@vue/compiler-sfc',
  'expo',
  'react-native',
  'react-native-reanimated',
])

/**
 * What only the scripts, the plugins and the program for the command line of these packages load. An exported server loads `@expo/server` from the dependencies of the project itself.
 * Facts: React Native 0.79, `scripts`, `jest`, `cli.js` and `sdks` (nothing loads `ws`); expo-router 5, `plugin/build/index.js`; Expo, "API Routes" (Deployment);
 * `minimist`: mkdirp 0.5.1, `bin/cmd.js`; json5 1.0.1 and 2.1.3, `lib/cli.js`; handlebars 4.7.7, `bin/handlebars`; `jake`: ejs 3.1.9, `bin/cli.js`.
 */
const LOADED_BY_SCRIPTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'react-native',
    new Set(['@jest/create-cache-key-function', 'chalk', 'commander', 'glob', 'jest-environment-node', 'semver', 'ws', 'yargs']),
  ],
  ['expo-router', new Set(['@expo/server', 'schema-utils'])],
  ['mkdirp', new Set(['minimist'])],
  ['json5', new Set(['minimist'])],
  ['handlebars', new Set(['minimist'])],
  ['ejs', new Set(['jake'])],
])

/** What fetches or compiles the binary of a package while that is installed. Fact: documentation of the packages; `@mapbox/node-pre-gyp` finds the binary at run time too. */
const INSTALLERS: ReadonlySet<string> = new Set(['@mapbox/node-pre-gyp', 'node-gyp', 'node-pre-gyp', 'prebuild-install'])

/** Declarations for compilers: nothing of them is there at run time, nor of what they require for its types. Source: DefinitelyTyped, README. */
const DECLARATIONS = '@types/'

/**
 * What checks code, runs tests or hooks of Git: a package that lists one among what it needs has put its own tools into the wrong list, and nothing of it loads them.
 * Facts: documentation of the packages (`--save-dev`).
 */
const CHECKERS = /^(?:eslint(?:-[\w.-]{1,80})?|tslint|jest|karma|nyc|husky|lint-staged|commitizen)$/

/** Whether one package requires another for building, for its own checks or its own installation alone. */
export function needsForBuild(name: string, other: string): boolean {
  if (name.startsWith(DECLARATIONS) || INSTALLERS.has(other) || isAppTool(other) || CHECKERS.test(other)) return true
  return (BUILDING_SERVERS.has(name) && isBuildTool(other)) || LOADED_BY_SCRIPTS.get(name)?.has(other) === true
}

/**
 * Packages that build, test, generate or watch, whichever list of dependencies they stand in: no code of an app loads them. `sqlite3` is CAP's database of development.
 * Facts: documentation of the packages; SAP Fiori tools, "@sap/ux-*" and "@sap-ux/*" (design time).
 */
const NAMES: ReadonlySet<string> = new Set(
  (
    '@sap/cds-dk @sap/eslint-plugin-cds @sap/ux-ui5-tooling @sap/ux-specification @sap/ux-ui5-fe-mockserver-middleware @ui5/cli @ui5/linter @ui5/builder @ui5/server ' +
    '@cap-js/cds-typer @cap-js/cds-test @ui5/uiveri5 @capacitor/cli @wdio/cli autoprefixer chai concurrently cross-env cypress eslint expo-cli grunt grunt-cli gulp husky ' +
    'jasmine jest karma karma-ui5 lint-staged livereload mbt metro mocha newman nock nodemon npm-run-all nyc parcel playwright postcss prettier qunit react-scripts ' +
    'rimraf rollup sinon sqlite3 supertest tailwindcss ts-jest ts-node ts-node-dev tslint tsx typescript vite vitest webpack webpack-cli webpack-dev-server'
  ).split(' '),
)
const PREFIXES =
  /^(?:@sap\/(?:ux-|generator-|open-ux)|@sap-ux\/|@testing-library\/|@vitejs\/|@babel\/(?:cli|core|preset-)|babel-|eslint-|karma-|ui5-(?:task|middleware|tooling)-)/

/** Whether a package is one of them by its name. */
export function isBuildTool(name: string): boolean {
  return NAMES.has(name) || PREFIXES.test(name)
}

/** Frameworks that build an app and serve it: tools for building that they bring along run over the files of the project alone. Fact: Next.js 16, postcss for the project's CSS. */
const BUILDING_SERVERS: ReadonlySet<string> = new Set(['next', 'nuxt'])

/** Whether one package requires another for building alone. */
export function needsForBuild(name: string, other: string): boolean {
  return BUILDING_SERVERS.has(name) && isBuildTool(other)
}

import { expect, test } from 'vitest'

/** What others build on: a name that comes or goes is a decision, and is told in the changelog. */
const DOORS: Readonly<Record<string, readonly [() => Promise<object>, string]>> = {
  'core/index.ts': [
    () => import('../../core/index.ts'),
    'ARCHIVE_REASONS AREAS CIRCUMSTANCES CONFIDENCES DECISION_STATES DEFAULT_LIMITS EVIDENCES EXPORT_FORMATS HISTORY_FIELDS HTML_POLICY IMPACTS JOB_KEPT_MS JOB_STATES LOCALES MAX_ENDED_JOBS MAX_FINDINGS MAX_FINDINGS_PER_RULE_AND_FILE MAX_FINDINGS_PER_RULE_AND_LOCK MAX_NESTING ' +
      'MAX_NOTICES MAX_PARSE_EDGE MAX_PATH_BYTES MAX_PATH_SEGMENTS MAX_UPLOAD MAX_UPLOAD_EDGE REACHES REFUSAL_CODES Refusal SEVERITIES SEVERITY_WORDS USAGES VERSION compareReports ' +
      'createHistory createProcessJobs createTextMasker describeSource encodePieces findJsonFault isKnownFinding isRefusal keepTrying listFindings listFirstRepairs listOtherPlaces loadHtmlWriter loadLateModules loadProjects loadSarifWriter loadSbomWriter loadVexWriter loadWriter logFaults maskEntry pluralForm readCodeTokens ruleUrl selectFindings toJsonText untilAborted wordCounted wordLevelChange',
  ],
  'core/host.ts': [
    () => import('../../core/host.ts'),
    'BINARY_SAMPLE FACT_FIELDS classifyPath createAdvisoryClient createBundledAdvisories createBundledCatalogue createCatalogueClient createFileAdvisories createFindingCollector createMatchingPort decodeText describeFault fetchAdvisories findNearMiss isLeftOutFolder isNearMiss isUnreadFolder readAdvisoryFile summarizeUpgrades',
  ],
  'core/scanner.ts': [
    () => import('../../core/scanner.ts'),
    'RULES SAP_PACKAGE_NAMES createEngine createInProcessRunner createKeepingReader holdsCredentials judgeArchive openSource readHanded rowsOf scan withOwnArrays wordByExample wordGradeRows',
  ],
  'handlers/index.ts': [
    () => import('../../handlers/index.ts'),
    'DASHBOARD_PATH createHistories createProbes createScanIds createScanner createScannerApp describeRefusal loadLateModules readReport',
  ],
  parapet: [
    () => import('../../adapters/embed.ts'),
    'DEFAULT_LIMITS RULES Refusal VERSION createAdvisoryClient createBundledAdvisories createBundledCatalogue createCatalogueClient createHistory ' +
      'createInProcessRunner createScanner createScannerApp describeRefusal isRefusal scanProject',
  ],
  'parapet/node': [
    () => import('../../adapters/node/index.ts'),
    'SettingsFault compress createDirectoryPolicy createDurableStorage createLog createWorkerPool openStorage readSettings startServer toNodeHandler',
  ],
  'parapet/traces': [() => import('../../adapters/traces.ts'), 'traceScans'],
  'parapet/ui5-task': [() => import('../../adapters/ui5-task.ts'), 'default determineRequiredDependencies'],
  'parapet/edge': [() => import('../../adapters/edge.ts'), 'default'],
}

test.each(Object.entries(DOORS))('%s exports exactly what it says', async (_, [load, names]) => {
  expect(Object.keys(await load()).sort()).toEqual(names.split(' ').sort())
})

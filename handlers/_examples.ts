import type { z } from 'zod'
import type { DecidedFinding, HistoryEntry, ProjectRow, Report, ReportFinding } from '../core/index.ts'
import type { JobAnswer } from './_jobs.ts'
import type { Schemas } from './_schemas.ts'

type Examples = { readonly [Name in keyof Schemas]: z.infer<Schemas[Name]> }

const SCAN_ID = '0198c0de-0000-7000-8000-000000000001'

const ENTRY: HistoryEntry = {
  scanId: SCAN_ID,
  projectName: 'shop',
  scannedAt: '2026-11-20T08:00:00.000Z',
  riskScore: 26,
  riskLevel: 'MEDIUM',
  summary: { critical: 0, high: 1, medium: 0, low: 0, info: 0, total: 1 },
  projectTypes: ['UI5', 'CAP'],
}

const FINDING: ReportFinding = {
  id: 'ac6652bfeb22a4fd95ae7d7e',
  ruleId: 'approuter/route-authentication-none',
  severity: 'HIGH',
  confidence: 'high',
  title: 'Missing authentication on an approuter route',
  message: 'Route ^/srv/(.*)$ to destination srv-api has "authenticationType": "none".',
  why: 'An attacker who reaches the approuter reaches srv-api without authentication.',
  fix: 'Set "authenticationType": "xsuaa" (or "ias") on this route.',
  cwe: ['CWE-306'],
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  file: 'approuter/xs-app.json',
  line: 1,
  column: 90,
}

const REPORT: Report = {
  ...ENTRY,
  filesScanned: 8,
  complete: true,
  notices: [],
  suppressed: [],
  results: {
    ui5: { findings: [], apps: [] },
    cap: { findings: [], services: [] },
    secrets: { findings: [] },
    btp: { issues: [] },
    npm: { findings: [], packages: [], upgrades: [], advisories: { source: 'bundled', date: '2026-11-01', complete: true } },
    approuter: { findings: [FINDING], routes: [] },
  },
}

const POINT = { scanId: SCAN_ID, scannedAt: ENTRY.scannedAt }
const SCAN = { ...POINT, branch: 'main', riskScore: 26, riskLevel: 'MEDIUM', complete: true, kept: true } as const
const ROW: ProjectRow = {
  name: 'shop',
  key: '0123456789abcdef0123456789abcdef',
  title: 'Web shop',
  tags: ['retail'],
  lastScan: SCAN,
  counts: ENTRY.summary,
  new: 1,
  fixed: 0,
  decided: 1,
  expiring: 0,
  scans: 1,
  trend: [26],
}

const DECIDED: DecidedFinding = {
  findingId: FINDING.id,
  decision: {
    state: 'accepted',
    reason: 'The route serves public data alone.',
    until: '2027-03-31',
    by: 'Ada',
    at: ENTRY.scannedAt,
    expired: false,
    etag: '1-mi7b4n40',
  },
  history: [],
}

const JOB: JobAnswer = {
  id: SCAN_ID,
  state: 'running',
  phase: 'reading',
  done: 412,
  total: 812,
  position: 0,
  submittedAt: ENTRY.scannedAt,
}

/** One example of each shape, for those who read the interface; a test checks them against the schemas. */
export const EXAMPLES: Omit<Examples, 'Limits' | 'OpenApi'> = {
  Health: { status: 'ok', version: '0.1.0', service: 'Parapet', lang: 'en' },
  Ready: { status: 'ready', jobs: 'process' },
  Finding: FINDING,
  Notice: { code: 'file-skipped', file: 'lib/old.jar', detail: 'An archive inside the project; it was not opened.' },
  Report: REPORT,
  HistoryEntry: ENTRY,
  History: [ENTRY],
  CatalogueOverview: {
    status: 200,
    message: 'The UI5 catalogue at https://ui5.sap.com is available.',
    data: { latest: { version: '1.142.0', support: 'Maintenance', lts: false } },
  },
  CatalogueDetail: {
    source: 'remote',
    version: '1.142.0',
    data: {
      name: 'SAPUI5 Distribution',
      version: '1.142.0',
      buildTimestamp: '202611010800',
      scmRevision: '',
      gav: 'com.sap.ui5.dist:sapui5-dist:1.142.0:war',
      libraries: [],
      components: {},
      themes: [],
      supportedThemes: ['sap_horizon'],
    },
  },
  Rules: [
    {
      id: FINDING.ruleId,
      area: 'approuter',
      severity: 'HIGH',
      confidence: 'high',
      cwe: FINDING.cwe,
      title: FINDING.title,
      message: FINDING.message,
      why: FINDING.why,
      fix: FINDING.fix,
      docs: FINDING.docs,
      since: '0.1.0',
      grades: [
        {
          impact: 'data',
          levels: { anyone: 'CRITICAL', user: 'HIGH', privileged: 'MEDIUM', local: 'LOW', pipeline: 'MEDIUM', nobody: 'INFO' },
        },
      ],
    },
  ],
  Problem: {
    type: '/problems/scan-not-found',
    title: 'Scan not found',
    status: 404,
    detail: 'No report is stored under this id. Scan the project again.',
    code: 'scan-not-found',
    instance: '4f1c9a52-5d6e-4b0f-9d0b-0d6a3c1b7e55',
  },
  Job: JOB,
  Jobs: [{ ...JOB, state: 'done', phase: 'reporting', done: 1, total: 1, scanId: SCAN_ID, report: `/api/scan/${SCAN_ID}` }],
  Progress: { phase: 'reading', done: 412, total: 812 },
  DirectoryRequest: { dirPath: '/home/me/shop', projectName: 'shop' },
  UploadRequest: {
    project: '(the bytes of a ZIP)',
    projectName: 'shop',
    branch: 'main',
    commit: '0123456789abcdef0123456789abcdef01234567',
    release: '1.4.0',
    sourceUrl: 'https://git.example.com/shop/blob/{commit}/{path}#L{line}',
  },
  ProjectRow: ROW,
  Projects: [ROW],
  Project: {
    ...ROW,
    history: [{ ...SCAN, summary: ENTRY.summary, new: 1, fixed: 0 }],
    open: [{ id: FINDING.id, severity: 'HIGH', status: 'new', firstSeen: POINT }],
  },
  ProjectChange: { title: 'Web shop', tags: ['retail'] },
  DecisionRequest: { state: 'accepted', reason: 'The route serves public data alone.', until: '2027-03-31', by: 'Ada' },
  DecisionsRequest: { findings: [{ id: FINDING.id }], state: 'false-positive', reason: 'Only tests call it.' },
  DecidedFinding: DECIDED,
  Decisions: [DECIDED],
  Suppressions: { suppress: [{ id: FINDING.id, reason: 'The route serves public data alone.', until: '2027-03-31' }] },
  Vex: { '@context': 'https://openvex.dev/ns/v0.2.0', statements: [] },
  Sarif: { version: '2.1.0', runs: [{ tool: { driver: { name: 'Parapet' } }, results: [] }] },
  Sbom: { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [] },
  Html: '<!DOCTYPE html><html lang="en"><title>shop - Security report</title></html>',
  Metrics: 'parapet_queue_length 0\n',
}

/** What parameters may look like, by their name. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string | number>> = {
  scanId: SCAN_ID,
  version: '1.142.0',
  limit: 20,
  offset: 0,
  suppressed: 'include',
  name: 'shop',
  q: 'shop',
  tag: 'retail',
  lang: 'en',
  findingId: FINDING.id,
  by: 'Ada',
  gate: 'new-high',
  id: SCAN_ID,
  state: 'failed',
  Prefer: 'respond-async',
  'Idempotency-Key': '5f0c6f1e-nightly',
}

/** What generated clients call each operation. A name that was published stays. */
export const OPERATION_IDS: Readonly<Record<string, string>> = {
  'GET /api/health': 'getHealth',
  'GET /api/ready': 'getReadiness',
  'GET /api/metrics': 'getMetrics',
  'POST /api/scan/upload': 'scanUpload',
  'POST /api/scan/directory': 'scanDirectory',
  'GET /api/scan/history': 'listScans',
  'GET /api/scan/jobs': 'listJobs',
  'GET /api/scan/jobs/:id': 'getJob',
  'DELETE /api/scan/jobs/:id': 'cancelJob',
  'GET /api/scan/:scanId': 'getScan',
  'DELETE /api/scan/:scanId': 'deleteScan',
  'GET /api/scan/:scanId/sarif': 'getScanSarif',
  'GET /api/scan/:scanId/sbom': 'getScanSbom',
  'GET /api/scan/:scanId/html': 'getScanHtml',
  'GET /api/vendor/ui5/version': 'getCatalogue',
  'GET /api/vendor/ui5/resources/:version': 'getCatalogueVersion',
  'GET /api/rules': 'listRules',
  'GET /api/limits': 'getLimits',
  'GET /api/projects': 'listProjects',
  'GET /api/projects/:name': 'getProject',
  'PATCH /api/projects/:name': 'changeProject',
  'DELETE /api/projects/:name': 'deleteProject',
  'GET /api/projects/:name/decisions': 'listDecisions',
  'PUT /api/projects/:name/decisions': 'decideSeveral',
  'GET /api/projects/:name/decisions/config': 'getSuppressions',
  'PUT /api/projects/:name/decisions/:findingId': 'decide',
  'DELETE /api/projects/:name/decisions/:findingId': 'withdrawDecision',
  'GET /api/projects/:name/vex': 'getVex',
  'GET /api/openapi.json': 'getInterface',
}

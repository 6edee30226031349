import type { VexWriter } from './report/writers/openvex.ts'
import type { Writer } from './report/writers/writer.ts'

/** Formats of a report beside its own JSON. */
export const EXPORT_FORMATS = ['sarif', 'sbom', 'html', 'markdown', 'junit', 'gitlab'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

// apart: what only answers requests is bundled with these alone
export const loadSarifWriter = async (): Promise<Writer> => (await import('./report/writers/sarif.ts')).writeSarif
export const loadSbomWriter = async (): Promise<Writer> => (await import('./report/writers/sbom.ts')).writeSbom
export const loadHtmlWriter = async (): Promise<Writer> => (await import('./report/writers/html.ts')).writeHtml

/** Loads the writer of a format when it is wanted: none costs a scan that doesn't ask for it. */
export async function loadWriter(format: ExportFormat): Promise<Writer> {
  switch (format) {
    case 'sarif':
      return loadSarifWriter()
    case 'sbom':
      return loadSbomWriter()
    case 'html':
      return loadHtmlWriter()
    case 'markdown':
      return (await import('./report/writers/markdown.ts')).writeMarkdown
    case 'junit':
      return (await import('./report/writers/junit.ts')).writeJunit
    case 'gitlab':
      return (await import('./report/writers/gitlab.ts')).writeGitlab
  }
}

/** What is said about advisories goes with the decisions of a project: it is no format of a report alone. */
export async function loadVexWriter(): Promise<VexWriter> {
  return (await import('./report/writers/openvex.ts')).writeOpenVex
}

import type { PageFiles } from '../handlers/index.ts'

/** The files of the page for hosts without a file system. The build puts them here; the sources alone serve no page. */
export const PAGE: PageFiles = new Map()

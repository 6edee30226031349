import type { MavenCoordinates } from './types.ts'

/** `com.sap.cds:cds-services-api`. */
export function artifactName({ groupId, artifactId }: Pick<MavenCoordinates, 'groupId' | 'artifactId'>): string {
  return `${groupId}:${artifactId}`
}

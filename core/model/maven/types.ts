import type { Place } from '../../types.ts'

/** One pom.xml with what it inherits from those of its parents that lie in the upload. */
export interface MavenModule {
  readonly file: string
  readonly folder: string
  readonly groupId: string
  readonly artifactId: string
  /** Its own and those of its parents; what a child says again counts once. */
  readonly dependencies: readonly MavenDependency[]
  /** `type` pom, `scope` import: versions come from there that nothing here tells. */
  readonly boms: readonly MavenDependency[]
  /** A parent outside of the upload, nearest first: it may add dependencies and versions. */
  readonly foreignParent?: MavenDependency
}

export interface MavenCoordinates {
  readonly groupId: string
  readonly artifactId: string
  /** With its properties resolved; undefined: nothing in the upload tells. */
  readonly version?: string
}

export interface MavenDependency extends MavenCoordinates {
  /** Empty: compile. */
  readonly scope: string
  /** Declared in a profile, which a build may leave out. */
  readonly profile?: string
  /** Its artifactId in the text. */
  readonly place: Place
  /** Where the version is written: the dependency, its management, or the property. */
  readonly versionPlace?: Place
}

export { findNpmProject } from './project.ts'
export type { Dependency, NpmPackage, NpmProject, NpmSetting, PackageScript } from './types.ts'

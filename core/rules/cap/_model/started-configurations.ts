import { effectiveConfiguration, type CapRoot, type Configuration } from '../../../model/cap/index.ts'
import { findStartCommands } from '../../../model/deployment/index.ts'
import { folderOf } from '../../../paths.ts'
import type { Project } from '../../subjects.ts'

const MAX_STARTS = 20
/** `cds run --profile cloud`, `CDS_ENV=cloud cds-serve` */
const SERVES = /\bcds(?:-serve|\s{1,4}(?:run|serve))\b/
const NAMES = /(?:--profile[= ]\s{0,4}|\bCDS_ENV=)["']?([\w,-]{1,100})/

/**
 * The configuration of a root in each profile that a command names which starts it on a platform.
 * Facts: capire, "Profiles" (`--profile`, CDS_ENV); Heroku, "Node.js Support", and the buildpack of Cloud Foundry set NODE_ENV=production by themselves.
 */
export function startedConfigurations(
  root: CapRoot,
  { files, deployment }: Pick<Project, 'files' | 'deployment'>,
): readonly Configuration[] {
  if (root.test || root.runtime === 'java') return []
  const named = new Set<string>()
  for (const { text, place } of findStartCommands(files, deployment)) {
    if (folderOf(place.file) !== root.root || files.get(place.file)?.kind.role === 'compose' || !SERVES.test(text)) continue
    const [, profiles] = NAMES.exec(text) ?? []
    if (profiles !== undefined && named.size < MAX_STARTS) named.add(profiles)
  }
  return [...named].map((profiles) => effectiveConfiguration(root, ['production', ...profiles.split(',')]))
}

import type { KeepsFacts, ProjectFile, ScriptContent } from '../files.ts'

/** Whether a script's facts were kept for those who ask so; to look at all that were kept for anybody would parse half of a project again. */
export function isKeptBy({ keptBy }: Pick<ScriptContent, 'keptBy'>, keeps: KeepsFacts): boolean {
  return keptBy?.has(keeps) ?? true
}

/** Scripts that are no tests, with the facts that were kept for those who ask so. */
export function* scriptsKeptBy(
  files: Iterable<ProjectFile>,
  keeps: KeepsFacts,
): Generator<{ readonly path: string; readonly content: ScriptContent }> {
  for (const { path, kind, content } of files)
    if (content.as === 'script' && !kind.test && isKeptBy(content, keeps)) yield { path, content }
}

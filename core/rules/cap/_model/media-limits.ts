import type { ProjectFile } from '../../../files.ts'
import { dependencyOf, wordsOf, type CapMember, type CapRoot } from '../../../model/cap/index.ts'

/**
 * Whether the limits of uploads that a model names are enforced. Facts: @sap/cds 9.9.3 reads neither @Core.AcceptableMediaTypes nor @Validation.Maximum;
 * @cap-js/attachments 3.10.0, lib/generic-handlers.js, does. In CAP Java a module of Maven does so.
 */
export function enforcesMediaLimits(root: CapRoot, files: ReadonlyMap<string, ProjectFile>): boolean {
  return root.runtime === 'java' || dependencyOf(root, files, '@cap-js/attachments') === 'production'
}

/** The types that a model accepts; an empty list where it does not say so. */
export function acceptedTypes({ annotations }: CapMember): readonly string[] {
  return wordsOf(annotations.get('Core.AcceptableMediaTypes')?.value)
}

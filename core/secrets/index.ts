import type { OpenFile } from '../files.ts'

/** A file as the rules of the area `secrets` see it: readers over its text, built on first use. */
export interface CredentialFile {
  readonly file: OpenFile
}

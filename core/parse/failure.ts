/** A text that its parser can't make a tree of; becomes the notice `file-unreadable`. `reason` is a key of the notice's words. */
export class ParseFailure extends Error {
  readonly reason: 'syntax' | 'too-deep'
  /** UTF-16 offset where the parser gave up, if it says so. */
  readonly offset: number | undefined

  constructor(reason: 'syntax' | 'too-deep', offset?: number) {
    super(reason)
    this.name = 'ParseFailure'
    this.reason = reason
    this.offset = offset
  }
}

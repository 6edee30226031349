/** Names that a registry may have: nothing else of a project leaves the machine. */
const NAME = /^(?:@[a-z0-9~-][\w.~-]{0,100}\/)?[a-z0-9~_-][\w.~-]{0,212}$/i

export function isPublicName(name: string): boolean {
  return NAME.test(name)
}

import type { ReferenceValue } from '../../../facts/index.ts'

/** A slip: nothing in the file gives the name a value, which declares it without its digits. Reading it throws, before anything is written; globals of other files have names of their own. */
export function isSlip({ binding, name }: ReferenceValue, declared: ReadonlySet<string>, text: string): boolean {
  if (binding !== undefined || !declared.has(plainName(name)) || /\bglobal(?:This)?\b/.test(text)) return false
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length))
    if (/^\s{0,20}=(?![=>])/.test(text.slice(at + name.length, at + name.length + 22))) return false
  return true
}

export function plainName(name: string): string {
  return name.replace(/\d{1,2}$/, '')
}

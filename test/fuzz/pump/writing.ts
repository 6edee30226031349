import type { Construct } from './construct.ts'

type Unit = Construct['unit']
export interface Options {
  readonly head?: string
  readonly foot?: string
  readonly nest?: Construct['nest']
  readonly beside?: Construct['beside']
}

export function construct(
  name: string,
  path: string,
  unit: Unit,
  { head = '', foot = '', nest, beside = [] }: Options = {},
): Construct {
  return { name, path, head, unit, foot, beside, ...(nest !== undefined && { nest }) }
}

/** Members of a list or an object in JSON, with commas between them. */
export function members(unit: (index: number) => string): Unit {
  return (index, count) => `${unit(index)}${index < count - 1 ? ',' : ''}\n`
}

export const LIST: Options = { head: '[\n', foot: ']\n' }

export function within(before: string, after: string): Options {
  return { head: `${before}\n`, foot: `${after}\n` }
}

/** Without these nobody asks about an app of UI5 or a project of CAP. */
export const UI5: Construct['beside'] = [['webapp/manifest.json', '{"sap.app":{"id":"shop","type":"application"},"sap.ui5":{}}']]
export const CAP: Construct['beside'] = [
  ['package.json', '{"name":"shop","dependencies":{"@sap/cds":"9.0.0"}}'],
  ['srv/a.cds', 'service S { entity E { key ID : Integer; } }\n'],
]

/** A property whose name has a word for passwords; the text of other metadata is not kept. */
export const PASSWORD_PROPERTY: RegExp =
  /\bName="[^"]{0,60}(?:passw|passcode|pwd|kennwort|senha|contrasen|heslo|parola|sifre)[^"]{0,60}"/i

export interface EntitySetProperty {
  readonly set: string
  readonly property: string
}

const TYPE = /<EntityType\s([^>]{0,1500})>/g
const SET = /<EntitySet\s([^>]{0,1500})>/g
const PROPERTY = /<Property\s([^>]{0,1500})>/g
const KEY = /<PropertyRef\s{1,10}Name="([^"]{1,128})"/g
const NAME = /\bName="([^"]{1,128})"/
const OF_TYPE = /\bEntityType="([^"]{1,256})"/

/**
 * Entity sets of a service, with the properties of their types that are no keys and of which `isMeant` says so by the name. Fact: OData CSDL 2.0 and 4.01, XML.
 * Linear.
 */
export function propertiesOfSets(text: string, isMeant: (name: string) => boolean): readonly EntitySetProperty[] {
  const types = new Map<string, string>()
  for (const { 0: whole, 1: attributes = '', index } of text.matchAll(TYPE)) {
    const name = NAME.exec(attributes)?.[1]
    const end = text.indexOf('</EntityType>', index)
    if (name === undefined || end < 0 || whole.endsWith('/>')) continue
    const body = text.slice(index, end)
    const keys = new Set([...body.matchAll(KEY)].map(([, key]) => key))
    for (const [, given = ''] of body.matchAll(PROPERTY)) {
      const property = NAME.exec(given)?.[1]
      if (property === undefined || keys.has(property) || !isMeant(property) || !/\bType="Edm\.String"/.test(given)) continue
      types.set(name, property)
      break
    }
  }
  if (types.size === 0) return []
  return [...text.matchAll(SET)].flatMap(([, attributes = '']) => {
    const set = NAME.exec(attributes)?.[1]
    const type = OF_TYPE.exec(attributes)?.[1]
    const property = type === undefined ? undefined : types.get(type.slice(type.lastIndexOf('.') + 1))
    return set === undefined || property === undefined ? [] : [{ set, property }]
  })
}

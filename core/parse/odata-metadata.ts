/** A property whose name has a word for passwords; the text of other metadata is not kept. */
export const PASSWORD_PROPERTY: RegExp =
  /\bName="[^"]{0,60}(?:passw|passcode|pwd|kennwort|senha|contrasen|heslo|parola|sifre)[^"]{0,60}"/i

export interface EntitySetProperty {
  readonly set: string
  readonly property: string
}

/** What is looked at, in the order of the text. */
const ELEMENT = /<(EntityType|EntitySet|PropertyRef|Property)\s([^<>]{0,1500})>|<\/EntityType>/g
const NAME = /\bName="([^"]{1,128})"/
const OF_TYPE = /\bEntityType="([^"]{1,256})"/

interface OpenType {
  readonly name: string
  readonly keys: Set<string>
  readonly meant: string[]
}

/**
 * Entity sets of a service, with the properties of their types that are no keys and of which `isMeant` says so by the name. Fact: OData CSDL 2.0 and 4.01, XML.
 * Linear: one pass, whatever does not end.
 */
export function propertiesOfSets(text: string, isMeant: (name: string) => boolean): readonly EntitySetProperty[] {
  const types = new Map<string, string>()
  const sets: { readonly set: string; readonly type: string }[] = []
  let open: OpenType | undefined
  for (const [, element, attributes = ''] of text.matchAll(ELEMENT)) {
    const name = NAME.exec(attributes)?.[1]
    if (element === undefined) {
      const property = open?.meant.find((one) => open?.keys.has(one) === false)
      if (open !== undefined && property !== undefined) types.set(open.name, property)
      open = undefined
    } else if (name === undefined) continue
    else if (element === 'EntityType') open = attributes.endsWith('/') ? undefined : { name, keys: new Set(), meant: [] }
    else if (element === 'PropertyRef') open?.keys.add(name)
    else if (element === 'EntitySet') {
      const type = OF_TYPE.exec(attributes)?.[1]
      if (type !== undefined) sets.push({ set: name, type: type.slice(type.lastIndexOf('.') + 1) })
    } else if (/\bType="Edm\.String"/.test(attributes) && isMeant(name)) open?.meant.push(name)
  }
  return sets.flatMap(({ set, type }) => {
    const property = types.get(type)
    return property === undefined ? [] : [{ set, property }]
  })
}

import { accessesOf, directParts, resolveValue, type Value } from '../../facts/index.ts'
import { isRequestName } from '../../model/script/index.ts'

/** `req.data`, `const data = { ...req.data }`: what a client sends becomes the row. */
export function isSent(object: Value): boolean {
  const made = resolveValue(object)
  const copied =
    'fields' in made ? made.fields.flatMap(({ key, value }) => (key === undefined ? directParts(value) : [])) : [made]
  return copied.some((value) =>
    accessesOf(value).some(({ steps: [first], binding }) => isRequestName(binding?.name) && /^(?:data|body)$/.test(first ?? '')),
  )
}

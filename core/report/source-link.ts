/**
 * The address of a line in the source, `https://host/blob/commit/{path}#L{line}` filled: `{path}` with its segments encoded, `{line}` the first line
 * where none is meant. A template without places is the address of the project's folder. Undefined: it does not lead to the web.
 */
export function toSourceLink(template: string, file: string, line: number | undefined): string | undefined {
  if (!/^https?:\/\//.test(template)) return undefined
  const whole = template.includes('{path}') ? template : `${template.replace(/\/{1,9}$/, '')}/{path}#L{line}`
  const path = file.toWellFormed().split('/').map(encodeURIComponent).join('/')
  return whole.replaceAll('{path}', () => path).replaceAll('{line}', String(line ?? 1))
}

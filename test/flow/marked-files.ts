import { allFindings, scanFiles } from '../scan-files.ts'

const MANIFEST = `{ "sap.app": { "id": "shop", "dataSources": { "main": { "uri": "/odata/" } } },
  "sap.ui5": { "models": { "": { "dataSource": "main" }, "i18n": { "type": "sap.ui.model.resource.ResourceModel" } } } }`

const MARK = /\/\/ (HIGH|MEDIUM|LOW)$/
/** Only these say where data of others arrives as it is. */
const RULES =
  /^ui5\/(?:xss-dom-sink|xss-html-control|open-redirect|webcomponents-raw-html|eval|javascript-url|renderer-unsafe-output)$/

/** Lines that end with a severity want a finding of it, all others none. Files begin with `--- path`. */
export async function compare(text: string): Promise<{ readonly found: readonly string[]; readonly wanted: readonly string[] }> {
  const files = new Map([['webapp/manifest.json', MANIFEST]])
  const wanted: string[] = []
  for (const part of text.split(/^--- /m).slice(1)) {
    const [path = '', ...lines] = part.split('\n')
    files.set(path, lines.join('\n'))
    for (const [index, line] of lines.entries()) {
      const [, severity] = MARK.exec(line) ?? []
      if (severity !== undefined) wanted.push(`${path}:${index + 1} ${severity}`)
    }
  }
  const { en } = await scanFiles(files)
  const found = allFindings(en).flatMap(({ ruleId, severity, file, line, occurrences }) =>
    RULES.test(ruleId) ? [{ file, line }, ...(occurrences ?? [])].map((at) => `${at.file}:${at.line} ${severity}`) : [],
  )
  return { found: found.sort(), wanted: wanted.sort() }
}

export const controller = (body: string, imports = '', names = ''): string => `--- webapp/controller/Main.controller.js
sap.ui.define(["sap/ui/core/mvc/Controller"${imports}], function (Controller${names}) {
return Controller.extend("shop.controller.Main", {
${body}
})
})
`

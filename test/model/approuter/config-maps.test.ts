import { describe, expect, it } from 'vitest'
import { approutersOf, readProject } from '../project.ts'

const ROUTE = '{ "source": "^/a/(.*)$", "destination": "srv", "authenticationType": "none" }'

function map(data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: router }\ndata:\n${data}`
}

/** What the marked places of all routes' types stand for. */
function marked(text: string): string[] {
  const approuters = approutersOf(readProject({ 'k8s/router.yaml': text }))
  return approuters.flatMap(({ routes }) =>
    routes.map(({ authenticationPlace: { span } }) => text.slice(span?.start, span?.end).trim()),
  )
}

describe('descriptors in ConfigMaps', () => {
  it('gives each part the place where it is written', () => {
    expect(
      marked(map(`  xs-app.json: |\n    {\n      "routes": [\n        ${ROUTE},\n\n        ${ROUTE}\n      ]\n    }\n`)),
    ).toEqual(['none', 'none'])
  })

  it('gives all parts the place of the text where its lines are not those of the file', () => {
    const folded = `{ "routes": [${ROUTE}] }`
    expect(marked(map(`  xs-app.json: '${folded}'\n`))).toEqual([folded])
    const lines = `{ "routes":\n    [${ROUTE}] }`
    expect(marked(map(`  xs-app.json: >\n    ${lines}\n`))).toEqual([lines])
  })

  it('leaves other texts and broken ones alone', () => {
    expect(marked(map(`  xs-app.json: |\n    { "routes": [\n  other.json: |\n    { "routes": [${ROUTE}] }\n`))).toEqual([])
    expect(marked(map('  xs-app.json: 5\n'))).toEqual([])
  })
})

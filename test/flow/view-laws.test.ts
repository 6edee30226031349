import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../soak.ts'
import { allFindings, scanFiles } from '../scan-files.ts'

const MANIFEST =
  '{ "_version": "1.60.0", "sap.app": { "id": "a", "type": "application" }, "sap.ui5": { "rootView": { "viewName": "a.view.Main", "type": "XML" }, "dependencies": { "minUI5Version": "1.120.0" } } }'

/** Ways of a value through a model and a view: what the controller keeps there, and the view that shows it. */
const WAYS = {
  direct: ['VALUE', '<core:HTML content="{MODEL>/PATH}"/>'],
  composed: ['VALUE', '<core:HTML content="&lt;b>{MODEL>/PATH}&lt;/b>"/>'],
  expression: ['VALUE', '<core:HTML content="{= ${MODEL>/PATH} || \'-\' }"/>'],
  element: ['{ PART: VALUE }', '<VBox binding="{MODEL>/PATH}"><core:HTML content="{MODEL>PART}"/></VBox>'],
  list: [
    '[{ PART: VALUE, n: 1 }]',
    '<List items="{MODEL>/PATH}"><CustomListItem><core:HTML content="{MODEL>PART}"/></CustomListItem></List>',
  ],
  fragment: ['VALUE', '<core:Fragment fragmentName="a.view.Part" type="XML"/>'],
  back: ['VALUE', '<Input id="kept" value="{MODEL>/PATH}"/><core:HTML id="shown"/>'],
} as const

const program = fc.record({
  names: fc.shuffledSubarray(['alpha', 'beta', 'gamma', 'delta', 'omega'], { minLength: 5, maxLength: 5 }),
  way: fc.constantFrom('direct', 'composed', 'expression', 'element', 'list', 'fragment', 'back'),
  wraps: fc.nat({ max: 2 }),
  split: fc.boolean(),
  dead: fc.boolean(),
})

test('what goes through a view is found whatever it is called, wrapped in or split into', async () => {
  await fc.assert(
    fc.asyncProperty(
      program,
      async ({ names: [model = '', path = '', part = '', name = '', helper = ''], way, wraps, split, dead }) => {
        const [kept, shown] = WAYS[way].map((text) =>
          text.replaceAll('MODEL', model).replaceAll('PATH', path).replaceAll('PART', part),
        )
        let value = name
        for (let depth = 0; depth < wraps; depth++) value = `(function (x) { return x })(${value})`
        const read = 'function () { return location.hash.slice(1) }'
        const back = way === 'back' ? 'this.byId("shown").setContent(this.byId("kept").getValue())' : ''
        const script = `sap.ui.define(["sap/ui/core/mvc/Controller", "sap/ui/model/json/JSONModel"${split ? ', "../helper"' : ''}], function (Controller, JSONModel${split ? ', Helper' : ''}) {
  return Controller.extend("a.controller.Main", {
    onInit: function () {
      ${dead ? 'if (false) { this.getView().setModel(new JSONModel({}), "other") }' : ''}
      var ${name} = ${split ? 'Helper' : 'this'}.${helper}()
      this.getView().setModel(new JSONModel({}), "${model}")
      this.getView().getModel("${model}").setProperty("/${path}", ${kept?.replace('VALUE', value)})
    },
    onShow: function () { ${back} }${split ? '' : `,\n    ${helper}: ${read}`}
  })
})`
        const view = (content: string): string =>
          `<mvc:View xmlns="sap.m" xmlns:core="sap.ui.core" xmlns:mvc="sap.ui.core.mvc" controllerName="a.controller.Main">${content}</mvc:View>`
        const { en } = await scanFiles(
          new Map([
            ['webapp/manifest.json', MANIFEST],
            ['webapp/controller/Main.controller.js', script],
            ['webapp/view/Main.view.xml', view(shown ?? '')],
            ...(split ? [['webapp/helper.js', `sap.ui.define([], function () { return { ${helper}: ${read} } })`] as const] : []),
            ...(way === 'fragment'
              ? [
                  [
                    'webapp/view/Part.fragment.xml',
                    `<core:FragmentDefinition xmlns:core="sap.ui.core"><core:HTML content="{${model}>/${path}}"/></core:FragmentDefinition>`,
                  ] as const,
                ]
              : []),
          ]),
        )
        const found = allFindings(en).filter(({ ruleId }) => ruleId.startsWith('ui5/xss'))
        expect(found.map(({ ruleId, severity }) => [ruleId, severity])).toEqual([['ui5/xss-html-control', 'HIGH']])
      },
    ),
    { numRuns: runs(100) },
  )
})

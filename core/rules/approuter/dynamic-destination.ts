import { placeOf } from '../../model/approuter/index.ts'
import { at } from '../../parse/data.ts'
import { gradeDescriptor } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A route whose caller names the destination: by a part of the URL, or by the host name.
 *  Facts: @sap/approuter 23.0.0 README, "routes" (dynamic destinations; those of the destination service need HTML5.DynamicDestination). */
export const dynamicDestination: Rule = defineRule({
  id: 'approuter/dynamic-destination',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [610],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    for (const route of approuter.routes) {
      const { target, source, authenticates } = route
      const node = at(route.node, 'destination')
      if (target.kind !== 'destination' || node === undefined) continue
      // the approuter replaces groups in names that start with one: `$1-api`
      const groups = target.name.startsWith('$') ? [...target.name.matchAll(/\$(\d)/g)].map(([, group]) => Number(group)) : []
      if (target.name !== '*' && groups.every((group) => isFixed(groupOf(source, group)))) continue
      yield {
        at: placeOf(approuter.file, node),
        args: { source, part: target.name === '*' ? 'Host' : 'URL' },
        severity: gradeDescriptor(approuter, authenticates ? 'MEDIUM' : 'HIGH'),
        ...(!authenticates && { variant: 'public' }),
        sameAs: `${source} ${target.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'The caller chooses the backend',
      message: 'Route {source} takes the name of its destination from the request ({part}).',
      why: 'Whoever is logged in reaches every destination that the approuter may use, with the rights stored in it.',
      fix: 'Name the destinations: "source": "^/(erp|crm)/(.*)$", or one route for each.',
      variants: {
        public: {
          title: 'Anybody chooses the backend',
          message: 'Route {source} takes the name of its destination from the request ({part}), and asks for no login.',
          why: 'Anybody reaches every destination that the approuter may use, with the rights stored in it.',
        },
      },
    },
    fr: {
      title: 'L’appelant choisit le backend',
      message: 'La route {source} tire le nom de sa destination de la requête ({part}).',
      why: 'Tout utilisateur connecté atteint chaque destination que l’approuter peut utiliser, avec les droits qu’elle contient.',
      fix: 'Nommez les destinations : « "source": "^/(erp|crm)/(.*)$" », ou une route pour chacune.',
      variants: {
        public: {
          title: 'N’importe qui choisit le backend',
          message: 'La route {source} tire le nom de sa destination de la requête ({part}) et ne demande aucune connexion.',
          why: 'N’importe qui atteint chaque destination que l’approuter peut utiliser, avec les droits qu’elle contient.',
        },
      },
    },
  },
})

/** Literal alternatives: `erp|crm`, `(?:erp|crm)-api`. */
function isFixed(group: string | undefined): boolean {
  return group !== undefined && /^[\w|-]+$/.test(group.replaceAll(/\(\?:([\w|-]{1,500})\)/g, '$1'))
}

/** The text of the nth capturing group. */
function groupOf(source: string, wanted: number): string | undefined {
  let count = 0
  let inClass = false
  const open: { start: number; number: number }[] = []
  for (let index = 0; index < source.length; index++) {
    const character = source[index]
    if (character === '\\') index++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = true
    else if (character === '(') open.push({ start: index + 1, number: source[index + 1] === '?' ? 0 : ++count })
    else if (character === ')') {
      const group = open.pop()
      if (group?.number === wanted) return source.slice(group.start, index)
    }
  }
  return undefined
}

import { placeOf } from '../../model/approuter/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const HOST = {
  en: {
    message: 'Route "{source}" derives the name of its destination from the host name of the request.',
    fix: 'Replace this route with one route for each allowed destination, each with a "source" of its own and the name of its destination instead of "*".',
  },
  fr: {
    message: 'La route "{source}" construit le nom de sa destination à partir du nom d’hôte de la requête.',
    fix: 'Écrivez, à la place de cette route, une route pour chaque destination autorisée, avec une "source" distincte et le nom de la destination au lieu de "*".',
  },
}
const PUBLIC_HOST = {
  en: 'Route "{source}" derives the name of its destination from the host name of the request, without authentication.',
  fr: 'La route "{source}" n’exige aucune authentification et construit le nom de sa destination à partir du nom d’hôte de la requête.',
}
const PUBLIC = {
  en: {
    title: 'Destination chosen by unauthenticated requests (SSRF)',
    message: 'Route "{source}" derives the name of its destination from the URL of the request, without authentication.',
    why: 'Unauthenticated attackers can send requests to every destination that the URL can name, whether in the "destinations" variable or, with HTML5.DynamicDestination: true, in the destination service. The approuter adds the credentials stored in the destination.',
  },
  fr: {
    title: 'Destination choisie par des requêtes non authentifiées (SSRF)',
    message:
      'La route "{source}" n’exige aucune authentification et construit le nom de sa destination à partir de l’URL de la requête.',
    why: 'Un attaquant non authentifié peut envoyer des requêtes à toute destination dont il peut former le nom, qu’elle soit définie dans la variable "destinations" ou, avec HTML5.DynamicDestination: true, dans le service de destinations. L’approuter joint aux requêtes les identifiants enregistrés dans la destination.',
  },
}

/** A route that derives the name of its destination from the request: from a part of the URL, or from the host name.
 *  Facts: @sap/approuter 23.0.0 README, "routes" (dynamic destinations; those of the destination service need HTML5.DynamicDestination).
 *  Impact: whoever reaches the route calls every destination, with the credentials that are stored in it. */
export const dynamicDestination: Rule = defineRule({
  id: 'approuter/dynamic-destination',
  impact: 'data',
  // what the destinations open is not in the project
  evidence: 'assumed',
  confidence: 'high',
  cwe: [610],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter, { reach }) {
    for (const route of approuter.routes) {
      const { target, source, authenticates } = route
      const node = at(route.node, 'destination')
      if (target.kind !== 'destination' || node === undefined) continue
      // the approuter replaces groups in names that start with one: `$1-api`
      const groups = target.name.startsWith('$') ? [...target.name.matchAll(/\$(\d)/g)].map(([, group]) => Number(group)) : []
      if (target.name !== '*' && groups.every((group) => isFixed(groupOf(source, group)))) continue
      const isHost = target.name === '*'
      yield {
        at: placeOf(approuter.file, node),
        args: { source },
        exposure: reach.ofRoute(approuter, route),
        ...(!authenticates ? { variant: isHost ? 'publicHost' : 'public' } : isHost && { variant: 'host' }),
        groupKey: `${source} ${target.name}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Destination chosen by the request (SSRF)',
      message: 'Route "{source}" derives the name of its destination from the URL of the request.',
      why: 'Any authenticated user can send requests to every destination that the URL can name, whether in the "destinations" variable or, with HTML5.DynamicDestination: true, in the destination service. The approuter adds the credentials stored in the destination.',
      fix: 'List the allowed values in the capture groups of "source" that "destination" uses, as in "^/to/(erp|crm)/(.*)$", or write one route with a fixed "destination" for each value.',
      variants: {
        public: PUBLIC.en,
        host: HOST.en,
        publicHost: { ...PUBLIC.en, fix: HOST.en.fix, message: PUBLIC_HOST.en },
      },
    },
    fr: {
      title: 'Destination choisie par la requête (SSRF)',
      message: 'La route "{source}" construit le nom de sa destination à partir de l’URL de la requête.',
      why: 'Tout utilisateur authentifié peut envoyer des requêtes à toute destination dont il peut former le nom, qu’elle soit définie dans la variable "destinations" ou, avec HTML5.DynamicDestination: true, dans le service de destinations. L’approuter joint aux requêtes les identifiants enregistrés dans la destination.',
      fix: 'Limitez aux valeurs autorisées les groupes de capture de "source" que "destination" utilise, par exemple "^/to/(erp|crm)/(.*)$", ou écrivez pour chaque valeur une route avec une "destination" fixe.',
      variants: {
        public: PUBLIC.fr,
        host: HOST.fr,
        publicHost: { ...PUBLIC.fr, fix: HOST.fr.fix, message: PUBLIC_HOST.fr },
      },
    },
  }),
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

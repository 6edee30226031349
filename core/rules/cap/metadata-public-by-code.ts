import { constantOf, findPart, type Value } from '../../facts/index.ts'
import { findCallbacks, functionOf } from '../../facts/callbacks.ts'
import { isPrivileged } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isWithin } from '../../facts/span-index.ts'

/**
 * A middleware that makes the caller of $metadata a privileged user, so that the description of the service is public.
 * Facts: capire, "Authentication" ($metadata needs a login as the service does); @sap/cds 9.9.3, lib/req/user.js (privileged: every check passes).
 * Impact: it tells of entities and actions, not of rows.
 */
export const metadataPublicByCode: Rule = defineRule({
  id: 'cap/metadata-public-by-code',
  impact: 'defence',
  confidence: 'medium',
  cwe: [200],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  keywords: ['$metadata'],
  prefilter: (text) => /rivileged/.test(text) || /\bis\s{0,4}[:=(]/.test(text),
  on: 'server-script',

  *check({ path, content: { facts } }) {
    const callbacks = findCallbacks(facts)
    for (const assignment of facts.assignments) {
      const { target, value, start, end, function: around } = assignment
      if (target.name !== 'user' || !isPrivileged(value)) continue
      const mounted = callbacks.get(around)?.call.args[0]
      const isMounted = mounted !== undefined && isAbout(mounted)
      if (isMounted || facts.guards.some((guard) => isWithin(assignment, guard.inside) && isAbout(guard.test)))
        yield { at: { file: path, span: { start, end } } }
    }
  },

  text: () => ({
    en: {
      title: 'Service metadata made public by a middleware',
      message: 'The middleware assigns a privileged user to requests for $metadata, without authenticating the caller.',
      why: 'An unauthenticated attacker can read the names of all entities, elements and actions, and possibly access rows if other paths also match the check for $metadata.',
      fix: 'Remove the middleware and require clients to authenticate. If tools need the metadata, publish the compiled EDMX: cds compile srv --to edmx --service all.',
    },
    fr: {
      title: 'Métadonnées du service rendues publiques par un middleware',
      message: 'Le middleware attribue un utilisateur privilégié aux requêtes vers $metadata, quel que soit l’appelant.',
      why: 'Un attaquant non authentifié peut lire les noms des entités, des éléments et des actions, et peut-être accéder à des lignes si d’autres chemins satisfont aussi au test sur $metadata.',
      fix: 'Supprimez le middleware et exigez que les clients s’authentifient. Si des outils ont besoin des métadonnées, publiez l’EDMX compilé : cds compile srv --to edmx --service all.',
    },
  }),
})

/** It names `$metadata`, also by a function of the file. */
function isAbout(value: Value): boolean {
  const isNamed = (part: Value): boolean => {
    if (part.kind === 'regex') return part.pattern.includes('$metadata')
    if (part.kind === 'literal') return String(part.value).includes('$metadata')
    if (part.kind !== 'call') return String(constantOf(part) ?? '').includes('$metadata')
    return functionOf(part.callee)?.returns.some((returned) => findPart(returned, isNamed) !== undefined) === true
  }
  return findPart(value, isNamed) !== undefined
}

import { defineRule, type Rule } from '../rule.ts'

const ADMINISTRATION = /[/^(|](?:admin|administration|manage|management|internal|maintenance)(?:[/\\(.$]|$)/i

/** A route to something that only administrators use, which every user who is logged in may call. Where the backend is a CAP project of the same upload, it
 *  says itself who may call it, and its own rules judge that.
 *  Facts: @sap/approuter 23.0.0 README, "scope". */
export const routeNoScope: Rule = defineRule({
  id: 'approuter/route-no-scope',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter, project) {
    if (project.capRoots.some(({ test }) => !test)) return
    for (const { source, target, authenticates, scopes, sourcePlace, purpose } of approuter.routes) {
      if (!authenticates || scopes !== undefined || purpose !== undefined || !ADMINISTRATION.test(source)) continue
      if (target.kind === 'destination' || target.kind === 'service')
        yield { at: sourcePlace, args: { source, target: target.name }, sameAs: `${source} ${target.name}` }
    }
  },

  text: {
    en: {
      title: 'Every user reaches administration',
      message: 'Route {source} leads to {target}, looks like administration, and asks for no scope.',
      why: 'If {target} does not check by itself, every user who is logged in administers.',
      fix: 'Add "scope": "$XSAPPNAME.<scope of administrators>".',
    },
    fr: {
      title: 'Tout utilisateur atteint l’administration',
      message: 'La route {source} mène à {target}, ressemble à de l’administration et ne demande aucun scope.',
      why: 'Si {target} ne contrôle pas lui-même, tout utilisateur connecté administre.',
      fix: 'Ajoutez « "scope": "$XSAPPNAME.<scope des administrateurs>" ».',
    },
  },
})

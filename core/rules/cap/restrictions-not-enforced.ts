import { roleChecks, serviceClasses } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listElements } from './_matches.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { unenforcedRights } from './_model/unenforced-rights.ts'

/**
 * A class that implements a service and never calls `super.init()`, so that CAP checks neither `@requires` nor `@restrict` of what the service exposes.
 * Facts: @sap/cds 9.9.3, run with and without the call (200, 201 and 204 instead of 403 for entities and operations, 201 instead of 400 for `@mandatory` and `@assert`); libx/_runtime/common/Service.js:
 * `init` of cds.ApplicationService registers the generic handlers; capire, "Core Services" (`srv.init`). `@requires` of the service itself is checked by the protocol.
 * Impact: data that needs a role, for every user whom the service lets in; where the answers come from handlers of other files, or ask no database, it is assumed.
 */
export const restrictionsNotEnforced: Rule = defineRule({
  id: 'cap/restrictions-not-enforced',
  impact: 'data',
  confidence: 'high',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/node.js/core-services#srv-init',
  on: 'cap-root',
  extracts: [serviceClasses, roleChecks],

  *check(root, { reach }) {
    if (root.test) return
    for (const { service, bare, open, isKnown } of unenforcedRights(root)) {
      const [at, ...alsoAt] = bare.starts
      if (at === undefined) continue
      yield {
        at,
        ...(alsoAt.length > 0 && { alsoAt }),
        args: { service: service.name, open: listElements(open.map(({ name }) => name)) },
        exposure: exposureOf(service, undefined, reach),
        ...(!isKnown && { evidence: 'assumed' as const }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Restrictions not enforced without super.init()',
      message:
        'This init() never calls super.init(): CAP enforces neither @requires nor @restrict of {open:and} in the service {service}.',
      why: 'Every user who can call the service can also use what its restrictions leave to some roles or rows. Input checks such as @mandatory and @assert have no effect either.',
      fix: 'Write return super.init() at the end of init(), after the handlers are registered: it adds the handlers of cds.ApplicationService that check restrictions and input.',
    },
    fr: {
      title: 'Restrictions non appliquées sans super.init()',
      message:
        'Cette méthode init() n’appelle jamais super.init() : CAP n’applique ni @requires ni @restrict de {open:et} dans le service {service}.',
      why: 'Tout utilisateur autorisé à appeler le service peut aussi utiliser ce que ses restrictions réservent à certains rôles ou à certaines lignes. Les contrôles de saisie comme @mandatory et @assert sont eux aussi sans effet.',
      fix: 'Écrivez return super.init() à la fin de init(), après l’enregistrement des gestionnaires : cet appel ajoute ceux de cds.ApplicationService, qui contrôlent les restrictions et les saisies.',
    },
  }),
})

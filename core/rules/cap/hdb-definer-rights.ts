import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A procedure with dynamic SQL that runs with the rights of the container's owner instead of its caller's.
 * Facts: SAP HANA SQLScript Reference, CREATE PROCEDURE (SQL SECURITY; DEFINER where nothing is written); in HDI the definer is the object owner.
 * Impact: it only makes an injection worse, which is another fault.
 */
export const hdbDefinerRights: Rule = defineRule({
  id: 'cap/hdb-definer-rights',
  impact: 'defence',
  confidence: 'high',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/hana-cloud-database/sap-hana-cloud-sap-hana-database-sql-reference-guide/create-procedure-statement-procedural',
  on: 'sqlscript',

  *check({ path, content }): Generator<Match> {
    for (const { name, nameSpan, kind: routine, security, dynamic } of content.facts.routines) {
      if (security?.mode === 'invoker' || !dynamic.some((it) => it.kind === 'exec' && !it.isConstant)) continue
      // an injection is the fault itself, reported by a rule of its own at the statement
      if (dynamic.some(({ inputs }) => inputs.length > 0)) continue
      const args = { routine: quoteWord(name) }
      if (security !== undefined) yield { at: { file: path, span: { start: security.start, end: security.end } }, args }
      else if (routine === 'procedure') yield { at: { file: path, span: nameSpan }, args, variant: 'default' }
    }
  },

  text: () => ({
    en: {
      title: 'Dynamic SQL with owner privileges (SQL SECURITY DEFINER)',
      message: 'The routine {routine} is declared with SQL SECURITY DEFINER and runs SQL that it composes at run time.',
      why: 'If an attacker can inject SQL into the composed statement, the injected SQL runs with the privileges of the owner of the container’s objects, regardless of the caller’s own privileges.',
      fix: 'Use SQL SECURITY INVOKER in the declaration of {routine}, and grant callers the object privileges that the routine needs.',
      variants: {
        default: {
          message:
            'The routine {routine} has no SQL SECURITY clause, so DEFINER applies, and it runs SQL that it composes at run time.',
        },
      },
    },
    fr: {
      title: 'SQL dynamique avec les privilèges du propriétaire (SQL SECURITY DEFINER)',
      message: 'La routine {routine} est déclarée avec SQL SECURITY DEFINER et exécute du SQL qu’elle compose dynamiquement.',
      why: 'Si un attaquant peut injecter du SQL dans l’instruction composée, ce SQL s’exécute avec les privilèges du propriétaire des objets du conteneur, quels que soient ceux de l’appelant.',
      fix: 'Utilisez SQL SECURITY INVOKER dans la déclaration de {routine}, et accordez aux appelants les privilèges d’objet dont la routine a besoin.',
      variants: {
        default: {
          message:
            'La routine {routine} exécute du SQL qu’elle compose dynamiquement, et n’a pas de clause SQL SECURITY : DEFINER s’applique donc.',
        },
      },
    },
  }),
})

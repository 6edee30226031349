import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A procedure with SQL that varies runs with the rights of the container's owner instead of its caller's.
 *  Facts: SAP HANA SQLScript Reference, CREATE PROCEDURE (SQL SECURITY; DEFINER where nothing is written); in HDI the definer is the object owner. */
export const hdbDefinerRights: Rule = defineRule({
  id: 'cap/hdb-definer-rights',
  severity: 'LOW',
  confidence: 'high',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/hana-cloud-database/sap-hana-cloud-sap-hana-database-sqlscript-reference/create-procedure',
  on: 'sqlscript',

  *check({ path, content }): Generator<Match> {
    for (const { name, nameSpan, kind: routine, security, dynamic } of content.facts.routines) {
      if (security?.mode === 'invoker' || !dynamic.some((it) => it.kind === 'exec' && !it.isConstant)) continue
      const args = { routine: name }
      if (security !== undefined) yield { at: { file: path, span: { start: security.start, end: security.end } }, args }
      else if (routine === 'procedure') yield { at: { file: path, span: nameSpan }, args, variant: 'default' }
    }
  },

  text: {
    en: {
      title: 'Dynamic SQL runs with the rights of the owner',
      message: '{routine} is SQL SECURITY DEFINER and runs SQL that is put together at run time.',
      why: 'What slips into that SQL runs as the owner of all tables, whatever the caller may do.',
      fix: 'Write SQL SECURITY INVOKER, and give callers the privileges that the procedure needs.',
      variants: {
        default: { message: '{routine} says no SQL SECURITY, which is DEFINER, and runs SQL that is put together at run time.' },
      },
    },
    fr: {
      title: 'Du SQL dynamique s’exécute avec les droits du propriétaire',
      message: '{routine} est en SQL SECURITY DEFINER et exécute du SQL composé à l’exécution.',
      why: 'Ce qui se glisse dans ce SQL s’exécute au nom du propriétaire de toutes les tables, quels que soient les droits de l’appelant.',
      fix: 'Écrivez SQL SECURITY INVOKER, et donnez aux appelants les privilèges nécessaires à la procédure.',
      variants: {
        default: {
          message: '{routine} n’indique pas SQL SECURITY, donc DEFINER, et exécute du SQL composé à l’exécution.',
        },
      },
    },
  },
})

import type { DynamicSql, SqlInput } from '../../facts/sqlscript.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const FIX = {
  en: "Keep the text constant and hand the values over: EXEC 'SELECT … WHERE ID = ?' INTO … USING :{parameter}. A name that varies is checked with IS_SQL_INJECTION_SAFE(:{parameter}) before.",
  fr: "Gardez un texte constant et passez les valeurs à côté : EXEC 'SELECT … WHERE ID = ?' INTO … USING :{parameter}. Un nom qui varie se vérifie d’abord avec IS_SQL_INJECTION_SAFE(:{parameter}).",
}

/** A procedure of the database runs a text that its caller has written in.
 *  Facts: SAP HANA SQLScript Reference: EXEC, EXECUTE IMMEDIATE with USING, APPLY_FILTER, and "SQL Injection Prevention Functions" (both ESCAPE
 *  functions protect between quotes alone). Within one routine; numbers and dates hold no SQL. */
export const hdbDynamicSql: Rule = defineRule({
  id: 'cap/hdb-dynamic-sql',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [89],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/hana-cloud-database/sap-hana-cloud-sap-hana-database-sqlscript-reference/sql-injection-prevention-functions',
  on: 'sqlscript',

  *check({ path, content }) {
    for (const { name, dynamic } of content.facts.routines) {
      for (const found of dynamic) {
        const input = worstOf(found.inputs)
        if (input === undefined) continue
        const at = { file: path, span: { start: found.start, end: found.end } }
        const statement = found.kind === 'exec' ? 'EXEC' : 'APPLY_FILTER'
        const args = { parameter: input.parameter, routine: name, statement }
        const source = input.at && { file: path, span: input.at }
        const flow = source && [
          { at: source, step: 'source', args },
          { at, step: 'sink', args },
        ]
        yield { at, args, ...gradeOf(found, input), ...(flow && { flow }) }
      }
    }
  },

  text: {
    en: {
      title: 'A procedure runs SQL that its caller has a hand in',
      message: 'Parameter {parameter} of {routine} becomes part of the SQL that {statement} runs.',
      why: 'With a quote in that value the caller writes SQL of their own, and runs it with the rights of the procedure.',
      fix: FIX.en,
      variants: {
        whole: {
          title: 'A procedure runs the SQL that its caller sends',
          message: '{statement} runs parameter {parameter} of {routine} as it comes.',
          why: 'Whoever may call the procedure runs any statement with its rights.',
          fix: 'Let the caller choose among statements that stand in the procedure, and hand over values with USING.',
        },
        filter: {
          title: 'A caller writes the filter of a query',
          message: '{statement} takes parameter {parameter} of {routine} as its condition.',
          why: 'A condition that is always true, or one that asks about other columns, gives the caller rows that were not meant for them.',
          fix: 'Build the filter in the procedure from values in ESCAPE_SINGLE_QUOTES, or select with :{parameter} instead.',
        },
        escape: {
          title: 'A value is escaped where no quotes stand around it',
          message: 'Parameter {parameter} of {routine} is escaped, but joins the SQL of {statement} without quotes around it.',
          why: 'Escaping quotes protects between quotes alone: here the caller needs none to write SQL of their own.',
          fix: FIX.en,
        },
      },
      steps: { source: '{parameter} joins the text', sink: '{statement} runs it' },
    },
    fr: {
      title: 'Une procédure exécute du SQL auquel l’appelant participe',
      message: 'Le paramètre {parameter} de {routine} entre dans le SQL que {statement} exécute.',
      why: 'Avec un guillemet dans cette valeur, l’appelant écrit son propre SQL et l’exécute avec les droits de la procédure.',
      fix: FIX.fr,
      variants: {
        whole: {
          title: 'Une procédure exécute le SQL que l’appelant envoie',
          message: '{statement} exécute le paramètre {parameter} de {routine} tel qu’il arrive.',
          why: 'Quiconque peut appeler la procédure exécute n’importe quelle instruction avec les droits de celle-ci.',
          fix: 'Laissez l’appelant choisir parmi des instructions écrites dans la procédure, et passez les valeurs avec USING.',
        },
        filter: {
          title: 'L’appelant écrit le filtre d’une requête',
          message: '{statement} prend le paramètre {parameter} de {routine} comme condition.',
          why: 'Une condition toujours vraie, ou portant sur d’autres colonnes, donne à l’appelant des lignes qui ne lui étaient pas destinées.',
          fix: 'Composez le filtre dans la procédure avec des valeurs passées par ESCAPE_SINGLE_QUOTES, ou sélectionnez directement avec :{parameter}.',
        },
        escape: {
          title: 'Une valeur est échappée là où aucun guillemet ne l’entoure',
          message: 'Le paramètre {parameter} de {routine} est échappé, mais entre sans guillemets dans le SQL de {statement}.',
          why: 'Échapper les guillemets ne protège qu’entre guillemets : ici l’appelant n’en a pas besoin pour écrire son propre SQL.',
          fix: FIX.fr,
        },
      },
      steps: { source: '{parameter} entre dans le texte', sink: '{statement} l’exécute' },
    },
  },
})

/** One that nothing protects before one that is escaped in vain; a text before a type that is not known. */
function worstOf(inputs: readonly SqlInput[]): SqlInput | undefined {
  return (
    inputs.find(({ isText, isEscapedInVain }) => isText && isEscapedInVain !== true) ??
    inputs.find(({ isEscapedInVain }) => isEscapedInVain !== true) ??
    inputs[0]
  )
}

function gradeOf({ kind, isComposed }: DynamicSql, { isText, isEscapedInVain }: SqlInput): Partial<Match> {
  if (isEscapedInVain === true) return { variant: 'escape', severity: 'MEDIUM', confidence: 'medium' }
  if (!isComposed && kind === 'filter') return { variant: 'filter', severity: 'MEDIUM' }
  const certainty: Partial<Match> = isText ? {} : { severity: 'MEDIUM', confidence: 'medium' }
  return isComposed ? certainty : { ...certainty, variant: 'whole' }
}

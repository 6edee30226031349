import type { DynamicSql, SqlInput } from '../../facts/sqlscript.ts'
import { inEachLanguage } from '../../arguments.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const PLACEHOLDER = {
  en: "Write ? in the SQL text in place of the quoted value, and pass the value with USING: {statement} '… <column> = ?' USING :{parameter}{others}.",
  fr: "Écrivez ? dans le texte SQL à la place de la valeur entre apostrophes, et passez la valeur avec USING : {statement} '… <colonne> = ?' USING :{parameter}{others}.",
}

const CHECK = {
  en: 'Put IF IS_SQL_INJECTION_SAFE(:{parameter}) <> 1 THEN RETURN; END IF; before the statement: {named} is used as an identifier, for which there are no placeholders{others}.',
  fr: 'Placez IF IS_SQL_INJECTION_SAFE(:{parameter}) <> 1 THEN RETURN; END IF; avant l’instruction : {named} sert d’identifiant, qu’un paramètre lié (?) ne peut pas remplacer{others}.',
}

/** What a statement with several parameters needs as well. */
const OTHERS = inEachLanguage({
  en: '; do the same for the other parameters in the SQL text',
  fr: ' ; faites de même pour les autres paramètres du texte SQL',
})

const FIX = {
  en: "Use a placeholder if {named} is a value: {statement} '… <column> = ?' USING :{parameter}. If {named} is an identifier, such as a table name, put IF IS_SQL_INJECTION_SAFE(:{parameter}) <> 1 THEN RETURN; END IF; before the statement{others}.",
  fr: "Utilisez un paramètre lié (?) si {named} est une valeur : {statement} '… <colonne> = ?' USING :{parameter}. Si {named} est un identifiant, comme un nom de table, placez IF IS_SQL_INJECTION_SAFE(:{parameter}) <> 1 THEN RETURN; END IF; avant l’instruction{others}.",
}

const FILTER_FIX = {
  en: "Replace {statement} with SELECT … WHERE <column> = :{parameter}. If the condition varies, build it in the routine from fixed column names and quoted values: '''' || ESCAPE_SINGLE_QUOTES(:{parameter}) || ''''.",
  fr: "Remplacez {statement} par SELECT … WHERE <colonne> = :{parameter}. Si la condition varie, composez-la dans la routine avec des noms de colonnes fixes et des valeurs entre apostrophes : '''' || ESCAPE_SINGLE_QUOTES(:{parameter}) || ''''.",
}

const ESCAPED = {
  en: {
    title: 'SQL injection: value escaped but not quoted',
    message:
      '{statement} in the routine {routine} runs SQL that contains the parameter {named}, escaped but without quotes around it.',
    why: 'Escaping protects a value only between quotes: without them, an attacker can inject SQL.',
  },
  fr: {
    title: 'Injection SQL : valeur échappée, mais sans guillemets',
    message:
      '{statement} exécute, dans la routine {routine}, du SQL qui contient le paramètre {named}, échappé mais non placé entre apostrophes ou guillemets.',
    why: 'L’échappement ne protège une valeur qu’entre apostrophes ou guillemets : sans eux, un attaquant peut injecter du SQL.',
  },
}

/**
 * A procedure of the database that concatenates its parameters into the SQL that it runs.
 * Facts: SAP HANA SQLScript Reference: EXEC, EXECUTE IMMEDIATE with USING, APPLY_FILTER, and "SQL Injection Prevention Functions" (both ESCAPE
 * functions protect between quotes alone). Within one routine; numbers and dates hold no SQL.
 * Impact: every caller of the procedure reads and changes data with the rights of its owner; with the caller's own rights (SQL SECURITY INVOKER) it takes somebody
 * who hands on data of others, which is assumed, as is what a condition alone, an escape that does not fit or an unknown type leaves to inject.
 */
export const hdbDynamicSql: Rule = defineRule({
  id: 'cap/hdb-dynamic-sql',
  impact: 'data',
  // whoever may call it, or sends the application what it calls it with
  reach: 'user',
  confidence: 'high',
  cwe: [89],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/hana-cloud-database/sap-hana-cloud-sap-hana-sqlscript-reference/sqlscript-code-analyzer',
  on: 'sqlscript',

  *check({ path, text, content }) {
    for (const { name, dynamic, security } of content.facts.routines) {
      for (const found of dynamic) {
        const input = worstOf(found.inputs)
        if (input === undefined) continue
        const at = { file: path, span: { start: found.start, end: found.end } }
        const isImmediate = /\bimmediate\s{1,20}$/i.test(text.slice(Math.max(0, found.start - 40), found.start))
        const statement = found.kind === 'filter' ? 'APPLY_FILTER' : isImmediate ? 'EXECUTE IMMEDIATE' : 'EXEC'
        const parameter = writtenName(input, found, text)
        const args = {
          parameter,
          named: quoteWord(parameter),
          routine: quoteWord(name),
          statement,
          others: found.inputs.length > 1 ? OTHERS : '',
        }
        const source = input.at && { file: path, span: input.at }
        const flow = source && [
          { at: source, step: 'source', args },
          { at, step: 'sink', args },
        ]
        yield {
          at,
          args,
          ...(security?.mode === 'invoker' && { evidence: 'assumed' }),
          ...factsOf(found, input, useOf(input, found, text)),
          ...(flow && { flow }),
          groupKey: `${path} ${name}`,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'SQL injection in a database procedure',
      message: '{statement} in the routine {routine} runs SQL that contains the parameter {named}.',
      why: 'An attacker who controls the parameter can inject SQL, and read, change or delete data with the privileges under which the routine runs.',
      fix: FIX.en,
      variants: {
        value: { fix: PLACEHOLDER.en },
        identifier: { fix: CHECK.en },
        whole: {
          title: 'SQL injection: caller’s SQL run by a procedure',
          message: '{statement} in the routine {routine} runs the parameter {named} as a whole statement.',
          why: 'An attacker who controls the parameter can run any statement with the privileges under which the routine runs.',
          fix: 'Write the statements in the routine, use {named} only to select one of them with IF, and pass values with USING.',
        },
        filter: {
          title: 'SQL injection: query filter controlled by the caller',
          message: '{statement} in the routine {routine} uses the parameter {named} as its condition.',
          why: 'With a condition that is always true, or one on other columns, an attacker can read rows that they are not allowed to see.',
          fix: 'Replace the parameter {named} with one parameter for each value, and {statement} with a SELECT that compares columns with them: SELECT … WHERE <column> = :<parameter>.',
        },
        composed: {
          title: 'SQL injection: query filter controlled by the caller',
          message: '{statement} in the routine {routine} uses a condition that contains the parameter {named}.',
          why: 'An attacker who controls the parameter can change the condition, and read rows that they are not allowed to see.',
          fix: FILTER_FIX.en,
        },
        escape: { ...ESCAPED.en, fix: FIX.en },
        escapedName: { ...ESCAPED.en, fix: CHECK.en },
      },
      steps: { source: '{named} becomes part of the SQL text.', sink: '{statement} receives the SQL text.' },
    },
    fr: {
      title: 'Injection SQL dans une procédure de base de données',
      message: '{statement} exécute, dans la routine {routine}, du SQL qui contient le paramètre {named}.',
      why: 'Un attaquant qui contrôle le paramètre peut injecter du SQL, et lire, modifier ou supprimer des données avec les privilèges d’exécution de la routine.',
      fix: FIX.fr,
      variants: {
        value: { fix: PLACEHOLDER.fr },
        identifier: { fix: CHECK.fr },
        whole: {
          title: 'Injection SQL : SQL de l’appelant exécuté par une procédure',
          message: '{statement} exécute, dans la routine {routine}, le paramètre {named} comme instruction entière.',
          why: 'Un attaquant qui contrôle le paramètre peut exécuter n’importe quelle instruction avec les privilèges d’exécution de la routine.',
          fix: 'Écrivez les instructions dans la routine, n’utilisez {named} que pour en choisir une avec IF, et passez les valeurs avec USING.',
        },
        filter: {
          title: 'Injection SQL : filtre d’une requête contrôlé par l’appelant',
          message: '{statement} utilise, dans la routine {routine}, le paramètre {named} comme condition.',
          why: 'Avec une condition toujours vraie, ou portant sur d’autres colonnes, un attaquant peut lire des lignes qu’il n’a pas le droit de voir.',
          fix: 'Remplacez le paramètre {named} par un paramètre pour chaque valeur, et {statement} par un SELECT qui compare des colonnes à ces paramètres : SELECT … WHERE <colonne> = :<paramètre>.',
        },
        composed: {
          title: 'Injection SQL : filtre d’une requête contrôlé par l’appelant',
          message: '{statement} utilise, dans la routine {routine}, une condition qui contient le paramètre {named}.',
          why: 'Un attaquant qui contrôle le paramètre peut modifier la condition et lire des lignes qu’il n’a pas le droit de voir.',
          fix: FILTER_FIX.fr,
        },
        escape: { ...ESCAPED.fr, fix: FIX.fr },
        escapedName: { ...ESCAPED.fr, fix: CHECK.fr },
      },
      steps: { source: '{named} entre dans le texte SQL.', sink: '{statement} reçoit le texte SQL.' },
    },
  }),
})

/** A parameter as the statement spells it: names without quotes are read in upper case. */
function writtenName({ parameter, at }: SqlInput, statement: DynamicSql, text: string): string {
  const spellings = [at, statement].map((span) => span && text.slice(span.start, span.end).replace(/^:/, ''))
  return spellings.find((spelling) => spelling?.toUpperCase() === parameter.toUpperCase()) ?? parameter
}

/** One that nothing protects before one that is escaped in vain; a text before a type that is not known. */
function worstOf(inputs: readonly SqlInput[]): SqlInput | undefined {
  return (
    inputs.find(({ isText, isEscapedInVain }) => isText && isEscapedInVain !== true) ??
    inputs.find(({ isEscapedInVain }) => isEscapedInVain !== true) ??
    inputs[0]
  )
}

/** Before the place where a parameter joins the text: the end of a literal, and functions around the parameter. */
const BEFORE = /'((?:[^']|''){0,500})'\s{0,20}\|\|\s{0,20}(?:\w{1,60}\s?\(\s?){0,4}:?$/
const IDENTIFIER = /(?:\b(?:from|into|table|update|join|call|view|schema|by)\s|")\s{0,20}$/i

/** Whether a parameter stands between the quotes of a value, or where only a name can stand. */
function useOf(input: SqlInput, statement: DynamicSql, text: string): 'value' | 'identifier' | undefined {
  const { start } = input.at ?? statement
  const whole = text.slice(start, statement.end)
  const at = input.at === undefined ? whole.toUpperCase().indexOf(input.parameter.toUpperCase()) : 0
  const before = BEFORE.exec(text.slice(Math.max(0, start + at - 1000), start + Math.max(at, 0)))?.[1]
  if (before === undefined) return undefined
  if ((before.match(/''/g)?.length ?? 0) % 2 === 1) return 'value'
  return IDENTIFIER.test(before) ? 'identifier' : undefined
}

function factsOf({ kind, isComposed }: DynamicSql, { isText, isEscapedInVain }: SqlInput, use?: string): Partial<Match> {
  if (isEscapedInVain === true)
    return { variant: use === 'identifier' ? 'escapedName' : 'escape', evidence: 'assumed', confidence: 'medium' }
  if (!isComposed && kind === 'filter') return { variant: 'filter', evidence: 'assumed' }
  const certainty: Partial<Match> = isText ? {} : { evidence: 'assumed', confidence: 'medium' }
  if (kind === 'filter') return { ...certainty, variant: 'composed' }
  if (!isComposed) return { ...certainty, variant: 'whole' }
  return use === undefined ? certainty : { ...certainty, variant: use }
}

import type { ProjectFile } from '../../files.ts'
import type { CapRoot } from '../../model/cap/index.ts'
import type { CdsAnnotation } from '../../parse/cds/types.ts'
import { attributeOf, elementsOf, type MarkupDocument } from '../../parse/markup.ts'
import { toTokens } from '../../parse/sqlscript/tokens.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { lastName } from '../../paths.ts'

/**
 * A database view over personal data that nothing but its own text restricts.
 * Facts: SAP HANA Cloud, SQL Reference, CREATE VIEW (WITH STRUCTURED PRIVILEGE CHECK, WITH MASK) and Modeling Guide (applyPrivilegeType of a
 * calculation view); capire, "CDS to database": an entity's table has its name in capitals with underscores.
 * Impact: none by itself, as it takes access to the database first.
 */
export const hdbAccessUnmasked: Rule = defineRule({
  id: 'cap/hdb-access-unmasked',
  impact: 'defence',
  reach: 'privileged',
  confidence: 'low',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/hana-cloud-database/sap-hana-cloud-sap-hana-database-sql-reference-guide/create-view-statement-data-definition',
  docsByVariant: { calculation: 'https://blogs.sap.com/2022/09/23/sap-hana-cloud-analytic-privileges-a-step-by-step-guide/' },
  on: 'cap-root',

  *check(root): Generator<Match> {
    if (root.test || root.files.some(({ path }) => /\.hdb(?:analytic|structured)privilege$/.test(path))) return
    const views = root.files.filter(({ kind: { role, test } }) => !test && (role === 'hdbview' || role === 'hdbcalculationview'))
    const tables = views.length === 0 ? new Set<string>() : personalTables(root)
    if (tables.size === 0) return
    for (const view of views) {
      const found = tableIn(view, tables)
      if (found === undefined) continue
      const variant = view.kind.role === 'hdbcalculationview' ? 'calculation' : undefined
      yield {
        at: { file: view.path, span: found.span },
        args: { file: view.path, table: found.table },
        ...(variant && { variant }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Personal data in a database view without access control',
      message:
        '{file} has neither a mask nor a structured privilege, but reads {table}, which the CDS model annotates with @PersonalData.',
      why: 'CAP restrictions apply only in CAP services: a user who reads the view with a database tool or from another application sees the personal data of all rows.',
      fix: 'Add WITH STRUCTURED PRIVILEGE CHECK at the end of the view, define the readable rows in an .hdbstructuredprivilege file, and grant that privilege in an .hdbrole file. Or mask the columns: WITH MASK (<column> USING <expression>).',
      variants: {
        calculation: {
          message:
            '{file} has neither a mask nor an analytic privilege, but reads {table}, which the CDS model annotates with @PersonalData.',
          fix: 'Set applyPrivilegeType="SQL_ANALYTIC_PRIVILEGE" in the view, define the readable rows in an .hdbanalyticprivilege file, and grant that privilege in an .hdbrole file. Or mask the columns in the view’s properties.',
        },
      },
    },
    fr: {
      title: 'Données personnelles dans une vue de base de données sans contrôle d’accès',
      message:
        '{file} ne définit ni masque ni privilège structuré, alors que la vue lit {table}, que le modèle CDS annote avec @PersonalData.',
      why: 'Les restrictions de CAP ne valent que dans les services CAP : un utilisateur qui lit la vue avec un outil de base de données ou depuis une autre application voit les données personnelles de toutes les lignes.',
      fix: 'Ajoutez WITH STRUCTURED PRIVILEGE CHECK à la fin de la vue, définissez les lignes lisibles dans un fichier .hdbstructuredprivilege, et accordez ce privilège dans un fichier .hdbrole. Ou masquez les colonnes : WITH MASK (<colonne> USING <expression>).',
      variants: {
        calculation: {
          message:
            '{file} ne définit ni masque ni privilège analytique, alors que la vue lit {table}, que le modèle CDS annote avec @PersonalData.',
          fix: 'Indiquez applyPrivilegeType="SQL_ANALYTIC_PRIVILEGE" dans la vue, définissez les lignes lisibles dans un fichier .hdbanalyticprivilege, et accordez ce privilège dans un fichier .hdbrole. Ou masquez les colonnes dans les propriétés de la vue.',
        },
      },
    },
  }),
})

function isPersonal(annotations: readonly CdsAnnotation[]): boolean {
  return annotations.some(({ name }) => name.startsWith('PersonalData.'))
}

/** Tables of the entities that the model marks, wherever it does; an `annotate` is for entities of its last name. */
function personalTables({ files }: CapRoot): ReadonlySet<string> {
  const documents = files.flatMap(({ kind, content }) => (content.as === 'cds' && !kind.test ? [content.document] : []))
  const marked = new Set<string>()
  for (const { annotates } of documents)
    for (const { target, annotations, elements } of annotates)
      if (isPersonal(annotations) || elements.some((element) => isPersonal(element.annotations)))
        marked.add(lastName(target.path))
  const tables = new Set<string>()
  for (const { definitions } of documents) {
    for (const { kind, name, query, annotations, elements } of definitions) {
      // a projection has no rows of its own
      if (kind !== 'entity' || query !== undefined) continue
      if (marked.has(lastName(name)) || isPersonal(annotations) || elements.some((element) => isPersonal(element.annotations)))
        tables.add(name.replaceAll('.', '_').toUpperCase())
    }
  }
  return tables
}

interface Found {
  readonly table: string
  readonly span: Span
}

function tableIn({ content }: ProjectFile, tables: ReadonlySet<string>): Found | undefined {
  if (content.as === 'markup') return sourceOf(content.document, tables)
  const tokens = content.as === 'text' ? toTokens(content.text ?? '') : []
  const isChecked = tokens.some(({ name }, at) => name === 'MASK' || (name === 'CHECK' && tokens[at - 1]?.name === 'PRIVILEGE'))
  const token = tokens.find(({ kind, name }) => (kind === 'word' || kind === 'quoted') && tables.has(name.toUpperCase()))
  return isChecked || token === undefined ? undefined : { table: token.text, span: { start: token.start, end: token.end } }
}

/** A data source of a calculation view that applies no privileges. */
function sourceOf(document: MarkupDocument, tables: ReadonlySet<string>): Found | undefined {
  const [scenario] = document.children
  const applied = scenario === undefined ? undefined : attributeOf(scenario, 'applyPrivilegeType')?.value
  if (applied !== undefined && applied !== 'NONE') return undefined
  for (const { localName, texts } of elementsOf(document)) {
    if (localName !== 'resourceUri') continue
    for (const { text, start } of texts) {
      const table = text.trim()
      const from = start + text.indexOf(table)
      if (tables.has(table.toUpperCase())) return { table, span: { start: from, end: from + table.length } }
    }
  }
  return undefined
}

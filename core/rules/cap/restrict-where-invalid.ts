import {
  conditionOf,
  elementPaths,
  isMissing,
  placeIn,
  privilegesOf,
  restrictionsOf,
  type CapElement,
  type CapRoot,
} from '../../model/cap/index.ts'
import type { CdsExpression, CdsValue } from '../../parse/cds/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'

/** A condition of a restriction that says nothing, or nothing that CAP can evaluate.
 *  Facts: @sap/cds 9.9.3 and 10.1.1, generic/auth/restrict.js (a condition in a string is parsed with each request, an empty one is none);
 *  capire, "Authorization", restricting by `where`. */
export const restrictWhereInvalid: Rule = defineRule({
  id: 'cap/restrict-where-invalid',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',

  *check(root) {
    yield* worstAtPlaces(matchesOf(root))
  },

  text: {
    en: {
      title: 'The condition of a restriction names an element that does not exist',
      message: 'The condition of @restrict on {entity} names {path}, which {entity} does not have.',
      why: 'Every request that the condition is meant for fails, so in practice it is taken out or worked around, and all rows are open.',
      fix: 'Name an element of {entity}, or write the condition as an expression, where: (…): then the compiler checks it.',
      variants: {
        syntax: {
          title: 'The condition of a restriction cannot be read',
          message: 'The condition of @restrict on {entity} is no valid expression of CDS.',
          fix: 'Repair the condition, or write it as an expression, where: (…): then the compiler checks it.',
        },
        empty: {
          title: 'The condition of a restriction is empty',
          message: 'The condition of @restrict on {entity} is empty, which CAP takes for none.',
          why: 'The privilege looks as if it were for some rows and is for all of them.',
          fix: 'Write the condition, or remove "where" if all rows are meant.',
        },
        constant: {
          title: 'The condition of a restriction compares constants',
          message: 'The condition of @restrict on {entity} looks neither at the row nor at the user.',
          why: 'It has the same result for every row and every user: the privilege is for all rows or for none.',
          fix: 'Compare an element with an attribute of the user: where: (owner = $user).',
        },
        quoted: {
          title: 'The condition of a restriction compares with a text instead of the user',
          message: 'The condition of @restrict on {entity} has {path} in quotes: that is a text, not the user.',
          why: 'No row has such a value, so a comparison for equality hides all rows, and one for inequality opens all of them.',
          fix: 'Write it without the quotes.',
        },
        variable: {
          title: 'The condition of a restriction names a variable that does not exist',
          message: 'The condition of @restrict on {entity} names {path}, which is no variable of CAP.',
          fix: 'Write $user, or $user.<attribute>.',
        },
      },
    },
    fr: {
      title: 'La condition d’une restriction nomme un élément inexistant',
      message: 'La condition de @restrict sur {entity} nomme {path}, que {entity} n’a pas.',
      why: 'Toute requête visée par la condition échoue ; en pratique on la retire ou on la contourne, et toutes les lignes sont ouvertes.',
      fix: 'Nommez un élément de {entity}, ou écrivez la condition comme expression, where: (…) : le compilateur la vérifie alors.',
      variants: {
        syntax: {
          title: 'La condition d’une restriction est illisible',
          message: 'La condition de @restrict sur {entity} n’est pas une expression CDS valide.',
          fix: 'Corrigez la condition, ou écrivez-la comme expression, where: (…) : le compilateur la vérifie alors.',
        },
        empty: {
          title: 'La condition d’une restriction est vide',
          message: 'La condition de @restrict sur {entity} est vide, ce que CAP tient pour une absence de condition.',
          why: 'Le privilège semble viser certaines lignes et les vise toutes.',
          fix: 'Écrivez la condition, ou retirez « where » si toutes les lignes sont visées.',
        },
        constant: {
          title: 'La condition d’une restriction compare des constantes',
          message: 'La condition de @restrict sur {entity} ne regarde ni la ligne ni l’utilisateur.',
          why: 'Elle donne le même résultat pour toute ligne et tout utilisateur : le privilège vaut pour toutes les lignes ou pour aucune.',
          fix: 'Comparez un élément à un attribut de l’utilisateur : where: (owner = $user).',
        },
        quoted: {
          title: 'La condition d’une restriction compare à un texte au lieu de l’utilisateur',
          message: 'La condition de @restrict sur {entity} met {path} entre guillemets : c’est un texte, pas l’utilisateur.',
          why: 'Aucune ligne n’a cette valeur : une égalité cache toutes les lignes, une inégalité les ouvre toutes.',
          fix: 'Écrivez-le sans guillemets.',
        },
        variable: {
          title: 'La condition d’une restriction nomme une variable inexistante',
          message: 'La condition de @restrict sur {entity} nomme {path}, qui n’est pas une variable de CAP.',
          fix: 'Écrivez $user, ou $user.<attribut>.',
        },
      },
    },
  },
})

interface Fault {
  readonly variant?: string
  readonly path: string
  /** Within the condition; undefined: all of it. */
  readonly span?: Span
}

function* matchesOf(root: CapRoot): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    // on services and actions conditions are the business of cap/restrict-ignored-property
    if (name !== 'restrict' || element?.kind !== 'entity') continue
    for (const { where } of privilegesOf(annotation.value)) {
      const fault = where === undefined ? undefined : faultOf(where, element, root)
      if (where === undefined || fault === undefined) continue
      const { variant, path, span } = fault
      const at = placeIn(annotation, spanIn(where, span))
      yield { at, args: { entity: nameOf(restriction), path }, severity: 'MEDIUM', ...(variant !== undefined && { variant }) }
    }
  }
}

function faultOf(where: CdsValue, element: CapElement, root: CapRoot): Fault | undefined {
  const condition = conditionOf(where)
  if (condition === undefined) return undefined
  if (condition === 'empty' || condition === 'broken') return { variant: condition === 'empty' ? 'empty' : 'syntax', path: '' }
  const quoted = /'(\$user(?:\.\w{1,100}){0,5})'/.exec(condition.text)?.[1]
  if (quoted !== undefined) return { variant: 'quoted', path: quoted }
  const variable = condition.paths.find(
    ({ name }) => /^\$(?:usr|users?|username|userid|currentuser|me)\b/i.test(name) && !/^\$user\b/.test(name),
  )
  if (variable !== undefined) return { variant: 'variable', path: variable.name, span: variable }
  if (isConstant(condition)) return { variant: 'constant', path: '' }
  const isChecked = where.kind === 'expression'
  const missing = elementPaths(condition).find(({ path }) => isMissing(root, element, path, isChecked))
  return missing && { path: missing.path, span: missing.at }
}

/** Nothing of the row or the user is in it, or a branch always holds: `… or 1 = 1`. */
function isConstant({ paths, queries, text }: CdsExpression): boolean {
  if (/\bor\s{1,10}(\d{1,9})\s{0,10}={1,2}\s{0,10}\1(?!\d)/i.test(text)) return true
  if (/(?<![\w.])(\d{1,9})\s{0,10}={1,2}\s{0,10}\1\s{1,10}or\b/i.test(text)) return true
  // what a function gives isn't known
  return paths.length === 0 && queries.length === 0 && !/\w\s{0,10}\(|[:#?]/.test(text)
}

/** The part of a string is where it seems only if nothing in it is escaped. */
function spanIn(where: CdsValue, span: Span | undefined): Span {
  if (span === undefined) return where
  if (where.kind === 'expression') return { start: span.start, end: span.end }
  const isPlain = where.kind === 'string' && where.end - where.start === String(where.value).length + 2
  return isPlain ? { start: where.start + 1 + span.start, end: where.start + 1 + span.end } : where
}

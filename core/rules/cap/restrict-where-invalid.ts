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
import { isOneEditApart } from '../../model/npm/index.ts'
import type { CdsExpression, CdsValue } from '../../parse/cds/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { isTautology } from './_model/tautologies.ts'

/**
 * A condition of a restriction that has no effect, or that CAP cannot evaluate.
 * Facts: @sap/cds 9.9.3 and 10.1.1, generic/auth/restrict.js (a condition in a string is parsed with each request, an empty one is none);
 * capire, "Authorization", restricting by `where`.
 * Impact: where the condition has no effect, all rows are open to a role; where requests fail, nothing is until somebody takes the condition out.
 */
export const restrictWhereInvalid: Rule = defineRule({
  id: 'cap/restrict-where-invalid',
  impact: 'defence',
  grades: { empty: { impact: 'data' }, always: { impact: 'data' }, constant: { impact: 'data', evidence: 'assumed' } },
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#instance-based-auth',
  on: 'cap-root',

  *check(root, project) {
    yield* worstAtPlaces(matchesOf(root, project))
  },

  text: () => ({
    en: {
      title: 'Unknown element in the condition of @restrict',
      message: 'The condition of @restrict on {entity} uses "{path}", which is not an element of {entity}.',
      why: 'Every request that relies on this privilege fails. If the condition is then removed, all users with the privilege have access to all rows.',
      fix: 'Replace "{path}" with an element of {entity} (if the condition is inherited, in a @restrict on {entity} itself). Write the condition as an expression, where: (…), so that the compiler checks it.',
      variants: {
        compiled: {
          why: 'The CDS compiler rejects the model. If the condition is then removed, all users with the privilege have access to all rows.',
          fix: 'Replace "{path}" in the condition of {entity} with an existing element.',
        },
        similar: {
          fix: 'Replace "{path}" with "{better}", and write the condition as an expression, where: (…), so that the compiler checks it.',
        },
        variable: {
          title: 'Unknown variable in the condition of @restrict',
          message:
            'The condition of @restrict on {entity} uses "{path}", which is neither a CAP variable nor an element of {entity}.',
          fix: 'Replace "{path}" with "{better}": $user is the user ID, $user.<attribute> a user attribute.',
        },
        syntax: {
          title: 'Invalid condition in @restrict',
          message: 'The condition of @restrict on {entity} is not a valid CDS expression.',
          fix: 'Correct the condition of {entity}, for example where: (<element> = $user). Written in parentheses instead of quotes, the condition is checked by the compiler.',
        },
        empty: {
          title: 'Empty condition in @restrict',
          message: 'The condition of @restrict on {entity} is empty, which CAP treats as no condition.',
          why: 'Users with this privilege have access to all rows, although it seems to be limited to some of them.',
          fix: 'Add a condition for {entity}, for example where: (<element> = $user), or remove "where" if access to all rows is intended.',
        },
        constant: {
          title: 'Constant condition in @restrict',
          message: 'The condition of @restrict on {entity} has the same result for every row and every user.',
          why: 'A condition that is always true gives users with this privilege access to all rows; one that is always false gives them access to none.',
          fix: 'Compare an element of {entity} with the user, for example where: (<element> = $user), and remove constant branches such as "or 1 = 1".',
        },
        always: {
          title: 'Always-true condition in @restrict',
          message: 'The condition of @restrict on {entity} is true for every row and every user.',
          why: 'Users with this privilege have access to all rows, although it seems to be limited to some of them.',
          fix: 'Compare an element of {entity} with the user, for example where: (<element> = $user), and remove constant branches such as "or 1 = 1".',
        },
        quoted: {
          title: 'User variable quoted in the condition of @restrict',
          message: 'The condition of @restrict on {entity} contains {path} in quotes: this is a string, not the user.',
          why: 'Rows normally do not contain this string: a comparison for equality hides all rows, one for inequality makes all of them accessible.',
          fix: 'Write {path} without quotes, for example where: (<element> = {path}).',
        },
      },
    },
    fr: {
      title: 'Élément inconnu dans la condition de @restrict',
      message: 'La condition de @restrict sur {entity} utilise "{path}", qui n’est pas un élément de {entity}.',
      why: 'Toute requête qui s’appuie sur ce privilège échoue. Si la condition est alors supprimée, tous les utilisateurs dotés de ce privilège accèdent à toutes les lignes.',
      fix: 'Remplacez "{path}" par un élément de {entity} (si la condition est héritée, dans un @restrict propre à {entity}). Écrivez la condition sous forme d’expression, where: (…), pour que le compilateur la vérifie.',
      variants: {
        compiled: {
          why: 'Le compilateur CDS rejette le modèle. Si la condition est alors supprimée, tous les utilisateurs dotés de ce privilège accèdent à toutes les lignes.',
          fix: 'Remplacez "{path}" dans la condition de {entity} par un élément existant.',
        },
        similar: {
          fix: 'Remplacez "{path}" par "{better}", et écrivez la condition sous forme d’expression, where: (…), pour que le compilateur la vérifie.',
        },
        variable: {
          title: 'Variable inconnue dans la condition de @restrict',
          message:
            'La condition de @restrict sur {entity} utilise "{path}", qui n’est ni une variable CAP ni un élément de {entity}.',
          fix: 'Remplacez "{path}" par "{better}" : $user est l’identifiant de l’utilisateur, $user.<attribut> un attribut de l’utilisateur.',
        },
        syntax: {
          title: 'Condition invalide dans @restrict',
          message: 'La condition de @restrict sur {entity} n’est pas une expression CDS valide.',
          fix: 'Corrigez la condition de {entity}, par exemple where: (<élément> = $user). Écrite entre parenthèses plutôt qu’entre apostrophes, elle est vérifiée par le compilateur.',
        },
        empty: {
          title: 'Condition vide dans @restrict',
          message: 'La condition de @restrict sur {entity} est vide, ce que CAP traite comme une absence de condition.',
          why: 'Les utilisateurs dotés de ce privilège accèdent à toutes les lignes, alors qu’il semble limité à certaines.',
          fix: 'Ajoutez une condition pour {entity}, par exemple where: (<élément> = $user), ou retirez "where" si l’accès à toutes les lignes est voulu.',
        },
        constant: {
          title: 'Condition constante dans @restrict',
          message: 'La condition de @restrict sur {entity} donne le même résultat pour toute ligne et tout utilisateur.',
          why: 'Une condition toujours vraie donne aux utilisateurs dotés de ce privilège l’accès à toutes les lignes ; une condition toujours fausse ne leur donne accès à aucune.',
          fix: 'Comparez un élément de {entity} à l’utilisateur, par exemple where: (<élément> = $user), et retirez les branches constantes comme "or 1 = 1".',
        },
        always: {
          title: 'Condition toujours vraie dans @restrict',
          message: 'La condition de @restrict sur {entity} est vraie pour toute ligne et tout utilisateur.',
          why: 'Les utilisateurs dotés de ce privilège accèdent à toutes les lignes, alors qu’il semble limité à certaines.',
          fix: 'Comparez un élément de {entity} à l’utilisateur, par exemple where: (<élément> = $user), et retirez les branches constantes comme "or 1 = 1".',
        },
        quoted: {
          title: 'Variable $user entre apostrophes dans la condition de @restrict',
          message:
            'La condition de @restrict sur {entity} contient {path} entre apostrophes : c’est une chaîne, pas l’utilisateur.',
          why: 'Normalement, aucune ligne ne contient cette chaîne : une égalité masque toutes les lignes, une inégalité les rend toutes accessibles.',
          fix: 'Écrivez {path} sans apostrophes, par exemple where: (<élément> = {path}).',
        },
      },
    },
  }),
})

interface Fault {
  readonly variant?: string
  readonly path: string
  /** What was probably intended. */
  readonly better?: string
  /** Within the condition; undefined: all of it. */
  readonly span?: Span
  readonly isAssumed?: boolean
}

/** All rows, whatever the row or the user. */
const OPENS: ReadonlySet<string> = new Set(['empty', 'always', 'constant'])

function* matchesOf(root: CapRoot, { reach }: Project): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    // conditions on services and actions are ignored, which is another fault
    if (name !== 'restrict' || element?.kind !== 'entity') continue
    for (const { where } of privilegesOf(annotation.value)) {
      const fault = where === undefined ? undefined : faultOf(where, element, root)
      if (where === undefined || fault === undefined) continue
      const { variant, path, better = '', span, isAssumed } = fault
      const at = placeIn(annotation, spanIn(where, span))
      yield {
        at,
        args: { entity: nameOf(restriction), path, better },
        ...(variant !== undefined && OPENS.has(variant) && { exposure: exposureOf(restriction.service, element, reach) }),
        ...(variant !== undefined && { variant }),
        ...(isAssumed === true && { evidence: 'assumed' as const }),
      }
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
  if (variable !== undefined) return { variant: 'variable', path: variable.name, better: userPath(variable.name), span: variable }
  if (isAlwaysTrue(condition.text)) return { variant: 'always', path: '' }
  if (isConstant(condition)) return { variant: 'constant', path: '' }
  // which rows it was to leave out, nothing says
  if (isTautology(condition, element, root)) return { variant: 'always', path: '', isAssumed: true }
  const isChecked = where.kind === 'expression'
  const missing = elementPaths(condition).find(({ path }) => isMissing(root, element, path, isChecked))
  const fault = missing && { ...intended(missing.path, element), path: missing.path, span: missing.at }
  return fault && isChecked && fault.variant === undefined ? { ...fault, variant: 'compiled' } : fault
}

/** `user.id` without its dollar, or an element with a name that is one edit apart. */
function intended(path: string, element: CapElement): Pick<Fault, 'variant' | 'better'> {
  if (/^\$?(?:current_?)?user(?:\.|$)/i.test(path)) return { variant: 'variable', better: userPath(path) }
  const folded = path.toLowerCase()
  const better = element.members().find(({ name }) => name.toLowerCase() === folded || isOneEditApart(name.toLowerCase(), folded))
  return better === undefined ? {} : { variant: 'similar', better: better.name }
}

/** `$user`, with the attribute that a path names. */
function userPath(path: string): string {
  const dot = path.indexOf('.')
  return dot < 0 ? '$user' : `$user${path.slice(dot)}`
}

/** `1 = 1`, or a branch always holds: `… or 1 = 1`. */
function isAlwaysTrue(text: string): boolean {
  return (
    /(?:^|\bor)\s{0,10}(\d{1,9})\s{0,10}={1,2}\s{0,10}\1\s{0,10}$/i.test(text) ||
    /\bor\s{1,10}(\d{1,9})\s{0,10}={1,2}\s{0,10}\1(?!\d)/i.test(text) ||
    /(?<![\w.])(\d{1,9})\s{0,10}={1,2}\s{0,10}\1\s{1,10}or\b/i.test(text)
  )
}

/** It depends neither on the row nor on the user. */
function isConstant({ paths, queries, text }: CdsExpression): boolean {
  // the result of a function is not known
  return paths.length === 0 && queries.length === 0 && !/\w\s{0,10}\(|[:#?]/.test(text)
}

/** The offsets of a part hold only in a string without escapes. */
function spanIn(where: CdsValue, span: Span | undefined): Span {
  if (span === undefined) return where
  if (where.kind === 'expression') return { start: span.start, end: span.end }
  const isPlain = where.kind === 'string' && where.end - where.start === String(where.value).length + 2
  return isPlain ? { start: where.start + 1 + span.start, end: where.start + 1 + span.end } : where
}

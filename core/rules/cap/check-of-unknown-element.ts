import { toWords, type CapRoot } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { rowChecks } from './_rows/row-checks.ts'
import { lastName } from '../../paths.ts'

/**
 * A check that compares an element which the entity of the row does not have, beside one of nearly that name: the element is undefined, so the check never refuses.
 * Facts: capire, "cds.ql" (`SELECT` without columns gives the elements of the entity under their names).
 * Impact: what the check protects, a row that is approved or locked, is changed all the same by those who may call the operation.
 */
export const checkOfUnknownElement: Rule = defineRule({
  id: 'cap/check-of-unknown-element',
  impact: 'data',
  confidence: 'high',
  cwe: [863],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-ql#select',
  on: 'cap-root',
  extracts: [rowChecks],

  *check(root, { reach }) {
    if (root.test) return
    for (const { file, value } of root.scripts.get(rowChecks)) {
      root.step()
      const { entity, element, written, start, end } = value
      const candidates = entitiesOf(root, entity)
      if (candidates.length === 0 || candidates.some((name) => root.lookUp(name, element) !== 'missing')) continue
      const meant = candidates.flatMap((name) => similarIn(root, name, element))[0]
      if (meant === undefined) continue
      const at = { file, span: { start, end } }
      yield {
        at,
        args: { written, element, entity: lastName(candidates[0] ?? entity), meant },
        groupKey: `${file} ${written}`,
        // who calls a function of another file, that file tells
        ...(!value.isHandled && { evidence: 'assumed' as const }),
        exposure: reach.at(at),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Check of an element that the entity does not have',
      message:
        'The check compares {written}, but {entity} has no element {element}: it is called {meant}. The row never holds such a value, so the check never rejects.',
      why: 'Requests that the check should reject are carried out, for example changes to rows that are already approved or locked.',
      fix: 'Compare {meant} instead of {element}.',
    },
    fr: {
      title: 'Contrôle d’un élément que l’entité ne possède pas',
      message:
        'Le contrôle compare {written}, mais {entity} n’a pas d’élément {element} : il s’appelle {meant}. La ligne ne contient jamais cette valeur : le contrôle ne rejette jamais.',
      why: 'Les requêtes que le contrôle devait rejeter sont exécutées, par exemple des modifications de lignes déjà approuvées ou verrouillées.',
      fix: 'Comparez {meant} au lieu de {element}.',
    },
  }),
})

/** The definitions that a query may mean. */
function entitiesOf({ entities }: CapRoot, written: string): readonly string[] {
  if (entities.includes(written)) return [written]
  return written.includes('.') ? [] : entities.filter((name) => lastName(name) === written)
}

/** Elements that end with the same word, or are the same but for the form in which words are joined. */
function similarIn(root: CapRoot, entity: string, element: string): readonly string[] {
  const words = toWords(element)
  return [...root.membersOf(entity).keys()].filter((name) => {
    const other = toWords(name)
    return (
      other === words ||
      other.endsWith(` ${words}`) ||
      words.endsWith(` ${other}`) ||
      other.replaceAll(' ', '') === words.replaceAll(' ', '')
    )
  })
}

import { cutText } from '../../cut-text.ts'
import { lengthThatBlocks } from '../../facts/regex/costly.ts'
import { exposedMembers, isGuarded } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../model/script/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'
import { memberName, worstAtPlaces } from './_matches.ts'
import { declaredPatterns } from './_model/declared-patterns.ts'
import { exposureOf } from './_model/restricted-exposures.ts'

/** What is shown of a pattern. */
const LONGEST = 60

/**
 * A regular expression of the code with exponential backtracking, run on what a client sends.
 * Facts: ECMAScript, "RepeatMatcher"; OWASP, "ReDoS"; @sap/cds 9.9.3, lib/req/validate.js (`@assert.format` is run whatever else is wrong with a value, its length too).
 * Impact: one request blocks the only thread of the server for minutes; no data is read or changed. Of a schema, what is validated by it is mostly not told.
 */
export const regexDenialOfService: Rule = defineRule({
  id: 'cap/regex-denial-of-service',
  impact: 'bounded',
  grades: { schema: { evidence: 'assumed' } },
  confidence: 'high',
  cwe: [1333],
  since: '0.3.0',
  docs: 'https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS',
  docsByVariant: { format: 'https://cap.cloud.sap/docs/guides/services/constraints#assert-format' },
  keywords: ['.regex(', '.pattern(', '.matches(', 'Matches(', 'match:', 'validat'],
  checks: {
    *flow(hit) {
      const [, pattern = '', flags = ''] = /^\/([^]*)\/(\w*)$/.exec(hit.api.subject ?? '') ?? []
      const args = argsOf(pattern, flags)
      if (args !== undefined) yield { ...gradeHit(hit), args: { ...args, part: hit.quotedPart, name: '' } }
    },

    *'server-script'({ path, content: { facts }, budget }) {
      if (isDeveloperFile(path) || isToolFile(path) || isOfUi5App(path)) return
      const step = (count?: number): void => budget.step(count)
      for (const {
        at: { start, end },
        pattern,
        flags,
        by,
        isOfRequest,
      } of declaredPatterns(facts, step)) {
        const args = argsOf(pattern, flags, step)
        if (args === undefined) continue
        yield {
          at: { file: path, span: { start, end } },
          args: { ...args, part: '', name: by },
          variant: 'schema',
          ...(isOfRequest && { evidence: 'shown' as const }),
        }
      }
    },

    *'cap-root'(root, { reach }) {
      if (root.runtime === 'java') return
      const matches: Match[] = []
      for (const exposed of exposedMembers(root)) {
        const { service, entity, member, isWritten } = exposed
        const format = member.annotations.get('assert.format')
        if (format?.value.kind !== 'string' || !isWritten || isGuarded(member)) continue
        const args = argsOf(String(format.value.value), 'u', (count) => root.step(count))
        if (args === undefined) continue
        matches.push({
          at: format.place,
          args: { ...args, part: '', name: memberName(exposed) },
          variant: 'format',
          exposure: exposureOf(service, entity, reach, ['CREATE', 'UPDATE']),
        })
      }
      yield* worstAtPlaces(matches)
    },
  },

  text: () => ({
    en: {
      title: 'Regular expression denial of service (ReDoS)',
      message:
        'The regular expression {pattern} is run on {part} from the request; it can read one text in exponentially many ways, and some {length} characters suffice.',
      why: 'With a single request, an attacker can block the only thread of the server for minutes: no other request is answered until then.',
      fix: 'Rewrite the expression so that a text can be read in one way only: /^\\w+(-\\w+)*$/ instead of /^(\\w+-?)+$/; for mail addresses /^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$/.',
      variants: {
        schema: {
          message:
            'The regular expression {pattern} validates what a client sends ({name}); it can read one text in exponentially many ways, and some {length} characters suffice.',
        },
        format: {
          message:
            'CAP runs @assert.format of {name} on what clients send; {pattern} can read one text in exponentially many ways, and some {length} characters suffice.',
          fix: "Rewrite the expression so that a text can be read in one way only: '^\\w+(-\\w+)*$' instead of '^(\\w+-?)+$'; for mail addresses '^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$'. A length such as String(20) does not help: CAP runs the expression all the same.",
        },
      },
    },
    fr: {
      title: 'Déni de service par expression régulière (ReDoS)',
      message:
        'L’expression régulière {pattern} est appliquée à {part}, issu de la requête ; elle peut lire un même texte d’un nombre exponentiel de façons, et quelque {length} caractères suffisent.',
      why: 'Avec une seule requête, un attaquant peut bloquer l’unique fil d’exécution du serveur pendant plusieurs minutes : aucune autre requête n’obtient de réponse d’ici là.',
      fix: 'Réécrivez l’expression pour qu’un texte ne puisse être lu que d’une seule façon : /^\\w+(-\\w+)*$/ au lieu de /^(\\w+-?)+$/ ; pour les adresses e-mail, /^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$/.',
      variants: {
        schema: {
          message:
            'L’expression régulière {pattern} valide ce qu’un client envoie ({name}) ; elle peut lire un même texte d’un nombre exponentiel de façons, et quelque {length} caractères suffisent.',
        },
        format: {
          message:
            'CAP applique le @assert.format de {name} à ce que les clients envoient ; {pattern} peut lire un même texte d’un nombre exponentiel de façons, et quelque {length} caractères suffisent.',
          fix: "Réécrivez l’expression pour qu’un texte ne puisse être lu que d’une seule façon : '^\\w+(-\\w+)*$' au lieu de '^(\\w+-?)+$' ; pour les adresses e-mail, '^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$'. Une longueur telle que String(20) n’y change rien : CAP applique l’expression malgré tout.",
        },
      },
    },
  }),
})

function argsOf(
  pattern: string,
  flags: string,
  step?: (count?: number) => void,
): { readonly pattern: string; readonly length: string } | undefined {
  const length = lengthThatBlocks(pattern, flags, step)
  return length === undefined ? undefined : { pattern: `/${cutText(pattern, LONGEST)}/`, length: String(length) }
}

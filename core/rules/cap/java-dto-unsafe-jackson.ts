import { closingOf, isWritten, type JavaToken } from '../../parse/java-tokens.ts'
import { javaSources } from './_java/sources.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An ObjectMapper of Jackson that makes objects of whatever class the JSON names.
 * Facts: Jackson documentation, "JacksonPolymorphicDeserialization" (default typing); javadoc of LaissezFaireSubTypeValidator (no validation).
 * Impact: runs code, with a suitable class among the dependencies, and where the JSON comes from clients: neither is examined.
 */
export const javaDtoUnsafeJackson: Rule = defineRule({
  id: 'cap/java-dto-unsafe-jackson',
  impact: 'takeover',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [502],
  since: '0.2.0',
  docs: 'https://github.com/FasterXML/jackson-docs/wiki/JacksonPolymorphicDeserialization',
  on: 'cap-root',

  *check(root) {
    if (root.test) return
    for (const { file, tokens } of javaSources(root, /DefaultTyping/)) {
      for (const [index, { kind, text: setting, start, end }] of tokens.entries())
        if (kind === 'word' && isUnlimited(tokens, index)) yield { at: { file, span: { start, end } }, args: { setting } }
    }
  },

  text: () => ({
    en: {
      title: 'Unsafe deserialization: unrestricted default typing in Jackson',
      message:
        '{setting} lets the JSON name the class of the objects that Jackson creates, and no validator limits these classes.',
      why: 'An attacker who can send JSON to this mapper can make it create objects of library classes (gadgets) that run code or open connections.',
      fix: 'Remove {setting}, and deserialize into concrete classes. If subtypes are needed, annotate their base class with @JsonTypeInfo(use = JsonTypeInfo.Id.NAME), and list them by name with @JsonSubTypes.',
    },
    fr: {
      title: 'Désérialisation dangereuse : typage par défaut de Jackson sans restriction',
      message:
        'Avec {setting}, le JSON reçu désigne la classe des objets créés par Jackson, et aucun validateur ne limite ces classes.',
      why: 'Un attaquant qui peut envoyer du JSON à ce mapper peut lui faire créer des objets de classes de bibliothèques (gadgets) qui exécutent du code ou ouvrent des connexions.',
      fix: 'Supprimez {setting}, et désérialisez vers des classes concrètes. S’il faut des sous-types, annotez leur classe de base avec @JsonTypeInfo(use = JsonTypeInfo.Id.NAME), et indiquez-les par leur nom avec @JsonSubTypes.',
    },
  }),
})

/** Tokens of what a mapper is given. */
const MAX_TOKENS = 200

/** `enableDefaultTyping()`, which has no validator; `activateDefaultTyping(LaissezFaireSubTypeValidator.instance)`, whose validator allows everything. */
function isUnlimited(tokens: readonly JavaToken[], index: number): boolean {
  const text = tokens[index]?.text ?? ''
  if (!isWritten(tokens, index - 1, '.') || !isWritten(tokens, index + 1, '(')) return false
  if (/^enableDefaultTyping(?:AsProperty)?$/.test(text)) return true
  if (!/^activateDefaultTyping(?:AsProperty)?$/.test(text)) return false
  const given = tokens.slice(index + 1, Math.min(closingOf(tokens, index + 1), index + MAX_TOKENS))
  return given.some(
    (_, at) =>
      isWritten(given, at, 'LaissezFaireSubTypeValidator', '.', 'instance') ||
      isWritten(given, at, 'allowIfBaseType', '(', 'Object', '.', 'class'),
  )
}

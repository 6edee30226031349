import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, findPart, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import type { RuleText, Span } from '../../types.ts'

/** A flag of the user that a script sets by the names of users which it holds. */
interface NamedAdministrators {
  readonly at: Span
  /** `isAdmin` */
  readonly flag: string
}

const FLAG =
  /^[_b]{0,2}is_?(?:app|system|super|key|power)?_?(?:admin(?:istrator)?|superuser|keyuser|poweruser|approver|supervisor)$/i
const FLAG_PATH = /(?:^|\/)([\w$]{1,60})$/
const ADDRESS = /^[\w.+-]{1,80}@[\w-]{1,80}\.[\w.-]{2,80}$/
/** What tells who somebody is; a role or a type does not. */
const USER = /(?:^|_)user$|user_?(?:id|name)$|login_?name$|e_?mail$|^s?uname$/i

/** `if (user === "a.weber@corp.example") isAdmin = true`, `model.setProperty("/isAdmin", userName === "WEBER")`. */
export const namedAdministrators: Extract<NamedAdministrators> = defineExtract({
  name: 'ui5-named-administrators',
  keywords: ['Admin', 'admin', 'SuperUser', 'Superuser', 'KeyUser', 'Approver', 'Supervisor'],
  prefilter: (text) =>
    /\bis_?\w{0,6}(?:admin|superuser|keyuser|poweruser|approver|supervisor)/i.test(text) &&
    /===?\s{0,9}["'`]|["'`]\s{0,9}===?/.test(text),
  collect: ({ facts, step }) => [...flagsIn(facts, step)],
})

function* flagsIn(facts: ScriptFacts, step: (count?: number) => void): Generator<NamedAdministrators> {
  for (const { name, value, start, end } of valuesSet(facts)) {
    step()
    if (!FLAG.test(name)) continue
    if (namesUser(value)) yield { at: { start: value.start, end: value.end }, flag: name }
    else if (constantOf(value) === true) {
      step(facts.guards.length)
      const guard = facts.guards.find((one) => isWithin({ start, end }, one.inside) && namesUser(one.test))
      if (guard !== undefined) yield { at: { start: guard.test.start, end: guard.test.end }, flag: name }
    }
  }
}

interface ValueSet extends Span {
  readonly name: string
  readonly value: Value
}

function* valuesSet({ bindings, calls, assignments }: ScriptFacts): Generator<ValueSet> {
  for (const { name, definitions } of bindings)
    for (const { value, start, end } of definitions) if (value !== undefined) yield { name, value, start, end }
  for (const { target, value, start, end } of assignments)
    if (target.name !== undefined && value !== undefined) yield { name: target.name, value, start, end }
  for (const { callee, args, start, end } of calls) {
    const [path, value] = args
    if (value === undefined || path === undefined || lastNameOf(callee) !== 'setProperty') continue
    const [, name] = FLAG_PATH.exec(String(constantOf(path) ?? '')) ?? []
    if (name !== undefined) yield { name, value, start, end }
  }
}

/** A user is compared with a name that the code holds. */
function namesUser(test: Value): boolean {
  const isComparison = (part: Value): boolean => {
    if (part.kind !== 'operation' || !/^===?$/.test(part.operator)) return false
    const texts = part.operands.map((operand) => constantOf(operand))
    const text = texts.find((one) => typeof one === 'string')
    const other = part.operands[texts.findIndex((one) => one === undefined)]
    if (typeof text !== 'string' || text === '' || other === undefined) return false
    return ADDRESS.test(text) || USER.test(lastNameOf(other) ?? '')
  }
  return findPart(test, isComparison) !== undefined
}

export const NAMED_WORDS: Readonly<Record<'en' | 'fr', Partial<RuleText>>> = {
  en: {
    message:
      'The page takes a user for an administrator ("{role}") whose name it compares with names in its code; no server in this project checks the role.',
    why: 'Any user can set the flag in the developer tools, or open the page and send its requests without it. If the services do not check the role either, every user can read and change the data behind it.',
  },
  fr: {
    message:
      'La page considère comme administrateur ("{role}") l’utilisateur dont elle compare le nom à ceux de son code ; aucun serveur de ce projet ne vérifie le rôle.',
    why: 'Tout utilisateur peut définir ce drapeau dans les outils de développement, ou ouvrir la page et envoyer ses requêtes sans elle. Si les services ne vérifient pas le rôle non plus, tout utilisateur peut lire et modifier les données.',
  },
}

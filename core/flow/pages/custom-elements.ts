import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type ClassFact,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { ANY_FIELD } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { tagOf } from '../sinks/tags.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { isWithin } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'

/** The tag of a custom element has a hyphen (HTML standard, "valid custom element name"). */
const TAG = /^[a-z][\w.]{0,60}-[\w.-]{1,60}$/
/** The tag in a selector: `.list > dish-card[open]`. */
const SELECTED = /(?:^|[\s>+~])([a-z][\w]{0,60}-[\w-]{1,60})[^\s>+~]{0,200}$/
/** The attribute that a template gives a value to: `<dish-card .text=${`, `<dish-card name="a" text="${`. Handlers (`@click`) and booleans (`?open`) are none. */
const GIVEN = /<([a-z]\w{0,60}-[\w-]{1,60})(?:\s[^<>]{0,2000})?\s\.?([\w-]{1,80})=["']?$/
/** More than `GIVEN` spans: all of a template would be read again for each of its values. */
const LONGEST_TAG = 2300
/** Types of properties that hold no text. Fact: Lit 3, "Reactive properties", `type`. */
const PLAIN: ReadonlySet<string> = new Set(['Number', 'Boolean', 'Date'])

/** Whether a script may define or fill an element: most do not. */
export function mayUseElements(text: string): boolean {
  return ['customElement', 'createElement', 'querySelector', 'html`', 'HTMLElement', 'LitElement'].some((word) =>
    text.includes(word),
  )
}

/** Adds web components: what others give to attributes and properties of an element arrives in the object of its class. */
export function addCustomElements(draft: FlowDraft): void {
  const { calls, elements, assignments } = draft.facts
  for (const call of calls) {
    const name = lastNameOf(call.callee) ?? ''
    if (name === 'customElement' || name === 'define') addDefinition(call, draft)
    if (name === 'setAttribute') {
      const [attribute, value] = call.args
      const written = stringConstantOf(attribute)
      if (call.callee.kind === 'member' && written !== undefined && value !== undefined)
        giveTo(call.callee.object, written, value, draft)
    }
    if (call.kind === 'tagged') {
      addTemplate(call, draft)
      if (HTML_TAG.test(name) && draft.owners.functionsBehind(call.callee).length === 0) addTemplateSinks(call, draft)
    }
  }
  addElementClasses(draft)
  for (const { target, value } of assignments) if (target.name !== undefined) giveTo(target.object, target.name, value, draft)
  for (const { name: tag, component, attributes } of elements)
    if (component === undefined && TAG.test(tag))
      for (const { name, value } of attributes) if (name !== undefined && value !== undefined) give(tag, name, value, draft)
}

/** Attributes are written without capitals or with hyphens for the same property. */
function storeOf(tag: string): string {
  return `element ${tag}`
}

function keyOf(name: string): string {
  return name.replaceAll('-', '').toLowerCase()
}

function give(tag: string | undefined, name: string, value: Value, draft: FlowDraft): void {
  if (tag !== undefined) giveStore(storeOf(tag), name, value, draft)
}

/** To an element that is known by its tag, or by the class that the code says it is of. */
function giveTo(element: Value, name: string, value: Value, draft: FlowDraft): void {
  const tag = tagBehind(element, draft)
  const type = tag === undefined ? typeBehind(element, draft) : undefined
  if (type !== undefined) giveStore(classStore(type), name, value, draft)
  else give(tag, name, value, draft)
}

function giveStore(store: string, name: string, value: Value, draft: FlowDraft): void {
  if (value.kind === 'literal' || value.kind === 'function') return
  draft.ends.ports.push({ node: draft.use(value), access: 'write', store, path: [keyOf(name)] })
}

/** `NoteCard` of `document.getElementById('card') as NoteCard`, of `card: NoteCard`. */
function typeBehind(element: Value, { facts: { types } }: FlowDraft): string | undefined {
  if (types.size === 0) return undefined
  const binding = element.kind === 'reference' ? element.binding : undefined
  return types.get(element) ?? (binding && types.get(binding)) ?? types.get(resolveValue(element))
}

/** The custom element that `document.createElement` made, or that a selector found. */
function tagBehind(value: Value, draft: FlowDraft): string | undefined {
  const here = resolveValue(value)
  if (here.kind !== 'call') return undefined
  const made = draft.owners.functionsBehind(here.callee).length > 0 ? tagOf(here, draft) : ''
  if (made !== '') return TAG.test(made) ? made : undefined
  const text = stringConstantOf(here.args[0])
  if (text === undefined) return undefined
  const name = lastNameOf(here.callee) ?? ''
  if (name === 'createElement') return TAG.test(text) ? text : undefined
  return name === 'querySelector' || name === 'closest' ? SELECTED.exec(text)?.[1] : undefined
}

/** html`<dish-card .text=${text}></dish-card>` of Lit. */
function addTemplate(call: CallValue, draft: FlowDraft): void {
  for (const { value, open } of openTags(call)) {
    const [, tag, name] = GIVEN.exec(open) ?? []
    if (name !== undefined) give(tag, name, value, draft)
  }
}

/** The template function of Lit, also where an import renames it. */
const HTML_TAG = /^(?:\w{0,20}[hH]tml|svg)$/
/** The attribute or property that a value of a template is the beginning of: `<a class="x" href=${`, `<div .innerHTML="${`. */
const ATTRIBUTE = /<([a-z][\w-]{0,60})(?:\s[^<>]{0,2000})?\s\.?([\w:-]{1,40})=["']?$/i
const RAW_ATTRIBUTE = /^(?:innerHTML|outerHTML|srcdoc)$/i
const ADDRESS_ATTRIBUTES =
  /^(?:(?:a|area|ui5-link) (?:xlink:)?href|i?frame src|form action|(?:button|input) formaction|embed src|object data)$/i

/** Values that a template of Lit writes as they are. Fact: Lit 3, "Expressions": texts are escaped, properties and addresses are set as they come. */
function addTemplateSinks(call: CallValue, draft: FlowDraft): void {
  for (const { value, open } of openTags(call)) {
    const [, tag, name] = ATTRIBUTE.exec(open) ?? []
    if (tag === undefined || name === undefined || value.kind === 'literal') continue
    const known = { node: draft.use(value), name: `<${tag} ${name}>` }
    if (RAW_ATTRIBUTE.test(name)) addFound(FOUND_SINKS.templateMarkup, value, draft, known)
    else if (ADDRESS_ATTRIBUTES.test(`${tag} ${name}`)) addFound(FOUND_SINKS.linkAddress, value, draft, known)
  }
}

/** The values of a template, each with the tag that it stands in as far as that is written before it. */
function* openTags({ args, texts = [] }: CallValue): Generator<{ readonly value: Value; readonly open: string }> {
  let before = ''
  for (const [index, value] of args.entries()) {
    before += texts[index] ?? ''
    const open = before.slice(Math.max(before.lastIndexOf('<'), before.length - LONGEST_TAG, 0))
    yield { value, open }
    before = `${open}x`
  }
}

/** `@customElement("dish-card") class …`, `customElements.define("dish-card", DishCard)`. */
function addDefinition(call: CallValue, draft: FlowDraft): void {
  const [first, second] = call.args
  const given = first && resolveValue(first)
  const tag = given && constantOf(fieldOf(given, 'tag')?.value ?? given)
  if (typeof tag !== 'string' || !TAG.test(tag)) return
  const isDecorator = lastNameOf(call.callee) === 'customElement'
  if (
    !isDecorator &&
    !accessesOf(call.callee).some(({ root, steps }) => `${root} ${steps.join(' ')}`.endsWith('customElements define'))
  )
    return
  const { classes, functions, calls } = draft.facts
  draft.step(classes.length + functions.length + calls.length)
  const defined = isDecorator ? decoratedBy(call, classes) : second && resolveValue(second)
  const fact = defined !== undefined && 'kind' in defined ? (defined.kind === 'class' ? defined.class : undefined) : defined
  if (fact !== undefined) readProperties(fact, storeOf(tag), draft)
  else if (second?.kind === 'reference' && second.binding?.module !== undefined) passToClass(tag, second, draft)
}

/** `customElements.define("remark-note", RemarkNote)` of a class that another file has: what the element is given arrives there. */
function passToClass(tag: string, type: Value & { readonly kind: 'reference' }, { graph, ends: { ports } }: FlowDraft): void {
  const node = graph.add(type)
  ports.push({ node, access: 'read', store: storeOf(tag), path: [] })
  ports.push({ node, access: 'write', store: classStore(type.binding?.module?.name ?? type.name), path: [] })
}

function classStore(name: string): string {
  return `element class ${name}`
}

const ELEMENT = /(?:^|[ .])(?:HTML\w{0,30}Element|LitElement|UI5Element)$/

/** Classes of elements, which other files may define, or know by their names. */
function addElementClasses(draft: FlowDraft): void {
  for (const fact of draft.facts.classes)
    if (fact.name !== '' && ELEMENT.test(lastNameOf(fact.parent ?? UNKNOWN) ?? ''))
      readProperties(fact, classStore(fact.name), draft)
}

const UNKNOWN: Value = { kind: 'unknown', start: 0, end: 0 }

/** The class that a decorator stands before. */
function decoratedBy({ start, end }: CallValue, classes: readonly ClassFact[]): ClassFact | undefined {
  return classes
    .filter((fact) => fact.end >= end && (fact.start >= end || fact.start <= start))
    .reduce<ClassFact | undefined>(
      (nearest, fact) => (nearest === undefined || fact.start < nearest.start ? fact : nearest),
      undefined,
    )
}

function readProperties(fact: ClassFact, store: string, draft: FlowDraft): void {
  const { graph, ends, facts } = draft
  const read = (node: number, key: string): void => void ends.ports.push({ node, access: 'read', store, path: [key] })
  const plain = plainPropertiesOf(fact, draft)
  const names = new Set([
    ...fact.members.flatMap(({ name, isStatic, value }) => (isStatic || value?.kind === 'function' ? [] : (name ?? []))),
    ...declaredIn(fact),
  ])
  for (const name of names)
    if (!plain.has(name) && !name.startsWith('#'))
      read(graph.ofField(fact, name, { start: fact.start, end: fact.start + 'class'.length }), keyOf(name))
  for (const own of facts.functions) {
    if (own.owner !== fact) continue
    // attributeChangedCallback(name, before, value)
    const changed = own.name.endsWith('.attributeChangedCallback') ? draft.parameters.nodeOf(own, 2) : undefined
    if (changed !== undefined) for (const key of observedBy(fact) ?? [ANY_FIELD]) read(changed, key)
    const set = own.kind === 'setter' ? draft.parameters.nodeOf(own, 0) : undefined
    if (set !== undefined) read(set, keyOf(lastName(own.name)))
  }
  for (const call of facts.calls) {
    const { callee, args } = call
    if (callee.kind !== 'member' || callee.name !== 'getAttribute' || callee.object.kind !== 'this') continue
    const name = stringConstantOf(args[0])
    if (name !== undefined && isWithin(call.function, fact)) read(draft.use(call), keyOf(name))
  }
}

/** `static get observedAttributes() { return ["remark"] }`: of no others a class is told. Undefined: nobody can tell them. */
function observedBy({ members }: ClassFact): readonly string[] | undefined {
  const value = members.find(({ name, isStatic }) => isStatic && name === 'observedAttributes')?.value
  const list = value?.kind === 'function' ? value.function.returns[0] : value
  const names = list?.kind === 'array' ? list.items.map((item) => constantOf(item)) : undefined
  return names?.every((name) => typeof name === 'string') === true ? names.map((name) => keyOf(String(name))) : undefined
}

/** `static properties = { text: { type: String } }`. */
function propertiesIn({ members }: ClassFact): Value | undefined {
  const value = members.find(({ name, isStatic }) => isStatic && name === 'properties')?.value
  return value?.kind === 'function' ? value.function.returns[0] : value
}

function declaredIn(fact: ClassFact): readonly string[] {
  const properties = propertiesIn(fact)
  return properties?.kind === 'object' ? properties.fields.flatMap(({ key }) => key ?? []) : []
}

/** Properties of a type that holds no text: `@property({ type: Number }) price`, `static properties = { price: { type: Number } }`. */
function plainPropertiesOf(fact: ClassFact, { facts }: FlowDraft): ReadonlySet<string> {
  const properties = propertiesIn(fact)
  const declared = (properties?.kind === 'object' ? properties.fields : []).flatMap(({ key, value }) =>
    isPlain(value) ? (key ?? []) : [],
  )
  const decorated = facts.calls.flatMap(({ callee, args: [settings], start, end }) => {
    if (lastNameOf(callee) !== 'property' || settings === undefined || start < fact.start || end > fact.end || !isPlain(settings))
      return []
    const member = fact.members.find((one) => one.end > end)
    return member?.name ?? []
  })
  return new Set([...declared, ...decorated])
}

function isPlain(settings: Value): boolean {
  const type = fieldOf(resolveValue(settings), 'type')?.value ?? settings
  return PLAIN.has(lastNameOf(type) ?? '')
}

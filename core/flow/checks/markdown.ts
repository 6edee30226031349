import { fieldOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

/**
 * Whether a script has marked leave HTML out, or change it, so that what it renders may be harmless: by a renderer for HTML, by hooks, or by the option of old releases.
 * Facts: marked 15, "Extending Marked" (`renderer.html`, `hooks`, `tokenizer`, `walkTokens`); marked 4, "Options" (`sanitize`, `sanitizer`).
 */
export function mayCleanMarkdown(facts: ScriptFacts, text: string, step: (count?: number) => void): boolean {
  if (!text.includes('marked')) return false
  step(facts.calls.length + facts.assignments.length)
  const { assignments, calls } = facts
  return (
    assignments.some(
      ({ target }) => target.name === 'html' && 'object' in target && /renderer$/i.test(lastNameOf(target.object) ?? ''),
    ) || calls.some(isConfiguring)
  )
}

/** `marked.use({ … })`, `marked.parse(text, { … })`, `new Marked({ … })`. */
function isConfiguring({ callee, args }: CallValue): boolean {
  return CONFIGURED.test(lastNameOf(callee) ?? '') && args.some(sets)
}

const CONFIGURED = /^(?:use|setOptions|options|marked|Marked|parse|parseInline)$/
const CHANGES = /^(?:hooks|tokenizer|walkTokens|sanitize|sanitizer)$/

function sets(options: Value): boolean {
  const made = resolveValue(options)
  return (
    'fields' in made &&
    made.fields.some(({ key, value }) => CHANGES.test(key ?? '') || (key === 'renderer' && rendersHtml(value)))
  )
}

/** What is assigned to `new marked.Renderer()`, is looked for elsewhere; one of a class of one's own is not known. */
function rendersHtml(renderer: Value): boolean {
  const made = resolveValue(renderer)
  if ('callee' in made) return lastNameOf(made.callee) !== 'Renderer'
  return !('fields' in made) || fieldOf(made, 'html') !== undefined || made.fields.some(({ key }) => key === undefined)
}

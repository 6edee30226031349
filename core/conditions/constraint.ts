/**
 * What a condition proves about a value: `listed` one of those that the code names, or no text at all · `form` a text of a form, known as a whole · `lacks` without `text` ·
 * `starts` with what it is held against, `text` where that is written · `unlike` does not start with `text` · `host` an address of a host that the code names · `origin` the same or the own
 * one · `scheme` an address that runs no code · `signed` by who has the key · `answered` a predicate of the project was asked, which its body may contradict · `handed` a
 * function of another file was given it that may throw · `asked` nothing but its type, length or the like.
 */
export type ConstraintKind =
  | 'listed'
  | 'form'
  | 'lacks'
  | 'starts'
  | 'unlike'
  | 'host'
  | 'origin'
  | 'scheme'
  | 'signed'
  | 'answered'
  | 'handed'
  | 'asked'

export interface Proof {
  readonly kind: ConstraintKind
  readonly text?: string
}

/** What a test proves. `of`: the key of the value (`keyOf`), so that what is known of one field says nothing of another. */
export interface Constraint extends Proof {
  readonly of: string
}

/** All that is proved where each of the conditions holds. */
export function unite<Kind extends Proof>(sets: readonly (readonly Kind[])[]): readonly Kind[] {
  const known = new Set<string>()
  return sets.flat().filter((one) => {
    const written = nameOf(one)
    return !known.has(written) && known.add(written) !== undefined
  })
}

/** What is proved where one of the conditions holds, whichever it is. */
export function common<Kind extends Proof>([first = [], ...others]: readonly (readonly Kind[])[]): readonly Kind[] {
  const names = others.map((set) => new Set(set.map(nameOf)))
  return first.filter((one) => names.every((set) => set.has(nameOf(one))))
}

export function proves(proofs: readonly Proof[], kind: ConstraintKind): boolean {
  return proofs.some((one) => one.kind === kind)
}

function nameOf(proof: Proof & { readonly of?: string }): string {
  return `${proof.kind} ${proof.text ?? ''}\n${proof.of ?? ''}`
}

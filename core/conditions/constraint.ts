/**
 * What a condition proves about a value: `listed` one of those that the code names, or no text at all · `form` a text of a form, known as a whole · `lacks` without `text` · `short` of a few characters ·
 * `starts` with what it must, or with `text` alone (`WORD`: letters and digits, which fix no host of an address that it is a part of) · `unlike` does not start with `text` · `inside` a path that stays in a folder, whatever dots are in it · `ends` as a host must · `same` as
 * another value · `host` an address of a host that the code names · `origin` the same or the own one · `scheme` an address that runs no code · `signed` by who has the key · `answered` a predicate of the project was asked, which its body may contradict (`text`: its name says
 * that it knows what is allowed) · `handed` a function of another file was given it that may throw · `asked` nothing but its type, length or the like · `there` nothing but whether
 * it is there · `refused` the body of a response that is no success · `gave` what a call gave, which another file may know the meaning of (`text`: `true` or `false`) · `settled` the same of a promise that was waited for · `open` it was asked in a way that nobody understands.
 */
export type ConstraintKind =
  | 'listed'
  | 'form'
  | 'lacks'
  | 'short'
  | 'starts'
  | 'unlike'
  | 'inside'
  | 'ends'
  | 'same'
  | 'host'
  | 'origin'
  | 'scheme'
  | 'signed'
  | 'answered'
  | 'handed'
  | 'asked'
  | 'there'
  | 'refused'
  | 'gave'
  | 'settled'
  | 'open'

/** What stands for a beginning that is a word: `ID.startsWith('WS')`. Behind the host of an address, the rest of the value is free. */
export const WORD = 'word'

/** Of a form that is a content type of a list: among those that the list allows, some run scripts. */
export const RUNNING_TYPE = 'running-type'

export interface Proof {
  readonly kind: ConstraintKind
  readonly text?: string
}

/** What a test proves. `of`: the key of the value (`keyOf`), so that what is known of one field says nothing of another. */
export interface Constraint extends Proof {
  readonly of: string
}

/** The same of each value that has a key. */
export function toConstraints(
  kind: ConstraintKind,
  names: readonly (string | undefined)[],
  text?: string,
): readonly Constraint[] {
  return names.flatMap((of): readonly Constraint[] =>
    of === undefined ? [] : [text === undefined ? { kind, of } : { kind, of, text }],
  )
}

/** All that is proved where each of the conditions holds. */
export function unite<Kind extends Proof & { readonly of?: string }>(sets: readonly (readonly Kind[])[]): readonly Kind[] {
  const filled = sets.filter((one) => one.length > 0)
  const [only] = filled
  if (only === undefined) return []
  if (filled.length === 1 && only.length === 1) return only
  const all = filled.flat()
  if (all.length <= FEW) return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index)
  const known = new Set<string>()
  return all.filter((one) => {
    const written = nameOf(one)
    return !known.has(written) && known.add(written) !== undefined
  })
}

/** So many are compared one by one: no names are made for them. */
const FEW = 8

function isSame(one: Proof & { readonly of?: string }, { kind, text = '', of = '' }: typeof one): boolean {
  return one.kind === kind && (one.of ?? '') === of && (one.text ?? '') === text
}

/**
 * What is proved where one of the conditions holds, whichever it is. Of what is listed or not there, all is known that may be asked of it or of its fields; of what is the same as
 * another value, how it begins or ends: `file === folder || file.startsWith(folder + '/')`; of a word and a longer beginning, what holds for the word.
 */
export function common<Kind extends Proof & { readonly of?: string }>([
  first = [],
  ...others
]: readonly (readonly Kind[])[]): readonly Kind[] {
  if (others.length === 0) return first
  const sets = [first, ...others]
  const names = sets.map((set) => new Set(set.map(nameOf)))
  const isAsked = sets.some((set) => set.some(({ kind }) => kind === 'asked'))
  const known = sets.map((set) => set.filter(({ kind }) => isAsked || COVERING.has(kind)))
  const isIn = (index: number, one: Kind): boolean =>
    names[index]?.has(nameOf(one)) === true || known[index]?.some((all) => covers(all, one)) === true
  return unite(known[0]?.length === 0 ? [first] : sets).filter((one) => sets.every((_, index) => isIn(index, one)))
}

/** What may be known in another way as well. */
const COVERING: ReadonlySet<ConstraintKind> = new Set<ConstraintKind>(['listed', 'same', 'starts'])

/** Whether what is listed, the same as another value or fixed in its beginning is known in this way as well; whatever is known, was asked. */
function covers(all: Proof & { readonly of?: string }, { kind, text, of = '' }: Proof & { readonly of?: string }): boolean {
  const own = all.of ?? ''
  if (kind === 'asked' && all.kind !== 'open' && of === own) return true
  if (all.kind === 'same') return of === own && ENDS.has(kind)
  // a longer text that it must begin with fixes no less than a word
  if (all.kind === 'starts') return of === own && kind === 'starts' && all.text === undefined && text === WORD
  return all.kind === 'listed' && (of === own || of.startsWith(`${own} `))
}

const ENDS: ReadonlySet<ConstraintKind> = new Set<ConstraintKind>(['starts', 'inside', 'ends'])

export function proves(proofs: readonly Proof[], kind: ConstraintKind): boolean {
  return proofs.some((one) => one.kind === kind)
}

/** Whether the value is one of those that its author wants: by a list or a form, or by a function that promises so. */
export function isAllowed({ kind, text }: Proof): boolean {
  return kind === 'listed' || kind === 'form' || (kind === 'answered' && text !== undefined)
}

/** Whether that is enough for the host of an address. */
export function knowsHost(proof: Proof): boolean {
  return isAllowed(proof) || proof.kind === 'ends' || proof.kind === 'same'
}

/** What looks at a value and proves nothing of it. */
const LITTLE: ReadonlySet<ConstraintKind> = new Set<ConstraintKind>([
  'asked',
  'there',
  'refused',
  'gave',
  'settled',
  'same',
  'ends',
])

/** Whether all is known that a function asks about a value, so that its name promises nothing more. */
export function tellsLittle(proofs: readonly Proof[]): boolean {
  return proofs.length > 0 && !proves(proofs, 'open')
}

/** What is known beside what was looked at in vain. */
export function isProof({ kind }: Proof): boolean {
  return kind !== 'open' && !LITTLE.has(kind)
}

function nameOf(proof: Proof & { readonly of?: string }): string {
  return `${proof.kind} ${proof.text ?? ''}\n${proof.of ?? ''}`
}

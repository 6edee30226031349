import type { StepCounter } from '../../budget.ts'
import type { ProjectFile, Role } from '../../files.ts'
import { membersOf, textsBelow, type DataNode } from '../../parse/data.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'

const NAME = /(?:@[\w.-]{1,100}\/)?[\w.-]{1,214}/g
const IN_MODULES = /node_modules\/((?:@[\w.-]{1,100}\/)?[\w.-]{1,214})/g
const MAX_TEXT = 20_000

/** The packages whose files a text names, as they lie in an installation: `../node_modules/jquery/dist/jquery.js`. */
export function packagesByPath(text: string): readonly string[] {
  return [...text.matchAll(IN_MODULES)].map(([, name = '']) => name)
}

/** The words of settings that may name a package, and the packages that pages load as files: descriptors, images, scripts of shells, ui5.yaml. */
export function findNamedInSettings(files: ReadonlyMap<string, ProjectFile>, step: StepCounter['step']): ReadonlySet<string> {
  step(files.size)
  const named = new Set<string>()
  const addWords = (text: string): void => {
    step(text.length)
    for (const [word] of text.slice(0, MAX_TEXT).matchAll(NAME)) named.add(word)
  }
  for (const { kind, content } of files.values()) {
    if (content.as === 'markup') {
      for (const element of elementsOf(content.document)) {
        step(1)
        const source = attributeOf(element, 'src') ?? attributeOf(element, 'href')
        const [name] = packagesByPath(source?.value.slice(0, MAX_TEXT) ?? '')
        if (name !== undefined) named.add(name)
      }
    } else if (content.as === 'text') addWords(content.text ?? '')
    else if (content.as === 'data')
      for (const root of content.roots)
        for (const { text } of settingsOf(root, kind.role).flatMap((node) => textsBelow(node))) addWords(text)
  }
  return named
}

/** The scripts of a package.json are asked for by those who install for it. */
function settingsOf(root: DataNode, role: Role | undefined): readonly DataNode[] {
  return role === 'package' ? membersOf(root).flatMap(({ key, value }) => (key === 'scripts' ? [] : value)) : [root]
}

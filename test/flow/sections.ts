import { readFileSync } from 'node:fs'

/** A section of a Markdown file of examples: its heading, and the files of a small project. */
export interface ExampleSection {
  readonly heading: string
  readonly files: readonly (readonly [path: string, text: string])[]
}

/** Reads the sections of a file in this folder; throws where one has no files. */
export function readSections(name: string): ExampleSection[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = ''] = section.split('\n', 1)
      const files = [...section.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, path = '', code = '']) => [path, code] as const)
      if (files.length === 0) throw new Error(`${heading}: no files`)
      return { heading, files }
    })
}

/** Files that the build names by their content: the sample project, and the examples of the rules by area. */
interface Bundled {
  readonly sample?: string
  readonly samples?: Readonly<Record<string, string>>
}

export const BUNDLED: Bundled = JSON.parse(document.documentElement.dataset['assets'] || '{}')

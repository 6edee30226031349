/** Access paths of functions of modules, by their names with blanks between. */
export function paths(modules: readonly string[], names: string): string[] {
  return modules.flatMap((module) => names.split(' ').map((name) => `${module} ${name}`))
}

/** A class by its module, and by its name. */
export const both = (paths: string): string[] =>
  paths.split('\n').flatMap((line) => {
    const path = line.trim()
    return path === '' ? [] : [`module:${path}`, `global:${path.replaceAll('/', ' ')}`]
  })

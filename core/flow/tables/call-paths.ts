/** Access paths of functions of modules, by their names with blanks between. */
export function paths(modules: readonly string[], names: string): string[] {
  return modules.flatMap((module) => names.split(' ').map((name) => `${module} ${name}`))
}

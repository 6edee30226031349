import { inEachLanguage } from '../../arguments.ts'
import type { Approuter, Setting } from '../../model/approuter/index.ts'
import { authStrategyOf, isForDevelopment, servedServices, type CapRoot } from '../../model/cap/index.ts'
import type { Severity } from '../../types.ts'

/** Severity of a setting: one that only local runs read is LOW at most. */
export function gradeSetting({ deployed }: Setting, severity: Severity): Severity {
  return deployed || severity === 'INFO' ? severity : 'LOW'
}

/** A variable that a script or pipeline sets with `cf set-env` stays set until `cf unset-env`, whatever is deployed. */
export function isSetByCommand({ app }: Setting): boolean {
  return app !== undefined
}

/** What a fix adds where `cf set-env` sets the variable: it stays set when the command is gone. Source: https://cli.cloudfoundry.org/en-US/v8/unset-env.html */
export function unsetCommand({ app, name }: Setting): string {
  if (app === undefined) return ''
  // an argument has room for short names only
  const command = `cf unset-env ${app.length > 36 ? '<app>' : app} ${name}`
  return inEachLanguage({
    en: `. To unset the variable, run "${command}" and restart the app`,
    fr: `. Pour supprimer la variable, exécutez "${command}" et redémarrez l’application`,
  })
}

/** Severity of a fault in a descriptor: in one that only local runs read it is LOW at most. */
export function gradeDescriptor({ deployed }: Approuter, severity: Severity): Severity {
  return deployed || severity === 'INFO' ? severity : 'LOW'
}

/** Severity of an unauthenticated route to a backend: a CAP service of the same project may still authenticate, and its own rules judge that. */
export function gradePublicBackend(approuter: Approuter, capRoots: readonly CapRoot[]): Severity {
  return gradeDescriptor(approuter, capRoots.some(authenticates) ? 'MEDIUM' : 'HIGH')
}

/** In production its services reject callers without a token, as far as the project says. */
function authenticates(root: CapRoot): boolean {
  if (root.test || servedServices(root).some(({ access }) => access.kind === 'default-public')) return false
  return root.productive().every((configuration) => {
    const { kind, custom } = authStrategyOf(configuration)
    return custom || kind === undefined || !isForDevelopment(kind)
  })
}

/** Severity of a fault that a URL shows: one with an empty segment or an encoded slash is changed by clients and proxies on its way. */
export function gradeWitness(url: string, severity: Severity): Severity {
  const isOrdinary = !url.includes('//') && !/%(?:2f|5c)/i.test(url)
  return isOrdinary || severity === 'INFO' ? severity : 'LOW'
}

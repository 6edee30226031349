import type { CapAccess, CapRoot } from '../model/cap/index.ts'
import type { ReachModel } from '../model/reach/index.ts'
import { positionAt, type LineTable } from '../parse/position.ts'
import type { ReportCapService } from '../report/types.ts'
import type { Locale, Localized } from '../types.ts'
import { listEntities } from './entities.ts'
import { toReportExposure } from './exposure.ts'

const WORDS: Readonly<Record<CapAccess['kind'], Localized<string>>> = {
  roles: {
    en: 'Users with one of the roles {roles}: {file} says so.',
    fr: 'Les utilisateurs ayant l’un des rôles {roles} : {file} l’indique.',
  },
  authenticated: { en: 'Any authenticated user: {file} says so.', fr: 'Tout utilisateur authentifié : {file} l’indique.' },
  public: { en: 'Anybody, without a login: {file} says so.', fr: 'Tout le monde, sans connexion : {file} l’indique.' },
  'default-authenticated': {
    en: 'Any authenticated user of any role: nothing is declared, and that is the default in production.',
    fr: 'Tout utilisateur authentifié, quel que soit son rôle : rien n’est déclaré, et c’est la valeur par défaut en production.',
  },
  'default-public': {
    en: 'Anybody, without a login: nothing is declared, and the version or configuration of CAP then asks nobody.',
    fr: 'Tout le monde, sans connexion : rien n’est déclaré, et la version ou la configuration de CAP n’exige alors personne.',
  },
  'default-unknown': {
    en: 'Nothing is declared: from version 5 on CAP Java then lets anybody in, before that any authenticated user.',
    fr: 'Rien n’est déclaré : à partir de la version 5, CAP Java accepte alors tout le monde, auparavant tout utilisateur authentifié.',
  },
  none: { en: 'Nobody from outside.', fr: 'Personne de l’extérieur.' },
}

/** The services that each root serves, in the order of files, with who may call them and why. Imported and internal ones are left out. */
export function listCapServices(
  roots: readonly CapRoot[],
  reach: Pick<ReachModel, 'ofService' | 'ofElement'>,
  linesOf: (file: string) => LineTable | undefined,
  locale: Locale,
  step: () => void,
): ReportCapService[] {
  const rows: ReportCapService[] = []
  for (const { test, runtime, services } of roots) {
    for (const service of services) {
      const { name, exposure, place, endpoints, access } = service
      step()
      if (test || exposure !== 'served') continue
      const lines = place.span === undefined ? undefined : linesOf(place.file)
      const line = lines === undefined || place.span === undefined ? undefined : positionAt(lines, place.span.start).line
      const path = endpoints.map(({ path }) => path).join(', ')
      rows.push({
        name,
        file: place.file,
        line,
        path,
        access: wordAccess(access, locale),
        exposure: toReportExposure(reach.ofService(service), linesOf),
        entities: listEntities(
          service,
          runtime,
          (entity) => toReportExposure(reach.ofElement(service, entity, ['READ', 'CREATE', 'UPDATE', 'DELETE']), linesOf),
          step,
        ),
      })
    }
  }
  return rows
}

function wordAccess({ kind, roles, place }: CapAccess, locale: Locale): string {
  return WORDS[kind][locale].replace('{roles}', () => roles.join(', ')).replace('{file}', () => place.file)
}

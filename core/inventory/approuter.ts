import type { Approuter, Route } from '../model/approuter/index.ts'
import { positionAt, type LineTable } from '../parse/position.ts'
import type { ReportRoute } from '../report/types.ts'
import type { Locale, Localized } from '../types.ts'

const WORDS: Readonly<Record<'off' | 'none' | 'default' | 'typed', Localized<string>>> = {
  off: {
    en: 'Nobody is asked: "authenticationMethod" is none for all routes.',
    fr: 'Personne n’est authentifié : « authenticationMethod » vaut none pour toutes les routes.',
  },
  none: {
    en: 'Nobody is asked: the route says "authenticationType": "none".',
    fr: 'Personne n’est authentifié : la route indique « "authenticationType": "none" ».',
  },
  default: {
    en: 'XSUAA: the route names no type, and that is the default.',
    fr: 'XSUAA : la route n’indique aucun type, et c’est la valeur par défaut.',
  },
  typed: { en: 'By {type}: the route says so.', fr: 'Par {type} : la route l’indique.' },
}

/** The routes of every approuter, in their order, and how each authenticates and why. */
export function listRoutes(
  approuters: readonly Approuter[],
  linesOf: (file: string) => LineTable | undefined,
  locale: Locale,
): ReportRoute[] {
  return approuters.flatMap((approuter) =>
    approuter.routes.map((route): ReportRoute => {
      const lines = linesOf(approuter.file)
      const span = route.place.span
      return {
        file: approuter.file,
        ...(lines !== undefined && span !== undefined && { line: positionAt(lines, span.start).line }),
        source: route.source,
        ...(route.target.name !== '' && { target: route.target.name }),
        authentication: wordAuthentication(approuter, route, locale),
        ...(route.methods !== undefined && { methods: route.methods }),
      }
    }),
  )
}

function wordAuthentication(approuter: Approuter, route: Route, locale: Locale): string {
  if (approuter.authenticationMethod === 'none') return WORDS.off[locale]
  if (route.authenticationType === 'none') return WORDS.none[locale]
  if (route.authenticationType === undefined) return WORDS.default[locale]
  return WORDS.typed[locale].replace('{type}', () => route.authenticationType ?? '')
}

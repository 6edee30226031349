import type { Approuter, Route } from '../model/approuter/index.ts'
import type { ReachModel } from '../model/reach/index.ts'
import { extentAt, type LineTable } from '../parse/position.ts'
import type { ReportRoute } from '../report/types.ts'
import type { Locale, Localized } from '../types.ts'
import { toReportExposure } from './exposure.ts'

type Reason =
  | 'off'
  | 'none'
  | 'ui5-runtime'
  | 'mtx-callback'
  | 'default'
  | 'xsuaa'
  | 'ias'
  | 'basic'
  | 'typed'
  | 'scopes'
  | 'shadow'

const WORDS: Readonly<Record<Reason, Localized<string>>> = {
  off: {
    en: 'Nobody is asked: "authenticationMethod" is none for all routes.',
    fr: 'Personne n’est authentifié : « authenticationMethod » vaut none pour toutes les routes.',
  },
  none: {
    en: 'Nobody is asked: the route says "authenticationType": "none".',
    fr: 'Personne n’est authentifié : la route indique « "authenticationType": "none" ».',
  },
  'ui5-runtime': {
    en: 'Nobody is asked: the route says none, and serves the public UI5 runtime.',
    fr: 'Personne n’est authentifié : la route indique none et sert le runtime UI5, qui est public.',
  },
  'mtx-callback': {
    en: 'Nobody is asked by the approuter: the route says none; CAP checks the tokens of these callbacks itself.',
    fr: 'L’approuter n’authentifie personne : la route indique none ; CAP contrôle lui-même les jetons de ces rappels.',
  },
  default: {
    en: 'By the service that the approuter is bound to (xsuaa or identity): the route names no type, and that is the default.',
    fr: 'Par le service lié à l’approuter (xsuaa ou identity) : la route n’indique aucun type, et c’est la valeur par défaut.',
  },
  xsuaa: {
    en: 'By XSUAA: the route names no type, and the approuter is bound to xsuaa.',
    fr: 'Par XSUAA : la route n’indique aucun type, et l’approuter est lié à xsuaa.',
  },
  ias: {
    en: 'By Identity Authentication: the route names no type, and the approuter is bound to identity.',
    fr: 'Par Identity Authentication : la route n’indique aucun type, et l’approuter est lié à identity.',
  },
  basic: {
    en: 'By user and password in each request: the route says basic.',
    fr: 'Par nom d’utilisateur et mot de passe dans chaque requête : la route indique basic.',
  },
  typed: { en: 'By {type}: the route says so.', fr: 'Par {type} : la route l’indique.' },
  scopes: { en: ' Needs a scope: {scopes}.', fr: ' Exige un scope : {scopes}.' },
  shadow: {
    en: ' But route {source} before it takes {url} and asks for less.',
    fr: ' Mais la route {source} placée avant elle prend {url} et demande moins.',
  },
}

/** The routes of every approuter, in their order, how each authenticates and why, and who gets through. */
export function listRoutes(
  approuters: readonly Approuter[],
  reach: Pick<ReachModel, 'ofRoute'>,
  linesOf: (file: string) => LineTable | undefined,
  locale: Locale,
  step: () => void,
): ReportRoute[] {
  return approuters.flatMap((approuter) =>
    approuter.routes.map((route): ReportRoute => {
      step()
      const lines = linesOf(approuter.file)
      const { span } = route.place
      return {
        file: approuter.file,
        ...(lines !== undefined && span !== undefined && extentAt(lines, span)),
        source: route.source,
        ...(route.target.name !== '' && { target: route.target.name }),
        authentication: wordAuthentication(approuter, route, locale),
        exposure: toReportExposure(reach.ofRoute(approuter, route), linesOf),
        ...(route.methods !== undefined && { methods: route.methods }),
      }
    }),
  )
}

function wordAuthentication(approuter: Approuter, route: Route, locale: Locale): string {
  const reason = WORDS[reasonOf(approuter, route)][locale].replace('{type}', () => route.authenticationType ?? '')
  if (!route.authenticates) return reason
  const scopes = [...(route.scopes ?? [])].map(
    ([method, names]) => `${method === 'default' ? '' : `${method} `}${names.join(', ')}`,
  )
  const asked = scopes.length === 0 ? '' : WORDS.scopes[locale].replace('{scopes}', () => scopes.join('; '))
  const shadow = approuter.shadows.find(({ strict }) => strict === route)
  const passed =
    shadow === undefined
      ? ''
      : WORDS.shadow[locale].replace('{source}', () => shadow.lax.source).replace('{url}', () => `${shadow.method} ${shadow.url}`)
  return reason + asked + passed
}

function reasonOf({ authenticationMethod, environment }: Approuter, { authenticationType, purpose }: Route): Reason {
  if (authenticationMethod === 'none') return 'off'
  if (authenticationType === 'none') return purpose === 'ui5-runtime' || purpose === 'mtx-callback' ? purpose : 'none'
  if (authenticationType !== undefined) return authenticationType === 'basic' ? 'basic' : 'typed'
  const services = new Set(environment.deployments.flatMap(({ bindings }) => bindings.map(({ service }) => service)))
  if (services.has('xsuaa') !== services.has('identity')) return services.has('xsuaa') ? 'xsuaa' : 'ias'
  return 'default'
}

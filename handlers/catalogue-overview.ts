import { isRefusal, Refusal, type Locale } from '../core/index.ts'
import { pickLocale } from './_language.ts'
import { RefusalWithMembers } from './_problem.ts'
import type { Route } from './_route.ts'
import type { OverviewAnswer } from './_schemas.ts'

const WORDS: Readonly<Record<Locale, Readonly<Record<'available' | 'unavailable' | 'off', string>>>> = {
  en: {
    available: 'The UI5 catalogue at {url} is available.',
    unavailable: 'The UI5 catalogue at {url} is not available.',
    off: 'No UI5 catalogue is configured.',
  },
  fr: {
    available: 'Le catalogue UI5 à l’adresse {url} est disponible.',
    unavailable: 'Le catalogue UI5 à l’adresse {url} n’est pas disponible.',
    off: 'Aucun catalogue UI5 n’est configuré.',
  },
}

export const catalogueOverview: Route = {
  method: 'GET',
  path: '/api/vendor/ui5/version',
  summary: 'The versions in the UI5 catalogue; asks the catalogue itself',
  answers: { 200: { description: 'The overview', schema: 'CatalogueOverview' } },
  refusals: ['catalogue-unavailable', 'catalogue-timeout'],
  async handle(event, { catalogue, language }): Promise<OverviewAnswer> {
    const words = WORDS[pickLocale(event, language)]
    const say = (text: string): string => text.replace('{url}', () => catalogue?.url ?? '')
    try {
      if (catalogue === undefined) throw new Refusal('catalogue-unavailable')
      return { status: 200, message: say(words.available), data: await catalogue.version() }
    } catch (error) {
      if (!isRefusal(error)) throw error
      // the members of the overview are there in a failure too; `status` is a problem's own
      const message = say(catalogue === undefined ? words.off : words.unavailable)
      throw new RefusalWithMembers(error, { message: JSON.stringify(message), data: '{}' })
    }
  },
}

import { isRefusal, Refusal } from '../core/index.ts'
import { pickLocale } from './_language.ts'
import { RefusalWithMembers, describeRefusal } from './_problem.ts'
import type { Route } from './_route.ts'
import type { OverviewAnswer } from './_schemas.ts'

export const catalogueOverview: Route = {
  method: 'GET',
  path: '/api/vendor/ui5/version',
  summary: 'The versions in the UI5 catalogue; asks the catalogue itself',
  answers: { 200: { description: 'The overview', schema: 'CatalogueOverview' } },
  refusals: ['catalogue-unavailable', 'catalogue-timeout'],
  async handle(event, { catalogue, language }): Promise<OverviewAnswer> {
    try {
      if (catalogue === undefined) throw new Refusal('catalogue-unavailable')
      return { status: 200, message: 'OK', data: await catalogue.version() }
    } catch (error) {
      if (!isRefusal(error)) throw error
      // the members of the overview are there in a failure too; `status` is a problem's own
      const message = describeRefusal(error, pickLocale(event, language))
      throw new RefusalWithMembers(error, { message: JSON.stringify(message), data: '{}' })
    }
  },
}

import { Refusal } from '../core/index.ts'
import { readParams, type Route } from './_route.ts'
import { versionParams } from './_requests.ts'
import type { DetailAnswer } from './_schemas.ts'

export const catalogueVersion: Route = {
  method: 'GET',
  path: '/api/vendor/ui5/resources/:version',
  summary: 'One version in the UI5 catalogue in detail',
  params: versionParams,
  answers: { 200: { description: 'Its libraries, components and themes', schema: 'CatalogueDetail' } },
  refusals: ['version-not-found', 'catalogue-unavailable', 'catalogue-timeout'],
  async handle(event, { catalogue }): Promise<DetailAnswer> {
    // before anything leaves the machine: it becomes part of an address
    const { version } = readParams(event, versionParams)
    if (catalogue === undefined) throw new Refusal('catalogue-unavailable')
    const { source, data } = await catalogue.resources(version)
    return { source, version, data }
  },
}

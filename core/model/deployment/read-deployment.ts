import type { ProjectFile } from '../../files.ts'
import { findApplications } from './find-applications.ts'
import { environmentDestinations, fileDestinations, kubernetesDestinations, mtaDestinations } from './destinations.ts'
import { findDatabases } from './databases.ts'
import { moduleFolders } from './module-folders.ts'
import { createOrigins } from './origins.ts'
import { findServices } from './services.ts'
import type { Deployment, Destination } from './types.ts'

/** Reads every descriptor of a deployment to Cloud Foundry; those of tests are left out. */
export function readDeployment(files: ReadonlyMap<string, ProjectFile>): Deployment {
  const origins = createOrigins()
  const { mtas, applications } = findApplications(files, origins)
  const destinations: Destination[] = mtas.flatMap((mta) => [...mtaDestinations(mta, files, origins)])
  for (const application of applications) destinations.push(...environmentDestinations(application, origins))
  destinations.push(...kubernetesDestinations(files, origins))
  for (const file of files.values()) destinations.push(...fileDestinations(file, origins))
  const services = findServices(mtas, files, origins)
  const databases = findDatabases(mtas, files, origins)
  return { mtas, applications, services, destinations, databases, moduleFolders: moduleFolders(mtas), placeOf: origins.placeOf }
}

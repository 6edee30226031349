import { lastNameOf } from '../../facts/literals.ts'
import { constantOf, stringConstantOf, pathOf, type CallValue } from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { applicationsBehind } from '../../model/authorization/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import type { Project } from '../subjects.ts'

/** Servers whose first route is a login for all paths: `app.use(passport.authenticate('JWT', { session: false }))`. */
export const checkedServers: Extract<true> = defineExtract({
  name: 'approuter-checked-servers',
  keywords: ['passport'],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  collect({ facts }) {
    const registered = facts.calls.filter((call) => REGISTERS.test(lastNameOf(call.callee) ?? '') && call.args.length > 0)
    const login = registered.find((call) => lastNameOf(call.callee) === 'use' && isForAll(call) && call.args.some(asksForToken))
    const isFirst = login !== undefined && !registered.some((call) => call.start < login.start && isRoute(call))
    return isFirst ? [true] : []
  },
})

const REGISTERS = /^(?:use|get|post|put|patch|delete|all)$/

/** A path, and what answers it. */
function isRoute({ args: [path] }: CallValue): boolean {
  const value = stringConstantOf(path)
  return value !== undefined && value.startsWith('/') && value !== '/'
}

function isForAll({ args: [path] }: CallValue): boolean {
  const value = path && constantOf(path)
  return value === undefined || value === '/'
}

/** Fact: passport 0.7, lib/authenticator.js (`authenticate` answers 401 where no strategy accepts the request). */
function asksForToken(value: CallValue['args'][number]): boolean {
  return value.kind === 'call' && pathOf(value.callee)?.join('.') === 'module:passport.authenticate'
}

/** Each application that a destination leads to asks all callers for a token itself. Needs the extract `checkedServers`. */
export function checksItself(destination: string, { deployment, scripts }: Pick<Project, 'deployment' | 'scripts'>): boolean {
  const applications = applicationsBehind(destination, deployment)
  const checked = scripts.get(checkedServers).map(({ file }) => file)
  return (
    applications.length > 0 &&
    applications.every(({ folder }) => folder !== undefined && checked.some((file) => file.startsWith(`${folder}/`)))
  )
}

import type { Origin } from '../types.ts'

/** What a framework fills the parameters of methods with by their decorators. */
interface ParameterDecorators {
  readonly package: string
  /** By the decorator's name. */
  readonly origins: Readonly<Record<string, Origin>>
  /** Classes given beside the name that refuse what has another form than theirs: `@Param('id', ParseIntPipe)`. */
  readonly checks?: ReadonlySet<string>
}

const PARTS = { Param: 'request', Query: 'request', Body: 'request', Headers: 'request', HostParam: 'request' } as const

/**
 * Facts: NestJS 11, "Controllers" (request object) and "Pipes"; routing-controllers 0.11 (README, "Injecting …"); tsoa 6, "Getting started"; inversify-express-utils 6
 * (README, "Decorators"); cds-routing-handlers 3 (README). None of them looks at a declared type by itself: `quantity: number` is a text all the same.
 */
export const PARAMETER_DECORATORS: readonly ParameterDecorators[] = [
  {
    package: '@nestjs/common',
    origins: {
      ...PARTS,
      RawBody: 'request',
      Session: 'stored',
      Req: 'http-request',
      Request: 'http-request',
      Res: 'response',
      Response: 'response',
      UploadedFile: 'upload',
      UploadedFiles: 'upload',
    },
    checks: new Set(['ParseIntPipe', 'ParseFloatPipe', 'ParseBoolPipe', 'ParseUUIDPipe', 'ParseEnumPipe', 'ParseDatePipe']),
  },
  {
    package: 'routing-controllers',
    origins: {
      Param: 'request',
      Params: 'request',
      QueryParam: 'request',
      QueryParams: 'request',
      HeaderParam: 'request',
      HeaderParams: 'request',
      CookieParam: 'request',
      CookieParams: 'request',
      Body: 'request',
      BodyParam: 'request',
      Req: 'http-request',
      Res: 'response',
      UploadedFile: 'upload',
      UploadedFiles: 'upload',
    },
  },
  {
    package: 'tsoa',
    origins: {
      Path: 'request',
      Query: 'request',
      Queries: 'request',
      Header: 'request',
      Body: 'request',
      BodyProp: 'request',
      FormField: 'request',
      Request: 'http-request',
      UploadedFile: 'upload',
      UploadedFiles: 'upload',
    },
  },
  {
    package: 'inversify-express-utils',
    origins: {
      request: 'http-request',
      response: 'response',
      requestParam: 'request',
      queryParam: 'request',
      requestBody: 'request',
      requestHeaders: 'request',
      cookies: 'request',
    },
  },
  {
    package: 'cds-routing-handlers',
    origins: { Req: 'cap-request', Data: 'request', Param: 'request', ParamObj: 'request' },
  },
]

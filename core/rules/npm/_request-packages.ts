/** Packages that may parse forms with each request, beside Express. */
export const PARSE_FORMS: ReadonlySet<string> = new Set(['@nestjs/platform-express', '@sap/approuter'])

/** Those that parse no forms in some versions. Fact: @sap/approuter 6.8.2 to 16.8.2 (lib/bootstrap.js: `bodyParser.json()`, lib/connect/utils.js: `querystring`); later ones bring Express 4 along. */
export const READ_JSON: ReadonlyMap<string, string> = new Map([['@sap/approuter', '<17']])

/** Servers and what servers call with each request: what they need gets the client's data too. */
export const REQUEST_PACKAGES: ReadonlySet<string> = new Set(
  (
    '@apollo/server @cap-js-community/odata-v2-adapter @cap-js/graphql @fastify/multipart @fastify/static @hapi/hapi @koa/multer @koa/router @nestjs/core ' +
    '@nestjs/platform-express @nestjs/platform-fastify @sap/approuter @sap/cds @sap/cds-mtxs @sap/sbf @sap/xsjs @sap/xssec apollo-server apollo-server-express body-parser ' +
    'busboy co-body compression connect cookie-parser cookie-session engine.io express express-fileupload express-jwt express-session fastify finalhandler formidable ' +
    'graphql-http h3 hbs helmet http-proxy http-proxy-middleware koa koa-body koa-bodyparser koa-router morgan multer next node-saml passport passport-jwt passport-saml ' +
    'raw-body restify router send serve-static socket.io type-is'
  ).split(' '),
)

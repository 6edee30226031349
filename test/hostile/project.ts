/** A small project with a finding in each of its files, so that a test sees at once what got lost. */
export const PROJECT: ReadonlyMap<string, string> = new Map([
  ['package.json', '{\n  "name": "shop",\n  "dependencies": { "@sap/cds": "^9" }\n}\n'],
  [
    'approuter/xs-app.json',
    '{\n  "authenticationMethod": "route",\n  "routes": [\n    { "source": "^/srv/(.*)$", "destination": "srv-api", "authenticationType": "none" }\n  ]\n}\n',
  ],
  ['xs-security.json', '{\n  "xsappname": "shop",\n  "oauth2-configuration": { "redirect-uris": ["https://**"] }\n}\n'],
  ['webapp/manifest.json', '{ "sap.app": { "id": "shop" }, "sap.ui5": { "dependencies": { "minUI5Version": "1.120.0" } } }\n'],
  [
    'webapp/index.html',
    '<!doctype html>\n<html><head>\n<script id="sap-ui-bootstrap" src="http://ui5.sap.com/1.120.0/resources/sap-ui-core.js"></script>\n</head><body></body></html>\n',
  ],
  [
    'webapp/controller/Main.controller.js',
    'sap.ui.define(["sap/ui/core/mvc/Controller"], (Controller) => Controller.extend("shop.Main", {\n  onPress(event) {\n    eval(event.getParameter("value"))\n  },\n}))\n',
  ],
])

/** Where the known findings are: `ruleId file`. */
export const KNOWN: readonly string[] = [
  'approuter/route-authentication-none approuter/xs-app.json',
  'btp/xsuaa-redirect-wildcard xs-security.json',
  'ui5/bootstrap-http webapp/index.html',
  'ui5/eval webapp/controller/Main.controller.js',
]

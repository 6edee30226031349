// Written by adapters/scripts/refresh-advisories.ts. Facts about npm packages met in UI5, CAP and BTP projects; the titles are in words of our own.
// Source of the facts: GitHub Advisory Database (https://github.com/github/advisory-database), licensed under CC BY 4.0
// (https://creativecommons.org/licenses/by/4.0/); see NOTICE.

/** Day that the snapshot is as of. */
export const ADVISORY_DATE = '2026-11-20'

/** 1235 records as compact.ts reads them. */
export const ADVISORY_RECORDS = `=@adobe/css-tools
GHSA-hpx4-r86g-5jrg CVE-2023-26364|M|1333 20|0<4.3.1|Regular expression denial of service
GHSA-prr3-c3m5-p7q2 CVE-2023-48631|M|1333 20|0<4.3.2|Regular expression denial of service
=@apollo/server
GHSA-68jh-rf6x-836f|L||4.7.1<4.7.4|Content Security Policy nonces are reused
GHSA-8r69-3cvp-wxc3|M|524|0<4.1.0|Caching of sensitive data
GHSA-9q82-xgwf-vj6h|M|200|0<5.5.0|Information disclosure
GHSA-j5g3-5c8r-7qfx|L||0<4.9.3|Rejected header values end up in logs
GHSA-mp6q-xf9x-fwf7 CVE-2026-23897|H|1333|4.2.0<4.13.0 5.0.0<5.4.0|Regular expression denial of service
=@babel/core
GHSA-4x5r-pxfx-6jf8 CVE-2026-49356|L|22 200|0<=7.29.0|Path traversal
=@babel/helpers
GHSA-968p-4wvh-cqc8 CVE-2025-27789|M|1333|0<7.26.10 8.0.0-alpha.0<8.0.0-alpha.16|Regular expression denial of service
=@babel/plugin-transform-modules-systemjs
GHSA-fv7c-fp4j-7gwp CVE-2026-44728|H|94 843|7.12.0<7.29.4|Code injection
=@babel/runtime
GHSA-968p-4wvh-cqc8 CVE-2025-27789|M|1333|0<7.26.10 8.0.0-alpha.0<8.0.0-alpha.16|Regular expression denial of service
=@babel/runtime-corejs2
GHSA-968p-4wvh-cqc8 CVE-2025-27789|M|1333|0<7.26.10 8.0.0-alpha.0<8.0.0-alpha.16|Regular expression denial of service
=@babel/runtime-corejs3
GHSA-968p-4wvh-cqc8 CVE-2025-27789|M|1333|0<7.26.10 8.0.0-alpha.0<8.0.0-alpha.16|Regular expression denial of service
=@babel/traverse
GHSA-67hx-6x53-jw92 CVE-2023-45133|C|184 697|0<7.23.2 8.0.0-alpha.0<8.0.0-alpha.4|Incomplete denylist
=@cap-js/db-service
GHSA-pvw4-cvr4-97p8 CVE-2026-46421|C!|506|2.10.1|Compromised release steals credentials and spreads itself
=@cap-js/openapi
GHSA-jpvj-wpmj-h7rv|C!|506|1.4.1|Compromised release steals credentials and spreads itself
=@cap-js/postgres
GHSA-pvw4-cvr4-97p8 CVE-2026-46421|C!|506|2.2.2|Compromised release steals credentials and spreads itself
=@cap-js/sqlite
GHSA-pvw4-cvr4-97p8 CVE-2026-46421|C!|506|2.2.2|Compromised release steals credentials and spreads itself
=@cypress/request
GHSA-p8p7-x288-28g6 CVE-2023-28155|M|918|0<3.0.0|Server-side request forgery
=@eslint/plugin-kit
GHSA-7q7g-4xm8-89cq CVE-2024-21539|L|1333 770|0<0.2.3|Regular expression denial of service
GHSA-xffm-g5w8-qvg7|L||0<0.3.4|Regular expression denial of service
=@fast-csv/parse
GHSA-8cv5-p934-3hwp CVE-2020-26256|L|400|0<4.3.6|Denial of service through resource exhaustion
=@grpc/grpc-js
GHSA-5375-pq7m-f5r2 CVE-2026-48068|H|248|0<1.9.16 1.10.0<1.10.12 1.11.0<1.11.4 1.12.0<1.12.7 1.13.0<1.13.5 1.14.0<1.14.4|Uncaught exception
GHSA-7v5v-9h63-cj86 CVE-2024-37168|M|789|0<1.8.22 1.9.0<1.9.15 1.10.0<1.10.9|Memory allocation without limits
GHSA-99f4-grh7-6pcq CVE-2026-48069|H|248 400|0<1.9.16 1.10.0<1.10.12 1.11.0<1.11.4 1.12.0<1.12.7 1.13.0<1.13.5 1.14.0<1.14.4|Uncaught exception
GHSA-pp75-xfpw-37g9 CVE-2020-7768|H|915 1321|0<1.1.8|Prototype pollution
=@hapi/hoek
GHSA-22h7-7wwg-qmgg|L|1321|8.3.2<8.5.1 9.0.0<9.0.3|Prototype pollution
GHSA-c429-5p7v-vgjp CVE-2020-36604|H|1321|0<8.5.1 9.0.0<9.0.3|Prototype pollution
=@isaacs/brace-expansion
GHSA-7h2j-956f-4vf2 CVE-2026-25547|H||0<=5.0.0|Denial of service through resource exhaustion
=@langchain/community
GHSA-6m59-8fmv-m5f9 CVE-2024-7042|L|89|0<0.3.3|SQL injection
GHSA-gf3v-fwqg-4vh7 CVE-2026-26019|M||0<=1.1.13|Server-side request forgery
GHSA-mphv-75cg-56wg CVE-2026-27795|M||0<=1.1.17|Server-side request forgery
=@langchain/core
GHSA-r399-636x-v7f6 CVE-2025-68665|H|502|0<0.3.80 1.0.0<1.1.8|Unsafe deserialization
=@modelcontextprotocol/sdk
GHSA-345p-7cg4-v4c7 CVE-2026-25536|H||1.10.0<=1.25.3|Information disclosure
GHSA-8r9q-7v3j-jr4g CVE-2026-0621|H||0<1.25.2|Regular expression denial of service
GHSA-w48q-cv73-mx4w CVE-2025-66414|H||0<1.24.0|Missing or insufficient origin check
=@nestjs/common
GHSA-cj7v-w2c7-cp7c CVE-2024-29409|M|94|0<10.4.16 11.0.0<11.0.16|Code injection
=@nestjs/core
GHSA-36xv-jgw5-4q75 CVE-2026-35515|M|74|0<11.1.18|Injection
GHSA-4jpv-8r57-pv7j CVE-2023-26108|M|200|0<9.0.5|Information disclosure
=@node-saml/node-saml
GHSA-4mxg-3p6v-xgq3 CVE-2025-54419|C|287 347|0<5.1.0|Authentication bypass
GHSA-m837-g268-mmv7 CVE-2025-54369|C|87 287 347|0<5.1.0|Cross-site scripting through alternate syntax
GHSA-m974-647v-whv7 CVE-2022-39299|H|347|0<4.0.0-beta.5|Signature verification bypass
GHSA-vx8m-6fhw-pccw CVE-2023-40178|M|347 613|0<4.0.5|Signature verification bypass
=@node-saml/passport-saml
GHSA-4mxg-3p6v-xgq3 CVE-2025-54419|C|287 347|0<5.1.0|Authentication bypass
GHSA-m974-647v-whv7 CVE-2022-39299|H|347|0<4.0.0-beta.3|Signature verification bypass
=@npmcli/git
GHSA-hxwm-x553-x359|M|78|0<2.0.8|OS command injection
=@octokit/plugin-paginate-rest
GHSA-h5c3-5r3r-rr8q CVE-2025-25288|M||1.0.0<9.2.2|Regular expression denial of service
=@octokit/request
GHSA-rmvr-2pp2-xj38 CVE-2025-25290|M||1.0.0<8.4.1|Regular expression denial of service
=@pkgr/core
GHSA-f29h-pxvx-f335 CVE-2025-54313|H!||0.2.8|Published version contains malicious code
=@sap-cloud-sdk/core
GHSA-gp2f-254m-rh32 CVE-2021-41251|M|200|0<1.52.0|Destination cache shared between users
GHSA-r2vw-jgq9-jqx2|H|285|1.19.0<1.21.2|JWT verification trusts any key URL
=@sap/approuter
GHSA-44p5-3m5g-vfhj CVE-2026-44745|H|601|0<21.2.0|Unchecked request headers in the OAuth2 login allow an open redirect
GHSA-8m85-wqg7-c529 CVE-2026-27690|C|444|0<20.10.0|Unauthenticated HTTP request smuggling desynchronizes responses of the approuter
GHSA-cpfx-964w-4jvp CVE-2025-24876|H|601|2.6.1<16.7.2|Session theft during the authorization code exchange
GHSA-vhh6-v828-x62f CVE-2026-58230|H|601|0<23.0.0|Crafted token makes the approuter send credentials to a foreign destination
PSINC0011566|H|22 601|0<22.0.2|Path traversal through localDir routes, and open redirect
=@sap/hana-client
GHSA-6339-gv7w-g5f4 CVE-2024-45277|M|1321|2.0.0<2.21.31|Prototype pollution in the SAP HANA client for Node.js
=@sap/xssec
GHSA-p2vx-qj66-88q3 CVE-2023-49583|C|269 639 749|0<3.6.0|Unauthenticated privilege escalation through token validation in xssec
=@smithy/config-resolver
GHSA-6475-r3vj-m8vf|L||0<4.4.0|Improper input validation
=@tootallnate/once
GHSA-vpq2-c234-7xj6 CVE-2026-3449|L|705|0<3.0.1|Incorrect control flow
=@xmldom/xmldom
GHSA-2v35-w6hq-6mfw CVE-2026-41673|H|674|0<0.8.13 0.9.0<0.9.10|Uncontrolled recursion
GHSA-5fg8-2547-mr8q CVE-2021-32796|M|116|0<0.7.0|Improper output encoding
GHSA-6gmq-8vp8-gcm6 CVE-2026-83610|M|116|0.7.0<0.8.15 0.9.0<0.9.12|Improper output encoding
GHSA-crh6-fp67-6883 CVE-2022-39353|C|20 1288|0<0.7.7 0.8.0<0.8.4 0.9.0-beta.1<0.9.0-beta.4|Inconsistent input accepted
GHSA-f6ww-3ggp-fr8h CVE-2026-41674|H|91|0<0.8.13 0.9.0<0.9.10|XML injection
GHSA-j759-j44w-7fr8 CVE-2026-41672|H|91|0<0.8.13 0.9.0<0.9.10|XML injection
GHSA-wh4c-j3r5-mjhp CVE-2026-34601|H|91|0<0.8.12 0.9.0<0.9.9|XML injection
GHSA-x6wf-f3px-wcqx CVE-2026-41675|H|91|0<0.8.13 0.9.0<0.9.10|XML injection
=acorn
GHSA-6chw-6frg-f759|H|400|5.5.0<5.7.4 6.0.0<6.4.1 7.0.0<7.1.1|Denial of service through resource exhaustion
=adm-zip
GHSA-3v6h-hqm4-2rg6 CVE-2018-1002204|M|22|0<0.4.11|Path traversal
GHSA-xcpc-8h2w-3j85 CVE-2026-39244|H|400 789|0<0.6.0|Memory allocation without limits
=ajv
GHSA-2g4f-4pwh-qvx6 CVE-2025-69873|M|400 1333|0<6.14.0 7.0.0-alpha.0<8.18.0|Regular expression denial of service
GHSA-v88g-cgmw-v5xw CVE-2020-15366|M|915 1321|0<6.12.3|Prototype pollution
=ansi-html
GHSA-whgm-jr23-g3j9 CVE-2021-23424|H|400|0<0.0.8|Denial of service through resource exhaustion
=ansi-regex
GHSA-93q8-gq69-wqmw CVE-2021-3807|H|697 1333|3.0.0<3.0.1 4.0.0<4.1.1 5.0.0<5.0.1 6.0.0<6.0.1|Incorrect comparison
GHSA-jvhh-2m83-6w29 MAL-2025-46966|C!|506|6.2.1|Published version contains malicious code
=ansi-styles
GHSA-p5rr-crjh-x7gr MAL-2025-46967|C!|506|6.2.2|Published version contains malicious code
=apollo-server
GHSA-2p3c-p3qw-69r4|M|352|2.0.0<2.25.4|Cross-site request forgery
GHSA-mp6q-xf9x-fwf7 CVE-2026-23897|H|1333|2.0.0<=3.13.0|Regular expression denial of service
GHSA-qm7x-rc44-rrqw|H|79|2.0.0<2.25.3 3.0.0<3.4.1|Cross-site scripting
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-azure-functions
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-cache-memcached
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-cloud-functions
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-cloudflare
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-core
GHSA-2fvv-qxrq-7jq6|M|79|3.0.0<3.10.1|Cross-site scripting
GHSA-8r69-3cvp-wxc3|M|524|3.0.0<3.11.0|Caching of sensitive data
GHSA-9q82-xgwf-vj6h|M|200|0<=3.13.0|Information disclosure
GHSA-j5g3-5c8r-7qfx|L||0<2.26.1 3.0.0<3.12.1|Rejected header values end up in logs
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-express
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-fastify
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-hapi
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-koa
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-lambda
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=apollo-server-micro
GHSA-w42g-7vfc-xf37|M||0<2.14.2|Exposure of schema details
=async
GHSA-fwr7-v2mv-hh25 CVE-2021-43138|H|1321|2.0.0<2.6.4 3.0.0<3.2.2|Prototype pollution
=axios
GHSA-35jp-ww65-95wh CVE-2026-44494|H|441 1321|1.0.0<1.16.0|Prototype pollution
GHSA-3g43-6gmg-66jw CVE-2026-44495|H|94 1321|0.19.0<0.31.1 1.0.0<1.15.2|Prototype pollution
GHSA-3p68-rc4w-qgx5 CVE-2025-62718|M|441 918|0<0.31.0 1.0.0<1.15.0|Unintended proxy (confused deputy)
GHSA-3w6x-2g7m-8v23 CVE-2026-42044|M|915 1321|1.0.0<1.15.2|Prototype pollution
GHSA-42h9-826w-cgv3 CVE-2026-67313|M|400 674|0.28.0<0.33.0 1.0.0<1.18.0|Uncontrolled recursion
GHSA-42xw-2xvc-qx8m CVE-2019-10742|H|20 755|0<0.18.1|Improper input validation
GHSA-43fc-jf86-j433 CVE-2026-25639|H|754|0<0.30.3 1.0.0<1.13.5|Improper check for unusual conditions
GHSA-445q-vr5w-6q77 CVE-2026-42037|M|93|1.0.0<1.15.1|CRLF injection
GHSA-4hjh-wcwx-xvwj CVE-2025-58754|H|770|0.28.0<0.30.2 1.0.0<1.12.0|Resource allocation without limits
GHSA-4w2v-q235-vp99 CVE-2020-28168|M|918|0<0.21.1|Server-side request forgery
GHSA-5c9x-8gcm-mpgx CVE-2026-42034|M|770|0<0.31.1 1.0.0<1.15.1|Resource allocation without limits
GHSA-62hf-57xw-28j9 CVE-2026-42039|M|674|0<0.31.1 1.0.0<1.15.1|Uncontrolled recursion
GHSA-654m-c8p4-x5fp CVE-2026-44489|L|113 1321|1.15.2<1.16.0|Prototype pollution
GHSA-6chq-wfr3-2hj9 CVE-2026-42035|H|113 1321|0<0.31.1 1.0.0<1.15.1|Prototype pollution
GHSA-777c-7fjr-54vf CVE-2026-44488|H|770|1.7.0<1.16.0|Resource allocation without limits
GHSA-7q8q-rj6j-mhjq CVE-2026-67319|M|1321|0.8.0<0.33.0 1.0.0<1.18.0|Prototype pollution
GHSA-898c-q2cr-xwhg CVE-2026-44490|M|1321|0<0.32.0 1.0.0<1.16.0|Prototype pollution
GHSA-8hc4-vh64-cxmj CVE-2024-39338|H|918|1.3.2<1.7.4|Server-side request forgery
GHSA-cph5-m8f7-6c5x CVE-2021-3749|H|400 1333|0<0.21.2|Regular expression denial of service
GHSA-f4gw-2p7v-4548 CVE-2026-67315|M|183 918|0.31.0<0.33.0 1.15.0<1.18.0|Overly permissive allowlist
GHSA-fvcv-3m26-pcqx CVE-2026-40175|M|113 444 918|0<0.31.0 1.0.0<1.15.0|Prototype pollution
GHSA-fw8c-xr5c-95f9|C!|506|0.30.4 1.14.1|Compromised releases pull in a dependency that installs a remote access tool
GHSA-gcfj-64vw-6mp9 CVE-2026-67320|H|200 1321|0.31.1<0.33.0 1.15.2<1.18.0|Prototype pollution
GHSA-hcpx-6fm6-wx23 CVE-2026-67321|M|674|0.31.1<0.33.0 1.15.1<1.18.0|Uncontrolled recursion
GHSA-hfxv-24rg-xrqf CVE-2026-44496|H|400 1333|0<0.32.0 1.0.0<1.16.0|Regular expression denial of service
GHSA-j5f8-grm9-p9fc CVE-2026-44486|H|200 201|0<0.32.0 1.0.0<1.16.0|Sensitive information in sent data
GHSA-jqh4-m9w3-8hp9 CVE-2026-67317|M|770|1.7.0<1.18.0|Resource allocation without limits
GHSA-jr5f-v2jv-69x6 CVE-2025-27152|H|918|0<0.30.0 1.0.0<1.8.2|Server-side request forgery
GHSA-m7pr-hjqh-92cm CVE-2026-42038|M|918|0<0.31.1 1.0.0<1.15.1|Server-side request forgery
GHSA-mmx7-hfxf-jppx CVE-2026-67316|M|1321|0<0.33.0 1.0.0<1.18.0|Prototype pollution
GHSA-mwf2-3pr3-8698 CVE-2026-67318|M|400|1.13.0<1.18.0|Denial of service through resource exhaustion
GHSA-p92q-9vqr-4j8v CVE-2026-44487|H|201|0<0.32.0 1.0.0<1.16.0|Sensitive information in sent data
GHSA-pf86-5x62-jrwf CVE-2026-42033|H|1321|0<0.31.1 1.0.0<1.15.1|Prototype pollution
GHSA-pjwm-pj3p-43mv CVE-2026-44492|H|918|0<0.32.0 1.15.0<1.16.0|Server-side request forgery
GHSA-pmv8-rq9r-6j72 CVE-2026-67312|M|400 770|0.28.0<0.33.0 1.0.0<1.18.0|Resource allocation without limits
GHSA-pmwg-cvhr-8vh7 CVE-2026-42043|H|183 441 918|0<0.31.1 1.0.0<1.15.1|Overly permissive allowlist
GHSA-q8qp-cvcw-x6jj CVE-2026-42264|H|1321|1.0.0<1.15.2|Prototype pollution
GHSA-qj83-cq47-w5f8 CVE-2026-39865|M|400|1.13.0<1.13.2|Denial of service through resource exhaustion
GHSA-vf2m-468p-8v99 CVE-2026-42036|M|770|0<0.31.1 1.0.0<1.15.1|Resource allocation without limits
GHSA-w9j2-pvgh-6h63 CVE-2026-42041|M|287 1321|0<0.31.1 1.0.0<1.15.1|Prototype pollution
GHSA-wf5p-g6vw-rhxx CVE-2023-45857|M|352|0.8.1<0.28.0 1.0.0<1.6.0|Cross-site request forgery
GHSA-xhjh-pmcv-23jw CVE-2026-42040|L|116 626|0<0.31.1 1.0.0<1.15.1|Improper output encoding
GHSA-xj6q-8x83-jv6g CVE-2026-67314|M|1321|1.15.2<1.18.0|Prototype pollution
GHSA-xx6v-rp6x-q39c CVE-2026-42042|M|183 201|0<0.31.1 1.0.0<1.15.1|Prototype pollution
=babel-traverse
GHSA-67hx-6x53-jw92 CVE-2023-45133|C|184 697|0<7.23.2|Incomplete denylist
=backslash
GHSA-53mq-f4w3-f7qv CVE-2025-59140|H!||0.2.1|Published version contains malicious code
=base64-url
GHSA-j4mr-9xw3-c9jx|H|125|0<2.0.0|Out-of-bounds read
=basic-auth-connect
GHSA-7p89-p6hx-q4fw CVE-2024-47178|H|208|0<1.1.0|Timing side channel
=basic-ftp
GHSA-5rq4-664w-9x2c CVE-2026-27699|C||0<5.2.0|Path traversal
GHSA-6v7q-wjvx-w8wg|H||0<5.2.2|Injection
GHSA-chqc-8p9q-pq6q CVE-2026-39983|H||5.2.0|Injection
GHSA-rp42-5vxx-qpwr CVE-2026-41324|H||0<5.3.0|Denial of service
=bcrypt
GHSA-5wg4-74h6-q47v CVE-2020-7689|M|190 327|0<5.0.0|Integer overflow
=bl
GHSA-pp7h-53gx-mx7r CVE-2020-8244|M|125 126|0<1.2.3 2.0.0<2.2.1 3.0.0<3.0.1 4.0.0<4.0.3|Out-of-bounds read
GHSA-wrw9-m778-g6mc|M|200|0<0.9.5 1.0.0<1.0.1|Information disclosure
=bn.js
GHSA-378v-28hj-76wf CVE-2026-2739|M||5.0.0<5.2.3|Infinite loop
=body-parser
GHSA-qwcr-r2fm-qrc7 CVE-2024-45590|H|405|0<1.20.3|Asymmetric resource consumption
GHSA-v422-hmwv-36x6 CVE-2026-12590|L|770|0<1.20.6 2.0.0<2.3.0|Resource allocation without limits
GHSA-wqch-xfxh-vrr4 CVE-2025-13466|M|400|2.2.0<2.2.1|Denial of service through resource exhaustion
=body-parser-xml
GHSA-2ghc-6v89-pw9j CVE-2021-3666|H|1321 915|0<2.0.3|Prototype pollution
=bootstrap
GHSA-3mgp-fx93-9xv5 CVE-2018-20676|M|79|0<3.4.0|Cross-site scripting
GHSA-3wqf-4x89-9g79 CVE-2018-14040|M|79|2.3.0<3.4.0 4.0.0<4.1.2|Cross-site scripting
GHSA-4p24-vmcr-4gqj CVE-2016-10735|M|79|2.0.4<3.4.0 4.0.0-beta<4.0.0-beta.2|Cross-site scripting
GHSA-7mvr-5x2g-wfc8 CVE-2018-14042|M|79|2.3.0<3.4.0 4.0.0<4.1.2|Cross-site scripting
GHSA-9v3m-8fp8-mj99 CVE-2019-8331|M|79|3.0.0<3.4.1 4.0.0<4.3.1|Cross-site scripting
GHSA-ph58-4vrj-w6hr CVE-2018-20677|M|79|0<3.4.0|Cross-site scripting
GHSA-pj7m-g53m-7638 CVE-2018-14041|M|79|4.0.0<4.1.2|Cross-site scripting
GHSA-q58r-hwc8-rm9j CVE-2025-1647|M|79|3.4.1<3.4.2|Cross-site scripting
GHSA-vxmc-5x29-h64v CVE-2024-6485|M|79|1.4.0<3.4.1|Cross-site scripting
=brace-expansion
GHSA-3jxr-9vmj-r5cp CVE-2026-13149|H|400 407|0<1.1.16 2.0.0<2.1.2 3.0.0<5.0.7|Denial of service through algorithmic complexity
GHSA-832h-xg76-4gv6 CVE-2017-18077|H|1333|0<1.1.7|Regular expression denial of service
GHSA-f886-m6hf-6m8v CVE-2026-33750|M|400|0<1.1.13 2.0.0<2.0.3 3.0.0<3.0.2 4.0.0<5.0.5|Denial of service through resource exhaustion
GHSA-jxxr-4gwj-5jf2 CVE-2026-45149|M|400|5.0.0<5.0.6|Denial of service through resource exhaustion
GHSA-mh99-v99m-4gvg CVE-2026-14257|H|400 770|0<1.1.17 2.0.0<2.1.3 4.0.0<5.0.8|Resource allocation without limits
GHSA-rgw5-rvv9-x895 CVE-2026-69152|H|400 770|0<1.1.18 2.0.0<2.1.4 3.0.0<3.0.6 4.0.0<5.0.9|Resource allocation without limits
GHSA-v6h2-p8h4-qcjw CVE-2025-5889|L|400|1.0.0<1.1.12 2.0.0<2.0.2 3.0.0 4.0.0|Denial of service through resource exhaustion
=braces
GHSA-cwfw-4gq5-mrqx CVE-2018-1109|L|400|2.2.0<2.3.1|Denial of service through resource exhaustion
GHSA-grv7-fg5c-xmjg CVE-2024-4068|H|400 1050|0<3.0.3|Excessive resource consumption in a loop
=browserify-sign
GHSA-x9w5-v3q2-3rhw CVE-2023-46234|H|347|2.6.0<4.2.2|Signature verification bypass
=browserslist
GHSA-w8qv-6jwh-64r5 CVE-2021-23364|M|1333 400|4.0.0<4.16.5|Regular expression denial of service
=bson
GHSA-4jwp-vfvf-657p CVE-2019-2391|M|502|0<1.1.4|Unsafe deserialization
GHSA-8462-q7x7-g2x4 CVE-2018-13863|H|185 400|0.5.0<1.0.5|Incorrect regular expression
GHSA-v8w9-2789-6hhr CVE-2020-7610|C|502|0<1.1.4|Unsafe deserialization
=canvas
GHSA-73rg-x683-m3qw CVE-2020-8215|H|120|0<1.6.11|Buffer overflow
GHSA-vpq5-4rc8-c222|M||0<1.6.10|Denial of service
=chalk
GHSA-2v46-p5h4-248w MAL-2025-46969|C!|506|5.6.1|Published version contains malicious code
=chalk-template
INCIDENT-2025-09-08|C!|506|1.1.1|Published version contains malicious code
=chart.js
GHSA-h68q-55jf-x68w CVE-2020-7746|H|915 1321|0<2.9.4|Prototype pollution
=chownr
GHSA-c6rq-rjc2-86v2 CVE-2017-18869|L|367|0<1.1.0|Race condition
=cipher-base
GHSA-cpq7-6gpm-g9rc CVE-2025-9287|C||0<=1.0.4|Improper input validation
=clean-css
GHSA-wxhq-pm8v-cw75|L|1333|0<4.1.11|Regular expression denial of service
=color
GHSA-qrmh-qg46-72pp CVE-2025-59143|H!||5.0.1|Published version contains malicious code
=color-convert
GHSA-pxx3-g568-hxr4 CVE-2025-59162 MAL-2025-46971|H!|506|3.1.1<3.1.2|Published version contains malicious code
=color-name
GHSA-5fvm-p68v-5wmh CVE-2025-59145 MAL-2025-46972|H!|506|2.0.1<2.0.2|Published version contains malicious code
=color-string
GHSA-257v-vj4p-3w2h CVE-2021-29060|M|770|0<1.5.5|Resource allocation without limits
GHSA-286p-vc9p-p5qv CVE-2025-59142|H!||2.1.1|Published version contains malicious code
=command-exists
GHSA-cff4-rrq6-h78w|C|77|0<1.2.4|Command injection
=compressing
GHSA-4c3q-x735-j3r5 CVE-2026-40931|H||0<=1.10.4|Link following
GHSA-cc8f-xg8v-72m3 CVE-2026-24884|H||0<=1.10.3|Link following
=concat-stream
GHSA-g74r-ffvr-5q9f|M|200|1.3.0<1.3.2 1.4.0<1.4.11 1.5.0<1.5.2|Information disclosure
=connect
GHSA-3fw8-66wf-pr7m CVE-2013-7370|L|79|0<2.8.1|Cross-site scripting
GHSA-6w62-83g6-rfhj CVE-2013-7371|M|79|0<2.8.2|Cross-site scripting
GHSA-rch9-xh7r-mqgw CVE-2018-3717|M|79|0<2.14.0|Cross-site scripting
=convict
GHSA-44fc-8fm5-q62h CVE-2026-33864|C||0<6.2.5|Prototype pollution
GHSA-4jrm-c32x-w4jf CVE-2023-0163|H||0<6.2.4|Prototype pollution
GHSA-hf2r-9gf9-rwch CVE-2026-33863|C||0<6.2.5|Prototype pollution
GHSA-jjf5-wx3j-3fv7 CVE-2022-21190|C|1321|0<6.2.3|Prototype pollution
GHSA-x2w5-725j-gf2g CVE-2022-22143|H|1321|0<6.2.3|Prototype pollution
=cookie
GHSA-pxg6-pf52-xh8x CVE-2024-47764|L|74|0<0.7.0|Injection
=cookie-signature
GHSA-92vm-wfm5-mxvv CVE-2016-1000236|M|362|0<1.0.4|Race condition
=cookiejar
GHSA-h452-7996-h45h CVE-2022-25901|M|1333|0<2.1.4|Regular expression denial of service
=cors-anywhere
GHSA-r3jv-xfgx-gj24 CVE-2020-36851|C||0<=0.4.4|Server-side request forgery
=cross-spawn
GHSA-3xgq-45jj-v275 CVE-2024-21538|H|1333|0<6.0.6 7.0.0<7.0.5|Regular expression denial of service
=crypto-js
GHSA-3w3w-pxmm-2w2j CVE-2020-36732|M|330|0<3.2.1|Predictable random values
GHSA-xwcq-pm8m-c4vf CVE-2023-46233|C|327 328 916|0<4.2.0|Broken or risky cryptographic algorithm
=css-what
GHSA-p28h-cc7q-c4fg CVE-2022-21222|H|400|0<2.1.3|Denial of service through resource exhaustion
GHSA-q8pj-2vqx-8ggc CVE-2021-33587|H|400|4.0.0<5.0.1|Denial of service through resource exhaustion
=csv-parse
GHSA-582f-p4pg-xc74 CVE-2019-17592|H|20 400|0<4.4.6|Improper input validation
=d3-color
GHSA-36jr-mh4h-2g58|H|400|0<3.1.0|Denial of service through resource exhaustion
=datatables.net
CVE-2015-6584|H|79|0<1.10.10|Cross-site scripting
GHSA-h73q-5wmj-q8pj CVE-2021-23445|M|79|0<1.11.3|Cross-site scripting
GHSA-m7j4-fhg6-xf5v CVE-2020-28458|H|1321|0<1.10.22|Prototype pollution
=debug
GHSA-4x49-vf9v-38px CVE-2025-59144 MAL-2025-46974|H!|506|4.4.2<4.4.3|Published version contains malicious code
GHSA-9vvw-cc9w-f27h CVE-2017-20165|H|1333|0<2.6.9 3.0.0<3.1.0|Regular expression denial of service
GHSA-gxpj-cx7g-858c CVE-2017-16137|L|400|0<2.6.9 3.0.0<3.1.0 3.2.0<3.2.7 4.0.0<4.3.1|Denial of service through resource exhaustion
=decamelize
GHSA-q5c4-39f5-m68j CVE-2017-16023|H|400|1.1.0<1.1.2|Denial of service through resource exhaustion
=decode-uri-component
GHSA-w573-4hg7-7wgq CVE-2022-38900|H|20|0<0.2.1|Improper input validation
=decompress
GHSA-h39j-r5qq-r9mm CVE-2026-10732|M|22 29|0<=4.2.1|Path traversal
GHSA-jwp9-9v96-94mx CVE-2026-39243|M|59|0<4.2.2|Link following
GHSA-mp2f-45pm-3cg9 CVE-2026-53486|C|22 59 732|0<=4.2.1|Path traversal
GHSA-qgfr-5hqp-vrw9 CVE-2020-12265|C|22 59|0<4.2.1|Path traversal
=deep-extend
GHSA-hr2v-3952-633q CVE-2018-3750|C|20|0<0.5.1|Prototype pollution
=degenerator
GHSA-9j49-mfvp-vmhm CVE-2021-23406|H|94|0<3.0.1|Code injection
=devcert-sanscache
GHSA-4gp3-p7ph-x2jr CVE-2019-10778|C|78|0<0.4.7|OS command injection
=dicer
GHSA-wm7h-9275-46v2 CVE-2022-24434|H|248|0<=0.3.1|Uncaught exception
=diff
GHSA-73rr-hh4g-fpgx CVE-2026-24001|L|400 1333|0<3.5.1 4.0.0<4.0.4 5.0.0<5.2.2 6.0.0<8.0.3|Regular expression denial of service
GHSA-h6ch-v84p-w6p9|H|400|0<3.5.0|Denial of service through resource exhaustion
=dompurify
GHSA-39q2-94rc-95cp CVE-2026-65903|M|783|0<3.4.0|Sanitizer bypass
GHSA-55q2-fjhq-7xh7 CVE-2026-75838|M|79|0<3.4.13|Cross-site scripting
GHSA-63q7-h895-m982 CVE-2020-26870|M|79|0<2.0.17|Cross-site scripting
GHSA-76mc-f452-cxcm CVE-2026-65902|M|501|0<3.4.7|Trust boundary violation
GHSA-87xg-pxx2-7hvx CVE-2026-47423|H|79|3.4.4<3.4.5|Cross-site scripting
GHSA-8hgg-xxm5-3873 CVE-2019-25155|M|601|0<1.0.11|Open redirect
GHSA-c2j3-45gr-mqc4 CVE-2026-66010|L|79 184 693|0<3.4.12|Cross-site scripting
GHSA-chqj-j4fh-rw7m CVE-2019-16728|M|79|0<2.0.3|Cross-site scripting
GHSA-cj63-jhhr-wcxv CVE-2026-65913|M|1321|0<3.3.2|Prototype pollution
GHSA-cjmm-f4jc-qw8r CVE-2026-65912|M|79|0<3.3.2|Cross-site scripting
GHSA-cmwh-pvxp-8882 CVE-2026-65898|M|79|0<3.4.11|Cross-site scripting
GHSA-crv5-9vww-q3g8 CVE-2026-41239|M|79 1289|1.0.10<3.4.0|Cross-site scripting
GHSA-gvmj-g25r-r7wr CVE-2026-65900|L|79|3.0.0<3.4.8|Cross-site scripting
GHSA-gx9m-whjm-85jf CVE-2024-47875|H|79|0<2.5.0 3.0.0<3.1.3|Cross-site scripting
GHSA-h7mw-gpvr-xq4m CVE-2026-41240|M|79 183|0<3.4.0|Cross-site scripting
GHSA-h8r8-wccr-v5f2 CVE-2026-65914|M|79|0<3.3.2|Cross-site scripting
GHSA-hpcv-96wg-7vj8 CVE-2026-49458|M|79 501 693|0<3.4.6|Cross-site scripting
GHSA-mjjq-c88q-qhr6|C|79|0<2.0.7|Cross-site scripting
GHSA-mmhx-hmjr-r674 CVE-2024-45801|H|1321 1333|0<2.5.4 3.0.0<3.1.3|Prototype pollution
GHSA-p3vf-v8qc-cwcr CVE-2024-48910|C|1321|0<2.4.2|Prototype pollution
GHSA-r47g-fvhr-h676 CVE-2026-49459|M|79 693 1321|0<3.4.6|Cross-site scripting
GHSA-rp9w-3fw7-7cwq CVE-2026-49978|M|79|0<3.4.7|Cross-site scripting
GHSA-v2wj-7wpq-c8vv CVE-2026-0540|M|79|2.5.3<2.5.9 3.1.3<3.3.2|Cross-site scripting
GHSA-v8jm-5vwx-cfxm CVE-2025-15599|M|79|2.5.3<2.5.9 3.1.3<3.2.7|Cross-site scripting
GHSA-v9jr-rg53-9pgp CVE-2026-41238|M|79 1321|3.0.1<3.4.0|Prototype pollution
GHSA-vhxf-7vqr-mrjg CVE-2025-26791|M|79|0<3.2.4|Cross-site scripting
GHSA-vxr8-fq34-vvx9 CVE-2026-65899|L|693|0<3.4.9|Protection mechanism bypass
GHSA-x4vx-rjvf-j5p4 CVE-2026-65901|L|79|0<3.4.7|Cross-site scripting
=dot
GHSA-297x-8xj4-vcxv CVE-2020-8141|H|94|0<1.1.3|Code injection
GHSA-4859-gpc7-4j66|M|77|0<=1.1.2|Command injection
=dot-prop
GHSA-ff7x-qrg7-qggm CVE-2020-8116|H|425 471 1321|0<4.2.1 5.0.0<5.1.1|Prototype pollution
=dottie
GHSA-4gxf-g5gf-22h4 CVE-2023-26132|H|1321|0<2.0.4|Prototype pollution
GHSA-r5mx-6wc6-7h9w CVE-2026-27837|M|1321|2.0.4<2.0.7|Prototype pollution
=eazy-logger
GHSA-r7jx-5m6m-cpg9 CVE-2024-57075|H||0<=4.0.1|Prototype pollution
=ejs
GHSA-3w5v-p54c-f74x CVE-2017-1000228|C|20|0<2.5.5|Improper input validation
GHSA-6x77-rpqf-j6mw CVE-2017-1000189|H|20|0<2.5.5|Improper input validation
GHSA-ghr5-ch3p-vcr6 CVE-2024-33883|M|693 1321|0<3.1.10|Prototype pollution
GHSA-hwcf-pp87-7x6p CVE-2017-1000188|M|79|0<2.5.5|Cross-site scripting
GHSA-phwq-j96m-2c2q CVE-2022-29078|C|74|0<3.1.7|Injection
=electron
CVE-2020-15096|L|501|0<6.1.11 7.0.0<7.2.4 8.0.0<8.2.4|Protection bypass
CVE-2020-15174|H|20 693|8.0.0-beta.0<8.5.1 9.0.0-beta.0<9.3.0 10.0.0-beta.0<10.0.1|Protection bypass
CVE-2020-15215|L|668 693|8.0.0-beta.0<8.5.2 9.0.0-beta.0<9.3.1 10.0.0-beta.0<10.1.2 11.0.0-beta.0<11.0.0-beta.6|Protection bypass
CVE-2020-26272|M|668|0<9.4.0 10.0.0<10.2.0 11.0.0<11.1.0|Information disclosure
CVE-2020-4075|M|552|0<7.2.4 8.0.0<8.2.4|Information disclosure
CVE-2020-4076|H|501|0<7.2.4 8.0.0<8.2.4|Protection bypass
CVE-2020-4077|H|501|0<7.2.4 8.0.0<8.2.4|Protection bypass
CVE-2021-39184|M|668 862|0<11.5.0 12.0.0<12.1.0 13.0.0<13.3.0|Authorization bypass
CVE-2022-21718|L|668 862|0<13.6.6 14.0.0-beta.1<14.2.4 15.0.0-beta.1<15.3.5 16.0.0-beta.1<16.0.6 17.0.0-alpha.1<17.0.0-alpha.6|Authorization bypass
CVE-2022-29247|L|668|0<15.5.5 16.0.0<16.2.6 17.0.0<17.2.0 18.0.0-beta.1<18.0.0-beta.6|Information disclosure
CVE-2022-29257|M|20|0<15.5.0 16.0.0<16.2.0 17.0.0<17.2.0 18.0.0-beta.1<18.0.0-beta.6|Improper input validation
CVE-2022-36077|M|200 522|0<18.3.7 19.0.0-beta.1<19.0.11 20.0.0-beta.1<20.0.1|Information disclosure
CVE-2022-4135|C|787|19.0.0<19.1.8|Out-of-bounds write
CVE-2023-23623|H|670|22.0.0-beta.1<22.0.1 23.0.0-alpha.1<23.0.0-alpha.2|Protection bypass
CVE-2023-29198|M|754|0<22.3.6 23.0.0-alpha.1<23.2.3 24.0.0-alpha.1<24.0.1 25.0.0-alpha.1<25.0.0-alpha.2|Protection bypass
CVE-2023-39956|M|94|0<22.3.19 23.0.0-alpha.1<23.3.13 24.0.0-alpha.1<24.7.1 25.0.0-alpha.1<25.5.0 26.0.0-alpha.1<26.0.0-beta.13|Code injection
CVE-2023-44402|M|345|0<22.3.24 23.0.0-alpha.1<24.0.0-alpha.1 24.0.0-alpha.1<24.8.3 25.0.0-alpha.1<25.8.1 26.0.0-alpha.1<26.2.1 27.0.0-alpha.1<27.0.0-alpha.7|Protection bypass
CVE-2023-4863|H|787|22.0.0<22.3.24 24.0.0<24.8.3 25.0.0<25.8.1 26.0.0<26.2.1 27.0.0-beta.1<27.0.0-beta.2|Out-of-bounds write
CVE-2023-5217|H|787|0<22.3.25 24.0.0<24.8.5 25.0.0<25.8.4 26.0.0<26.2.4 27.0.0-alpha.1<27.0.0-beta.8|Out-of-bounds write
=elliptic
GHSA-434g-2637-qmqr CVE-2024-48949|L|347|0<6.5.6|Signature verification bypass
GHSA-49q7-c7j4-3p7m CVE-2024-42461|L|347|5.2.1<6.5.7|Signature verification bypass
GHSA-848j-6mx2-7j84 CVE-2025-14505|L|1240|0<=6.6.1|Weak cryptographic primitive
GHSA-977x-g7h5-7qgw CVE-2024-42460|L|130|2.0.0<6.5.7|Improper handling of a length
GHSA-f7q4-pwc6-w24p CVE-2024-42459|L|347|4.0.0<6.5.7|Signature verification bypass
GHSA-fc9h-whq2-v747 CVE-2024-48948|L|347|0<6.6.0|Signature verification bypass
GHSA-r9p9-mrjm-926w CVE-2020-28498|M|327|0<6.5.4|Broken or risky cryptographic algorithm
GHSA-vh7m-p724-62c2 CVE-2020-13822|H|190|0<6.5.3|Integer overflow
GHSA-vjh7-7g9h-fjfh|C|200|0<6.6.1|Information disclosure
=engine.io
GHSA-273r-mgr4-v34f CVE-2022-21676|H|754 755|4.0.0<4.1.2 5.0.0<5.2.1 6.0.0<6.1.1|Improper check for unusual conditions
GHSA-gr94-w7qr-f4j3 CVE-2026-59724|H|20|6.5.0<6.6.7|Improper input validation
GHSA-j4f2-536g-r55m CVE-2020-36048|H|400|0<3.6.0|Denial of service through resource exhaustion
GHSA-q9mw-68c2-j6m5 CVE-2023-31125|M|248|5.1.0<6.4.2|Uncaught exception
GHSA-r635-g3xr-vw7x CVE-2026-59725|H|404|4.1.0<6.6.7|Missing release of a resource
GHSA-r7qp-cfhv-p84w CVE-2022-41940|M|248|0<3.6.1 4.0.0<6.2.1|Uncaught exception
=engine.io-client
GHSA-4r4m-hjwj-43p8 CVE-2016-10536|M|300|0<1.6.9|Certificate validation bypass
=error-ex
GHSA-6jp5-hh4c-8c5h CVE-2025-59330|H!||1.3.3|Published version contains malicious code
=es5-ext
GHSA-4gmj-3p3h-gm8h CVE-2024-27088|L|1333|0.10.0<0.10.63|Regular expression denial of service
=esbuild
GHSA-67mh-4wv8-2f99|M|346|0<0.25.0|Missing or insufficient origin check
GHSA-g7r4-m6w7-qqqr|L|22|0.27.3<0.28.1|Path traversal
=eslint
GHSA-jcgq-xh2f-2hfm|M||0<4.18.2|Regular expression denial of service
=eslint-config-eslint
GHSA-hxxf-q3w9-4xgw|C!|506|5.0.2<6.0.0|Published version contains malicious code
GHSA-pv55-r6j3-wp94|C!||5.0.2|Published version contains malicious code
=eslint-config-prettier
GHSA-f29h-pxvx-f335 CVE-2025-54313|H!|506|8.10.1 9.1.1 10.1.6 10.1.7|Compromised releases run a native loader at install time
=eslint-plugin-prettier
GHSA-f29h-pxvx-f335 CVE-2025-54313|H!|506|4.2.2 4.2.3|Compromised releases run a native loader at install time
=eslint-scope
GHSA-hxxf-q3w9-4xgw|C!|506|3.7.2<3.7.3|Published version contains malicious code
=eslint-utils
GHSA-3gx7-xhv7-5mx3 CVE-2019-15657|C|20|1.2.0<1.4.1|Improper input validation
=esm
GHSA-qx4v-6gc5-f2vv|M|400|0<3.1.0|Denial of service through resource exhaustion
=eventsource
GHSA-6h5x-7c5m-7cr7 CVE-2022-1650|C|200 212|0<1.1.1 2.0.0<2.0.2|Sensitive data not removed
=exceljs
GHSA-2j2j-8rrv-264g CVE-2018-16459|M|79|0<1.6.0|Cross-site scripting
=expr-eval
GHSA-8gw3-rxh4-v6jx CVE-2025-13204|H||0<=2.0.2|Prototype pollution
GHSA-jc85-fpwf-qm7x CVE-2025-12735|H||0<=2.0.2|Code execution
=express
GHSA-cm5g-3pgc-8rg4 CVE-2024-10491|M|74|0<4.0.0-rc1|Injection
GHSA-gpvr-g6gh-9mc2 CVE-2014-6393|M|79|0<3.11.0 4.0.0<4.5.0|Cross-site scripting
GHSA-jj78-5fmv-mv28 CVE-2024-9266|L|601|3.4.5<4.0.0-rc1|Open redirect
GHSA-qw6h-vgh9-j6wx CVE-2024-43796|L|79|0<4.20.0 5.0.0-alpha.1<5.0.0|Cross-site scripting
GHSA-rv95-896h-c2vc CVE-2024-29041|M|601 1286|0<4.19.2 5.0.0-alpha.1<5.0.0-beta.3|Open redirect
=express-fileupload
GHSA-9wcg-jrwf-8gg7 CVE-2020-7699|C|915 1321|0<1.1.9|Prototype pollution
GHSA-q3w9-g74q-vp5f|L||0<1.1.6-alpha.6|Denial of service
GHSA-w4m6-x6c2-j5c9 CVE-2022-27261|H|434|0<=1.3.1|Unrestricted file upload
=express-jwt
GHSA-6g6m-m6h5-w9gf CVE-2020-15084|H|285 863|0<6.0.0|Authorization bypass
=express-rate-limit
GHSA-46wh-pxpv-q5gq CVE-2026-30827|H|770|8.0.0<8.0.2 8.1.0<8.1.1 8.2.0<8.2.2|Resource allocation without limits
=extend
GHSA-qrmc-fj45-qfc2 CVE-2018-16492|M|400|1.1.3<2.0.2 3.0.0<3.0.2|Prototype pollution
=fast-csv
GHSA-8cv5-p934-3hwp CVE-2020-26256|L|400|0<4.3.6|Denial of service through resource exhaustion
=fast-uri
GHSA-7p8r-x3mc-p8w7 CVE-2026-18446|H|436|3.0.0<3.1.5 4.0.0<4.1.2|Interpretation conflict
GHSA-q3j6-qgpj-74h6 CVE-2026-6321|H|22|0<3.1.1|Path traversal
GHSA-v39h-62p7-jpjc CVE-2026-6322|H|436|0<3.1.2|Interpretation conflict
=fast-xml-parser
GHSA-37qj-frw5-hhjh CVE-2026-25128|H|248|4.3.6<5.3.4|Uncaught exception
GHSA-6w63-h3fj-q4vw CVE-2023-34104|H|400 1333|4.1.3<4.2.4|Regular expression denial of service
GHSA-8gc5-j5rx-235r CVE-2026-33036|H|776|4.0.0-beta.3<4.5.5 5.0.0<5.5.6|XML entity expansion
GHSA-8r6m-32jq-jx6q CVE-2026-73569|H|776|5.9.3<5.10.1|XML entity expansion
GHSA-fj3w-jwp8-x2g3 CVE-2026-27942|L|120|4.0.0-beta.0<4.5.4 5.0.0<5.3.8|Buffer overflow
GHSA-gh4j-gqv2-49f6 CVE-2026-41650|M|91|0<5.7.0|XML injection
GHSA-gpv5-7x3g-ghjv|L||4.2.4<4.2.5|Incomplete fix of an earlier regular expression
GHSA-jmr7-xgp7-cmfj CVE-2026-26278|H|776|4.1.3<4.5.4 5.0.0<5.3.6|XML entity expansion
GHSA-jp2q-39xq-3w4g CVE-2026-33349|M|1284|4.0.0-beta.3<4.5.5 5.0.0<5.5.7|Improper validation of a size
GHSA-m7jm-9gc2-mpf2 CVE-2026-25896|C|185|4.1.3<4.5.4 5.0.0<5.3.5|Incorrect regular expression
GHSA-mpg4-rc92-vx8v CVE-2024-41818|H|400 1333|4.3.5<4.4.1|Regular expression denial of service
GHSA-x3cc-x39p-42qx CVE-2023-26920|M|1321|0<4.1.2|Prototype pollution
=file-type
GHSA-5v7r-6r5c-r473 CVE-2026-31808|M|835|13.0.0<21.3.1|Infinite loop
GHSA-j47w-4g3g-c36v CVE-2026-32630|M||20.0.0<21.3.2|Denial of service
GHSA-mhxj-85r3-2x55 CVE-2022-36313|H|835|13.0.0<16.5.4 17.0.0<17.1.3|Infinite loop
=flat
GHSA-2j2x-2gpw-g8fm CVE-2020-36632|C|1321|0<5.0.1|Prototype pollution
=flatted
GHSA-25h7-pfq9-p65f CVE-2026-32141|H||0<3.4.0|Uncontrolled recursion
GHSA-rf6f-7fwh-wjgh CVE-2026-33228|H||0<=3.4.1|Prototype pollution
=follow-redirects
GHSA-74fj-2j2h-c42q CVE-2022-0155|H|359|0<1.14.7|Exposure of private data
GHSA-cxjh-pqwp-8mfp CVE-2024-28849|M|200|0<1.15.6|Information disclosure
GHSA-jchw-25xp-jwwc CVE-2023-26159|M|20 601|0<1.15.4|Open redirect
GHSA-pw2r-vq6v-hr8c CVE-2022-0536|M|200 212|0<1.14.8|Sensitive data not removed
GHSA-r4q5-vmmm-2653|M|200|0<1.16.0|Information disclosure
=form-data
GHSA-fjxv-7rqg-78g4 CVE-2025-7783|C|330|0<2.5.4 3.0.0<3.0.4 4.0.0<4.0.4|Predictable random values
GHSA-hmw2-7cc7-3qxx CVE-2026-12143|H|93|0<2.5.6 3.0.0<3.0.5 4.0.0<4.0.6|CRLF injection
=formidable
GHSA-75v8-2h7p-7m2m CVE-2025-46653|L|338|2.1.0<2.1.3 3.1.1-canary.20211030<3.5.3|Predictable random values
GHSA-8cp3-66vr-3r4c CVE-2022-29622|C|434|0<3.2.4|Unrestricted file upload
=forwarded
GHSA-mpcf-4gmh-23w8 CVE-2017-16118|H|400|0<0.1.2|Denial of service through resource exhaustion
=fresh
GHSA-9qj9-36jm-prpv CVE-2017-16119|H|400|0<0.5.2|Denial of service through resource exhaustion
=fsevents
GHSA-8r6j-v8pm-fqw3 CVE-2023-45311|C|94|0<1.2.11|Code injection
=fstream
GHSA-xf7w-r453-m56c CVE-2019-13173|H|59|0<1.0.12|Link following
=get-func-name
GHSA-4q6p-r6v2-jvc5 CVE-2023-43646|H|1333 400|0<2.0.1|Regular expression denial of service
=getobject
GHSA-957j-59c2-j692 CVE-2020-28282|C|1321|0<1.0.0|Prototype pollution
=glob
GHSA-5j98-mcp5-4vw2 CVE-2025-64756|H|78|10.2.0<10.5.0 11.0.0<11.1.0|OS command injection
=glob-parent
GHSA-cj88-88mr-972w CVE-2021-35065|H|400 1333|6.0.0<6.0.1|Regular expression denial of service
GHSA-ww39-953v-wcq6 CVE-2020-28469|H|400|4.0.0<5.1.2|Denial of service through resource exhaustion
=got
GHSA-pfrx-2q88-qq97 CVE-2022-33987|M||0<11.8.5 12.0.0<12.1.0|Open redirect
=graphql
GHSA-9pv7-vfvm-6vr7 CVE-2023-26144|M|400|16.3.0<16.8.1|Denial of service through resource exhaustion
=growl
GHSA-qh2h-chj9-jffq CVE-2017-16042|C|78 94|0<1.10.0|OS command injection
=grunt
GHSA-j383-35pm-c5h4 CVE-2022-0436|M|22|0<1.5.2|Path traversal
GHSA-m5pj-vjjf-4m3h CVE-2020-7729|H|1188|0<1.3.0|Code execution
GHSA-rm36-94g8-835r CVE-2022-1537|H|367|0<1.5.3|Race condition
=gry
GHSA-w5mw-f2hq-5fw8 CVE-2020-36650|H|77|0<6.0.0|Command injection
=handlebars
GHSA-2cf5-4w76-r9qv|H|94|0<3.0.8 4.0.0<4.5.2|Cross-site scripting
GHSA-2qvq-rjwj-gvw9 CVE-2026-33916|M|79 1321|4.0.0<4.7.9|Prototype pollution
GHSA-2w6w-674q-4c4q CVE-2026-33937|C|94 843|4.0.0<4.7.9|Code injection
GHSA-3cqr-58rm-57f8 CVE-2019-20920|H|94|0<3.0.8 4.0.0<4.5.3|Cross-site scripting
GHSA-3mfm-83xf-c92r CVE-2026-33938|H|94 843|4.0.0<4.7.9|Code injection
GHSA-442j-39wm-28r2|L|367|4.0.0<4.7.9|Race condition
GHSA-62gr-4qp9-h98f CVE-2019-20922|H|400|4.0.0<4.4.5|Denial of service through resource exhaustion
GHSA-6r5x-hmgg-7h53|M||0<4.1.0|Code execution
GHSA-765h-qjxv-5f44 CVE-2021-23383|C|1321|0<4.7.7|Prototype pollution
GHSA-7rx3-28cr-v5wh|M|1321|4.6.0<4.7.9|Prototype pollution
GHSA-9cx6-37pm-9jff CVE-2026-33939|H|754|4.0.0<4.7.9|Improper check for unusual conditions
GHSA-9prh-257w-9277 CVE-2015-8861|M|79|0<4.0.0|Cross-site scripting
GHSA-f2jv-r9rf-7988 CVE-2021-23369|C|94|0<4.7.7|Code injection
GHSA-f52g-6jhx-586p|M|400|4.0.0<4.4.5|Denial of service through resource exhaustion
GHSA-g9r4-xpmj-mj65|H|1321|0<3.0.8 4.0.0<4.5.3|Prototype pollution
GHSA-q2c6-c6pm-g3gh|H|79|0<3.0.8 4.0.0<4.5.3|Cross-site scripting
GHSA-q42p-pg8m-cqh6|H|471|0<3.0.7 4.0.0<4.0.14 4.1.0<4.1.2|Prototype pollution
GHSA-w457-6q6x-cgp9 CVE-2019-19919|C|74 1321|0<3.0.8 4.0.0<4.3.0|Prototype pollution
GHSA-xhpv-hc6g-r9c6 CVE-2026-33940|H|94 843|4.0.0<4.7.9|Code injection
GHSA-xjpj-3mr7-gcpf CVE-2026-33941|H|79 94 116|4.0.0<4.7.9|Cross-site scripting
=has-ansi
INCIDENT-2025-09-08|C!|506|6.0.1|Published version contains malicious code
=hbs
GHSA-7f5c-rpf4-86p8 CVE-2021-32822|M|94 200 538|0<=4.1.2|Code injection
=highlight.js
GHSA-7wwv-vh3v-89cq|M|20 400|9.0.0<10.4.1|Improper input validation
GHSA-vfrc-7r7c-w9mx CVE-2020-26237|M|471|0<9.18.2 10.0.0<10.1.2|Prototype pollution
=hoek
GHSA-c429-5p7v-vgjp CVE-2020-36604|H|1321|0<=6.1.3|Prototype pollution
GHSA-jp4x-w63m-7wgm CVE-2018-3728|H|1321|0<4.2.1 5.0.0<5.0.3|Prototype pollution
=hosted-git-info
GHSA-43f8-2h32-f4cj CVE-2021-23362|M|400|0<2.8.9 3.0.0<3.0.8|Denial of service through resource exhaustion
=html-minifier
GHSA-pfq8-rq6v-vf5m CVE-2022-37620|H|1333 400|0<=4.0.0|Regular expression denial of service
=html-parse-stringify
GHSA-545q-3fg6-48m7 CVE-2021-23346|M|400|0<2.0.1|Denial of service through resource exhaustion
=html-pdf
GHSA-x4w5-r546-x9qh CVE-2019-15138|H|73 79 200 668|0<3.0.1|External control of a file path
=http-cache-semantics
GHSA-rc47-6667-2j5j CVE-2022-25881|H|1333|0<4.1.1|Regular expression denial of service
=http-proxy
GHSA-6x33-pw7p-hmpq|H|184 693|0<1.18.1|Incomplete denylist
GHSA-9xw9-pvgv-6p76 CVE-2017-16014|H|703|0<0.7.0|Improper handling of exceptional conditions
=http-proxy-agent
GHSA-86wf-436m-h424 CVE-2019-10196|M|665|0<2.1.0|Denial of service
GHSA-8w57-jfpm-945m|H|400|0<2.1.0|Denial of service through resource exhaustion
=http-proxy-middleware
GHSA-4www-5p9h-95mh CVE-2025-32996|M|670|1.3.0<2.0.8 3.0.0<3.0.4|Incorrect control flow
GHSA-64mm-vxmg-q3vj CVE-2026-55602|M|20 187|0.16.0<2.0.10 3.0.0<3.0.6 4.0.0<4.1.0|Partial string comparison
GHSA-9gqv-wp59-fq42 CVE-2025-32997|M|754|1.3.0<2.0.9 3.0.0<3.0.5|Improper check for unusual conditions
GHSA-c7qv-q95q-8v27 CVE-2024-21536|H|400|0<2.0.7 3.0.0<3.0.3|Denial of service through resource exhaustion
GHSA-gcq2-9pq2-cxqm CVE-2026-55603|H|93|3.0.4<3.0.7 4.0.0<4.1.1|CRLF injection
=http-signature
GHSA-q257-vv4p-fg92 CVE-2017-16005|H|20|0<0.10.0|Improper input validation
=https-proxy-agent
GHSA-8g7p-74h8-hg48 CVE-2018-3739|C|125 400|0<2.2.0|Out-of-bounds read
GHSA-pc5p-h8pf-mvwp|M|300|0<2.2.3|Certificate validation bypass
=i18next
GHSA-cmh5-qc8w-xvcq CVE-2017-16010|M|79|2.0.0<3.4.4|Cross-site scripting
GHSA-f89g-whpf-6q9m CVE-2017-16008|M|79|0<1.10.3|Cross-site scripting
=i18next-fs-backend
GHSA-8847-338w-5hcj CVE-2026-41693|H||0<2.6.4|Path traversal
=image-size
GHSA-m5qc-5hw7-8vg7|H||2.0.0<2.0.2|Denial of service
=immer
GHSA-33f9-j839-rf8h CVE-2021-23436|C|843 1321|7.0.0<9.0.6|Prototype pollution
GHSA-9qmh-276g-x5pj CVE-2020-28477|H|471|7.0.0<8.0.1|Prototype pollution
GHSA-c36v-fmgq-m8hx CVE-2021-3757|H|915 1321|7.0.0<9.0.6|Prototype pollution
=immutable
GHSA-wf6x-7x77-mvgw CVE-2026-29063|H|1321|0<3.8.3 4.0.0-rc.1<4.3.8 5.0.0<5.1.5|Prototype pollution
=import-in-the-middle
GHSA-5r27-rw8r-7967 CVE-2023-38704|H|20|0<1.4.2|Improper input validation
=ini
GHSA-qqgx-2p2h-9c37 CVE-2020-7788|H|1321|0<1.3.6|Prototype pollution
=intercom-client
GHSA-54pg-9963-v8vg|C!|506|7.0.4|Compromised release of the Mini Shai-Hulud campaign
=ip
GHSA-2p57-rm9w-gvfp CVE-2024-29415|H|918|0<=2.0.1|Server-side request forgery
GHSA-78xj-cgh5-2h22 CVE-2023-42282|L|918|0<1.1.9 2.0.0<2.0.1|Server-side request forgery
=ip-address
GHSA-v2v4-37r5-5v8g CVE-2026-42338|M|79|0<10.1.1|Cross-site scripting
=is-arrayish
GHSA-frh7-2f84-v9mw CVE-2025-59331|H!||0.3.3|Published version contains malicious code
=is-svg
GHSA-7r28-3m3f-r2pr CVE-2021-28092|H|400|2.1.0<4.2.2|Denial of service through resource exhaustion
GHSA-r8j5-h5cx-65gg CVE-2021-29059|H|770|2.1.0<4.3.0|Resource allocation without limits
=is-url
GHSA-p9w8-2mpq-49h9 CVE-2018-25079|H|1333|0<1.2.3|Regular expression denial of service
=jose
GHSA-58f5-hfqc-jgch CVE-2021-29443|M|203 696|1.0.0<1.28.1 2.0.0<2.0.5 3.0.0<3.11.4|Observable timing difference
GHSA-hhhv-q57g-882q CVE-2024-28176|M|400|0<2.0.7 3.0.0<4.15.5|Denial of service through resource exhaustion
GHSA-jv3g-j58f-9mq9 CVE-2022-36083|M|400 834|1.0.0<1.28.2 2.0.0<2.0.6 3.0.0<3.20.4 4.0.0<4.9.2|Excessive iteration
=jquery
GHSA-2pqj-h3vj-pqgw CVE-2012-6708|M|64 79|0<1.9.0|Cross-site scripting
GHSA-579v-mp3v-rrw5 CVE-2011-4969|M|79|0<1.6.3|Cross-site scripting
GHSA-6c3j-c64m-qhgq CVE-2019-11358|M|79 1321|1.1.4<3.4.0|Prototype pollution
GHSA-gxr4-xjj5-5px2 CVE-2020-11022|M|79|1.12.0<3.5.0|Cross-site scripting
GHSA-jpcq-cgw6-v4j6 CVE-2020-11023|M|79|1.0.3<3.5.0|Cross-site scripting
GHSA-mhpp-875w-9cpv CVE-2016-10707|H|400 674|3.0.0-rc.1<3.0.0|Uncontrolled recursion
GHSA-q4m3-2j7h-f7xw CVE-2020-7656|M|79|1.2.1<1.9.0|Cross-site scripting
GHSA-rmxg-73gg-4p98 CVE-2015-9251|M|79|0<1.12.2 1.12.3<3.0.0|Cross-site scripting
=jquery-ui
GHSA-9gj3-hwp5-pmwc CVE-2021-41182|M|79|0<1.13.0|Cross-site scripting
GHSA-gpqq-952q-5327 CVE-2021-41184|M|79|0<1.13.0|Cross-site scripting
GHSA-h6gj-6jjq-h8g9 CVE-2022-31160|M|79|0<1.13.2|Cross-site scripting
GHSA-hpcf-8vf9-q4gj CVE-2016-7103|M|79|0<1.12.0|Cross-site scripting
GHSA-j7qv-pgf6-hvh4 CVE-2021-41183|M|79|0<1.13.0|Cross-site scripting
GHSA-qqxp-xp9v-vvx6 CVE-2012-6662|M|79|0<1.10.0|Cross-site scripting
GHSA-wcm2-9c89-wmfm CVE-2010-5312|M|79|1.7.0<1.10.0|Cross-site scripting
=js-yaml
GHSA-2pr6-76vf-7546|M|400|0<3.13.0|Denial of service through resource exhaustion
GHSA-52cp-r559-cp3m CVE-2026-59869|H|400 407|3.0.0<3.15.0 4.0.0<4.3.0|Denial of service through algorithmic complexity
GHSA-5p4m-2wfm-xmqj|H|407|3.0.0<3.15.1 4.0.0<4.3.1|Denial of service through algorithmic complexity
GHSA-724g-mxrg-4qvm CVE-2026-59870|M|407 770|5.0.0<5.2.1|Denial of service through algorithmic complexity
GHSA-8j8c-7jfh-h6hx|H|94|0<3.13.1|Code injection
GHSA-h67p-54hq-rp68 CVE-2026-53550|M|407|0<3.15.0 4.0.0<4.2.0|Denial of service through algorithmic complexity
GHSA-mh29-5h37-fv8m CVE-2025-64718|M|1321|0<3.14.2 4.0.0<4.1.1|Prototype pollution
GHSA-pm4m-ph32-ghv5 CVE-2026-73643|H|407|5.0.0<5.2.2|Denial of service through algorithmic complexity
GHSA-xxvw-45rp-3mj2 CVE-2013-4660|C|20|0<2.0.5|Improper input validation
=json-bigint
GHSA-wgfq-7857-4jcc CVE-2020-8237|H|400|0<1.0.0|Denial of service through resource exhaustion
=json-ptr
GHSA-8gwj-8hxc-285w CVE-2021-23509|M|843 1321|0<3.0.0|Prototype pollution
GHSA-rrqv-vjrw-hrcr|H|74|0<2.1.0|Injection
GHSA-x5r6-x823-9848 CVE-2020-7766|H|74 400 1321|0<2.1.0|Prototype pollution
=json-schema
GHSA-896r-f27r-55mw CVE-2021-3918|C|915 1321|0<0.4.0|Prototype pollution
=json5
GHSA-9c47-m6qq-7p4h CVE-2022-46175|H|1321|0<1.0.2 2.0.0<2.2.2|Prototype pollution
=jsonpath
GHSA-6c59-mwgh-r2x6 CVE-2025-61140|M||0<1.2.0|Prototype pollution
GHSA-87r5-mp6g-5w5j CVE-2026-1615|H||0<1.3.0|Injection
=jsonpath-plus
GHSA-hw8r-x6gr-5gjp CVE-2025-1302|H||0<10.3.0|Code execution
GHSA-pppg-cpfq-h7wr CVE-2024-21534|C|94|0<10.2.0|Code injection
=jsonpointer
GHSA-282f-qqgm-c34q CVE-2021-23807|M|1321 843|0<5.0.0|Prototype pollution
=jsonwebtoken
GHSA-8cf7-32gw-wr33 CVE-2022-23539|H|327|0<9.0.0|Broken or risky cryptographic algorithm
GHSA-c7hr-j4mj-j2w6 CVE-2015-9235|C|20|0<4.2.2|Improper input validation
GHSA-hjrf-2m68-5959 CVE-2022-23541|M|287 1259|0<9.0.0|Authentication bypass
GHSA-qwph-4952-7xr6 CVE-2022-23540|M|287 327 347|0<9.0.0|Authentication bypass
=jspdf
GHSA-3q6f-8grx-pr4v CVE-2020-7691|M|79|0<2.0.0|Cross-site scripting
GHSA-57f3-gghm-9mhc CVE-2021-23353|H|400|0<2.3.1|Denial of service through resource exhaustion
GHSA-67pg-wm7f-q7fj CVE-2026-25535|H|770|0<4.2.0|Resource allocation without limits
GHSA-7x6v-j9x4-qf24 CVE-2026-31898|H|116|0<4.2.1|Improper output encoding
GHSA-8mvj-3j78-4qmw CVE-2025-57810|H|20 835|0<3.0.2|Infinite loop
GHSA-95fx-jjr5-f39c CVE-2026-24133|H|20 400 770|0<4.1.0|Resource allocation without limits
GHSA-9vjf-qc39-jprp CVE-2026-25755|H|94 116|0<4.2.0|Code injection
GHSA-cjw8-79x6-5cj4 CVE-2026-24040|M|200 362|0<4.1.0|Race condition
GHSA-f8cm-6447-x5h2 CVE-2025-68428|C|22 35 73|0<4.0.0|Path traversal
GHSA-p5xg-68wr-hm3m CVE-2026-25940|H||0<4.2.0|Injection
GHSA-pqxr-3g65-p328 CVE-2026-24737|H||0<4.1.0|Injection
GHSA-vh59-v9r5-4mh4 CVE-2020-7690|M|79|0<2.0.0|Cross-site scripting
GHSA-vm32-vv63-w422 CVE-2026-24043|M|20 74|0<4.1.0|Improper input validation
GHSA-w532-jxjh-hjhj CVE-2025-29907|H|400 770|0<3.0.1|Resource allocation without limits
GHSA-wfv2-pwc8-crg5 CVE-2026-31938|C|79|0<4.2.1|Cross-site scripting
=jsrsasign
GHSA-27fj-mc8w-j9wg CVE-2021-30246|C|347|0<10.2.0|Signature verification bypass
GHSA-3fvg-4v2m-98jf CVE-2022-25898|H|347|4.8.0<10.5.25|Signature verification bypass
GHSA-464q-cqxq-xhgr CVE-2026-4603|L||0<11.1.1|Division by zero with a bad RSA modulus
GHSA-5jx8-q4cp-rhh6 CVE-2026-4599|C||7.0.0<11.1.1|DSA key recovery through biased nonces
GHSA-8g7p-jf3g-gxcp CVE-2026-4598|H||0<11.1.1|Denial of service
GHSA-8qwj-4jxw-m8jw CVE-2026-4602|H||0<11.1.1|Protection bypass
GHSA-g753-jx37-7xwh|M|362|4.0.0<8.0.13|Race condition
GHSA-h87q-g2wp-47pj|M|347|0<10.2.0|Signature verification bypass
GHSA-p8c3-7rj8-q963 CVE-2020-14966|H|347|4.0.0<8.0.19|Signature verification bypass
GHSA-q3gh-5r98-j4h3 CVE-2020-14968|C|119|3.0.0<8.0.17|Memory corruption
GHSA-rh63-9qcf-83gf CVE-2024-21484|H|203|0<11.0.0|Observable timing difference
GHSA-w8q8-93cx-6h7r CVE-2026-4601|H||0<11.1.1|DSA signing without checks leaks the private key
GHSA-wvqx-v3f6-w8rh CVE-2026-4600|H||0<11.1.1|Signature weakness
GHSA-xxxq-chmp-67g4 CVE-2020-14967|C|119|0<8.0.18|Memory corruption
=jszip
GHSA-36fh-84j7-cv5h CVE-2022-48285|M|22|0<3.8.0|Path traversal
GHSA-jg8v-48h5-wgxg CVE-2021-23413|M|1321|0<2.7.0 3.0.0<3.7.0|Prototype pollution
=just-extend
GHSA-675m-85rw-j3w4 CVE-2018-16489|C|1321 400|0<4.0.0|Prototype pollution
=jws
GHSA-869p-cjfg-cm3x CVE-2025-65945|H|347|0<3.2.3 4.0.0<4.0.1|Signature verification bypass
GHSA-gjcw-v447-2w7q CVE-2016-1000223|H||0<3.0.0|Signature weakness
=jwt-simple
GHSA-8v5f-hp78-jgxq|H|347|0<0.5.3|Signature verification bypass
GHSA-vgrx-w6rg-8fqf CVE-2016-10555|C|20|0<0.3.1|Improper input validation
=karma
GHSA-7x7c-qm48-pq9c CVE-2022-0437|M|79|0<6.3.14|Cross-site scripting
GHSA-rc3x-jf5g-xvc5 CVE-2021-23495|M|601|0<6.3.16|Open redirect
=kind-of
GHSA-6c8f-qphg-qjgp CVE-2019-20149|H|668|6.0.0<6.0.3|Exposed resource
=knex
GHSA-4jv9-3563-23j3 CVE-2016-20018|H|89|0<2.4.0|SQL injection
GHSA-58v4-qwx5-7f59 CVE-2019-10757|C|89|0<0.19.5|SQL injection
=langchain
GHSA-hc5w-c9f8-9cc4 CVE-2024-7774|M|22 29|0<0.2.19|Path traversal
GHSA-r399-636x-v7f6 CVE-2025-68665|H|502|0<0.3.37 1.0.0<1.2.3|Unsafe deserialization
=langsmith
GHSA-fw9q-39r9-c252 CVE-2026-40190|M||0<=0.5.17|Prototype pollution
GHSA-rr7j-v2q5-chgv CVE-2026-41182|M||0<=0.5.18|Information disclosure
GHSA-v34v-rq6j-cj6p CVE-2026-25528|M||0.3.41<0.4.6|Server-side request forgery
=less-openui5
GHSA-3crj-w4f5-gwh4 CVE-2021-21316|H|74|0<0.10.0|Injection
=libxmljs
GHSA-6433-x5p4-8jc7 CVE-2024-34391|C|843|0<=1.0.11|Type confusion
GHSA-773h-w45w-f2f9 CVE-2022-21144|H|20|0<0.19.8|Improper input validation
GHSA-jv72-59wq-8rxm CVE-2025-25341|H|400|0<=1.0.11|Denial of service through resource exhaustion
GHSA-mg49-jqgw-gcj6 CVE-2024-34392|C|843|0<=1.0.11|Type confusion
=libxmljs2
GHSA-78h3-pg4x-j8cv CVE-2024-34394|C|843|0<=0.35.0|Type confusion
GHSA-mjr4-7xg5-pfvh CVE-2024-34393|C|843|0<=0.33.0|Type confusion
=loader-utils
GHSA-3rfm-jhwj-7488 CVE-2022-37603|H|1333|1.0.0<1.4.2 2.0.0<2.0.4 3.0.0<3.2.1|Regular expression denial of service
GHSA-76p3-8jx3-jpfq CVE-2022-37601|C|1321|0<1.4.1 2.0.0<2.0.3|Prototype pollution
GHSA-hhq3-ff78-jv3g CVE-2022-37599|H|400 1333|1.0.0<1.4.2 2.0.0<2.0.4 3.0.0<3.2.1|Regular expression denial of service
=lodash
GHSA-29mw-wpgm-hmr9 CVE-2020-28500|M|400 1333|4.0.0<4.17.21|Regular expression denial of service
GHSA-35jh-r3h4-6jhm CVE-2021-23337|H|77 94|0<4.17.21|Command injection
GHSA-4xc9-xhrj-v574 CVE-2018-16487|H|400|0<4.17.11|Prototype pollution
GHSA-f23m-r3pf-42rh CVE-2026-2950|M|1321|0<4.18.0|Prototype pollution
GHSA-fvqr-27wr-82fm CVE-2018-3721|M|471 1321|0<4.17.5|Prototype pollution
GHSA-jf85-cpcp-j695 CVE-2019-10744|C|20 1321|0<4.17.12|Prototype pollution
GHSA-p6mc-m468-83gw CVE-2020-8203|H|770 1321|3.7.0<4.17.19|Prototype pollution
GHSA-r5fr-rjxr-66jc CVE-2026-4800|H|94|4.0.0<4.18.0|Code injection
GHSA-x5rq-j2xg-h7qm CVE-2019-1010266|M|400|4.7.0<4.17.11|Denial of service through resource exhaustion
GHSA-xxjr-mmjv-4gpg CVE-2025-13465|M|1321|4.0.0<4.17.23|Prototype pollution
=lodash-amd
GHSA-f23m-r3pf-42rh CVE-2026-2950|M|1321|0<4.18.0|Prototype pollution
GHSA-jf85-cpcp-j695 CVE-2019-10744|C|20 1321|0<4.17.13|Prototype pollution
GHSA-r5fr-rjxr-66jc CVE-2026-4800|H|94|4.0.0<4.18.0|Code injection
GHSA-x5rq-j2xg-h7qm CVE-2019-1010266|M|400|4.7.0<4.17.11|Denial of service through resource exhaustion
GHSA-xxjr-mmjv-4gpg CVE-2025-13465|M|1321|4.0.0<4.17.23|Prototype pollution
=lodash-es
GHSA-29mw-wpgm-hmr9 CVE-2020-28500|M|400 1333|4.0.0<4.17.21|Regular expression denial of service
GHSA-35jh-r3h4-6jhm CVE-2021-23337|H|77 94|0<4.17.21|Command injection
GHSA-f23m-r3pf-42rh CVE-2026-2950|M|1321|0<4.18.0|Prototype pollution
GHSA-jf85-cpcp-j695 CVE-2019-10744|C|20 1321|0<4.17.14|Prototype pollution
GHSA-p6mc-m468-83gw CVE-2020-8203|H|770 1321|3.7.0<4.17.20|Prototype pollution
GHSA-r5fr-rjxr-66jc CVE-2026-4800|H|94|4.0.0<4.18.0|Code injection
GHSA-x5rq-j2xg-h7qm CVE-2019-1010266|M|400|4.7.0<4.17.11|Denial of service through resource exhaustion
GHSA-xxjr-mmjv-4gpg CVE-2025-13465|M|1321|4.0.0<4.17.23|Prototype pollution
=lodash.defaultsdeep
GHSA-46fh-8fc5-xcwx|H|1321|0<4.6.1|Prototype pollution
GHSA-h5mp-5q4p-ggf5|H|1321|0<4.6.1|Prototype pollution
GHSA-jf85-cpcp-j695 CVE-2019-10744|C|20 1321|0<4.6.1|Prototype pollution
=lodash.merge
GHSA-2m96-9w4j-wgv7|H|1321|0<4.6.1|Prototype pollution
GHSA-h726-x36v-rx45|H|1321|0<4.6.2|Prototype pollution
=lodash.mergewith
GHSA-5947-m4fg-xhqg|H|1321|0<4.6.1|Prototype pollution
GHSA-779f-wgxg-qr8f|H|1321|0<4.6.2|Prototype pollution
=lodash.pick
GHSA-p6mc-m468-83gw CVE-2020-8203|H|770 1321|4.0.0<=4.4.0|Prototype pollution
=lodash.set
GHSA-p6mc-m468-83gw CVE-2020-8203|H|770 1321|3.7.0<=4.3.2|Prototype pollution
=lodash.setwith
GHSA-p6mc-m468-83gw CVE-2020-8203|H|770 1321|0<=4.3.2|Prototype pollution
=lodash.template
GHSA-35jh-r3h4-6jhm CVE-2021-23337|H|77 94|0<=4.5.0|Command injection
GHSA-r5fr-rjxr-66jc CVE-2026-4800|H|94|4.0.0<4.18.0|Code injection
=lodash.trim
GHSA-29mw-wpgm-hmr9 CVE-2020-28500|M|400 1333|4.0.0<=4.5.1|Regular expression denial of service
=lodash.trimend
GHSA-29mw-wpgm-hmr9 CVE-2020-28500|M|400 1333|4.0.0<=4.5.1|Regular expression denial of service
=lodash.unset
GHSA-f23m-r3pf-42rh CVE-2026-2950|M|1321|4.0.0<4.18.0|Prototype pollution
GHSA-xxjr-mmjv-4gpg CVE-2025-13465|M|1321|4.0.0<=4.5.2|Prototype pollution
=lodash.update
GHSA-p6mc-m468-83gw CVE-2020-8203|H|770 1321|0<=4.10.2|Prototype pollution
=lodash.updatewith
GHSA-p6mc-m468-83gw CVE-2020-8203|H|770 1321|0<=4.10.2|Prototype pollution
=log4js
GHSA-82v2-mx6x-wq7q CVE-2022-21704|M|276|0<6.4.0|Incorrect default permissions
=luxon
GHSA-3xq5-wjfh-ppjc CVE-2023-22467|H|1333|1.0.0<1.28.1 2.0.0<2.5.2 3.0.0<3.2.1|Regular expression denial of service
=markdown-it
CVE-2015-3295|M|79|0<4.1.0|Cross-site scripting
GHSA-38c4-r59v-3vqw CVE-2026-2327|M|1333|13.0.0<14.1.1|Regular expression denial of service
GHSA-6v5v-wf23-fmfq CVE-2026-48988|M|400 407|0<14.2.0|Denial of service through algorithmic complexity
GHSA-6vfc-qv3f-vr6c CVE-2022-21670|M|400 1333|0<12.3.2|Regular expression denial of service
GHSA-j5p7-jf4q-742q CVE-2015-10005|H|1333|0<3.0.0|Cross-site scripting
=marked
GHSA-4r62-v4vq-hr96 CVE-2021-21306|M|400|1.1.1<2.0.0|Denial of service through resource exhaustion
GHSA-5v2h-r2cx-5xgj CVE-2022-21681|H|1333|0<4.0.10|Regular expression denial of service
GHSA-6v9c-7cg6-27q7 CVE-2026-41680|H|400 674 835|18.0.0<18.0.2|Uncontrolled recursion
GHSA-7m7q-q53v-j47v|M||0.5.0<0.6.1|Regular expression denial of service
GHSA-7px7-7xjx-hxm8 CVE-2017-1000427|M|79|0<0.3.7|Cross-site scripting
GHSA-8wp3-cp9v-44fm|M||0<0.3.9|Cross-site scripting
GHSA-9cw2-jqp5-7x39 CVE-2014-3743|M|79|0<0.3.1|Cross-site scripting
GHSA-cfjh-p3g4-3q2f CVE-2015-1370|M|79|0<0.3.3|Cross-site scripting
GHSA-ch52-vgq2-943f|L|1333|0.4.0<0.7.0|Regular expression denial of service
GHSA-hjcp-j389-59ff CVE-2015-8854|H|1333|0<0.3.4|Regular expression denial of service
GHSA-p9wx-2529-fp83 CVE-2018-25110|M|1333|0<0.3.17|Regular expression denial of service
GHSA-rrrm-qjm4-v8hf CVE-2022-21680|H|400 1333|0<4.0.10|Regular expression denial of service
GHSA-vfvf-mqq8-rwqc CVE-2016-10531|M|79|0<0.3.6|Cross-site scripting
GHSA-wjmf-58vc-xqjr|M||0<0.3.9|Injection
GHSA-x5pg-88wf-qq4p CVE-2017-16114|H|400|0<0.3.9|Denial of service through resource exhaustion
GHSA-xf5p-87ch-gxw2|M|400|0.3.14<0.6.2|Denial of service through resource exhaustion
=mbt
SAP-NOTE-3747787|C!|506|1.2.48|Compromised release steals credentials and spreads itself
=merge
GHSA-7wpw-2hjm-89gp CVE-2020-28499|H|915|0<2.1.1|Prototype pollution
GHSA-f9cm-qmx5-m98h CVE-2018-16469|H|400 1321|0<1.2.1|Prototype pollution
=micromatch
GHSA-952p-6rrq-rcjv CVE-2024-4067|M|1333|0<4.0.8|Regular expression denial of service
=mime
GHSA-wrvr-8mpx-r7pp CVE-2017-16138|H|400|0<1.4.1 2.0.0<2.0.3|Denial of service through resource exhaustion
=min-document
GHSA-rx8g-88g5-qh64 CVE-2025-57352|L||0<=2.19.0|Prototype pollution
=minimatch
GHSA-23c5-xmqv-rm74 CVE-2026-27904|H|1333|0<3.1.4 4.0.0<4.2.5 5.0.0<5.1.8 6.0.0<6.2.2 7.0.0<7.4.8 8.0.0<8.0.6 9.0.0<9.0.7 10.0.0<10.2.3|Regular expression denial of service
GHSA-3ppc-4f35-3m26 CVE-2026-26996|H|1333|0<3.1.3 4.0.0<4.2.4 5.0.0<5.1.7 6.0.0<6.2.1 7.0.0<7.4.7 8.0.0<8.0.5 9.0.0<9.0.6 10.0.0<10.2.1|Regular expression denial of service
GHSA-7r86-cg39-jmmj CVE-2026-27903|H|407|0<3.1.3 4.0.0<4.2.5 5.0.0<5.1.8 6.0.0<6.2.2 7.0.0<7.4.8 8.0.0<8.0.6 9.0.0<9.0.7 10.0.0<10.2.3|Denial of service through algorithmic complexity
GHSA-f8q6-p94x-37v3 CVE-2022-3517|H|400 1333|0<3.0.5|Regular expression denial of service
GHSA-hxm2-r34f-qmc5 CVE-2016-10540|H|400|0<3.0.2|Denial of service through resource exhaustion
=minimist
GHSA-vh95-rmgr-6w4m CVE-2020-7598|M|1321|0<0.2.1 1.0.0<1.2.3|Prototype pollution
GHSA-xvch-5gv4-984h CVE-2021-44906|C|1321|0<0.2.4 1.0.0<1.2.6|Prototype pollution
=moment
GHSA-446m-mv8f-q348 CVE-2017-18214|H|400|0<2.19.3|Denial of service through resource exhaustion
GHSA-87vv-r9j6-g5qv CVE-2016-4055|M|400|0<2.11.2|Denial of service through resource exhaustion
GHSA-8hfj-j24r-96c4 CVE-2022-24785|H|22 27|0<2.29.2|Path traversal
GHSA-wc69-rhjr-hc9g CVE-2022-31129|H|400 1333|2.18.0<2.29.4|Regular expression denial of service
=moment-timezone
GHSA-56x4-j7p9-fcf9|L||0.1.0<0.5.35|Injection
GHSA-v78c-4p63-2j6c|M|319|0.1.0<0.5.35|Cleartext transmission
=mongodb
GHSA-mh5c-679w-hh4r|H||0<3.1.13|Denial of service
GHSA-vxvm-qww3-2fh7 CVE-2021-32050|M|200 532|3.6.0<3.6.10 4.0.0<4.17.0 5.0.0<5.8.0|Sensitive information in logs
=mongoose
GHSA-664h-wqgq-64gw CVE-2026-73562|M|1321|0<6.13.10 7.0.0<7.8.10 8.0.0<8.24.1 9.0.0<9.7.2|Prototype pollution
GHSA-8687-vv9j-hgph CVE-2019-17426|C|20|0<4.13.21 5.0.0<5.7.5|Improper input validation
GHSA-9m93-w8w6-76hh CVE-2023-3696|C|1321|0<5.13.20 6.0.0<6.11.3 7.0.0<7.3.3|Prototype pollution
GHSA-f825-f98c-gj3g CVE-2022-2564|H|1321|0<5.13.15 6.0.0<6.4.6|Prototype pollution
GHSA-h8hf-x3f4-xwgp CVE-2022-24304|C|1321|0<5.13.15 6.0.0<6.4.6|Prototype pollution
GHSA-m7xq-9374-9rvx CVE-2024-53900|H|89|3.6.0-rc0<5.13.23 6.0.0-rc0<6.13.5 7.0.0-rc0<7.8.3 8.0.0-rc0<8.8.3|SQL injection
GHSA-r5xw-q988-826m|M|201|3.5.5<3.8.39 4.0.0<4.3.6|Sensitive information in sent data
GHSA-vg7j-7cwx-8wgw CVE-2025-23061|C|94|0<6.13.6 7.0.0-rc0<7.8.4 8.0.0-rc0<8.9.5|Code injection
GHSA-wpg9-53fq-2r8h CVE-2026-42334|H|74|0<6.13.9 7.0.0<7.8.9 8.0.0<8.22.1 9.0.0<9.1.6|Injection
=morgan
GHSA-4vj7-5mj6-jm8m CVE-2026-5078|M|117|1.2.0<1.11.0|Log injection
GHSA-gwg9-rgvj-4h5j CVE-2019-5413|C|94|0<1.9.1|Code injection
=mpath
GHSA-h466-j336-74wx CVE-2018-16490|H|400 1321|0<0.5.1|Prototype pollution
GHSA-p92x-r36w-9395 CVE-2021-23438|M|843|0<0.8.4|Type confusion
=mquery
GHSA-45q2-34rf-mr94 CVE-2020-35149|M|94|0<3.2.3|Code injection
=ms
GHSA-3fx5-fwvr-xrjg CVE-2015-8315|H|400 1333|0<0.7.1|Regular expression denial of service
GHSA-w9mr-4mfr-499f CVE-2017-20162|M|1333|0<2.0.0|Regular expression denial of service
=msgpackr
GHSA-7hpj-7hhx-2fgx CVE-2023-52079|H|674|0<1.10.1|Uncontrolled recursion
=multer
GHSA-3p4h-7m6x-2hcm CVE-2026-5038|M|459|2.0.0-alpha.1<2.2.0 3.0.0-alpha.1<3.0.0-alpha.2|Incomplete cleanup
GHSA-44fp-w29j-9vj5 CVE-2025-47935|H|401|0<2.0.0|Memory leak
GHSA-4pg4-qvpc-4q3h CVE-2025-47944|H|248|1.4.4-lts.1<2.0.0|Uncaught exception
GHSA-5528-5vmv-3xc2 CVE-2026-3520|H|674|0<2.1.1|Uncontrolled recursion
GHSA-72gw-mp4g-v24j CVE-2026-5079|H|400|1.0.0<2.2.0 3.0.0-alpha.1<3.0.0-alpha.2|Denial of service through resource exhaustion
GHSA-fjgf-rc76-4x9p CVE-2025-7338|H|248|1.4.4-lts.1<2.0.2|Uncaught exception
GHSA-g5hg-p3ph-g8qg CVE-2025-48997|H|248|1.4.4-lts.1<2.0.1|Uncaught exception
GHSA-v52c-386h-88mc CVE-2026-2359|H|772|0<2.1.0|Missing release of a resource
GHSA-xf7r-hgr6-v32p CVE-2026-3304|H|459|0<2.1.0|Incomplete cleanup
=mustache
GHSA-w3w8-37jv-2c58 CVE-2015-8862|H|79|0<2.2.1|Cross-site scripting
=mysql
GHSA-5f7m-mmpc-qhh4|M|201|2.0.0-alpha8<2.14.0|Sensitive information in sent data
GHSA-f982-mxwc-3mrx CVE-2019-14939|M|200|2.17.1<2.18.0|Information disclosure
GHSA-fvq6-55gv-jx9f CVE-2015-9244|M|89|0<2.0.0-alpha8|SQL injection
=mysql2
GHSA-3f6p-5ww8-9rcr|H|522|0<3.22.0|Insufficiently protected credentials
GHSA-49j4-86m8-q2jw CVE-2024-21509|M|1321|0<3.9.4|Prototype pollution
GHSA-4rch-2fh8-94vw CVE-2024-21511|C|94|0<3.9.7|Code injection
GHSA-fpw7-j2hg-69v5 CVE-2024-21508|C|94|0<3.9.4|Code injection
GHSA-mqr2-w7wj-jjgr CVE-2024-21507|M|20|0<3.9.3|Improper input validation
GHSA-pmh2-wpjm-fj45 CVE-2024-21512|H|1321|0<3.9.8|Prototype pollution
=nanoid
GHSA-28wg-ghj8-5hjv CVE-2026-67214|H|835|0<3.3.16 4.0.0<5.1.16|Infinite loop
GHSA-2v37-7h3g-55p8 CVE-2026-67213|H|835|0<3.3.18 4.0.0<5.1.6|Infinite loop
GHSA-mwcw-c2x4-8c55 CVE-2024-55565|M|835|0<3.3.8 4.0.0<5.0.9|Infinite loop
GHSA-qrpm-p2h7-hrv2 CVE-2021-23566|M|200 704|3.0.0<3.1.31|Incorrect type conversion
GHSA-xwg4-73v4-xw9w CVE-2026-73086|H|190|0<3.3.12 4.0.0<5.1.11|Integer overflow
=napi-postinstall
GHSA-f29h-pxvx-f335 CVE-2025-54313|H!||0.3.1|Published version contains malicious code
=nconf
GHSA-6xwr-q98w-rvg7 CVE-2022-21803|H|1321|0<0.11.4|Prototype pollution
=negotiator
GHSA-7mc5-chhp-fmc3 CVE-2016-10539|H|400|0<0.6.1|Denial of service through resource exhaustion
=netmask
GHSA-4c7m-wxvm-r7gc CVE-2021-28918|C|20|0<1.1.0|Improper input validation
GHSA-pch5-whg9-qr2r CVE-2021-29418|M|20|0<2.0.1|Improper input validation
=next
GHSA-223j-4rm8-mrmf CVE-2025-30218|L|200|12.3.5<12.3.6 13.5.9<13.5.10 14.2.25<14.2.26 15.2.3<15.2.4|Information disclosure
GHSA-25mp-g6fv-mqxx CVE-2021-43803|H|20|0.9.9<11.1.3 12.0.0<12.0.5|Improper input validation
GHSA-267c-6grr-h53f CVE-2026-44575|H|288|15.2.0<15.5.16 16.0.0<16.2.5|Protection bypass
GHSA-26hh-7cqf-hhc6 CVE-2026-45109|H|288|15.2.0<15.5.18 16.0.0<16.2.6|Protection bypass
GHSA-36qx-fr4f-26g5 CVE-2026-44573|H|863|12.2.0<15.5.16 16.0.0<16.2.5|Authorization bypass
GHSA-3f5c-4qxj-vmpf CVE-2017-16877|H|22|1.0.0<2.4.1|Path traversal
GHSA-3g8h-86w9-wvmq CVE-2026-44572|L|349|12.2.0<15.5.16 16.0.0<16.2.5|Acceptance of untrusted data
GHSA-3h52-269p-cp9r CVE-2025-48068|L|1385|13.0.0<14.2.30 15.0.0<15.2.2|Information disclosure
GHSA-3x4c-7xq6-9pq8 CVE-2026-27980|M|400|10.0.0<15.5.14 16.0.0-beta.0<16.1.7|Denial of service through resource exhaustion
GHSA-4342-x723-ch2f CVE-2025-57822|M|918|0.9.9<14.2.32 15.0.0-canary.0<15.4.7|Server-side request forgery
GHSA-4633-3j49-mh5q CVE-2026-64647|M|116|13.0.0<15.5.21 16.0.0<16.2.11|Improper output encoding
GHSA-492v-c6pp-mqqv CVE-2026-44574|H|288|15.4.0<15.5.16 16.0.0<16.2.5|Injection
GHSA-4c39-4ccg-62r3 CVE-2026-64646|M|770|13.0.0<15.5.21 16.0.0<16.2.11|Resource allocation without limits
GHSA-5f7q-jpqc-wp7h CVE-2025-59472|M|400 409 770|15.0.0-canary.0<15.0.0-canary.206 15.0.1-canary.0<15.0.1-canary.4 15.0.2-canary.0<15.0.2-canary.12 15.0.3-canary.0<15.0.3-canary.10 15.0.4-canary.0<15.0.4-canary.53 15.1.1-canary.0<15.1.1-canary.28 15.2.0-canary.0<15.2.0-canary.78 15.2.1-canary.0<15.2.1-canary.7 15.2.2-canary.0<15.2.2-canary.8 15.3.0-canary.0<15.3.0-canary.47 15.3.1-canary.0<15.3.1-canary.16 15.4.0-canary.0<15.4.0-canary.131 15.4.2-canary.0<15.4.2-canary.57 15.5.1-canary.0<15.5.1-canary.40 15.6.0-canary.0<15.6.0-canary.61 16.0.0-beta.0<16.1.5|Decompression bomb
GHSA-5j59-xgg2-r9c4|H|400 502 1395|13.3.1-canary.0<14.2.35 15.0.6<15.0.7 15.1.10<15.1.11 15.2.7<15.2.8 15.3.7<15.3.8 15.4.9<15.4.10 15.5.8<15.5.9 15.6.0-canary.59<15.6.0-canary.60 16.0.9<16.0.10 16.1.0-canary.17<16.1.0-canary.19|Unsafe deserialization
GHSA-5vj8-3v2h-h38v|H|20|0.9.9<5.1.0|Improper input validation
GHSA-67rr-84xm-4c7r CVE-2025-49826|H|444|15.0.4-canary.51<15.1.8|HTTP request smuggling
GHSA-68g3-v927-f742 CVE-2026-64648|M|524|13.0.0<15.5.21 16.0.0<16.2.11|Caching of sensitive data
GHSA-6gpp-xcg3-4w24 CVE-2026-64642|H|285|16.0.0<16.2.11|Authorization bypass
GHSA-77r5-gw3j-2mpf CVE-2024-34350|H|444|13.4.0<13.5.1|HTTP request smuggling
GHSA-7gfc-8cq8-jh5f CVE-2024-51479|H|285 863|9.5.5<14.2.15|Authorization bypass
GHSA-7m27-7ghc-44w9 CVE-2024-56332|M|770|13.0.0<13.5.8 14.0.0<14.2.21 15.0.0<15.1.2|Resource allocation without limits
GHSA-89xv-2m56-2m9x CVE-2026-64649|H|918|14.1.1<15.5.21 16.0.0<16.2.11|Server-side request forgery
GHSA-8h8q-6873-q5fj|H|770|13.0.0<15.5.16 16.0.0<16.2.5|Resource allocation without limits
GHSA-955p-x3mx-jcvp CVE-2026-64643|M|201|13.0.0<15.5.21 16.0.0<16.2.11|Sensitive information in sent data
GHSA-9g9p-9gw9-jx7f CVE-2025-59471|M|400 770|10.0.0<15.5.10 15.6.0-canary.0<16.1.5|Resource allocation without limits
GHSA-9gr3-7897-pp7m CVE-2021-39178|H|79|10.0.0<11.1.1|Cross-site scripting
GHSA-9qr9-h5gf-34mp|C|502|14.3.0-canary.77<15.0.5 15.1.0-canary.0<15.1.9 15.2.0-canary.0<15.2.6 15.3.0-canary.0<15.3.6 15.4.0-canary.0<15.4.8 15.5.0-canary.0<15.5.7 16.0.0-canary.0<16.0.7|Unsafe deserialization
GHSA-c4j6-fc7j-m34r CVE-2026-44578|H|918|13.4.13<15.5.16 16.0.0<16.2.5|Server-side request forgery
GHSA-c59h-r6p8-q9wc CVE-2023-46298|L|525|0.9.9<13.4.20-canary.13|Caching of sensitive data
GHSA-f82v-jwr5-mffw CVE-2025-29927|C|285 863|12.0.0<12.3.5 13.0.0<13.5.9 14.0.0<14.2.25 15.0.0<15.2.3|Authorization bypass
GHSA-ffhc-5mcf-pf4q CVE-2026-44581|M|79|13.4.0<15.5.16 16.0.0<16.2.5|Cross-site scripting
GHSA-fmvm-x8mv-47mj CVE-2022-23646|M|451|10.0.0<12.1.0|Misleading user interface
GHSA-fq54-2j52-jc42 CVE-2024-39693|H|400|13.3.1<13.5.0|Denial of service through resource exhaustion
GHSA-fq77-7p7r-83rj CVE-2020-5284|M|23|0.9.9<9.3.2|Path traversal
GHSA-fr5h-rqp8-mj6g CVE-2024-34351|H|918|13.4.0<14.1.1|Server-side request forgery
GHSA-g5qg-72qw-gw5v CVE-2025-57752|M|524|0.9.9<14.2.31 15.0.0<15.4.5|Caching of sensitive data
GHSA-g77x-44xx-532m CVE-2024-47831|M|674|10.0.0<14.2.7|Uncontrolled recursion
GHSA-ggv3-7p47-pfv8 CVE-2026-29057|M|444|9.5.0<15.5.13 16.0.0-beta.0<16.1.7|HTTP request smuggling
GHSA-gp8f-8m3g-qvj9 CVE-2024-46982|H|349 639|13.5.1<13.5.7 14.0.0<14.2.10|Acceptance of untrusted data
GHSA-gx5p-jg67-6x7h CVE-2026-44580|M|79|13.0.0<15.5.16 16.0.0<16.2.5|Cross-site scripting
GHSA-h25m-26qc-wcjf|H|400 502|13.0.0<15.0.8 15.1.1-canary.0<15.1.12 15.2.0-canary.0<15.2.9 15.3.0-canary.0<15.3.9 15.4.0-canary.0<15.4.11 15.5.1-canary.0<15.5.10 15.6.0-canary.0<15.6.0-canary.61 16.0.0-beta.0<16.0.11 16.1.0-canary.0<16.1.5|Unsafe deserialization
GHSA-h27x-g6w4-24gq CVE-2026-27979|M|770|16.0.1<16.1.7|Resource allocation without limits
GHSA-h64f-5h5j-jqjh CVE-2026-44577|M|770|10.0.0<15.5.16 16.0.0<16.2.5|Resource allocation without limits
GHSA-jcc7-9wpm-mj36 CVE-2026-27977|L|1385|16.0.1<16.1.7|Null origin passes the origin check of the dev server
GHSA-m34x-wgrh-g897 CVE-2018-6184|H|22|1.0.0<4.2.3|Path traversal
GHSA-m99w-x7hq-7vfj CVE-2026-64641|H|834|13.0.0<15.5.21 16.0.0<16.2.11|Excessive iteration
GHSA-mg66-mrh9-m8jx CVE-2026-44579|H|770|15.0.0<15.5.16 16.0.0<16.2.5|Resource allocation without limits
GHSA-mq59-m269-xvcx CVE-2026-27978|M|352|16.0.1<16.1.7|Cross-site request forgery
GHSA-mwv6-3258-q52c|H|400 502 1395|13.3.0<14.2.34 15.0.0-canary.0<15.0.6 15.1.1-canary.0<15.1.10 15.2.0-canary.0<15.2.7 15.3.0-canary.0<15.3.7 15.4.0-canary.0<15.4.9 15.5.1-canary.0<15.5.8 15.6.0-canary.0<15.6.0-canary.59 16.0.0-beta.0<16.0.9 16.1.0-canary.0<16.1.0-canary.17|Unsafe deserialization
GHSA-p9j2-gv94-2wf4 CVE-2026-64645|H|918|12.0.0<15.5.21 16.0.0<16.2.11|Server-side request forgery
GHSA-q4gf-8mx6-v5v3|H|770|13.0.0<15.5.15 16.0.0-beta.0<16.2.3|Resource allocation without limits
GHSA-q8wf-6r8g-63ch CVE-2026-64644|M|407|15.5.0<15.5.21 16.0.0<16.2.11|Denial of service through algorithmic complexity
GHSA-qpjv-v59x-3qc4 CVE-2025-32421|L|362|0.9.9<14.2.24 15.0.0<15.1.6|Race condition
GHSA-qw96-mm2g-c8m7 CVE-2018-18282|M|79|7.0.0<7.0.2|Cross-site scripting
GHSA-r2fc-ccr8-96c4 CVE-2025-49005|L|444|15.3.0<15.3.3|HTTP request smuggling
GHSA-vfv6-92ff-j949 CVE-2026-44582|L|328|13.4.6<15.5.16 16.0.0<16.2.5|Weak hash function
GHSA-vxf5-wxwp-m7g9 CVE-2021-37699|M|601|0.9.9<11.1.0|Open redirect
GHSA-w37m-7fhw-fmv9|M|497 502 1395|15.0.0-canary.0<15.0.6 15.1.1-canary.0<15.1.10 15.2.0-canary.0<15.2.7 15.3.0-canary.0<15.3.7 15.4.0-canary.0<15.4.9 15.5.1-canary.0<15.5.8 15.6.0-canary.0<15.6.0-canary.59 16.0.0-beta.0<16.0.9 16.1.0-canary.0<16.1.0-canary.17|Unsafe deserialization
GHSA-wfc6-r584-vfw7 CVE-2026-44576|M|436|14.2.0<15.5.16 16.0.0<16.2.5|Interpretation conflict
GHSA-wff4-fpwg-qqv3 CVE-2022-36046|M|248 754|12.2.3<12.2.4|Uncaught exception
GHSA-wr66-vrwm-5g5x CVE-2022-21721|M|20 400|12.0.0<12.0.9|Improper input validation
GHSA-x56p-c8cg-q435 CVE-2020-15242|M|601|9.5.0<9.5.4|Open redirect
GHSA-xv57-4mr9-wg8v CVE-2025-55173|M|20|0.9.9<14.2.31 15.0.0<15.4.5|Improper input validation
=node-fetch
GHSA-r683-j2x4-v87g CVE-2022-0235|H|173 200 601|0<2.6.7 3.0.0<3.1.1|Open redirect
GHSA-vp56-6g26-6827 CVE-2022-2596|M|400 1333|3.0.0<3.2.10|Regular expression denial of service
GHSA-w7rc-rwvf-8q5r CVE-2020-15168|L|20 770|2.0.0<2.6.1 3.0.0-beta.1<3.0.0-beta.9|Resource allocation without limits
=node-forge
GHSA-2328-f5f3-gj25 CVE-2026-33896|H|295|0<1.4.0|Certificate validation bypass
GHSA-2r2c-g63r-vccr CVE-2022-24773|M|347|0<1.3.0|Signature verification bypass
GHSA-554w-wpv2-vw27 CVE-2025-66031|H|674|0<1.3.2|Uncontrolled recursion
GHSA-5gfm-wpxj-wjgq CVE-2025-12816|H|436|0<1.3.2|Interpretation conflict
GHSA-5m6q-g25r-mvwx CVE-2026-33891|H|835|0<1.4.0|Infinite loop
GHSA-5rrq-pxf6-6jx5|L|1321|0<1.0.0|Prototype pollution
GHSA-65ch-62r8-g69g CVE-2025-66030|M|190|0<1.3.2|Integer overflow
GHSA-8fr3-hfg3-gpgp CVE-2022-0122|M|601|0<1.0.0|Open redirect
GHSA-92xj-mqp7-vmcj CVE-2020-7720|H|915 1321|0<0.10.0|Prototype pollution
GHSA-cfm4-qjh2-4765 CVE-2022-24771|H|347|0<1.3.0|Signature verification bypass
GHSA-gf8q-jrpm-jvxq|L|601|0<1.0.0|Open redirect
GHSA-ppp5-5v6c-4jwp CVE-2026-33894|H||0<1.4.0|Signature weakness
GHSA-q67f-28xg-22rw CVE-2026-33895|H|347|0<1.4.0|Signature verification bypass
GHSA-wxgw-qj99-44c2|L||0<0.10.0|Prototype pollution
GHSA-x4jg-mjrx-434g CVE-2022-24772|H|347|0<1.3.0|Signature verification bypass
=node-jose
GHSA-5h4j-qrvg-9xhw CVE-2023-25653|H|835|0<2.2.0|Infinite loop
GHSA-jfxm-w8g2-4rcv CVE-2018-0114|H|347|0<0.11.0|Signature verification bypass
GHSA-rvj9-8cvx-3vq9 CVE-2017-16007|M|200|0<0.9.3|Information disclosure
=node-notifier
GHSA-5fw9-fq32-wv5p CVE-2020-7789|M|78|0<8.0.1|OS command injection
=node-serialize
GHSA-q4v7-4rhw-9hqm CVE-2017-5941|C|502|0<=0.0.4|Unsafe deserialization
=nodemailer
GHSA-268h-hp4c-crq3|M|93|0<8.0.9|CRLF injection
GHSA-48ww-j4fc-435p CVE-2020-7769|C|88|0<6.4.16|Argument injection
GHSA-9h6g-pr28-7cqp|M|1333|0<6.9.9|Regular expression denial of service
GHSA-c7w3-x93f-qmm8|L|93|0<8.0.4|CRLF injection
GHSA-hwqf-gcqm-7353 CVE-2021-23400|M|74|0<6.6.1|Injection
GHSA-mm7p-fcc7-pg87 CVE-2025-13033|M|20 436|0<7.0.7|Interpretation conflict
GHSA-p6gq-j5cr-w38f CVE-2026-82659|H|73 918|0<9.0.1|External control of a file path
GHSA-r7g4-qg5f-qqm2|M|295|0<8.0.8|Certificate validation bypass
GHSA-rcmh-qjqh-p98v CVE-2025-14874|H|703|0<7.0.11|Improper handling of exceptional conditions
GHSA-vvjj-xcjg-gr5g|M|93|0<8.0.5|CRLF injection
GHSA-wqvq-jvpq-h66f|M|862|0<8.0.9|Missing authorization
=normalize-url
GHSA-px4h-xg32-q955 CVE-2021-33502|H|400|4.3.0<4.5.1 5.0.0<5.3.1 6.0.0<6.0.1|Denial of service through resource exhaustion
=npm
GHSA-4328-8hgf-7wjr CVE-2019-16777|H|22 269|0<6.13.4|Path traversal
GHSA-93f3-23rq-pjfp CVE-2020-15095|M|532|0<6.14.6|Sensitive information in logs
GHSA-hj9c-8jmm-8c52 CVE-2022-29244|H|200|7.9.0<8.11.0|Information disclosure
GHSA-m5h6-hr3q-22h5 CVE-2016-3956|H|200|0<2.15.1 3.0.0<3.8.3|Information disclosure
GHSA-m6cx-g6qm-p2cx CVE-2019-16775|H|59 61|0<6.13.3|Link following
GHSA-ph34-pc88-72gc CVE-2018-7408|H|732|0<5.7.1|Incorrect permission assignment
GHSA-v3jv-wrf4-5845 CVE-2013-4116|L|59|0<1.3.3|Link following
GHSA-x8qc-rrcw-4r46 CVE-2019-16776|H|22|0<6.13.3|Path traversal
=npm-registry-fetch
GHSA-jmqm-f2gx-4fjv|M|352|0<4.0.5 5.0.0<8.1.1|Cross-site request forgery
=nth-check
GHSA-rp65-9cf3-cjxr CVE-2021-3803|H|1333|0<2.0.1|Regular expression denial of service
=nunjucks
GHSA-f7ph-p5rv-phw2 CVE-2016-10547|M|79|0<2.4.3|Cross-site scripting
GHSA-x77j-w7wf-fjmw CVE-2023-2142|M|79|0<3.2.4|Cross-site scripting
=nuxt
GHSA-48hr-524c-v5w3 CVE-2026-71318|M|20|3.1.0<3.21.10 4.0.0<4.5.1|Improper input validation
GHSA-534h-c3cw-v3h9|M|276|3.18.0<3.21.7 4.0.0<4.4.7|Incorrect default permissions
GHSA-934w-87qh-qr26 CVE-2026-53722|M|79 83|3.0.0<3.21.7 4.0.0<4.4.7|Cross-site scripting
GHSA-9pgf-384g-p7mv CVE-2026-71321|H|407 770|3.1.0<3.21.10 4.0.0<4.5.1|Denial of service through algorithmic complexity
GHSA-fx6j-w5w5-h468 CVE-2026-45669|M|83|3.4.3<3.21.6 4.0.0-alpha.1<4.4.6|Cross-site scripting
GHSA-gc34-5v43-h7v8 CVE-2023-3224|H|94|3.4.0<3.4.3|Code injection
GHSA-hxcr-hm88-mpq6 CVE-2026-71314|H|400 770 789 1284|3.1.0<3.21.10 4.0.0<4.5.1|Resource allocation without limits
GHSA-hxvh-4h3w-prp9 CVE-2026-71315|H|178 863|3.21.7<3.21.10 4.4.7<4.5.1|Improper handling of case sensitivity
GHSA-jvhm-gjrh-3h93 CVE-2025-27415|H|349|3.0.0<3.16.0|Acceptance of untrusted data
GHSA-p6jq-8vc4-79f6 CVE-2025-59414|L|22|3.6.0<3.19.0 4.0.0<4.1.0|Path traversal
GHSA-v784-fjjh-f8r4 CVE-2024-34344|C|94 706|3.4.0<3.12.4|Code injection
GHSA-vf6r-87q4-2vjf CVE-2024-34343|M|79 83|0<3.12.4|Cross-site scripting
GHSA-wm8w-6qjm-cv43 CVE-2026-71316|H|524 862|4.4.0<4.5.1|Caching of sensitive data
=object-path
GHSA-8v63-cqqc-6r2c CVE-2021-3805|H|915 1321|0<0.11.8|Prototype pollution
GHSA-cwx2-736x-mf6w CVE-2020-15256|H|20 471|0<0.11.5|Prototype pollution
GHSA-v39p-96qg-c8rf CVE-2021-23434|M|843 1321|0<0.11.6|Prototype pollution
=on-headers
GHSA-76c9-3jph-rj3q CVE-2025-7339|L|241|0<1.1.0|Improper handling of an unexpected data type
=open
GHSA-28xh-wpgr-7fm8|C|77|0<6.0.0|Command injection
=pac-resolver
GHSA-9j49-mfvp-vmhm CVE-2021-23406|H|94|0<5.0.0|Code injection
=papaparse
GHSA-qvjc-g5vr-mfgr CVE-2020-36649|H|1333|0<5.2.0|Regular expression denial of service
=parse-url
GHSA-4p35-cfcx-8653 CVE-2022-0722|H|200|0<6.0.1|Information disclosure
GHSA-7f3x-x4pr-wqhj CVE-2022-2216|C|918|0<6.0.1|Server-side request forgery
GHSA-j9fq-vwqv-2fm2 CVE-2022-2900|C|918|0<8.1.0|Server-side request forgery
GHSA-jpp7-7chh-cf67 CVE-2022-2218|M|79|0<6.0.1|Cross-site scripting
GHSA-pqw5-jmp5-px4v CVE-2022-3224|M|115|0<8.1.0|Input misinterpreted
GHSA-q6wq-5p59-983w CVE-2022-2217|M|79|0<6.0.1|Cross-site scripting
=passport
GHSA-v923-w3x8-wh69 CVE-2022-25896|M|384|0<0.6.0|Session fixation
=passport-saml
GHSA-4mxg-3p6v-xgq3 CVE-2025-54419|C|287 347|0<=3.2.4|Authentication bypass
GHSA-5379-r78w-42h2 CVE-2021-39171|M|400|0<3.1.0|Denial of service through resource exhaustion
GHSA-m974-647v-whv7 CVE-2022-39299|H|347|0<3.2.2|Signature verification bypass
=path-parse
GHSA-hj48-42vr-x3v9 CVE-2021-23343|M|400|0<1.0.7|Denial of service through resource exhaustion
=path-to-regexp
GHSA-27v5-c462-wpq7 CVE-2026-4923|M|1333|8.0.0<8.4.0|Regular expression denial of service
GHSA-37ch-88jc-xwx2 CVE-2026-4867|H|1333|0<0.1.13|Regular expression denial of service
GHSA-9wv6-86v2-598j CVE-2024-45296|H|1333|0<0.1.10 0.2.0<1.9.0 2.0.0<3.3.0 4.0.0<6.3.0 7.0.0<8.0.0|Regular expression denial of service
GHSA-j3q9-mxjg-w52f CVE-2026-4926|H|400 1333|8.0.0<8.4.0|Regular expression denial of service
GHSA-rhx6-c78j-4q9w CVE-2024-52798|H|1333|0<0.1.12|Regular expression denial of service
=pbkdf2
GHSA-h7cp-r72f-jxh6 CVE-2025-6545|C||3.0.10<=3.1.2|Predictable random values
GHSA-v62p-rq8g-8h59 CVE-2025-6547|C||1.0.0<=3.1.2|Improper input validation
=pdfjs-dist
GHSA-7jg2-jgv3-fmr4 CVE-2018-5158|H|94|0<1.10.100 2.0.0<2.0.550|Code injection
GHSA-hq66-cqwq-w95j CVE-2026-16633|H|79|5.6.83<6.2.108|Cross-site scripting
GHSA-wgrm-67xf-hhpq CVE-2024-4367|H|754|0<4.2.67|Improper check for unusual conditions
=pdfmake
GHSA-rj3r-r7hh-jxfq CVE-2025-11362|H|770|0.3.0-beta.1<0.3.0-beta.17|Resource allocation without limits
GHSA-wp52-r2fp-4vmr CVE-2026-26801|H|918|0.3.0-beta.2<0.3.6|Server-side request forgery
=pg
GHSA-wc9v-mj63-m9g5 CVE-2017-16082|C|94|0<2.11.2 3.0.0<3.6.4 4.0.0<4.5.7 5.0.0<5.2.1 6.0.0<6.0.5 6.1.0<6.1.6 6.2.0<6.2.5 6.3.0<6.3.3 6.4.0<6.4.2 7.0.0<7.0.2 7.1.0<7.1.2|Code injection
=phin
GHSA-x565-32qp-m3vf|M|200|0<3.7.1|Information disclosure
=picomatch
GHSA-3v7f-55p6-f55p CVE-2026-33672|M|1321|0<2.3.2 3.0.0<3.0.2 4.0.0<4.0.4|Prototype pollution
GHSA-c2c7-rcm5-vvqj CVE-2026-33671|H|1333|0<2.3.2 3.0.0<3.0.2 4.0.0<4.0.4|Regular expression denial of service
=playwright
GHSA-7mvr-c777-76hp CVE-2025-59288|H||0<1.55.1|Certificate validation bypass
=postcss
GHSA-566m-qj78-rww5 CVE-2021-23382|M|400|0<7.0.36 8.0.0<8.2.13|Denial of service through resource exhaustion
GHSA-6g55-p6wh-862q CVE-2026-45623|H|22 200|0<8.5.12|Path traversal
GHSA-7fh5-64p2-3v2j CVE-2023-44270|M|74 144|0<8.4.31|Improper handling of line breaks
GHSA-fxqj-rqcc-2cmp CVE-2026-69153|M|22 200|0<8.5.23|Path traversal
GHSA-hwj9-h5mp-3pm3 CVE-2021-23368|M|400|7.0.0<7.0.36 8.0.0<8.2.10|Denial of service through resource exhaustion
GHSA-qx2v-qp2m-jg93 CVE-2026-41305|M|79|0<8.5.10|Cross-site scripting
GHSA-r28c-9q8g-f849 CVE-2026-73646|H|22|0<8.5.18|Path traversal
=prismjs
GHSA-3949-f494-cm99 CVE-2022-23647|H|79|1.14.0<1.27.0|Cross-site scripting
GHSA-gj77-59wh-66hg CVE-2021-32723|H|400|0<1.24.0|Denial of service through resource exhaustion
GHSA-h4hr-7fg3-h35w CVE-2021-23341|H|400|0<1.23.0|Denial of service through resource exhaustion
GHSA-hqhp-5p83-hx96 CVE-2021-3801|M|400|0<1.25.0|Denial of service through resource exhaustion
GHSA-wvhm-4hhf-97x9 CVE-2020-15138|H|79|1.1.0<1.21.0|Cross-site scripting
GHSA-x7hr-w5r2-h6wg CVE-2024-53382|M|79 94|0<1.30.0|Cross-site scripting
=property-expr
GHSA-6fw4-hr69-g3rv CVE-2020-7707|C|915 1321|0<2.0.3|Prototype pollution
=protobufjs
GHSA-2pr8-phx7-x9h3 CVE-2026-44294|M|20|0<7.5.6 8.0.0<8.0.2|Improper input validation
GHSA-4gpv-cvmq-6526|M||0<5.0.3 6.0.0<6.8.6|Denial of service
GHSA-66ff-xgx4-vchm CVE-2026-44293|H|94|0<7.5.6 8.0.0<8.0.2|Code injection
GHSA-685m-2w69-288q CVE-2026-44289|H|674|0<7.5.6 8.0.0<8.0.2|Uncontrolled recursion
GHSA-75px-5xx7-5xc7 CVE-2026-44291|H|94 1321|0<7.5.6 8.0.0<8.0.2|Prototype pollution
GHSA-762f-c2wg-m8c8 CVE-2018-3738|M|1333|0<5.0.3 6.0.0<6.8.6|Regular expression denial of service
GHSA-94rc-8x27-4472 CVE-2026-54270|M|770|8.2.0<8.5.0|Resource allocation without limits
GHSA-f38q-mgvj-vph7 CVE-2026-54269|M|674 754|0<7.6.3 8.0.0<8.6.0|Uncontrolled recursion
GHSA-fx83-v9x8-x52w CVE-2026-44292|M|1321|0<7.5.6 8.0.0<8.0.2|Prototype pollution
GHSA-g954-5hwp-pp24 CVE-2022-25878|H|1321|6.10.0<6.10.3 6.11.0<6.11.3|Prototype pollution
GHSA-h755-8qp9-cq85 CVE-2023-36665|C|1321|6.10.0<6.11.4 7.0.0<7.2.5|Prototype pollution
GHSA-j3f2-48v5-ccww CVE-2026-59877|M|835|7.5.0<7.6.5 8.0.0<8.6.6|Infinite loop
GHSA-jfj6-75fj-8934 CVE-2026-59876|M|1321|8.2.0<8.6.5|Prototype pollution
GHSA-jggg-4jg4-v7c6 CVE-2026-45740|M|674|0<7.5.8 8.0.0<8.2.0|Uncontrolled recursion
GHSA-jvwf-75h9-cwgg CVE-2026-44290|H|1321|0<7.5.6 8.0.0<8.0.2|Prototype pollution
GHSA-q6x5-8v7m-xcrf CVE-2026-44288|M|176|0<7.5.6 8.0.0<8.0.2|Encoding error
GHSA-wcpc-wj8m-hjx6 CVE-2026-48712|H|674|0<7.6.1 8.0.0<8.4.1|Uncontrolled recursion
GHSA-xq3m-2v4x-88gg CVE-2026-41242|C|94|0<7.5.5 8.0.0<8.0.1|Code injection
=pug
GHSA-3965-hpx2-q597 CVE-2024-36361|M|94|0<3.0.3|Code injection
GHSA-p493-635q-r6gr CVE-2021-21353|M|74|0<3.0.1|Injection
=pug-code-gen
GHSA-3965-hpx2-q597 CVE-2024-36361|M|94|0<3.0.3|Code injection
GHSA-p493-635q-r6gr CVE-2021-21353|M|74|0<2.0.3 3.0.0<3.0.2|Injection
=puppeteer
GHSA-c2gp-86p4-5935 CVE-2019-5786|M|416|0<1.13.0|Use after free
=qs
GHSA-6rw7-vpxm-498p CVE-2025-15284|M|20|0<6.14.1|Improper input validation
GHSA-f9cm-p3w6-xvr3 CVE-2014-10064|H|400|0<1.0.0|Denial of service through resource exhaustion
GHSA-gqgv-6jq5-jjj9 CVE-2017-1000048|H|20|0<6.0.4 6.1.0<6.1.2 6.2.0<6.2.3 6.3.0<6.3.2|Prototype pollution
GHSA-hrpp-h998-j3pp CVE-2022-24999|H|1321|0<6.2.4 6.3.0<6.3.3 6.4.0<6.4.1 6.5.0<6.5.3 6.6.0<6.6.1 6.7.0<6.7.3 6.8.0<6.8.3 6.9.0<6.9.7 6.10.0<6.10.3|Prototype pollution
GHSA-jjv7-qpx3-h62q CVE-2014-7191|H|400|0<1.0.0|Denial of service through resource exhaustion
GHSA-q8mj-m7cp-5q26 CVE-2026-8723|M|476|6.11.1<6.15.2|Null pointer dereference
GHSA-w7fw-mjwx-w883 CVE-2026-2391|L|20|6.7.0<6.14.2|Improper input validation
GHSA-x5fp-wj9c-mxmx CVE-2026-82562|M|770|6.14.2<6.16.0|Resource allocation without limits
=querystringify
GHSA-hxcm-v35h-mg2x|H|1321|0<2.0.0|Prototype pollution
=quill
GHSA-4943-9vgg-gr5r CVE-2021-3163|M|79|0<=1.3.7|Cross-site scripting
GHSA-588m-9qg5-35pq|M|1022|0<1.3.7|Reverse tabnabbing
GHSA-v3m3-f69x-jf25 CVE-2025-15056|L|74 79|2.0.3<2.0.4|Cross-site scripting
=react-dev-utils
GHSA-29gp-92wp-94q8 CVE-2018-6342|H|78|1.0.0<1.0.4 2.0.0<2.0.2 3.0.0<3.1.2 4.0.0<4.2.2 5.0.0<5.0.2|OS command injection
GHSA-5q6m-3h65-w53x CVE-2021-24033|M|78|0.4.0<11.0.4|OS command injection
=redis
GHSA-35q2-47q7-3pc3 CVE-2021-29469|H|400|2.6.0<3.1.1|Denial of service through resource exhaustion
=request
GHSA-7xfp-9c55-5vqj CVE-2017-16026|M|201|2.2.6<2.68.0|Sensitive information in sent data
GHSA-p8p7-x288-28g6 CVE-2023-28155|M|918|0<=2.88.2|Server-side request forgery
=requestretry
GHSA-hjp8-2cm3-cc45 CVE-2022-0654|H|200|0<7.0.0|Information disclosure
=requirejs
GHSA-x3m3-4wpv-5vgc CVE-2024-38999|H|1321|0<2.3.7|Prototype pollution
=rollup
GHSA-gcx4-mw62-g8wm CVE-2024-47068|H|79|0<2.79.2 3.0.0<3.29.5 4.0.0<4.22.4|Cross-site scripting
GHSA-mw96-cpmx-2vgc CVE-2026-27606|H|22|0<2.80.0 3.0.0<3.30.0 4.0.0<4.59.0|Path traversal
=samlify
GHSA-8jjf-w7j6-323c CVE-2017-1000452|H|91 347|0<2.4.0-rc5|XML injection
GHSA-r683-v43c-6xqv CVE-2025-47949|C||0<2.10.0|Signature weakness
=sanitize-html
GHSA-3j7m-hmh3-9jmp CVE-2016-1000237|M|79|0<1.4.3|Cross-site scripting
GHSA-9mrh-v2v3-xpfm CVE-2026-40186|M||2.17.2<2.17.3|Sanitizer bypass
GHSA-cgfm-xwp7-2cvr CVE-2022-25887|H|1333|0<2.7.1|Regular expression denial of service
GHSA-mjxr-4v3x-q3m4 CVE-2021-26540|M|20|0<2.3.2|Improper input validation
GHSA-qhxp-v273-g94h CVE-2019-25225|M|79|0<2.0.0-beta|Cross-site scripting
GHSA-rjqq-98f6-6j3r CVE-2021-26539|M|20|0<2.3.1|Improper input validation
GHSA-rm97-x556-q36h CVE-2024-21501|M|200 538|0<2.12.1|Secret in an accessible file
GHSA-wg96-3933-j2w5 CVE-2017-16017|M|79|0<1.2.3|Cross-site scripting
GHSA-xc6g-ggrc-qq4r CVE-2017-16016|M|79|0<1.11.4|Cross-site scripting
=semver
GHSA-c2qf-rxjj-qqgw CVE-2022-25883|H|1333|2.0.0-alpha<5.7.2 6.0.0<6.3.1 7.0.0<7.5.2|Regular expression denial of service
GHSA-x6fg-f45m-jf5q CVE-2015-8855|H|1333|1.0.4<4.3.2|Regular expression denial of service
=send
GHSA-jgqf-hwc5-hh37 CVE-2015-8859|M|200|0<0.11.1|Information disclosure
GHSA-m6fv-jmcg-4jfg CVE-2024-43799|L|79|0<0.19.0|Cross-site scripting
GHSA-xwg4-93c6-3h42 CVE-2014-6394|L|22|0<0.8.4|Path traversal
=sequelize
GHSA-2598-2f59-rmhq CVE-2019-10749|C|89|0<3.35.1|SQL injection
GHSA-2777-2vq8-c4v4 CVE-2019-11069|H|20|5.0.0<5.3.0|Improper input validation
GHSA-2v7q-2xqx-f4q5 CVE-2016-10553|H|89|0<3.0.0|SQL injection
GHSA-5v9h-q3gj-c32x CVE-2016-1000225|C|89|3.4.0<3.23.6|SQL injection
GHSA-6457-6jrx-69cr CVE-2026-30951|H|89|6.0.0-beta.1<6.37.8|SQL injection
GHSA-8c25-f3mj-v6h8 CVE-2023-22580|M|200|0<6.28.1|Information disclosure
GHSA-98pq-pmw9-4gpm CVE-2016-10550|H|89|0<3.17.0|SQL injection
GHSA-9c2p-jw8p-f84v CVE-2016-10556|H|89|0<3.20.0|SQL injection
GHSA-f598-mfpv-gmfx CVE-2023-22578|C|790|0<6.29.0|Incomplete filtering
GHSA-fw4p-36j9-rrj3|M|248|0<4.44.4|Uncaught exception
GHSA-j9xp-92vc-559j CVE-2019-10748|C|89|0<3.35.1 4.0.0<4.44.3 5.0.0<5.8.11|SQL injection
GHSA-m9jw-237r-gvfv CVE-2019-10752|C|89|0<4.44.3 5.0.0<5.15.1|SQL injection
GHSA-v8fg-2rw7-q452 CVE-2026-69240|C|89|0<6.37.4|SQL injection
GHSA-vqfx-gj96-3w95 CVE-2023-22579|C|843|0<6.28.1|Type confusion
GHSA-wfp9-vr4j-f49j|H|89|0<4.12.0|SQL injection
GHSA-wrh9-cjv3-2hpw CVE-2023-25813|C|89|0<6.19.1|SQL injection
GHSA-x2jc-pwfj-h9p3 CVE-2016-10554|M|89|0<1.7.0|SQL injection
GHSA-xqg8-cv3h-xppv CVE-2015-1369|H|89|0<2.0.0-rc8|SQL injection
=serialize-javascript
GHSA-5c6j-r48x-rmvq|H|96|0<7.0.3|Code injection into generated code
GHSA-76p7-773f-r4q5 CVE-2024-11831|M|79|6.0.0<6.0.2|Cross-site scripting
GHSA-h9rv-jmmf-4pgx CVE-2019-16769|M|79|0<2.1.1|Cross-site scripting
GHSA-hxcc-f52p-wc94 CVE-2020-7660|H|502|0<3.1.0|Unsafe deserialization
GHSA-qj8w-gfj5-8c6v CVE-2026-34043|M|400 834|5.0.0<7.0.5|Excessive iteration
=serve-static
GHSA-c3x7-gjmx-r2ff CVE-2015-1164|L|601|0<1.7.2|Open redirect
GHSA-cm22-4g7w-348p CVE-2024-43800|L|79|0<1.16.0 2.0.0<2.1.0|Cross-site scripting
=set-value
GHSA-4g88-fppr-53pp CVE-2019-10747|C|1321|0<2.0.1 3.0.0<3.0.1|Prototype pollution
GHSA-4jqc-8m5r-9rpr CVE-2021-23440|H|843 1321|0<2.0.1 3.0.0<3.0.3 4.0.0<4.0.1|Prototype pollution
=sha.js
GHSA-95m3-7q98-8xr5 CVE-2025-9288|C||0<=2.4.11|Improper input validation
=sharp
GHSA-54xq-cgqr-rpm3|H||0<0.32.6|Bundled libwebp is vulnerable (CVE-2023-4863)
GHSA-f88m-g3jw-g9cj|H|1395|0<0.35.0|Vulnerable bundled component
GHSA-gp95-ppv5-3jc5 CVE-2022-29256|M|77 78|0<0.30.5|Command injection
=shell-quote
GHSA-g4rg-993r-mgx7 CVE-2021-42740|C|77|1.6.3<1.7.3|Command injection
GHSA-qg8p-v9q4-gh34 CVE-2016-10541|C|78 94|0<1.6.1|OS command injection
GHSA-w7jw-789q-3m8p|C|77 78|1.1.0<=1.8.3|Command injection
=shelljs
GHSA-4rq4-32rv-6wp6 CVE-2022-0144|H|269|0<0.8.5|Privilege escalation
GHSA-64g7-mvw6-v9qj|M|269|0<0.8.5|Privilege escalation
=showdown
GHSA-h6mq-3cj6-h738|L|1022|0<1.9.1|Reverse tabnabbing
GHSA-rmmh-p597-ppvv CVE-2024-1899|M||0<=2.1.0|Regular expression denial of service
=simple-get
GHSA-wpg7-2c88-r8xv CVE-2022-0355|H|200|0<2.8.2 3.0.0<3.1.1 4.0.0<4.0.1|Information disclosure
=simple-swizzle
GHSA-9g9j-rggx-7fmg CVE-2025-59141|H!||0.2.3|Published version contains malicious code
=slice-ansi
INCIDENT-2025-09-08|C!|506|7.1.1|Published version contains malicious code
=socket.io
GHSA-25hc-qcg6-38wj CVE-2024-38355|M|20 754|0<2.5.1 3.0.0<4.6.2|Improper input validation
GHSA-fxwf-4rqh-v8g3 CVE-2020-28481|M|346 453|0<2.4.0|Missing or insufficient origin check
GHSA-qv2v-m59f-v5fw CVE-2017-16031|H|330|0<0.9.7|Predictable random values
=socket.io-parser
GHSA-2m8v-j782-fhvr CVE-2026-69185|H|20 754|0<3.3.6 3.4.0<3.4.5 4.0.0<4.2.7|Improper input validation
GHSA-677m-j7p3-52f9 CVE-2026-33151|H|754|0<3.3.5 3.4.0<3.4.4 4.0.0<4.2.6|Improper check for unusual conditions
GHSA-cqmj-92xf-r6r9 CVE-2023-32695|M|20 754|0<3.3.4 3.4.0<3.4.3 4.0.4<4.2.3|Improper input validation
GHSA-qm95-pgcg-qqfq CVE-2022-2421|C|20 89 1287|0<3.3.3 3.4.0<3.4.2 4.0.0<4.0.5 4.1.0<4.2.1|SQL injection
GHSA-xfhh-g9f5-x4m4 CVE-2020-36049|H|400|0<3.3.2 3.4.0<3.4.1|Denial of service through resource exhaustion
=sockjs
GHSA-c9g6-9335-x697 CVE-2020-7693|M|20|0<0.3.20|Improper input validation
GHSA-hh8v-jmh3-9437 CVE-2020-8823|M|79|0<0.3.0|Cross-site scripting
=sqlite3
GHSA-9qrh-qjmc-5w2p CVE-2022-21227|H|248|5.0.0<5.0.3|Uncaught exception
GHSA-jqv5-7xpx-qj74 CVE-2022-43441|H|913 915|5.0.0<5.1.5|Untrusted search path
=sshpk
GHSA-2m39-62fm-q8r3 CVE-2018-3737|H|185 770|0<1.13.2|Resource allocation without limits
=ssri
GHSA-325j-24f4-qv5x CVE-2018-7651|M|400|0<5.2.2|Denial of service through resource exhaustion
GHSA-vx3p-948g-6vhq CVE-2021-27290|H|400|5.2.2<6.0.2 7.0.0<7.1.1 8.0.0<8.0.1|Denial of service through resource exhaustion
=strip-ansi
GHSA-vfjc-p7x3-q864 MAL-2025-46980|C!|506|7.1.1|Published version contains malicious code
=superagent
GHSA-8225-6cvr-8pqp CVE-2017-16129|M|400 409|0<3.7.0|Decompression bomb
=superjson
GHSA-5888-ffcr-r425 CVE-2022-23631|C|1321 94|0<1.8.1|Prototype pollution
=supports-color
GHSA-pj3j-3w3f-j752 MAL-2025-46981|C!|506|10.2.1|Published version contains malicious code
=supports-hyperlinks
INCIDENT-2025-09-08|C!|506|4.1.1|Published version contains malicious code
=svgo
GHSA-2p49-hgcm-8545 CVE-2026-73650|H|79 184|1.0.0<2.8.3 3.0.0<3.3.4 4.0.0<4.0.2|Cross-site scripting
GHSA-xpqw-6gx7-v673 CVE-2026-29074|H|776|2.1.0<2.8.1 3.0.0<3.3.3 4.0.0<4.0.1|XML entity expansion
=swagger-ui
GHSA-22q9-hqm5-mhmc|M|79|0<2.2.1|Cross-site scripting
GHSA-388g-jwpg-x6j4|M|79|0<3.0.13|Cross-site scripting
GHSA-4f9m-pxwh-68hg|M|79|0<3.20.9|Cross-site scripting
GHSA-7f59-x49p-v8mq CVE-2016-1000226|C|79|0<2.2.1|Cross-site scripting
GHSA-c427-hjc3-wrfw CVE-2019-17495|C|79 352|0<3.23.11|Cross-site scripting
GHSA-cr3q-pqgq-m8c2 CVE-2018-25031|M|20 918 922|0<4.1.3|Server-side request forgery
GHSA-g336-c7wv-8hp3|C|79|0<2.2.1|Cross-site scripting
GHSA-h8wp-wgcq-qhrf CVE-2016-1000229|M|79|0<2.2.1|Cross-site scripting
GHSA-mrx7-8hxf-f853 CVE-2016-1000233|H|79|0<2.2.1|Cross-site scripting
GHSA-p239-93f7-h6xf CVE-2016-5682|C|79|0<2.2.1|Cross-site scripting
GHSA-qrmm-w75w-3wpx|M|918|0<4.1.3|Server-side request forgery
GHSA-vp93-gcx5-4w52|M|79|0<2.2.1|Cross-site scripting
GHSA-w992-2gmj-9xxj|M|79|0<2.2.1|Cross-site scripting
GHSA-x9p2-fxq6-2m5f|M|1022|0<3.18.0|Reverse tabnabbing
=swagger-ui-dist
GHSA-6c9x-mj3g-h47x CVE-2021-46708|M|1021|0<4.1.3|Clickjacking
GHSA-qrmm-w75w-3wpx|M|918|0<4.1.3|Server-side request forgery
=swiper
GHSA-hmx5-qpq5-p643 CVE-2026-27212|C|1321|6.5.1<12.1.2|Prototype pollution
GHSA-p3hc-fv2j-rp68 CVE-2021-23370|C|1321|0<6.5.1|Prototype pollution
=synckit
GHSA-f29h-pxvx-f335 CVE-2025-54313|H!|506|0.11.9|Compromised release runs a native loader at install time
=taffydb
GHSA-mxhp-79qh-mcx6 CVE-2019-10790|H|20 668|0<=2.7.3|Improper input validation
=tar
GHSA-23hp-3jrh-7fpw CVE-2026-59873|C|770|0<=7.5.18|Resource allocation without limits
GHSA-29xp-372q-xqph CVE-2025-64118|M|362|7.5.1|Race condition
GHSA-34x7-hfp2-rc4v CVE-2026-24842|H|22 59|0<7.5.7|Path traversal
GHSA-3jfq-g458-7qm9 CVE-2021-32804|H|22|0<3.2.2 4.0.0<4.4.14 5.0.0<5.0.6 6.0.0<6.1.1|Path traversal
GHSA-5955-9wpr-37jh CVE-2021-37713|H|22|0<4.4.18 5.0.0<5.0.10 6.0.0<6.1.9|Path traversal
GHSA-83g3-92jg-28cx CVE-2026-26960|H|22|0<7.5.8|Path traversal
GHSA-8qq5-rm4j-mr97 CVE-2026-23745|H|22|0<7.5.3|Path traversal
GHSA-8x88-c5mf-7j5w CVE-2026-59874|H|835|0<=7.5.17|Infinite loop
GHSA-9ppj-qmqm-q256 CVE-2026-31802|H|22|0<7.5.11|Path traversal
GHSA-9r2w-394v-53qc CVE-2021-37701|H|22 59|3.0.0<4.4.16 5.0.0<5.0.8 6.0.0<6.1.7|Path traversal
GHSA-f5x3-32g6-xq36 CVE-2024-28863|M|400|0<6.2.1|Denial of service through resource exhaustion
GHSA-gfjr-3jmm-4g9v CVE-2015-8860|H|59|0<2.0.0|Link following
GHSA-gvwx-54wh-qm9j CVE-2026-59875|M|248|0<=7.5.16|Uncaught exception
GHSA-j44m-qm6p-hp7m CVE-2018-20834|H|59|0<2.2.2 3.0.0<4.4.2|Link following
GHSA-qffp-2rhf-9h96 CVE-2026-29786|H|22 59|0<7.5.10|Path traversal
GHSA-qq89-hq3f-393p CVE-2021-37712|H|22 59|3.0.0<4.4.18 5.0.0<5.0.10 6.0.0<6.1.9|Path traversal
GHSA-r292-9mhp-454m|M|400 674|0<=7.5.20|Uncontrolled recursion
GHSA-r628-mhmh-qjhw CVE-2021-32803|H|22 23 59|3.0.0<3.2.3 4.0.0<4.4.15 5.0.0<5.0.7 6.0.0<6.1.2|Path traversal
GHSA-r6q2-hw4h-h46w CVE-2026-23950|H|176|0<7.5.4|Encoding error
GHSA-vmf3-w455-68vh CVE-2026-53655|M|436|0<7.5.16|Interpretation conflict
GHSA-w8wr-v893-vjvp CVE-2026-59871|M|704|0<=7.5.17|Incorrect type conversion
=tar-fs
GHSA-8cj5-5rvv-wf4v CVE-2025-48387|H|22|2.0.0<2.1.3 3.0.0<3.0.9|Path traversal
GHSA-pq67-2wwv-3xjx CVE-2024-12905|H|22 59|2.0.0<2.1.2 3.0.0<3.0.7|Path traversal
GHSA-vj76-c3g6-qr5v CVE-2025-59343|H|22 61|0<1.16.6 2.0.0<2.1.4|Path traversal
GHSA-x2mc-8fgj-3wmr CVE-2018-20835|H|20|0<1.16.2|Improper input validation
=terser
GHSA-4wf5-vphf-c2xc CVE-2022-25858|H|1333|0<4.8.1 5.0.0<5.14.2|Regular expression denial of service
=tinymce
CVE-2011-4825|H|94|0<1.4.2|Code injection
GHSA-27gm-ghr9-4v95 CVE-2020-17480|H|79|0<4.9.7 5.0.0<5.1.4|Cross-site scripting
GHSA-438c-3975-5x3f CVE-2024-29203|M|79|0<6.8.1|Cross-site scripting
GHSA-5359-pvf2-pw78 CVE-2024-29881|M|79|0<7.0.0|Cross-site scripting
GHSA-5h9g-x5rv-25wg CVE-2024-21908|M|79|0<5.9.0|Cross-site scripting
GHSA-5vm8-hhgr-jcjp|M|79|0<5.7.1|Cross-site scripting
GHSA-9hcv-j9pv-qmph CVE-2024-38356|M|79|0<5.11.0 6.0.0<6.8.4 7.0.0<7.2.0|Cross-site scripting
GHSA-c78w-2gw7-gjv3 CVE-2019-1010091|M|79|0<4.9.10 5.0.0<5.2.2|Cross-site scripting
GHSA-gg8r-xjwq-4w92 CVE-2022-23494|M|79|0<5.10.7 6.0.0<6.3.1|Cross-site scripting
GHSA-h96f-fc7c-9r55|L|400|0<5.6.0|Denial of service through resource exhaustion
GHSA-hgqx-r2hp-jr38 CVE-2023-45819|M|79|0<5.10.8 6.0.0<6.7.1|Cross-site scripting
GHSA-mh5m-5hw4-5c69 CVE-2026-47760|H|79|6.8.0<7.1.0|Cross-site scripting
GHSA-q742-qvgc-gc2f CVE-2026-47759|H|79|0<5.10.10 6.0.0<7.9.3 8.0.0<8.5.1|Cross-site scripting
GHSA-r8hm-w5f7-wj39 CVE-2024-21910|M|64 79|0<5.10.0|Cross-site scripting
GHSA-v626-r774-j7f8 CVE-2023-48219|M|79|0<5.10.9 6.0.0<6.7.3|Cross-site scripting
GHSA-v65r-p3vv-jjfv CVE-2023-45818|M|79|0<5.10.8 6.0.0<6.7.1|Cross-site scripting
GHSA-v98h-vmpc-fpqv CVE-2026-47762|H|79|0<5.10.10 6.0.0<7.9.3 8.0.0<8.5.1|Cross-site scripting
GHSA-vg35-5wq7-3x7w CVE-2026-47761|H|79|0<5.10.10 6.0.0<7.9.3 8.0.0<8.5.1|Cross-site scripting
GHSA-vrv8-v4w8-f95h CVE-2020-12648|M|79|0<4.9.11 5.0.0<5.4.1|Cross-site scripting
GHSA-w7jx-j77m-wp65 CVE-2024-21911|M|79|0<5.6.0|Cross-site scripting
GHSA-w9jx-4g6g-rp7x CVE-2024-38357|M|79|0<5.11.0 6.0.0<6.8.4 7.0.0<7.2.0|Cross-site scripting
=tmp
GHSA-52f5-9888-hmc6 CVE-2025-54798|L|59|0<0.2.4|Link following
GHSA-ph9p-34f9-6g65 CVE-2026-44705|H|22|0<0.2.6|Path traversal
=tough-cookie
GHSA-72xf-g2v4-qvf3 CVE-2023-26136|M|1321|0<4.1.3|Prototype pollution
GHSA-g7q5-pjjr-gqvp CVE-2017-15010|H|400|0<2.3.3|Denial of service through resource exhaustion
GHSA-qhv9-728r-6jqg CVE-2016-1000232|M|1333|0<2.3.0|Regular expression denial of service
=trim
GHSA-w5p7-h5w8-2hfq CVE-2020-7753|H|400|0<0.0.3|Denial of service through resource exhaustion
=trim-newlines
GHSA-7p7h-4mm5-852v CVE-2021-33623|H|400|0<3.0.1 4.0.0<4.0.1|Denial of service through resource exhaustion
=trim-off-newlines
GHSA-38fc-wpqx-33j7 CVE-2021-23425|M|400|0<1.0.3|Denial of service through resource exhaustion
=tunnel-agent
GHSA-xc7v-wxcw-j472|M|200|0<0.6.0|Information disclosure
=typeorm
GHSA-2rp8-mm9q-fp49 CVE-2026-73651|M|94|0<0.3.31 1.0.0<1.1.0|Code injection
GHSA-9ggv-8w38-r7pm|M|89|0.1.12<0.3.29|SQL injection
GHSA-fx4w-v43j-vc45 CVE-2022-33171|C|89|0<0.3.0|SQL injection
GHSA-pf2j-9qmp-jqr2 CVE-2020-8158|C|471 1321|0<0.2.25|Prototype pollution
GHSA-q2pj-6v73-8rgj CVE-2025-60542|H|89|0<0.3.26|SQL injection
GHSA-w7q7-vjp8-7jv4|C|89|0<0.1.15|SQL injection
=ua-parser-js
GHSA-394c-5j6w-4xmx CVE-2020-7793|H|400|0<0.7.23|Denial of service through resource exhaustion
GHSA-662x-fhqg-9p8v CVE-2020-7733|H|400|0<0.7.22|Denial of service through resource exhaustion
GHSA-78cj-fxph-m83p CVE-2021-27292|H|400|0.7.14<0.7.24|Denial of service through resource exhaustion
GHSA-9h5v-pfqq-x599 CVE-2026-48125|M|400 1333|2.0.1<2.0.10|Regular expression denial of service
GHSA-fhg7-m89q-25r3 CVE-2022-25927|H|400 1333|0.7.30<0.7.33 0.8.0<1.0.33|Regular expression denial of service
GHSA-pjwm-rvh2-c87w CVE-2021-4229|H!|829 912|0.7.29<0.7.30 0.8.0<0.8.1 1.0.0<1.0.1|Published version contains malicious code
=uglify-js
GHSA-34r7-q49f-h37c CVE-2015-8857|C|1254 670|0<2.4.24|Incorrect control flow
GHSA-c9f4-xj24-8jqx CVE-2015-8858|H|1333|0<2.6.0|Regular expression denial of service
=underscore
GHSA-cf4h-3jhx-xvhq CVE-2021-23358|C|94|1.3.2<1.12.1|Code injection
GHSA-qpx9-hpmf-5gmw CVE-2026-27601|H|674 770|0<1.13.8|Uncontrolled recursion
=undici
GHSA-2mjp-6q6p-2qxm CVE-2026-1525|M|444|0<6.24.0 7.0.0<7.24.0|HTTP request smuggling
GHSA-35p6-xmwp-9g52 CVE-2026-6733|L|367|0<6.27.0 7.0.0<7.28.0 8.0.0<8.5.0|Race condition
GHSA-3787-6prv-h9w3 CVE-2024-24758|L|200|0<5.28.3 6.0.0<6.6.1|Information disclosure
GHSA-3cvr-822r-rqcc CVE-2022-31150|M|93|0<5.8.0|CRLF injection
GHSA-3g92-w8c5-73pq CVE-2024-38372|L|201|6.14.0<6.19.2|Sensitive information in sent data
GHSA-4992-7rv2-5pvq CVE-2026-1527|M|93|0<6.24.0 7.0.0<7.24.0|CRLF injection
GHSA-4cwx-7wf7-3272 CVE-2026-13697|H|200 248 525|7.0.0<7.29.0 8.0.0<8.9.0|Uncaught exception
GHSA-5r9g-qh6m-jxff CVE-2023-23936|M|74 93|2.0.0<5.19.1|CRLF injection
GHSA-8qr4-xgw6-wmr3 CVE-2022-35949|M|918|0<5.8.2|Server-side request forgery
GHSA-8xcm-r25x-g524 CVE-2026-16728|M|444|0<6.28.0 7.0.0<7.29.0 8.0.0<8.9.0|HTTP request smuggling
GHSA-9f24-jqhm-jfcw CVE-2024-24750|M|400 401|6.0.0<6.6.1|Memory leak
GHSA-9qxr-qj54-h672 CVE-2024-30261|L|284|0<5.28.4 6.0.0<6.11.1|Access control bypass
GHSA-c76h-2ccp-4975 CVE-2025-22150|M|330|4.5.0<5.28.5 6.0.0<6.21.1 7.0.0<7.2.3|Predictable random values
GHSA-cxrh-j4jr-qwg3 CVE-2025-47279|L|401|0<5.29.0 6.0.0<6.21.2 7.0.0<7.5.0|Memory leak
GHSA-f269-vfmq-vjvj CVE-2026-1528|H|248 1284|6.0.0<6.24.0 7.0.0<7.24.0|Uncaught exception
GHSA-f772-66g8-q5h3 CVE-2022-35948|M|74 93|0<5.8.2|CRLF injection
GHSA-g8m3-5g58-fq7m CVE-2026-11525|L|183|0<6.27.0 7.0.0<7.28.0 8.0.0<8.5.0|Overly permissive allowlist
GHSA-g9mf-h72j-4rw9 CVE-2026-22036|M|770|0<6.23.0 7.0.0<7.18.2|Resource allocation without limits
GHSA-hm92-r4w5-c3mj CVE-2026-6734|H|346|7.23.0<7.28.0 8.0.0<8.2.0|Missing or insufficient origin check
GHSA-jr45-8vmc-qm54 CVE-2026-14643|M|436 524|7.0.0<7.29.0 8.0.0<8.9.0|Interpretation conflict
GHSA-m4v8-wqvr-p9f7 CVE-2024-30260|L|200 285 863|0<5.28.4 6.0.0<6.11.1|Authorization bypass
GHSA-m8rv-5g2x-5cg5 CVE-2026-15157|M|93|0<6.28.0 7.0.0<7.29.0 8.0.0<8.9.0|CRLF injection
GHSA-p88m-4jfj-68fv CVE-2026-9679|M|93|0<6.27.0 7.0.0<7.28.0 8.0.0<8.5.0|CRLF injection
GHSA-pgw7-wx7w-2w33 CVE-2022-32210|H|295|4.8.2<5.5.1|Certificate validation bypass
GHSA-phc3-fgpg-7m6h CVE-2026-2581|M|770|7.17.0<7.24.0|Resource allocation without limits
GHSA-pr7r-676h-xcf6 CVE-2026-9678|M|524|7.0.0<7.28.0 8.0.0<8.5.0|Caching of sensitive data
GHSA-q768-x9m6-m9qp CVE-2022-31151|L|93 346 601|0<5.8.0|CRLF injection
GHSA-r6ch-mqf9-qc9w CVE-2023-24807|H|1333|0<5.19.1|Regular expression denial of service
GHSA-v3r7-h72x-cjcm CVE-2026-16729|M|74|0<6.28.0 7.0.0<7.29.0 8.0.0<8.9.0|Injection
GHSA-v9p9-hfj2-hcw8 CVE-2026-2229|H|248|0<6.24.0 7.0.0<7.24.0|Uncaught exception
GHSA-vmh5-mc38-953g CVE-2026-9697|H|295|7.23.0<7.28.0 8.0.0<8.5.0|Certificate validation bypass
GHSA-vrm6-8vpv-qv8q CVE-2026-1526|H|409|0<6.24.0 7.0.0<7.24.0|Decompression bomb
GHSA-vxpw-j846-p89q CVE-2026-12151|H|400 770|0<6.27.0 7.0.0<7.28.0 8.0.0<8.5.0|Resource allocation without limits
GHSA-wqq4-5wpv-mx2g CVE-2023-45143|L|200|0<5.26.2|Information disclosure
=unzip-stream
GHSA-6jrj-vc65-c983|H|22|0<0.3.2|Path traversal
=unzipper
GHSA-884w-698f-927f CVE-2018-1002203|M|22|0<0.8.13|Path traversal
=uri-js
GHSA-333w-rxj3-f55r CVE-2017-16021|M|1333 400|0<3.0.0|Regular expression denial of service
=urijs
GHSA-3329-pjwv-fjpg CVE-2020-26291|M|20|0<1.19.4|Improper input validation
GHSA-3vjf-82ff-p4r3 CVE-2022-1243|H|20|0<1.19.11|Improper input validation
GHSA-89gv-h8wf-cg8r CVE-2021-3647|M|601|0<1.19.7|Open redirect
GHSA-8h2f-7jc4-7m3m CVE-2022-0868|M|601|0<1.19.10|Open redirect
GHSA-g694-m8vq-gv9h CVE-2022-1233|M|115 601|0<1.19.11|Open redirect
GHSA-gcv8-gh4r-25x6 CVE-2022-0613|M|639|0<1.19.8|Authorization bypass through a user-controlled key
GHSA-gmv4-r438-p67f CVE-2022-24723|M|20|0<1.19.9|Improper input validation
GHSA-p6j9-7xhc-rhwp CVE-2021-27516|H|20|0<1.19.6|Improper input validation
=url-parse
GHSA-46c4-8wrp-j99v CVE-2020-8124|M|20|0.1.0<1.4.5|Improper input validation
GHSA-8v38-pw62-9cw2 CVE-2022-0639|M|639|1.0.0<1.5.7|Authorization bypass through a user-controlled key
GHSA-9m6j-fcg5-2442 CVE-2021-27515|M|23|0.1.0<1.5.0|Path traversal
GHSA-hgjh-723h-mx2j CVE-2022-0686|C|639|0<1.5.8|Authorization bypass through a user-controlled key
GHSA-hh27-ffr2-f2jc CVE-2021-3664|M|601|0.1.0<1.5.2|Open redirect
GHSA-jf5r-8hm2-f872 CVE-2022-0691|M|639|0.1.0<1.5.9|Authorization bypass through a user-controlled key
GHSA-pv4c-p2j5-38j4 CVE-2018-3774|C|425|1.0.0<1.4.3|Forced browsing
GHSA-rqff-837h-mm52 CVE-2022-0512|M|639|0.1.0<1.5.6|Authorization bypass through a user-controlled key
=uuid
GHSA-w5hq-g745-h8pq CVE-2026-41907|M|787 1285|0<11.1.1 12.0.0<12.0.1 13.0.0<13.0.1|Out-of-bounds write
=validator
GHSA-79mx-88w7-8f7q CVE-2014-9772|M|79|0<2.0.0|Cross-site scripting
GHSA-9965-vmph-33xx CVE-2025-56200|M|79|0<13.15.20|Cross-site scripting
GHSA-f5w6-r7rg-mcgq CVE-2014-8882|H|400|0<3.22.1|Denial of service through resource exhaustion
GHSA-q4qq-fm7q-cwp5 CVE-2013-7454|M|79|0<1.1.0|Cross-site scripting
GHSA-qgmg-gppg-76g5 CVE-2021-3765|M|1333|0<13.7.0|Regular expression denial of service
GHSA-vghf-hv5q-vc2g CVE-2025-12758|H|172 792|0<13.15.22|Encoding error
GHSA-xx4c-jj58-r7x6|M|1333|11.1.0<13.7.0|Regular expression denial of service
=vite
GHSA-353f-5xf4-qw67 CVE-2023-34092|H|50 200 706|0<2.9.16 3.0.2<3.2.7 4.0.0<4.0.5 4.1.0<4.1.5 4.2.0<4.2.3 4.3.0<4.3.9|Incorrectly resolved name
GHSA-356w-63v5-8wf4 CVE-2025-32395|M|200|0<4.5.13 5.0.0<5.4.18 6.0.0<6.0.15 6.1.0<6.1.5 6.2.0<6.2.6|Information disclosure
GHSA-4r4m-qw57-chr8 CVE-2025-31125|M|200 284|0<4.5.11 5.0.0<5.4.16 6.0.0<6.0.13 6.1.0<6.1.3 6.2.0<6.2.4|Information disclosure
GHSA-4w7w-66w2-5vf9 CVE-2026-39365|M|22 200|0<6.4.2 7.0.0<7.3.2 8.0.0<8.0.5|Path traversal
GHSA-64vr-g452-qvp3 CVE-2024-45812|M|79|0<3.2.11 4.0.0<4.5.4 5.0.0<5.1.8 5.2.0<5.2.14 5.3.0<5.3.6 5.4.0<5.4.6|Cross-site scripting
GHSA-859w-5945-r5v3 CVE-2025-46565|M|22|0<4.5.14 5.0.0<5.4.19 6.0.0<6.1.6 6.2.0<6.2.7 6.3.0<6.3.4|Path traversal
GHSA-8jhw-289h-jh2g CVE-2024-31207|M|200 284|2.7.0<2.9.18 3.0.0<3.2.10 4.0.0<4.5.3 5.0.0<5.0.13 5.1.0<5.1.7 5.2.0<5.2.6|Information disclosure
GHSA-92r3-m2mg-pj97 CVE-2023-49293|M|79|4.4.0<4.4.12 4.5.0<4.5.1 5.0.0<5.0.5|Cross-site scripting
GHSA-93m4-6634-74q7 CVE-2025-62522|M|22|2.9.18<3.0.0 3.2.9<4.0.0 4.5.3<5.0.0 5.2.6<5.4.21 6.0.0<6.4.1 7.0.0<7.0.8 7.1.0<7.1.11|Path traversal
GHSA-9cwx-2883-4wfx CVE-2024-45811|M|200 284|0<3.2.11 4.0.0<4.5.4 5.0.0<5.1.8 5.2.0<5.2.14 5.3.0<5.3.6 5.4.0<5.4.6|Information disclosure
GHSA-c24v-8rfc-w8vw CVE-2024-23331|H|178 200 284|2.7.0<2.9.17 3.0.0<3.2.8 4.0.0<4.5.2 5.0.0<5.0.12|Improper handling of case sensitivity
GHSA-fx2h-pf6j-xcff CVE-2026-53571|H|22 200|0<6.4.3 7.0.0<7.3.5 8.0.0<8.0.16|Path traversal
GHSA-g4jq-h2w9-997c CVE-2025-58751|L|22 200 284|0<5.4.20 6.0.0<6.3.6 7.0.0<7.0.7 7.1.0<7.1.5|Path traversal
GHSA-jqfw-vq24-v9c3 CVE-2025-58752|L|23 200 284|0<5.4.20 6.0.0<6.3.6 7.0.0<7.0.7 7.1.0<7.1.5|Path traversal
GHSA-mv48-hcvh-8jj8 CVE-2022-35204|H|22|0<2.9.13 3.0.0-alpha.0<3.0.0-beta.4|Path traversal
GHSA-p9ff-h696-f583 CVE-2026-39363|H|200 306|6.0.0<6.4.2 7.0.0<7.3.2 8.0.0<8.0.5|Missing authentication
GHSA-v2wj-q39q-566r CVE-2026-39364|H|180 284|7.1.0<7.3.2 8.0.0<8.0.5|Validation before canonicalization
GHSA-v6wh-96g9-6wx3 CVE-2026-53632|M|73 522|0<6.4.3 7.0.0<7.3.5 8.0.0<8.0.16|External control of a file path
GHSA-vg6x-rcgg-rjx6 CVE-2025-24010|M|346 350 1385|0<4.5.6 5.0.0<5.4.12 6.0.0<6.0.9|Missing or insufficient origin check
GHSA-x574-m823-4x7w CVE-2025-30208|M|200 284|0<4.5.10 5.0.0<5.4.15 6.0.0<6.0.12 6.1.0<6.1.2 6.2.0<6.2.3|Information disclosure
GHSA-xcj6-pq6g-qj4x CVE-2025-31486|M|200 284|0<4.5.12 5.0.0<5.4.17 6.0.0<6.0.14 6.1.0<6.1.4 6.2.0<6.2.5|Information disclosure
=vm2
GHSA-248r-7h7q-cr24 CVE-2026-45411|C|237 668|0<=3.11.2|Sandbox escape
GHSA-2cm2-m3w5-gp2f|M||0<3.11.2|Sandbox weakness
GHSA-47x8-96vw-5wg6 CVE-2026-43997|C|94 653|0<=3.10.5|Sandbox escape
GHSA-4w2j-2rg4-5mjw CVE-2022-25893|C|94|0<3.9.10|Code injection
GHSA-55hx-c926-fr95 CVE-2026-26332|C|94 653 693|0<=3.10.4|Sandbox escape
GHSA-6785-pvv7-mvg7 CVE-2026-44004|H|770 1285|0<=3.10.5|Sandbox escape
GHSA-6j2x-vhqr-qr7q CVE-2026-47210|C|913|0<=3.11.3|Sandbox escape
GHSA-6pw2-5hjv-9pf7 CVE-2021-23555|C|1321|0<3.9.6|Sandbox escape
GHSA-76w7-j9cq-rx2j CVE-2026-47208|C|913|0<=3.11.3|Sandbox escape
GHSA-7jxr-cg7f-gpgv CVE-2023-29017|C|913|0<3.9.15|Sandbox escape
GHSA-8hg8-63c5-gwmx CVE-2026-44007|C|284 1100|0<=3.11.0|Sandbox escape
GHSA-99p7-6v5w-7xg8 CVE-2026-22709|C|94 693 913|0<3.10.2|Sandbox escape
GHSA-9g8x-92q2-p28f CVE-2026-47141|M|668|0<=3.11.3|Exposed resource
GHSA-9qj6-qjgg-37qq CVE-2026-44008|C|668 1100|0<=3.11.1|Sandbox escape
GHSA-9vg3-4rfj-wgcm CVE-2026-44009|C|653 668|0<3.11.2|Sandbox escape
GHSA-c4cf-2hgv-2qv6 CVE-2026-47209|H|693|0<=3.11.3|Protection mechanism bypass
GHSA-cchq-frgv-rjh5 CVE-2023-37466|C|94|0<3.10.0|Sandbox escape
GHSA-ch3r-j5x3-6q2m CVE-2023-30547|C|74|0<3.9.17|Sandbox escape
GHSA-ffh4-j6h5-pg66 CVE-2026-26956|C|653 693|0<=3.10.4|Sandbox escape
GHSA-g644-9gfx-q4q4 CVE-2023-37903|C|78|0<=3.9.19|Sandbox escape
GHSA-grj5-jjm8-h35p CVE-2026-24118|C|94 693 749|0<=3.10.4|Sandbox escape
GHSA-hw58-p9xv-2mjh CVE-2026-44001|H|248|0<=3.10.5|Sandbox escape
GHSA-m4wx-m65x-ghrr CVE-2026-47137|C|913|0<=3.11.3|Untrusted search path
GHSA-m5q2-4fm3-vfqp CVE-2026-47135|H|693|0<=3.11.3|Sandbox escape
GHSA-mpf8-4hx2-7cjg CVE-2026-44000|M|693|0<=3.10.5|Sandbox escape
GHSA-mrgp-mrhc-5jrq CVE-2022-36067|C|913|0<3.9.11|Sandbox escape
GHSA-p5gc-c584-jj6v CVE-2023-32313|M|74|0<3.9.18|Injection
GHSA-q3fm-4wcw-g57x|L||0<=3.11.3|Sandbox weakness
GHSA-qcp4-v2jj-fjx8 CVE-2026-44006|C|94 914|0<=3.10.5|Sandbox escape
GHSA-qvjj-29qf-hp7p CVE-2026-24120|C|94 693 807|0<=3.10.3|Sandbox escape
GHSA-r9pm-gxmw-wv6p CVE-2026-47139|H|693|0<=3.11.3|Protection mechanism bypass
GHSA-rjf2-j2r6-q8gr CVE-2021-23449|C|915 1321|0<3.9.4|Prototype pollution
GHSA-rp36-8xq3-r6c4 CVE-2026-47140|C|693|0<=3.11.3|Protection mechanism bypass
GHSA-v27g-jcqj-v8rw CVE-2026-44002|M|209|0<=3.10.5|Information disclosure through an error message
GHSA-v37h-5mfm-c47c CVE-2026-24781|C|94 653 693|0<=3.10.3|Sandbox escape
GHSA-v6mx-mf47-r5wg CVE-2026-47131|C|913|0<=3.11.3|Sandbox escape
GHSA-vwrp-x96c-mhwq CVE-2026-44005|C|94 653 1321|3.9.6<=3.10.5|Sandbox escape
GHSA-wf5x-cr3r-xr77 CVE-2019-10761|H|674|0<3.6.11|Sandbox escape
GHSA-whpj-8f3w-67p5 CVE-2023-32314|C|74|0<3.9.18|Sandbox escape
GHSA-wp5r-2gw5-m7q7 CVE-2026-44003|M|693|0<=3.10.5|Protection mechanism bypass
GHSA-xj72-wvfv-8985 CVE-2023-29199|C|913|0<3.9.16|Sandbox escape
=vue
GHSA-5j4c-8p2g-v4jx CVE-2024-9506|L|1333|2.0.0-alpha.1<3.0.0-alpha.0|Regular expression denial of service
=vue-template-compiler
GHSA-g3ch-rx76-35fx CVE-2024-6783|M|79|2.0.0<3.0.0|Cross-site scripting
=webpack
GHSA-38r7-794h-5758 CVE-2025-68157|L|918|5.49.0<5.104.0|Server-side request forgery
GHSA-4vvj-4cpr-p986 CVE-2024-43788|M|79|5.0.0-alpha.0<5.94.0|Cross-site scripting
GHSA-8fgc-7cc6-rx7x CVE-2025-68458|L|918|5.49.0<5.104.1|Server-side request forgery
GHSA-hc6q-2mpp-qw7j CVE-2023-28154|C||5.0.0<5.76.0|Objects of another realm become reachable
=webpack-dev-middleware
GHSA-wr3j-pwj9-hqq6 CVE-2024-29180|H|22|0<5.3.4 6.0.0<6.1.2 7.0.0<7.1.0|Path traversal
=webpack-dev-server
GHSA-4v9v-hfq4-rm2v CVE-2025-30359|M|749|0<5.2.1|Exposed dangerous function
GHSA-79cf-xcqc-c78w CVE-2026-6402|M|749|0<5.2.4|Exposed dangerous function
GHSA-9jgg-88mc-972h CVE-2025-30360|M|346|0<5.2.1|Missing or insufficient origin check
GHSA-cf66-xwfp-gvc4 CVE-2018-14732|H|20|0<3.1.11|Improper input validation
GHSA-f5vj-f2hx-8m93 CVE-2026-14620|M|352 749|0<5.2.6|Cross-site request forgery
GHSA-m28w-2pqf-7qgj CVE-2026-14631|M|20 248|0<5.2.6|Uncaught exception
GHSA-mx8g-39q3-5c79 CVE-2026-9595|M|346 441|0<5.2.5|Missing or insufficient origin check
=websocket-extensions
GHSA-g78m-2chm-r7qv CVE-2020-7662|H|400|0<0.1.4|Denial of service through resource exhaustion
=word-wrap
GHSA-j8xg-fqg3-53r7 CVE-2023-26115|M|1333|0<1.2.4|Regular expression denial of service
=wrap-ansi
GHSA-2rv4-jp6r-xgq7 MAL-2025-46983|C!|506|9.0.1|Published version contains malicious code
=ws
GHSA-2mhh-w6q8-5hxw CVE-2016-10518|L|201|0<1.0.1|Sensitive information in sent data
GHSA-3h5v-q93c-6h6q CVE-2024-37890|H|476|2.1.0<5.2.4 6.0.0<6.2.3 7.0.0<7.5.10 8.0.0<8.17.1|Null pointer dereference
GHSA-58qx-3vcg-4xpx CVE-2026-45736|M|908|8.0.0<8.20.1|Disclosure of uninitialized memory
GHSA-5v72-xg48-5rpm|H|400|0.6.0<1.1.5 2.0.0<3.3.1|Denial of service through resource exhaustion
GHSA-6663-c963-2gqg CVE-2016-10542|H|400|0<1.1.1|Denial of service through resource exhaustion
GHSA-6fc8-4gx4-v693 CVE-2021-32640|M|345 400|5.0.0<5.2.3 6.0.0<6.2.2 7.0.0<7.4.6|Insufficient verification of data authenticity
GHSA-96hv-2xvq-fx4p CVE-2026-48779|H|400 770 1050|1.1.0<5.2.5 6.0.0<6.2.4 7.0.0<7.5.11 8.0.0<8.21.0|Resource allocation without limits
=xlsx
GHSA-3x9f-74h4-2fqr CVE-2021-32012|M|400|0<0.17.0|Denial of service through resource exhaustion
GHSA-4r6h-8v6p-xvw6 CVE-2023-30533|H|1321|0<0.19.3|Prototype pollution
GHSA-5pgg-2g8v-p4x9 CVE-2024-22363|H|1333|0<0.20.2|Regular expression denial of service
GHSA-8vcr-vxm8-293m CVE-2021-32013|M|400|0<0.17.0|Denial of service through resource exhaustion
GHSA-g973-978j-2c3p CVE-2021-32014|M|345 400|0<0.17.0|Insufficient verification of data authenticity
=xml-crypto
GHSA-2xp3-57p7-qf4v CVE-2024-32962|C|347|4.0.0<6.0.0|Signature verification bypass
GHSA-9p8x-f768-wp2g CVE-2025-29774|C|347|0<2.1.6 3.0.0<3.2.1 4.0.0<6.0.1|Signature verification bypass
GHSA-c27r-x354-4m68|H|287|0<2.0.0|Authentication bypass
GHSA-x3m8-899r-f7c3 CVE-2025-29775|C|347|0<2.1.6 3.0.0<3.2.1 4.0.0<6.0.1|Signature verification bypass
=xml2js
GHSA-776f-qx25-q3cc CVE-2023-0842|M|1321|0<0.5.0|Prototype pollution
=xmldom
GHSA-2v35-w6hq-6mfw CVE-2026-41673|H|674|0<=0.6.0|Uncontrolled recursion
GHSA-5fg8-2547-mr8q CVE-2021-32796|M|116|0<=0.6.0|Improper output encoding
GHSA-6gmq-8vp8-gcm6 CVE-2026-83610|M|116|0<=0.6.0|Improper output encoding
GHSA-crh6-fp67-6883 CVE-2022-39353|C|20 1288|0<=0.6.0|Inconsistent input accepted
GHSA-f6ww-3ggp-fr8h CVE-2026-41674|H||0<=0.6.0|Injection
GHSA-h6q6-9hqw-rwfv CVE-2021-21366|M|115 436|0<0.5.0|Input misinterpreted
GHSA-j759-j44w-7fr8 CVE-2026-41672|H|91|0<=0.6.0|XML injection
GHSA-wh4c-j3r5-mjhp CVE-2026-34601|H|91|0<=0.6.0|XML injection
GHSA-x6wf-f3px-wcqx CVE-2026-41675|H||0<=0.6.0|Injection
=xmlhttprequest
GHSA-h4j5-c7cj-74xg CVE-2020-28502|C|94|0<1.7.0|Code injection
=xmlhttprequest-ssl
GHSA-72mh-269x-7mh5 CVE-2021-31597|C|295|0<1.6.1|Certificate validation bypass
GHSA-h4j5-c7cj-74xg CVE-2020-28502|C|94|0<1.6.2|Code injection
=y18n
GHSA-c4w7-xm78-47vh CVE-2020-7774|H|20 915 1321|0<3.2.2 4.0.0<4.0.1 5.0.0<5.0.5|Prototype pollution
=yaml
GHSA-48c2-rrv3-qjmp CVE-2026-33532|M|674|1.0.0<1.10.3 2.0.0<2.8.3|Uncontrolled recursion
GHSA-f9xv-q969-pqx4 CVE-2023-2251|H|248|2.0.0-5<2.2.2|Uncaught exception
=yargs-parser
GHSA-p9pc-299p-vxgp CVE-2020-7608|M|915 1321|0<5.0.1 6.0.0<13.1.2 14.0.0<15.0.1 16.0.0<18.1.1|Prototype pollution
=yauzl
GHSA-gmq8-994r-jv83 CVE-2026-31988|M||3.2.0|Denial of service
=zod
GHSA-m95q-7qp3-xv42 CVE-2023-4316|M|1333|0<3.22.3|Regular expression denial of service`

/** Style of the rule reference. Its hash stands in the policy; a test compares them. */
export const REFERENCE_STYLE = `:root{color-scheme:light dark}
body{margin:0 auto;max-width:60rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
pre{background:light-dark(#f4f6f8,#1f2731);padding:.5rem;white-space:pre-wrap}code{font-family:ui-monospace,monospace;font-size:.9em}
table{border-collapse:collapse}th,td{border:1px solid light-dark(#c4c9d1,#4a5462);padding:.25rem .6rem;text-align:left;vertical-align:top}
dt{font-weight:600}dd{margin:0 0 .3rem}.vulnerable pre{border-left:.3rem solid #aa0808}.safe pre{border-left:.3rem solid #256f3a}`

export const REFERENCE_STYLE_HASH = "'sha256-Tlu3JhISpwb5RHzul22xSgCfDky8kup/tpSW3YKkTJg='"

export const REFERENCE_POLICY: string = `default-src 'none'; style-src ${REFERENCE_STYLE_HASH}; base-uri 'none'; form-action 'none'`

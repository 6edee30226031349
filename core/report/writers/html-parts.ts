/** The style of the page. Its hash, and that of the script, stand in the page's Content-Security-Policy; a test compares them. */
export const STYLE = `:root{color-scheme:light dark;--line:light-dark(#c4c9d1,#4a5462);--soft:light-dark(#f4f6f8,#1f2731)}
*{box-sizing:border-box}
html{background:light-dark(#fff,#12171c);color:light-dark(#1d2d3e,#eaecee)}
body{margin:0 auto;max-width:70rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:.25rem 0}
a{color:light-dark(#0057b8,#8cc8ff)}
table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}
article{border:1px solid var(--line);border-left-width:.4rem;border-radius:.25rem;padding:.6rem .8rem;margin:.6rem 0;content-visibility:auto;contain-intrinsic-size:auto 18rem}
.critical{border-left-color:#aa0808}.high{border-left-color:#e76500}.medium{border-left-color:#b8860b}.low{border-left-color:#0070f2}.info{border-left-color:#788fa6}
pre{background:var(--soft);padding:.5rem;overflow-x:auto;white-space:pre-wrap}code{font-family:ui-monospace,monospace;font-size:.9em}
pre span{display:block;position:relative;padding-left:4.5em}pre span::before{box-sizing:border-box;content:attr(data-line);position:absolute;left:0;width:3.5em;text-align:right;color:light-dark(#5b6770,#9fb0bf)}
.match{background:light-dark(#fff0d9,#3a2a10)}.match::before{font-weight:700;border-left:.25rem solid light-dark(#b84500,#ffb27a)}mark{background:none;color:inherit;font-weight:700;border-bottom:2px solid}
pre i{font-style:normal}.comment{color:light-dark(#5b6770,#9fb0bf)}.string{color:light-dark(#0a6e2e,#8fd19e)}.keyword{color:light-dark(#7b2ea8,#d3a6f5)}.number{color:light-dark(#8a4300,#f2b27a)}.name{color:light-dark(#00588f,#8cc8ff)}
.level{border:1px solid;border-radius:.25rem;padding:0 .35rem;font-size:.85em;text-transform:uppercase}.critical .level{border-width:2px;background:#aa0808;color:#fff}.critical{border-left-style:double}
p,ol,ul,dl{margin:.3rem 0}dt{font-weight:600}dd{margin:0 0 .3rem 0}
.banner{border:2px solid #e76500;padding:.5rem .8rem;border-radius:.25rem}
form{display:flex;flex-wrap:wrap;gap:.8rem;margin:1rem 0;align-items:end}label{display:grid;gap:.2rem}select,input{font:inherit;height:2.25rem;padding:0 .25rem}
[hidden]{display:none!important}
:focus-visible{outline:2px solid light-dark(#0032a5,#89d1ff);outline-offset:1px}
ol>li{margin:0 0 .5rem}
@media print{form{display:none}article{content-visibility:visible}h1,h2,h3,dt{break-after:avoid}tr,dd,pre{break-inside:avoid}body{max-width:none;padding:0}a[href^=http]::after{content:" (" attr(href) ")"}}`

/** Filters of the list; without it everything is shown. */
export const SCRIPT = `'use strict'
const form=document.querySelector('form'),items=[...document.querySelectorAll('article')],count=document.querySelector('output')
const texts=items.map((item)=>item.textContent.toLowerCase())
const show=()=>{const{severity,area,search}=form.elements,words=search.value.toLowerCase();let shown=0
items.forEach((item,index)=>{const fits=(severity.value===''||item.dataset.severity===severity.value)&&(area.value===''||item.dataset.area===area.value)&&texts[index].includes(words)
item.hidden=!fits;if(fits)shown++})
count.textContent=count.dataset.words.replace('#',shown)}
form.addEventListener('input',show);form.addEventListener('submit',(event)=>event.preventDefault())
form.hidden=false;show()`

/** SHA-256 of both, as a Content-Security-Policy names them. */
export const STYLE_HASH = "'sha256-O4VghqcBNHZcQOjwHDE0ts3JS+7jvPlJxQ5jWDPkK2M='"
export const SCRIPT_HASH = "'sha256-ulfxkxu2tvv2sACxRV3uZUX4hgmGGwACcS7KnHjvgkc='"

/** Nothing but the page's own style and script is heeded, and nothing is asked for. */
export const HTML_POLICY: string = [
  "default-src 'none'",
  `style-src ${STYLE_HASH}`,
  `script-src ${SCRIPT_HASH}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

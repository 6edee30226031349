/** jQuery itself, by its paths. */
export const JQUERY: RegExp = /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery)$/

const FOUND =
  /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery)(?: sap byId)? \(\)|(?:^| )\$ \(\)|(?:^| )(?:jQuery|\$[A-Za-z]\w{0,60}) /
const NAMED = /(?:^|:)_?\$\w{1,60}$/

/** What jQuery has found or made: by its calls, by the method of controls, by the name that such things are given. */
export const ON_JQUERY: Pick<RegExp, 'test'> = {
  // most paths have neither a dollar nor the name
  test: (path) => (path.includes('$') || path.includes('Query') || path.includes('query')) && isOnFound(path),
}

function isOnFound(path: string): boolean {
  return FOUND.test(path) || isMethodOfNamed(path.split(' '))
}

/** `$list find () addClass`: a method of what has a name with a dollar, or of what its methods give. */
function isMethodOfNamed(words: readonly string[]): boolean {
  let at = words.length - 1
  if (!/^\w+$/.test(words[at] ?? '')) return false
  for (at--; at >= 0; at -= 2) {
    const word = words[at] ?? ''
    if (word !== '()') return NAMED.test(word)
  }
  return false
}

/** Methods that what jQuery found has of its own, as far as apps call them often. Fact: jQuery 3.7, API. */
export const JQUERY_METHODS: ReadonlySet<string> = new Set(
  (
    'add addClass after ajaxComplete animate append appendTo attr before bind blur change children click clone closest constructor contents control css data delay ' +
    'delegate detach each empty end eq even fadeIn fadeOut fadeTo filter find finish first focus focusin focusout get has hasClass height hide hover html index ' +
    'innerHeight innerWidth insertAfter insertBefore is keydown keypress keyup last length load map mousedown mouseenter mouseleave mousemove mouseup next nextAll not ' +
    'odd off offset on one outerHeight outerWidth parent parents position prepend prependTo prev prevAll promise prop ready remove removeAttr removeClass removeData ' +
    'removeProp replaceAll replaceWith resize scroll scrollLeft scrollTop select serialize serializeArray show siblings slice slideDown slideToggle slideUp stop submit ' +
    'text toArray toggle toggleClass trigger triggerHandler unbind undelegate unwrap val width wrap wrapAll wrapInner'
  ).split(' '),
)

/** Modules that are jQuery. Facts: API reference of SAPUI5, "jquery.sap.global" and "sap/ui/thirdparty/jquery". */
export const QUERY_MODULE: RegExp = /^module:(?:jquery\.sap\.global|sap\/ui\/thirdparty\/jquery|jquery)(?= |$)/

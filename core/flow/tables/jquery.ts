/** jQuery itself, by its paths. */
export const JQUERY: RegExp = /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery)$/

const FOUND =
  /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery) \(\)|(?:^| )\$ \(\)|(?:^| )(?:jQuery|\$[A-Za-z]\w{0,60}) /
const NAMED = /(?:^|:)_?\$\w{1,60}$/

/** What jQuery has found or made: by its calls, by the method of controls, by the name that such things are given. */
export const ON_JQUERY: Pick<RegExp, 'test'> = {
  test: (path) => FOUND.test(path) || isMethodOfNamed(path.split(' ')),
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

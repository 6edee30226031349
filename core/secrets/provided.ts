/**
 * `@Named("halls.admin.password")` in front of a method: a framework that injects values gives what it returns to the server as that setting, so it is the password that is taken there.
 * Facts: JSR 330, `javax.inject.Named`; Spring, `@Bean(name = …)`; RESTX, "Security" (`restx.admin.password`).
 */
const NAMED =
  /@(?:Named|Bean)\(\s{0,4}(?:(?:name|value)\s{0,4}=\s{0,4})?"[\w.-]{0,80}?pass?(?:word|wd|phrase)"\s{0,4}\)\s{1,40}(?:@\w{1,40}(?:\([^()]{0,100}\))?\s{1,40}){0,3}(?:(?:public|protected|static|final)\s{1,4}){0,3}String\s{1,4}$/i
const REACH = 400

/** Whether a method of Java whose name begins at an offset provides a password to the server that it is a part of. */
export function isProvided(path: string, text: string, nameStart: number): boolean {
  return path.endsWith('.java') && NAMED.test(text.slice(Math.max(0, nameStart - REACH), nameStart))
}

import type { z } from 'zod'

/** `readonly` aside. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Declares the schema of a type of ours: what is declared is what the type says, or it does not compile. */
export function schemaOf<T>(): <Schema extends z.ZodType<T>>(
  schema: Schema & (Same<Plain<z.infer<Schema>>, Plain<T>> extends true ? unknown : never),
) => z.ZodType<T> {
  return (schema) => schema
}

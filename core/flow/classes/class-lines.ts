const MAX_PARENTS = 8

/** A class, then what it extends, then what that extends; a parent that is chosen at run time makes several. Classes that extend each other in a ring end by the bound. */
export function* levelsOf<One>(from: One, parentsOf: (one: One) => readonly One[]): Generator<readonly One[], void> {
  let here: readonly One[] = [from]
  for (let parents = 0; parents < MAX_PARENTS && here.length > 0; parents++) {
    yield here
    here = here.flatMap((one) => parentsOf(one))
  }
}

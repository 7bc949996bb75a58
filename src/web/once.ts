/** Makes a value when it is first asked for: most of what pages need, most starts never need. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Gives what `make` made of an object for as long as the object is there. */
export function keptBy<Of extends object, Made extends {}>(
  make: (of: Of) => Made,
): (of: Of) => Made {
  const kept = new WeakMap<Of, Made>()
  return (of) => {
    const known = kept.get(of)
    if (known !== undefined) return known
    const made = make(of)
    kept.set(of, made)
    return made
  }
}

/** Letters, digits, and single dashes, dots or underscores between them. */
export function isAccountName(name: string): boolean {
  return /^[A-Za-z0-9]+(?:[-._][A-Za-z0-9]+)*$/.test(name)
}

/**
 * One `@`, something on both sides, nothing that could end a header or a list, or be an option of a
 * mail program.
 */
export function isEmailAddress(address: string): boolean {
  if (address.length > 254) return false
  return /^(?!-)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/.test(
    address,
  )
}

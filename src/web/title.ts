/** From what a page is to where it is. */
export function titleOf(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' · ')
}

/** Of the first branches: the configured one if it came, else main, else master, else the first. */
export function firstDefaultBranch(
  configured: string,
  pushed: readonly string[],
): string | undefined {
  return [configured, 'main', 'master', ...pushed].find((branch) => pushed.includes(branch))
}

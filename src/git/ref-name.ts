/** Whether git would take it for a branch or a tag: the rules of git-check-ref-format, without its leading refs/. */
export function isRefName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\~^:?*[]|\.\.|\/\/|@\{|\/\./.test(name)) return false
  if (/^[/.-]|[/.]$|\.lock$|\.lock\//.test(name)) return false
  return name !== '' && name !== '@'
}

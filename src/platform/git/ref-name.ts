/**
 * Whether git would take it for a branch or a tag: the rules of git-check-ref-format, without its
 * leading refs/.
 */
export function isRefName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\~^:?*[]|\.\.|\/\/|@\{|\/\./.test(name)) return false
  if (/^[/.-]|[/.]$|\.lock$|\.lock\//.test(name)) return false
  return name !== '' && name !== '@'
}

/**
 * Git locks a ref with a file of its name and five letters more, and no file system has longer
 * names than 255 bytes.
 */
const MAX_COMPONENT_BYTES = 250
const MAX_NAME_BYTES = 1000

/**
 * Whether a branch or a tag can be made under this name: none that could be taken for an option.
 */
export function isNewRefName(name: string): boolean {
  if (!isRefName(name) || Buffer.byteLength(name) > MAX_NAME_BYTES) return false
  return name
    .split('/')
    .every((part) => !part.startsWith('-') && Buffer.byteLength(part) <= MAX_COMPONENT_BYTES)
}

/** Whether a branch can be made under this name: none that would pass for what is checked out. */
export function isNewBranchName(name: string): boolean {
  return isNewRefName(name) && name !== 'HEAD'
}

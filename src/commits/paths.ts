/** A path for an address: each part encoded, the slashes left. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

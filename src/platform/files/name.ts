const MAX_BYTES = 255

/**
 * Nothing in it ends a line of a header or turns the order of what is read; anything else may stand
 * there.
 */
export function cleanName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  const unsafe = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
  return shorten(name.toWellFormed().replace(unsafe, ''))
}

/** What a client says of its own file, without the folder it lay in. */
export function lastElement(path: string): string {
  return path.split('/').findLast((element) => element !== '') ?? ''
}

/** The extension stays: by it types are allowed and files are opened. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const [extension] = /(\.[^./]{1,32})?$/u.exec(name) ?? ['']
  const stem = name.slice(0, name.length - extension.length)
  return cutToBytes(stem, MAX_BYTES - Buffer.byteLength(extension)) + extension
}

function cutToBytes(text: string, maxBytes: number): string {
  const characters = [...text].slice(0, maxBytes)
  while (Buffer.byteLength(characters.join('')) > maxBytes) characters.pop()
  return characters.join('')
}

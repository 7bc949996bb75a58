const MAX_BYTES = 255

/** Nothing in it ends a line of a header or turns the order of what is read; anything else may stand there. */
export function cleanName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  const unsafe = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
  return cutToBytes(name.toWellFormed().replace(unsafe, ''))
}

/** What a client says of its own file, without the folder it lay in. */
export function lastElement(path: string): string {
  return path.split('/').findLast((element) => element !== '') ?? ''
}

function cutToBytes(text: string): string {
  if (Buffer.byteLength(text) <= MAX_BYTES) return text
  const characters = [...text]
  while (Buffer.byteLength(characters.join('')) > MAX_BYTES) {
    characters.length = Math.min(characters.length - 1, MAX_BYTES)
  }
  return characters.join('')
}

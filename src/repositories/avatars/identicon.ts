const CELLS = 5

/** A picture for who has none: the same for the same name, and of no other meaning. */
export function identicon(hash: string): string {
  const digits = [...hash].map((digit) => Number.parseInt(digit, 16))
  const hue = Math.round((Number.parseInt(hash.slice(0, 4), 16) / 0xffff) * 360)
  const cells = Array.from({ length: CELLS * CELLS }, (_, index) => ({
    x: index % CELLS,
    y: Math.floor(index / CELLS),
  }))
  // Its right half mirrors its left one.
  const isSet = ({ x, y }: { x: number; y: number }) =>
    (digits[4 + y * 3 + Math.min(x, CELLS - 1 - x)] ?? 0) % 2 === 1
  const squares = cells
    .filter(isSet)
    .map(({ x, y }) => `<rect x="${x + 1}" y="${y + 1}" width="1" height="1"/>`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CELLS + 2} ${CELLS + 2}">` +
    `<rect width="100%" height="100%" fill="#eee"/>` +
    `<g fill="hsl(${hue} 55% 45%)">${squares.join('')}</g></svg>`
  )
}

import fc from 'fast-check'

const SURROGATES = 0x800
const FIRST_SURROGATE = 0xd800
const LAST = 0x10ffff - SURROGATES

/**
 * Any character there is. For its own unit of that kind fast-check makes a table of all million of
 * them first.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: LAST })
  .map((place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES))

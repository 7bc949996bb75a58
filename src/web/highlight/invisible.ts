import { html, trusted, type Html } from '../../platform/html.ts'

/**
 * What nobody sees, and what turns the order of what is seen; not the signs that choose or join
 * pictures, nor the one that texts of some systems begin with.
 */
const invisible =
  /[\p{Default_Ignorable_Code_Point}--[\ufe00-\ufe0f]--\u{200d}--\ufeff]|\u200d(?!\p{Extended_Pictographic})|(?<!^)\ufeff/gmv

const names: Readonly<Record<string, string>> = {
  '\u00ad': 'soft hyphen',
  '\u061c': 'Arabic letter mark',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'pop directional formatting',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'pop directional isolate',
  '\u3164': 'Hangul filler',
  '\ufeff': 'zero width no-break space',
}

export function hasInvisible(text: string): boolean {
  return text.search(invisible) !== -1
}

/**
 * A line with signs where it has such characters. They stay in it, to be copied, and turn nothing.
 */
export function markInvisible(line: Html): Html {
  const markup = line.toString()
  return hasInvisible(markup) ? trusted(markup.replace(invisible, markOf)) : line
}

function markOf(character: string): string {
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  const name = names[character] ?? 'invisible character'
  return `<span class="invisible" title="${code} ${name}" data-code="${code}">${character}</span>`
}

/** What is said above lines that have such characters. */
export function renderInvisibleNote(): Html {
  return html`<p class="invisible-note">Here are characters that nobody sees, or that turn the order of others. They are marked where they stand.</p>`
}

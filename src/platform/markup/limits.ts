import type { MarkdownIt } from 'markdown-it'

/** Longer texts are shown as they are. */
export const MAX_CHARACTERS = 256 * 1024

/** What a text may become. */
export interface Limits {
  /** Paragraphs, cells, links: everything that is written by itself. */
  readonly tokens: number
  /** Of the markup. */
  readonly characters: number
}

/** Of what is rendered while others wait: some milliseconds of work. */
export const limitsHere: Limits = { tokens: 2000, characters: 256 * 1024 }

/** Of what is rendered beside everything else: more than a page of a browser shows well. */
export const limitsBeside: Limits = { tokens: 60_000, characters: 4 * 1024 * 1024 }

/** A text becomes more than it may. */
export class TooMuch extends Error {}

/** What is left of the limits of one text, in its environment. */
export class Room {
  #tokens: number
  readonly characters: number

  constructor({ tokens, characters }: Limits) {
    this.#tokens = tokens
    this.characters = characters
  }

  takeToken(): void {
    if (--this.#tokens < 0) throw new TooMuch()
  }

  checkMarkup(markup: string): string {
    if (markup.length > this.characters) throw new TooMuch()
    return markup
  }
}

/**
 * Ends the work on a text while it becomes too much, and not when it is done. `environment.room`
 * says how much that is.
 */
export function limitTokens({ block, inline }: MarkdownIt): void {
  block.State = class extends block.State {
    override push(...token: Parameters<InstanceType<typeof block.State>['push']>) {
      takeToken(this.env)
      return super.push(...token)
    }
  }
  inline.State = class extends inline.State {
    override push(...token: Parameters<InstanceType<typeof inline.State>['push']>) {
      takeToken(this.env)
      return super.push(...token)
    }
  }
}

function takeToken(environment: unknown): void {
  ;(environment as { readonly room: Room }).room.takeToken()
}

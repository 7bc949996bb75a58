const PAUSE_MS = 120

/** Finds while one types: the list comes from the server, as it does without this. */
class FileFinder extends HTMLElement {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  #asked = 0

  connectedCallback() {
    const input = this.querySelector('input')
    if (!input) return
    input.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#find(input.value), PAUSE_MS)
    })
    this.addEventListener('keydown', (event) => this.#move(event, input))
    this.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#openFirst(input.value)
    })
  }

  /**
   * Enter opens the file that fits best.
   * @param {string} text
   */
  async #openFirst(text) {
    clearTimeout(this.#timer)
    await this.#find(text)
    const first = this.querySelector('.found a')
    if (first instanceof HTMLElement) first.click()
  }

  /** @param {string} text */
  async #find(text) {
    const number = ++this.#asked
    const address = new URL(location.href)
    address.searchParams.set('q', text)
    const answer = await fetch(address, { headers: { accept: 'text/html' } })
    if (!answer.ok || number !== this.#asked) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const found = page.querySelector('file-finder .found')
    if (!found || number !== this.#asked) return
    this.querySelector('.found')?.replaceWith(document.adoptNode(found))
    history.replaceState(null, '', address)
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLInputElement} input
   */
  #move(event, input) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const places = [input, ...this.querySelectorAll('.found a')]
    const at = places.findIndex((place) => place === document.activeElement)
    const next = places[Math.min(Math.max(at + step, 0), places.length - 1)]
    if (next instanceof HTMLElement) next.focus()
  }
}

customElements.define('file-finder', FileFinder)

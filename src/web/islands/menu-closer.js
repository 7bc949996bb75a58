/** Closes the menu in it by Escape, and by a click elsewhere. */
class MenuCloser extends HTMLElement {
  #listening = new AbortController()

  connectedCallback() {
    this.#listening = new AbortController()
    const { signal } = this.#listening
    this.addEventListener('keydown', (event) => this.#takeKey(event), { signal })
    document.addEventListener('click', (event) => this.#takeClick(event), { signal })
  }

  disconnectedCallback() {
    this.#listening.abort()
  }

  /** @param {KeyboardEvent} event */
  #takeKey({ key }) {
    const menu = this.querySelector('details[open]')
    if (key !== 'Escape' || !menu) return
    menu.removeAttribute('open')
    menu.querySelector('summary')?.focus()
  }

  /** @param {MouseEvent} event */
  #takeClick({ target }) {
    if (target instanceof Node && this.contains(target)) return
    this.querySelector('details[open]')?.removeAttribute('open')
  }
}

customElements.define('menu-closer', MenuCloser)

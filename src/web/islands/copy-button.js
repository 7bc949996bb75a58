/** A button that copies a text; where nothing may be copied, there is none. */
customElements.define(
  'copy-button',
  class extends HTMLElement {
    connectedCallback() {
      if (!navigator.clipboard || this.querySelector('button')) return
      const button = document.createElement('button')
      button.type = 'button'
      button.title = this.getAttribute('label') ?? 'Copy'
      button.setAttribute('aria-label', button.title)
      button.append(...this.childNodes)
      if (!button.hasChildNodes()) button.textContent = 'Copy'
      button.addEventListener('click', () => void this.copy(button))
      this.replaceChildren(button)
    }

    /** @param {HTMLButtonElement} button */
    async copy(button) {
      await navigator.clipboard.writeText(this.getAttribute('value') ?? '')
      const before = [...button.childNodes]
      button.replaceChildren('Copied')
      setTimeout(() => button.replaceChildren(...before), 1500)
    }
  },
)

/** Shows a text in Markdown as it will be, in place of the field that it is written in. */
customElements.define(
  'markdown-preview',
  class extends HTMLElement {
    connectedCallback() {
      const field = this.querySelector('textarea')
      if (!field || this.querySelector('.turns')) return
      const shown = document.createElement('div')
      shown.className = 'prose'
      shown.hidden = true
      shown.tabIndex = 0
      const write = makeTurn('Write')
      const preview = makeTurn('Preview')
      const turn = (/** @type {boolean} */ isShown) => {
        field.hidden = isShown
        shown.hidden = !isShown
        write.setAttribute('aria-pressed', String(!isShown))
        preview.setAttribute('aria-pressed', String(isShown))
      }
      write.addEventListener('click', () => {
        turn(false)
        field.focus()
      })
      preview.addEventListener('click', () => {
        shown.textContent = 'Loading…'
        turn(true)
        void this.load(field.value, shown)
      })
      turn(false)
      const turns = document.createElement('div')
      turns.className = 'turns'
      turns.append(write, preview)
      this.prepend(turns)
      this.append(shown)
    }

    /**
     * @param {string} text
     * @param {HTMLElement} shown
     */
    async load(text, shown) {
      const body = new URLSearchParams({ text })
      try {
        const answer = await fetch(this.getAttribute('action') ?? '', { method: 'POST', body })
        if (answer.status === 401) {
          shown.textContent = 'Your session has ended. Sign in on another page to see it.'
          return
        }
        if (!answer.ok) throw new Error(String(answer.status))
        // The server makes it safe, as on every page.
        shown.innerHTML = await answer.text()
        if (text.trim() === '') shown.textContent = 'There is nothing to show.'
      } catch {
        shown.textContent = 'It cannot be shown now.'
      }
    }
  },
)

/** @param {string} label */
function makeTurn(label) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  return button
}

/** Opens the form for a comment below the line of a difference whose number is clicked. */
customElements.define(
  'line-comment',
  class extends HTMLElement {
    connectedCallback() {
      const form = this.querySelector('form')
      const table = this.closest('section')?.querySelector('table.diff')
      if (!form || !table) return
      table.addEventListener('click', (event) => {
        const cell = event.target instanceof Element ? event.target.closest('td[data-line]') : null
        const row = cell?.closest('tr')
        if (!cell || !row || row.closest('table') !== table) return
        // Whoever wants a link to the line opens it elsewhere, or copies it.
        if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey)
          return
        event.preventDefault()
        const isOld = cell === row.firstElementChild
        field(form, 'line').value = cell.getAttribute('data-line') ?? ''
        field(form, 'side').value = isOld ? 'old' : 'new'
        this.open(form, row)
      })
    }

    /**
     * @param {HTMLFormElement} form
     * @param {HTMLTableRowElement} line
     */
    open(form, line) {
      form.closest('tr')?.remove()
      const row = document.createElement('tr')
      row.className = 'remark'
      const cell = row.insertCell()
      cell.colSpan = 4
      const inner = document.createElement('div')
      inner.append(form)
      cell.append(inner)
      line.after(row)
      form.querySelector('textarea')?.focus()
    }
  },
)

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {HTMLInputElement | HTMLSelectElement}
 */
function field(form, name) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (form.elements.namedItem(name))
}

/** Cards of a board are dragged to another place; without it the form of each card moves it. */
customElements.define(
  'project-board',
  class extends HTMLElement {
    connectedCallback() {
      if (!this.hasAttribute('movable')) return
      for (const card of this.querySelectorAll('.card')) card.setAttribute('draggable', 'true')
      this.addEventListener('dragstart', (event) => {
        const card = event.target instanceof HTMLElement ? event.target.closest('.card') : null
        if (!card || !event.dataTransfer) return
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', card.querySelector('a')?.href ?? '')
        card.classList.add('dragged')
      })
      this.addEventListener('dragover', (event) => this.follow(event))
      this.addEventListener('drop', (event) => {
        event.preventDefault()
        const card = this.querySelector('.dragged')
        if (card) void this.save(card)
      })
      this.addEventListener('dragend', () => {
        this.querySelector('.dragged')?.classList.remove('dragged')
      })
    }

    /** @param {DragEvent} event */
    follow(event) {
      const card = this.querySelector('.dragged')
      const column = event.target instanceof Element ? event.target.closest('.column') : null
      const cards = column?.querySelector('.cards')
      if (!card || !cards) return
      event.preventDefault()
      const below = [...cards.children].find((other) => {
        const { top, height } = other.getBoundingClientRect()
        return other !== card && event.clientY < top + height / 2
      })
      cards.insertBefore(card, below ?? null)
    }

    /** What cannot be saved is shown as it was. @param {Element} card */
    async save(card) {
      const form = /** @type {HTMLFormElement | null} */ (
        card.querySelector('form[action$="/move"]')
      )
      const column = card.closest('.column')?.getAttribute('data-column') ?? ''
      const above = card.nextElementSibling?.getAttribute('data-card') ?? ''
      this.count()
      const answer = await fetch(form?.action ?? '', {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ column, above }),
      }).catch(() => undefined)
      if (!answer?.ok) return location.reload()
      const select = form?.querySelector('select')
      if (select) select.value = column
    }

    /** Of cards that are not shown the number says so. */
    count() {
      for (const column of this.querySelectorAll('.column[data-column]')) {
        const number = column.querySelector('h3 .n')
        const hidden = Number(column.getAttribute('data-hidden') ?? 0)
        if (number) number.textContent = String(column.querySelectorAll('.card').length + hidden)
      }
    }
  },
)

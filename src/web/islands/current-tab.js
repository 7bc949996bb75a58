/** In the current one of a row of tabs: where the row does not fit, it is scrolled there. */
class CurrentTab extends HTMLElement {
  connectedCallback() {
    const [tab, row] = [this.closest('a'), this.closest('nav')]
    if (!tab || !row) return
    const [place, view] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
    row.scrollLeft += place.left + place.width / 2 - (view.left + view.width / 2)
  }
}

customElements.define('current-tab', CurrentTab)

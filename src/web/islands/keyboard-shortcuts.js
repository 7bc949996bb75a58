/** Longer between two keys, and the second begins anew. */
const PATIENCE_MS = 1_500

/**
 * Keys for whatever names its own in `data-keys`, as `/` or `g i`: a field is entered, anything
 * else is clicked. `?` shows which there are on this page.
 */
class KeyboardShortcuts extends HTMLElement {
  #typed = ''
  #at = 0

  connectedCallback() {
    document.addEventListener('keydown', (event) => this.#take(event))
  }

  /** @param {KeyboardEvent} event */
  #take(event) {
    if (event.defaultPrevented || isMeantForOthers(event)) return
    const isNext = this.#typed !== '' && event.timeStamp - this.#at < PATIENCE_MS
    const keys = isNext ? `${this.#typed} ${event.key}` : event.key
    const target = keys === '?' ? this : (targetOf(keys) ?? targetOf(event.key))
    this.#typed = target ? '' : event.key
    this.#at = event.timeStamp
    if (!target) return
    event.preventDefault()
    if (target === this) this.#showAll()
    else use(target)
  }

  #showAll() {
    const dialog = this.querySelector('dialog')
    dialog?.querySelector('dl')?.replaceChildren(...all().flatMap(describe), ...pair('?', 'Keys'))
    dialog?.showModal()
  }
}

/** @param {KeyboardEvent} event */
function isMeantForOthers({ target, ctrlKey, metaKey, altKey, key, isComposing }) {
  if (ctrlKey || metaKey || altKey || isComposing || key.length !== 1) return true
  if (document.querySelector('dialog[open]')) return true
  return target instanceof Element && target.closest('input, textarea, select') !== null
}

/** @returns {HTMLElement[]} */
function all() {
  return [...document.querySelectorAll('[data-keys]')].filter((one) => one instanceof HTMLElement)
}

/** @param {string} keys */
function targetOf(keys) {
  return all().find((element) => element.dataset['keys'] === keys)
}

/** @param {HTMLElement} element */
function use(element) {
  if (!(element instanceof HTMLInputElement)) return element.click()
  element.focus()
  element.select()
}

/** @param {HTMLElement} element */
function describe(element) {
  const { keys = '', keysLabel } = element.dataset
  return pair(keys, keysLabel ?? element.ariaLabel ?? element.textContent.trim())
}

/**
 * @param {string} keys
 * @param {string} label
 */
function pair(keys, label) {
  const term = document.createElement('dt')
  for (const key of keys.split(' ')) {
    const shown = document.createElement('kbd')
    shown.textContent = key
    term.append(shown, ' ')
  }
  const meaning = document.createElement('dd')
  meaning.textContent = label
  return [term, meaning]
}

customElements.define('keyboard-shortcuts', KeyboardShortcuts)

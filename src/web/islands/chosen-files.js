/**
 * Files that are chosen, dropped or pasted one after the other stay beside the text, and are sent
 * with it. Each has a card that tells how far it has come; what went wrong is said below them, and
 * nothing that was written or chosen is lost.
 */
class ChosenFiles extends HTMLElement {
  connectedCallback() {
    const form = this.closest('form')
    const input = this.querySelector('input')
    const list = this.querySelector('ul')
    if (!form || !input || !list) return
    /** @type {Card[]} */
    let cards = []
    /** @param {readonly File[]} files */
    const keep = (files) => {
      input.files = transferOf(files).files
      cards = files.map((file) => makeCard(file, () => keep(files.filter((one) => one !== file))))
      list.replaceChildren(...cards.map(({ item }) => item))
    }
    /** @param {FileList | null | undefined} files */
    const take = (files) => keep([...cards.map(({ file }) => file), ...(files ?? [])])
    input.addEventListener('change', () => take(input.files))
    form.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    })
    form.addEventListener('drop', (event) => {
      if (!event.dataTransfer?.files.length) return
      event.preventDefault()
      take(event.dataTransfer.files)
    })
    document.addEventListener('paste', (event) => {
      const files = event.clipboardData?.files
      if (!files?.length || isElsewhere(event.target)) return
      event.preventDefault()
      take(files)
    })
    form.addEventListener('submit', (event) => {
      if (cards.length === 0) return
      event.preventDefault()
      send(form, event.submitter, cards, (problem) => {
        keep(cards.map(({ file }) => file))
        this.#tell(problem)
      })
    })
  }

  /** @param {string} problem */
  #tell(problem) {
    this.querySelector('.problem')?.remove()
    if (problem === '') return
    const line = document.createElement('p')
    line.className = 'problem'
    line.role = 'alert'
    line.textContent = problem
    this.append(line)
  }
}

/**
 * @typedef {{ file: File, item: HTMLLIElement, about: HTMLElement, button: HTMLButtonElement }}
 * Card
 */

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button by which it was sent
 * @param {readonly Card[]} cards
 * @param {(problem: string) => void} giveBack without a problem where it was cancelled
 */
function send(form, button, cards, giveBack) {
  // A button may be called action, and would be form.action then.
  const path = form.getAttribute('action') ?? ''
  const request = new XMLHttpRequest()
  const showProgress = startProgress(cards, () => request.abort())
  const buttons = [...form.querySelectorAll('button:not(chosen-files *)')]
  /** @param {boolean} isSending */
  const hold = (isSending) => {
    for (const one of buttons) one.toggleAttribute('disabled', isSending)
  }
  /** @param {string} problem */
  const end = (problem) => {
    hold(false)
    giveBack(problem)
  }
  request.upload.addEventListener('progress', ({ loaded, total }) => showProgress(loaded / total))
  request.addEventListener('abort', () => end(''))
  request.addEventListener('error', () => end('The connection broke. Nothing was sent.'))
  request.addEventListener('load', () => {
    const lead = leadIn(request)
    if (lead === undefined) end(messageIn(request) ?? problemIn(request.responseText, path))
    else goTo(lead)
  })
  request.open('POST', path)
  request.setRequestHeader('accept', 'application/json')
  request.send(new FormData(form, button))
  hold(true)
}

/**
 * The files are sent one behind the other.
 *
 * @param {readonly Card[]} cards
 * @param {() => void} cancel
 */
function startProgress(cards, cancel) {
  const all = cards.reduce((sum, { file }) => sum + file.size, 0)
  let before = 0
  const bars = cards.map(({ file, item, about, button }) => {
    const bar = document.createElement('progress')
    bar.setAttribute('aria-label', `Sending ${file.name}`)
    bar.max = Math.max(file.size, 1)
    bar.value = 0
    about.before(bar)
    const cancelling = document.createElement('button')
    cancelling.type = 'button'
    cancelling.className = 'button'
    cancelling.textContent = 'Cancel'
    cancelling.addEventListener('click', cancel)
    button.replaceWith(cancelling)
    item.setAttribute('aria-busy', 'true')
    const start = before
    before += file.size
    return { bar, start }
  })
  /** @param {number} part */
  return (part) => {
    for (const { bar, start } of bars)
      bar.value = Math.min(Math.max(part * all - start, 0), bar.max)
  }
}

/**
 * Where it leads when it was taken.
 *
 * @param {XMLHttpRequest} request
 * @returns {string | undefined}
 */
function leadIn(request) {
  return request.status === 200 ? recordIn(request).leadsTo : undefined
}

/**
 * What is said to scripts alone.
 *
 * @param {XMLHttpRequest} request
 * @returns {string | undefined}
 */
function messageIn(request) {
  return recordIn(request).message
}

/** @param {XMLHttpRequest} request */
function recordIn({ responseText }) {
  try {
    return JSON.parse(responseText)
  } catch {
    return {}
  }
}

/**
 * What the page says that shows the form again, or any other that came instead.
 *
 * @param {string} page
 * @param {string} path
 */
function problemIn(page, path) {
  const shown = new DOMParser().parseFromString(page, 'text/html')
  const again = shown.querySelector(`form[action="${CSS.escape(path)}"] .problem`)
  const told = again ?? shown.querySelector('.lede')
  return told?.textContent || 'The server did not take it.'
}

/**
 * To another part of the same page as well, which has changed.
 *
 * @param {string} path
 */
function goTo(path) {
  const to = new URL(path, location.href)
  const isHere = to.pathname === location.pathname && to.search === location.search
  location.assign(to)
  if (!isHere) return
  history.scrollRestoration = 'manual'
  location.reload()
}

/**
 * Whether what is pasted belongs to a comment that is there already.
 *
 * @param {EventTarget | null} target
 */
function isElsewhere(target) {
  const near = target instanceof Element ? target.closest('.comment') : null
  return Boolean(near?.querySelector('upload-files'))
}

/** @param {readonly File[]} files */
function transferOf(files) {
  const transfer = new DataTransfer()
  for (const file of files) transfer.items.add(file)
  return transfer
}

/**
 * @param {File} file
 * @param {() => void} leaveOut
 * @returns {Card}
 */
function makeCard(file, leaveOut) {
  const { name, size } = file
  const item = document.createElement('li')
  const grow = document.createElement('span')
  grow.className = 'grow'
  const title = document.createElement('b')
  title.textContent = name
  const about = document.createElement('span')
  about.className = 'mute'
  about.textContent = `${size.toLocaleString()} bytes`
  grow.append(title, about)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  button.textContent = 'Leave out'
  button.setAttribute('aria-label', `Leave out ${name}`)
  button.addEventListener('click', leaveOut)
  item.append(grow, button)
  return { file, item, about, button }
}

customElements.define('chosen-files', ChosenFiles)

/**
 * Sends files as soon as they are chosen, dropped or pasted, each beside a card that tells how far
 * it has come, can end it, and says in place what went wrong.
 */
class UploadFiles extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector('form')
    const input = this.querySelector('input')
    if (!form || !input) return
    input.multiple = true
    this.querySelector('button')?.remove()
    input.addEventListener('change', () => {
      this.#takeAll(form, input.files)
      input.value = ''
    })
    form.addEventListener('dragover', (event) => event.preventDefault())
    form.addEventListener('drop', (event) => {
      event.preventDefault()
      this.#takeAll(form, event.dataTransfer?.files)
    })
    document.addEventListener('paste', (event) => {
      if (placeFor(event.target) !== this) return
      const files = event.clipboardData?.files
      if (files?.length) event.preventDefault()
      this.#takeAll(form, files)
    })
  }

  /**
   * @param {HTMLFormElement} form
   * @param {FileList | null | undefined} files
   */
  #takeAll(form, files) {
    for (const file of files ?? []) send(form, file)
  }
}

/**
 * Files that are pasted go to the comment whose text they are pasted into. Elsewhere they go to the
 * comment that is written, or else to the last place for files.
 *
 * @param {EventTarget | null} target
 */
function placeFor(target) {
  const near = target instanceof Element ? target.closest('.comment') : null
  const last = document.querySelector('chosen-files')
    ? undefined
    : [...document.querySelectorAll('upload-files')].at(-1)
  return near?.querySelector('upload-files') ?? last
}

/**
 * @param {HTMLFormElement} form
 * @param {File} file
 */
function send(form, file) {
  const card = makeCard(file.name)
  form.querySelector('ul')?.append(card.item)
  const request = new XMLHttpRequest()
  card.button.addEventListener('click', () => {
    request.abort()
    card.item.remove()
  })
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    card.progress.max = total
    card.progress.value = loaded
    card.about.textContent = `uploading, ${Math.floor((loaded / total) * 100)} %`
  })
  request.addEventListener('load', () => finish(card, request))
  request.addEventListener('error', () => fail(card, 'The connection broke.'))
  request.open('POST', form.action)
  request.setRequestHeader('accept', 'application/json')
  const body = new FormData()
  body.append('attachment', file)
  request.send(body)
}

/**
 * @param {ReturnType<typeof makeCard>} card
 * @param {XMLHttpRequest} request
 */
function finish(card, request) {
  const record = readRecord(request.responseText)
  if (request.status !== 201) return fail(card, record.message || 'The server did not take it.')
  const link = document.createElement('a')
  link.href = record.href
  link.textContent = record.name
  card.name.replaceWith(link)
  card.kind.textContent = record.kind
  card.about.textContent = record.about
  card.progress.remove()
  card.button.remove()
}

/**
 * @param {ReturnType<typeof makeCard>} card
 * @param {string} message
 */
function fail(card, message) {
  card.progress.remove()
  card.about.textContent = message
  card.about.className = 'problem'
  card.button.textContent = 'Dismiss'
  card.button.removeAttribute('aria-label')
}

/** @param {string} text */
function readRecord(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** @param {string} fileName */
function makeCard(fileName) {
  const item = document.createElement('li')
  const kind = document.createElement('span')
  kind.className = 'kind'
  kind.textContent = 'FILE'
  const grow = document.createElement('span')
  grow.className = 'grow'
  const name = document.createElement('b')
  name.textContent = fileName
  const progress = document.createElement('progress')
  progress.setAttribute('aria-label', `Uploading ${fileName}`)
  const about = document.createElement('span')
  about.className = 'mute'
  about.textContent = 'uploading'
  grow.append(name, progress, about)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  button.textContent = 'Cancel'
  button.setAttribute('aria-label', `Cancel ${fileName}`)
  item.append(kind, grow, button)
  return { item, kind, name, progress, about, button }
}

customElements.define('upload-files', UploadFiles)

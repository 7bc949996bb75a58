/** Files that are chosen, dropped or pasted one after the other stay beside the text, and are sent with it. */
class ChosenFiles extends HTMLElement {
  connectedCallback() {
    const form = this.closest('form')
    const input = this.querySelector('input')
    const list = this.querySelector('ul')
    if (!form || !input || !list) return
    /** @type {File[]} */
    let chosen = []
    /** @param {readonly File[]} files */
    const keep = (files) => {
      chosen = [...files]
      input.files = transferOf(chosen).files
      list.replaceChildren(
        ...chosen.map((file) => makeCard(file, () => keep(chosen.filter((one) => one !== file)))),
      )
    }
    /** @param {FileList | null | undefined} files */
    const take = (files) => keep([...chosen, ...(files ?? [])])
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
  }
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
 */
function makeCard({ name, size }, leaveOut) {
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
  return item
}

customElements.define('chosen-files', ChosenFiles)

/**
 * Asks a security key when the form around it is sent, and sends along what the key says: one that
 * is enrolled, unless a code is typed in its place, and a new one where it is offered.
 */
class SecurityKey extends HTMLElement {
  #isAsking = false
  #isReady = false

  connectedCallback() {
    const form = this.closest('form')
    if (!form) return
    this.replaceChildren(...this.#parts())
    form.addEventListener('submit', (event) => this.#intercept(form, event))
  }

  #parts() {
    const [hint, button] = [this.getAttribute('hint'), this.getAttribute('button')]
    const look = this.getAttribute('look') ?? 'button main'
    return [
      ...(hint ? [makeLine('hint', hint)] : []),
      ...(button ? [makeButton(button, look)] : []),
    ]
  }

  /**
   * @param {HTMLFormElement} form
   * @param {SubmitEvent} event
   */
  #intercept(form, event) {
    if (this.#isReady) return
    for (const line of this.querySelectorAll('input, [role]')) line.remove()
    const question = this.#hasCode(form) ? null : this.getAttribute('question')
    const offer = this.getAttribute('offer')
    if (question === null && offer === null) return
    event.preventDefault()
    if (!this.#isAsking) void this.#ask(form, event.submitter, question, offer)
  }

  /** @param {HTMLFormElement} form */
  #hasCode(form) {
    const field = form.elements.namedItem(this.getAttribute('code') ?? '')
    return field instanceof HTMLInputElement && field.value.trim() !== ''
  }

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement | null} submitter
   * @param {string | null} question
   * @param {string | null} offer
   */
  async #ask(form, submitter, question, offer) {
    this.#isAsking = true
    try {
      const answers = [
        ...(question === null ? [] : await this.#useKey(await load(question))),
        ...(offer === null ? [] : await this.#makeKey(await load(offer))),
      ]
      this.#say()
      this.append(...answers.map(([name, bytes]) => makeInput(name, encode(bytes))))
      this.#isReady = true
      form.requestSubmit(submitter)
    } catch (error) {
      this.#say(makeLine('problem', describe(error), 'alert'))
    } finally {
      this.#isReady = false
      this.#isAsking = false
    }
  }

  /**
   * @param {any} asked
   * @returns {Promise<[string, ArrayBuffer][]>}
   */
  async #useKey(asked) {
    const isAny = asked.allowCredentials.length === 0
    const words = isAny ? 'Choose your passkey.' : 'Touch your security key.'
    this.#say(makeLine('mute', words, 'status'))
    const publicKey = {
      ...asked,
      challenge: decode(asked.challenge),
      allowCredentials: asked.allowCredentials.map(decodeId),
    }
    const credential = await navigator.credentials.get({ publicKey })
    const { rawId, response } = /** @type {PublicKeyCredential} */ (credential)
    const answer = /** @type {AuthenticatorAssertionResponse} */ (response)
    return [
      ['key_id', rawId],
      ['key_client_data', answer.clientDataJSON],
      ['key_authenticator_data', answer.authenticatorData],
      ['key_signature', answer.signature],
      ['key_user_handle', answer.userHandle ?? new ArrayBuffer(0)],
    ]
  }

  /**
   * @param {any} offered
   * @returns {Promise<[string, ArrayBuffer][]>}
   */
  async #makeKey(offered) {
    this.#say(makeLine('mute', 'Touch the new security key.', 'status'))
    const publicKey = {
      ...offered,
      challenge: decode(offered.challenge),
      user: { ...offered.user, id: decode(offered.user.id) },
      excludeCredentials: offered.excludeCredentials.map(decodeId),
    }
    const credential = await navigator.credentials.create({ publicKey })
    const { response } = /** @type {PublicKeyCredential} */ (credential)
    const answer = /** @type {AuthenticatorAttestationResponse} */ (response)
    return [
      ['new_key_client_data', answer.clientDataJSON],
      ['new_key_authenticator_data', answer.getAuthenticatorData()],
      ['new_key_public_key', answer.getPublicKey() ?? new ArrayBuffer(0)],
    ]
  }

  /** @param {HTMLElement[]} lines */
  #say(...lines) {
    for (const line of this.querySelectorAll('[role]')) line.remove()
    this.append(...lines)
  }
}

/** @param {string} address */
async function load(address) {
  if (!navigator.credentials) throw new Error('Browsers use security keys over https only.')
  const answer = await fetch(address, { method: 'POST', headers: { accept: 'application/json' } })
  const record = await answer.json().catch(() => ({}))
  if (record.challenge) return record
  throw new Error(record.message || 'Reload the page and try again.')
}

/** @param {unknown} error */
function describe(error) {
  if (!(error instanceof DOMException)) return error instanceof Error ? error.message : ''
  if (error.name === 'InvalidStateError') return 'You have added this key already.'
  if (error.name === 'SecurityError')
    return 'Browsers use security keys on servers with a name only.'
  return 'The key did not answer. Try again.'
}

/** @param {{ type: string, id: string }} credential */
function decodeId({ type, id }) {
  return { type, id: decode(id) }
}

/** @param {string} text */
function decode(text) {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
}

/** @param {ArrayBuffer} bytes */
function encode(bytes) {
  const letters = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * @param {string} name
 * @param {string} value
 */
function makeInput(name, value) {
  const input = document.createElement('input')
  input.type = 'hidden'
  input.name = name
  input.value = value
  return input
}

/**
 * @param {string} kind
 * @param {string} text
 * @param {string} [role]
 */
function makeLine(kind, text, role) {
  const line = document.createElement('p')
  line.className = kind
  line.textContent = text
  if (role !== undefined) line.setAttribute('role', role)
  return line
}

/**
 * @param {string} label
 * @param {string} look
 */
function makeButton(label, look) {
  const button = document.createElement('button')
  button.className = look
  button.textContent = label
  return button
}

customElements.define('security-key', SecurityKey)

import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyPairKeyObjectResult,
} from 'node:crypto'

const makers = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
} as const

export const kinds = Object.keys(makers) as readonly (keyof typeof makers)[]

/** What a key or a browser says that is not so. */
export interface Lie {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  readonly site?: string
  readonly flags?: number
  readonly count?: number
  readonly credentialId?: Buffer
  readonly publicKey?: Buffer
  readonly clientData?: Buffer
  readonly authenticatorData?: Buffer
  readonly userHandle?: string
  /** Changes what was signed rightly. */
  readonly spoil?: (signature: Buffer) => Buffer
}

export interface Question {
  readonly challenge: string
  /** Of whom a new one is. */
  readonly user?: { readonly id: string }
}

/** A security key of our own, with the browser that it is plugged into. */
export class TestKey {
  readonly id: Buffer
  readonly pair: KeyPairKeyObjectResult
  /** Some count their answers; this one does from its first on, unless it stays 0. */
  count: number
  /** As it was told when it was enrolled. */
  userHandle = ''
  readonly #step: number

  constructor(
    kind: keyof typeof makers = 'ES256',
    { counts = true, id = randomBytes(32) }: { counts?: boolean; id?: Buffer } = {},
  ) {
    this.id = id
    this.pair = makers[kind]()
    this.#step = counts ? 1 : 0
    this.count = this.#step
  }

  /** The fields of the form in which it is added. */
  enrol({ challenge, user }: Question, lie: Lie = {}): Record<string, string> {
    this.userHandle = user?.id ?? ''
    const { flags = 0x41, credentialId = this.id } = lie
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    const head = this.#head({ ...lie, flags })
    const whole = Buffer.concat([head, Buffer.alloc(16), length, credentialId, Buffer.of(0xa0)])
    const publicKey = lie.publicKey ?? this.pair.publicKey.export({ type: 'spki', format: 'der' })
    const data = clientData('webauthn.create', challenge, lie)
    return {
      new_key_client_data: data.toString('base64url'),
      new_key_authenticator_data: (lie.authenticatorData ?? whole).toString('base64url'),
      new_key_public_key: publicKey.toString('base64url'),
    }
  }

  /** The fields of a form in which it answers. */
  answer({ challenge }: Question, lie: Lie = {}): Record<string, string> {
    this.count += this.#step
    const head = lie.authenticatorData ?? this.#head(lie)
    const data = clientData('webauthn.get', challenge, lie)
    const text = Buffer.concat([head, createHash('sha256').update(data).digest()])
    const digest = this.pair.privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
    const signature = sign(digest, text, this.pair.privateKey)
    return {
      key_id: (lie.credentialId ?? this.id).toString('base64url'),
      key_client_data: data.toString('base64url'),
      key_authenticator_data: head.toString('base64url'),
      key_signature: (lie.spoil?.(signature) ?? signature).toString('base64url'),
    }
  }

  /** The fields of the form in which it answers for its owner, whom it has made sure of. */
  answerAlone(question: Question, lie: Lie = {}): Record<string, string> {
    const answer = this.answer(question, { flags: 0x05, ...lie })
    return { ...answer, key_user_handle: lie.userHandle ?? this.userHandle }
  }

  #head({ site = 'codestead.test', flags = 0x01, count = this.count }: Lie): Buffer {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(count)
    return Buffer.concat([createHash('sha256').update(site).digest(), Buffer.of(flags), counted])
  }
}

function clientData(type: string, challenge: string, lie: Lie): Buffer {
  const { origin = 'http://codestead.test', crossOrigin = false } = lie
  const said = { type, challenge, origin, crossOrigin, ...overridden(lie) }
  return lie.clientData ?? Buffer.from(JSON.stringify(said))
}

function overridden({ type, challenge }: Lie): Partial<Lie> {
  return { ...(type !== undefined && { type }), ...(challenge !== undefined && { challenge }) }
}

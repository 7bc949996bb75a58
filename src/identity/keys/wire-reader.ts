/** The bytes are not what they claim to be. */
export class WireError extends Error {
  override readonly name = 'WireError'
}

/**
 * Reads the binary form of SSH keys and signatures (RFC 4251, section 5): fields with their length
 * in front.
 */
export class WireReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  field(): Buffer {
    if (this.#bytes.length - this.#at < 4) throw new WireError('not enough length')
    return this.take(this.take(4).readUInt32BE())
  }

  /** Bytes without their length in front. */
  take(length: number): Buffer {
    const start = this.#at
    if (this.#bytes.length - start < length) throw new WireError(`not enough length ${length}`)
    this.#at = start + length
    return this.#bytes.subarray(start, this.#at)
  }

  text(): string {
    return this.field().toString('latin1')
  }

  /**
   * A positive number in its shortest form: another form would give the same key another
   * fingerprint.
   */
  number(): bigint {
    const bytes = this.field()
    const [first = 0, second = 0] = bytes
    const isShortest = first !== 0 || second >= 0x80
    if (bytes.length === 0 || first >= 0x80 || !isShortest) throw new WireError('bad number')
    return BigInt(`0x${bytes.toString('hex')}`)
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new WireError('more data than the key needs')
  }
}

/** What `field` reads: bytes with their length in front. */
export function toField(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

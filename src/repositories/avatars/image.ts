import { AppError, invalid } from '../../platform/errors.ts'

const MAX_BYTES = 1_048_576
const MAX_PIXELS_ACROSS = 4096

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * A picture out of a body: of a kind that browsers show without running anything, and of a sensible
 * size.
 */
export function readImage(base64: string): Buffer {
  const text = base64.replace(/^data:image\/[\w.+-]+;base64,/, '').replace(/\s/g, '')
  const image = Buffer.from(text, 'base64')
  if (image.length === 0 || image.toString('base64') !== text) {
    throw new AppError('bad_request', 'The image is not in base64.')
  }
  assertImage(image)
  return image
}

/** Takes only kinds of pictures that browsers show without running anything, of a sensible size. */
export function assertImage(image: Buffer): void {
  if (image.length > MAX_BYTES) {
    throw new AppError('too_large', `The image is larger than ${MAX_BYTES} bytes.`)
  }
  assertSensible(findSize(image))
}

function assertSensible(size: Size | undefined): void {
  if (!size) throw invalid('The image is none that can be shown: use PNG, JPEG, GIF or WebP.')
  const { width, height } = size
  const isSensible = (length: number) => length > 0 && length <= MAX_PIXELS_ACROSS
  if (!isSensible(width) || !isSensible(height)) {
    throw invalid(
      `The image has ${width} by ${height} pixels, at most ${MAX_PIXELS_ACROSS} each are allowed.`,
    )
  }
}

/** Only what the header says is looked at: nothing is decoded here. */
function findSize(image: Buffer): Size | undefined {
  const text = image.toString('latin1', 0, 32)
  try {
    if (text.startsWith('\x89PNG\r\n\x1a\n')) {
      return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) }
    }
    if (/^GIF8[79]a/.test(text)) {
      return { width: image.readUInt16LE(6), height: image.readUInt16LE(8) }
    }
    if (text.startsWith('\xff\xd8\xff')) return sizeOfJpeg(image)
    if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return sizeOfWebp(image)
    return undefined
  } catch {
    // It ends before its size does.
    return undefined
  }
}

/** In the first segment that describes a frame. */
function sizeOfJpeg(image: Buffer): Size | undefined {
  let at = 2
  while (at < image.length) {
    if (image[at] !== 0xff) return undefined
    const marker = image.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: image.readUInt16BE(at + 5), width: image.readUInt16BE(at + 7) }
    at += 2 + image.readUInt16BE(at + 2)
  }
  return undefined
}

function sizeOfWebp(image: Buffer): Size | undefined {
  const kind = image.toString('latin1', 12, 16)
  if (kind === 'VP8X') {
    return { width: 1 + image.readUIntLE(24, 3), height: 1 + image.readUIntLE(27, 3) }
  }
  if (kind === 'VP8L') {
    const bits = image.readUInt32LE(21)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) }
  }
  if (kind !== 'VP8 ') return undefined
  return { width: image.readUInt16LE(26) & 0x3fff, height: image.readUInt16LE(28) & 0x3fff }
}

import type { IncomingMessage } from 'node:http'
import { readBytes } from './body.ts'
import { asSendersFault, boundaryOf, readParts } from './form-parts.ts'
import { inOne } from './multipart.ts'

export interface WholeFile {
  readonly field: string
  readonly name: string
  readonly content: Buffer
}

export interface WholeForm {
  readonly texts: URLSearchParams
  readonly files: readonly WholeFile[]
}

/** A form with files that are small enough to be held. */
export async function readWhole(
  request: IncomingMessage,
  { maxBytes, maxParts }: { readonly maxBytes: number; readonly maxParts: number },
): Promise<WholeForm> {
  const body = await readBytes(request, maxBytes)
  const texts = new URLSearchParams()
  const files: WholeFile[] = []
  try {
    const boundary = boundaryOf(request.headers['content-type'] ?? '')
    for await (const part of readParts(inOne(body), boundary, maxParts)) {
      const content = Buffer.concat(await Array.fromAsync(part.content))
      if (part.filename !== '') files.push({ field: part.name, name: part.filename, content })
      // A field for files of which none was chosen comes as an empty text.
      else texts.append(part.name, content.toString().replaceAll('\0', ''))
    }
  } catch (error) {
    throw asSendersFault(error)
  }
  return { texts, files }
}

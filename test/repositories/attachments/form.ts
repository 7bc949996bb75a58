import type { TestAnswer, TestApp, TestCaller } from '../../support/app.ts'

export interface Part {
  readonly name: string
  readonly filename?: string
  readonly content?: string | Buffer
}

const BOUNDARY = 'the-boundary'
export const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

export function formBody(parts: readonly Part[]): Buffer {
  const encoded = parts.map(({ name, filename, content = 'hello' }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
  })
  return Buffer.concat([...encoded, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

export interface SentFile {
  readonly field?: string
  readonly filename?: string
  readonly content?: string | Buffer
}

/** A form with one file, as clients send it. */
export function upload(
  app: TestApp,
  who: TestCaller | undefined,
  path: string,
  { field = 'attachment', filename = 'file.txt', content = 'hello' }: SentFile = {},
): Promise<TestAnswer> {
  return app.post(who, path, formBody([{ name: field, filename, content }]), FORM)
}

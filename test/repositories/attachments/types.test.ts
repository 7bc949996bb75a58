// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isAllowedType } from '../../../src/platform/files/allowed-types.ts'
import { servedType, sniff } from '../../../src/platform/files/media-type.ts'
import { keepPace } from '../../../src/platform/storage/bytes.ts'
import { UploadError } from '../../../src/platform/storage/upload-error.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const iso = (...brands: string[]) => {
  const body = latin1(`ftyp${brands.join('')}`)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 4)
  return Buffer.concat([size, body])
}

suite('the type of content', () => {
  test('is told from its first bytes, and served so that nothing runs', () => {
    const text = 'text/plain; charset=utf-8'
    const binary = 'application/octet-stream'
    const cases: [Buffer | string, string, string][] = [
      ['', text, text],
      ['plain, größer', text, text],
      ['ID3 is a tag', text, text],
      [latin1('gr\xf6\xdfer'), text, 'text/plain; charset=iso-8859-1'],
      [latin1('\xff\xfeh\x00'), 'text/plain; charset=utf-16le', 'text/plain; charset=utf-16le'],
      [latin1('\xfe\xff\x00h'), 'text/plain; charset=utf-16be', 'text/plain; charset=utf-16be'],
      ['\n <!DOCTYPE HTML><p>', 'text/html; charset=utf-8', text],
      ['<script>alert(1)</script>', 'text/html; charset=utf-8', text],
      ['<scripty>', text, text],
      ['<a href=x>', 'text/html; charset=utf-8', text],
      ['<!-- x --><p>', 'text/html; charset=utf-8', text],
      ['<?xml version="1.0"?><a/>', 'text/xml; charset=utf-8', text],
      ['<?xml-stylesheet href="x"?>', 'text/xml; charset=utf-8', text],
      ['<svg onload="x">', 'image/svg+xml', 'image/svg+xml'],
      [
        '<!-- c --><?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "x">\n<svg>',
        'image/svg+xml',
        'image/svg+xml',
      ],
      ['<html><svg>', 'text/html; charset=utf-8', text],
      ['{"a":1}', text, text],
      ['%PDF-1.7', 'application/pdf', 'application/pdf'],
      ['%!PS-Adobe-3', 'application/postscript', binary],
      [latin1('\x89PNG\r\n\x1a\n'), 'image/png', 'image/png'],
      ['GIF89a/*', 'image/gif', 'image/gif'],
      [latin1('\xff\xd8\xff\xe0'), 'image/jpeg', 'image/jpeg'],
      ['RIFF1234WEBPVP8 ', 'image/webp', 'image/webp'],
      ['RIFF1234WAVEfmt', 'audio/wave', 'audio/wave'],
      [latin1('ID3\x03\x00'), 'audio/mpeg', 'audio/mpeg'],
      [latin1('OggS\x00\x02vorbis'), 'audio/ogg', 'audio/ogg'],
      [latin1('OggS\x00\x02\x80theora'), 'video/ogg', 'video/ogg'],
      [iso('avif', '0000', 'mif1'), 'image/avif', 'image/avif'],
      // The box may be cut.
      [latin1('\x00\x00\x00\x1cftypavif'), 'image/avif', 'image/avif'],
      [latin1('\x00\x00\x00\x1cftypmp42'), binary, binary],
      [iso('isom', '0000', 'mp42'), 'video/mp4', 'video/mp4'],
      [iso('isom', '0000', 'iso2'), binary, binary],
      [latin1('\x1a\x45\xdf\xa3'), 'video/webm', 'video/webm'],
      [latin1('PK\x03\x04'), 'application/zip', binary],
      [latin1('\x1f\x8b\x08'), 'application/x-gzip', binary],
      [latin1('\x00asm'), 'application/wasm', binary],
      [latin1('\x7fELF\x02\x01'), binary, binary],
    ]

    for (const [content, sniffed, served] of cases) {
      const head = Buffer.from(content)
      assert.equal(sniff(head), sniffed, String(content))
      assert.equal(servedType(head), served, String(content))
    }
  })

  test('is text though a character is cut at the end of what is looked at', () => {
    const head = Buffer.from('ü'.repeat(600)).subarray(0, 1023)

    assert.equal(servedType(head), 'text/plain; charset=utf-8')
  })
})

suite('allowed types', () => {
  test('match by extension, type and group of types', () => {
    const png = latin1('\x89PNG\r\n\x1a\n')
    const cases: [string, string, Buffer | string, boolean][] = [
      ['', 'a.exe', 'x', true],
      [' , |', 'a.exe', 'x', true],
      ['*/*', 'a', '', true],
      ['.png', 'Photo.PNG', 'x', true],
      ['.PNG|.gif', 'a.gif', 'x', true],
      ['.gz', 'archive.tar.gz', 'x', true],
      ['.tar.gz', 'archive.tar.gz', 'x', false],
      ['.bashrc', '.bashrc', 'x', true],
      ['.png', 'Makefile', 'x', false],
      ['.png', 'a.png/b', 'x', false],
      ['.png', 'a.png.exe', png, false],
      ['image/png', 'a.exe', png, true],
      ['image/*', 'a.exe', png, true],
      ['image/*', 'a.exe', 'text', false],
      ['text/plain', 'a', 'text', true],
      ['text/plain', 'a', 't', false],
      ['text/*', 'a', 't', false],
      ['text/*', 'a', 'te', true],
      ['text/**', 'a', 'text', false],
      ['image2/*', 'a', png, false],
      // What is known beyond the table of browsers counts for serving, not here.
      ['image/*', 'a.svg', '<svg xmlns="x">', false],
      ['text/plain', 'a.svg', '<svg xmlns="x">', true],
      ['text/xml', 'a.svg', '<?xml version="1.0"?><svg>', true],
      ['image/*', 'a.avif', iso('avif', '0000', 'mif1'), false],
      ['audio/*,video/*', 'a.ogg', latin1('OggS\x00\x02vorbis'), false],
      ['application/ogg', 'a.ogg', latin1('OggS\x00\x02vorbis'), true],
      ['audio/mpeg', 'a', 'ID3 is a tag', true],
    ]

    for (const [setting, name, content, expected] of cases) {
      assert.equal(
        isAllowedType(setting, name, Buffer.from(content)),
        expected,
        `${setting} ${name}`,
      )
    }
  })
})

suite('the pace of an upload', () => {
  test('ends one that sends too little for too long', async () => {
    async function* drips() {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 2))
        yield Buffer.alloc(1)
      }
    }

    await assert.rejects(
      Array.fromAsync(keepPace(drips(), { minBytes: 1000, withinMs: 20 })),
      (error) => error instanceof UploadError && error.failure === 'too_slow',
    )
  })

  test('lets one pass that sends enough', async () => {
    async function* steady() {
      for (let sent = 0; sent < 5; sent++) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        yield Buffer.alloc(1000)
      }
    }

    const passed = await Array.fromAsync(keepPace(steady(), { minBytes: 500, withinMs: 20 }))

    assert.equal(passed.length, 5)
  })
})

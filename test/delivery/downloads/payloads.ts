const GIF = 'GIF89a/*<script>alert(1)</script>*/'

const TEXT = 'text/plain; charset=utf-8'
const BINARY = 'application/octet-stream'

/**
 * What somebody might send to run in the browser of who opens it; bytes beyond ASCII stand for
 * themselves.
 */
export const payloads: readonly (readonly [name: string, content: string, type: string])[] = [
  ['a.html', '<script>fetch("/api/v1/user")</script>', TEXT],
  ['a.htm', '\xef\xbb\xbf<html><script>alert(1)</script>', TEXT],
  ['b.html', '\xff\xfe<\0s\0c\0r\0i\0p\0t\0>\0', 'text/plain; charset=utf-16le'],
  ['c.html', '\xfe\xff\0<\0s\0c\0r\0i\0p\0t\0>', 'text/plain; charset=utf-16be'],
  ['d.html', '\n\t <!DOCTYPE html><body onload=alert(1)>', TEXT],
  ['e.html', '<!-- --><iframe src="javascript:alert(1)">', TEXT],
  ['f.html', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-', TEXT],
  ['g.html', '\x1b$B<script>alert(1)</script>', TEXT],
  ['h.html', 'gr\xf6\xdfer<script>', 'text/plain; charset=iso-8859-1'],
  ['a.xhtml', '<?xml version="1.0"?><html xmlns="x"><script/></html>', TEXT],
  ['a.xml', '<?xml-stylesheet href="x.xsl"?><a/>', TEXT],
  ['a.xsl', '<xsl:stylesheet version="1.0"/>', TEXT],
  ['a.rss', '<rss><description>&lt;script&gt;</description></rss>', TEXT],
  ['a.mathml', '<math href="javascript:alert(1)">', TEXT],
  ['a.svg', '<svg onload="alert(1)"/>', 'image/svg+xml'],
  ['b.svg', '<?xml version="1.0"?><!-- x --><svg><script>alert(1)</script>', 'image/svg+xml'],
  ['c.svg', '<!DOCTYPE svg><svg><foreignObject/>', 'image/svg+xml'],
  ['d.svg', '<html><svg onload=alert(1)>', TEXT],
  ['a.js', 'alert(1)', TEXT],
  ['a.mjs', 'default alert(1)', TEXT],
  ['a.css', 'body{background:url(javascript:alert(1))}', TEXT],
  ['a.json', '{"a":"<script>"}', TEXT],
  ['a.hta', '<hta:application><script language=vbscript>', TEXT],
  ['a.mht', 'MIME-Version: 1.0\nContent-Type: multipart/related', TEXT],
  ['a.eml', 'Content-Type: text/html\n\n<script>alert(1)</script>', TEXT],
  ['a.txt', '<html><body onload=alert(1)>', TEXT],
  ['b.txt', 'ID3 is a tag', TEXT],
  ['a.pdf', '%PDF-1.7 /JS', 'application/pdf'],
  ['b.pdf', '<html>%PDF-1.7 /JS', TEXT],
  ['a.ps', '%!PS-Adobe-3.0', BINARY],
  ['a.gif', GIF, 'image/gif'],
  ['a.jpg', '\xff\xd8\xff/*<script>alert(1)</script>*/', 'image/jpeg'],
  ['a.bmp', 'BM=1;alert(1)//', 'image/bmp'],
  ['a.png', '\x89PNG\r\n\x1a\n<script>', 'image/png'],
  ['a.webp', 'RIFF1234WEBPVP8 ', 'image/webp'],
  ['a.ogg', 'OggS\0\x02vorbis', 'audio/ogg'],
  ['a.mp3', 'ID3\x03\0<script>', 'audio/mpeg'],
  ['a.webm', '\x1a\x45\xdf\xa3<script>', 'video/webm'],
  ['a.swf', 'CWS\x06\0\0\0\0', BINARY],
  ['a.jar', 'PK\x03\x04META-INF', BINARY],
  ['a.wasm', '\0asm\x01\0\0\0', BINARY],
  ['a.woff', 'wOFF\0\x01', BINARY],
  ['a.exe', 'MZ\0\0', BINARY],
  ['a.gz', '\x1f\x8b\x08\0', BINARY],
  ['empty', '', TEXT],
]

/** The policy that goes with a type. */
export function policyOf(type: string): string | undefined {
  if (/^(?:audio|video)/.test(type)) return undefined
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  return type === 'application/pdf' ? policy : `${policy}; sandbox`
}

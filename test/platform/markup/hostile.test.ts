// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { renderMarkdown } from '../../../src/platform/markup/render.ts'

const harmless = new Set(
  (
    'a abbr b blockquote br caption center cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 ' +
    'hr i img input ins kbd li mark ol p pre q rp rt ruby s samp small span strike strong sub summary sup table tbody td ' +
    'tfoot th thead tr tt u ul var wbr'
  ).split(' '),
)

const attributes = new Set(
  'align alt checked class colspan dir disabled height href lang open rel reversed rowspan src start title type width'.split(
    ' ',
  ),
)

/** What pages ask for: names of its own, and a few classes more. */
const onPages = { hasNotes: true, linksPages: true, isDocument: true }
const namesOfPages = /^(?:footnotes|alert-[a-z]+|user-content-[^"]*)$/

/** Every `<` begins an element, and its attributes are quoted: whatever else there is, is text. */
const element = /<\/?([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"<>]*")?)*)(?: \/)?>/g

/**
 * A browser takes out of this nothing but text, known elements and addresses that lead to a page.
 */
function assertHarmless(html: string): void {
  assert.doesNotMatch(html.replace(element, ''), /[<>]/, html)
  for (const [whole, name = '', rest = ''] of html.matchAll(element)) {
    assert.ok(harmless.has(name), whole)
    for (const [, attribute = '', value = ''] of rest.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)) {
      assert.ok(attributes.has(attribute), whole)
      if (attribute === 'href' || attribute === 'src') assertAddress(value)
      if (attribute === 'type') assert.equal(value, 'checkbox')
      if (attribute === 'class') assert.match(value, /^(?:task-list-item|language-\S+)$/)
    }
  }
}

/** Like `assertHarmless`, of a text on a page, which has names and classes of ours. */
async function assertHarmlessOnPages(text: string): Promise<void> {
  const html = await renderMarkdown(text, onPages)
  const plain = html.replace(/ (?:class|id)="([^"]*)"/g, (whole, value: string) =>
    namesOfPages.test(value) ? '' : whole,
  )
  assertHarmless(plain)
}

function assertAddress(value: string): void {
  const text = value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  const url = URL.parse(text, 'https://relative.test')
  // What is no address at all is followed by nobody.
  if (!url) return
  const { protocol, host } = url
  assert.ok(['http:', 'https:', 'mailto:'].includes(protocol), value)
  const isWhole = /^(?:https?|mailto):/i.test(text)
  assert.ok(isWhole || host === 'relative.test', `${value} leads to another host`)
}

const schemes = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java&#9;script:alert(1)',
  'java&Tab;script:alert(1)',
  'java&NewLine;script:alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A;avascript:alert(1)',
  '&#0000106&#0000097vascript:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'javascript%3Aalert(1)',
  'javas\u0000cript:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'data:image/png;base64,AAAA',
  'file:///etc/passwd',
  'blob:https://example.org/x',
  'feed:javascript:alert(1)',
  'view-source:javascript:alert(1)',
  '//evil.example/x',
  '\\\\evil.example/x',
  '/\\evil.example/x',
  '/\t/evil.example/x',
]

const places: ((address: string) => string)[] = [
  (address) => `[a](${address})`,
  (address) => `[a](<${address}>)`,
  (address) => `![a](${address})`,
  (address) => `<${address}>`,
  (address) => `[a][b]\n\n[b]: ${address}`,
  (address) => `<a href="${address}">a</a>`,
  (address) => `<a href='${address}'>a</a>`,
  (address) => `<a href=${address}>a</a>`,
  (address) => `<img src="${address}">`,
  (address) => `<a xlink:href="${address}">a</a>`,
  (address) => `<div><a href="${address}">a</a></div>`,
  (address) => `<img srcset="${address} 1x, ${address} 2x">`,
  (address) => `<form action="${address}"><button formaction="${address}">a</button></form>`,
  (address) => `<iframe src="${address}"></iframe><embed src="${address}">`,
  (address) => `<object data="${address}"></object><base href="${address}">`,
  (address) => `<table background="${address}"><tr><td background="${address}">a</table>`,
  (address) => `<blockquote cite="${address}">a</blockquote><video poster="${address}">`,
  (address) => `<meta http-equiv="refresh" content="0;url=${address}">`,
]

const texts = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<<script>script>alert(1)<</script>/script>',
  '<script\n>alert(1)</script\n>',
  '<script/x>alert(1)</script>',
  '<script>alert(1)',
  '<img src=x onerror=alert(1)>',
  '<img src=x onerror="alert(1)"',
  '<img src="x"onerror="alert(1)">',
  '<img/src=x/onerror=alert(1)>',
  '<img src=x OnErRoR=alert(1)>',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<b onmouseover=alert(1)>a</b>',
  '<div onclick="alert(1)" id="x" name="y" style="position:fixed">a</div>',
  '<p style="background:url(javascript:alert(1))">a</p>',
  '<style>@import "//evil.example/x.css";</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>a</text></a></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><animate attributeName=href values=javascript:alert(1) /></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></math>',
  '<math href="javascript:alert(1)">a</math>',
  '<math><mi><svg><foreignObject><script>alert(1)</script></foreignObject></svg></mi></math>',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- <script>alert(1)</script> -->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<!DOCTYPE html><html><body onload=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea></textarea><img src=x onerror=alert(1)></textarea>',
  '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<input type="password" name="p" autofocus onfocus=alert(1)>',
  '<input type="image" src="x" formaction="javascript:alert(1)">',
  '<select><option><script>alert(1)</script></option></select>',
  '<marquee onstart=alert(1)>a</marquee><audio src=x onerror=alert(1)>',
  '<details ontoggle=alert(1) open>a</details>',
  '<a href="x" target="_blank" ping="//evil.example" download>a</a>',
  '<a title="&quot; onmouseover=&quot;alert(1)">a</a>',
  '[a](x "\\" onmouseover=\\"alert(1)")',
  "[a](x'onmouseover='alert(1))",
  '![" onerror="alert(1)](x)',
  '![a](x "onerror=alert(1)")',
  '```"><script>alert(1)</script>\na\n```',
  '```js onload=alert(1)\na\n```',
  '~~~ "onclick=alert(1)\na\n~~~',
  '`<script>alert(1)</script>`',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '\\<script>alert(1)\\</script>',
  '- [ ] <img src=x onerror=alert(1)>',
  '|<script>|\n|-|\n|<img src=x onerror=alert(1)>|',
  'http://example.org/"onmouseover="alert(1)',
  '<http://example.org/"onmouseover="alert(1)>',
  'a@example.org"onmouseover="alert(1)',
  '<div\u0000><img src=x\u0000 onerror\u0000=alert(1)>',
  '<img \u2028src=x\u2029onerror=alert(1)>',
  '<a href="http://example.org\u0000javascript:alert(1)">a</a>',
]

suite('a hostile text', () => {
  for (const text of texts) {
    test(`cannot run ${JSON.stringify(text)}`, async () => {
      assertHarmless(await renderMarkdown(text))
      assertHarmless(await renderMarkdown(`a ${text} b`))
      assertHarmless(await renderMarkdown(`> ${text}\n\n- ${text}`, { hardBreaks: true }))
      await assertHarmlessOnPages(`a[^1] [[${text}]]\n\n> [!NOTE]\n> ${text}\n\n[^1]: ${text}`)
    })
  }

  for (const address of schemes) {
    test(`cannot lead to ${JSON.stringify(address)}`, async () => {
      for (const place of places) {
        assertHarmless(await renderMarkdown(place(address)))
        assertHarmless(await renderMarkdown(`a ${place(address)} b`))
        await assertHarmlessOnPages(`a[^1] [[b|${address}]]\n\n[^1]: ${place(address)}`)
      }
    })
  }

  test('stays harmless whatever it is made of', async () => {
    const part = fc.oneof(
      fc.constantFrom(...texts, ...schemes),
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '`',
        '[',
        '](',
        ')',
        '<!--',
        '-->',
        '[^1]',
        '\n[^1]: ',
        '> [!TIP]\n> ',
        '[[',
        ']]',
        '\n',
        '\n\n',
        '&',
        '=',
      ),
      fc.string({ maxLength: 5 }),
    )

    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        assertHarmless(await renderMarkdown(parts.join('')))
        await assertHarmlessOnPages(parts.join(''))
      }),
      { numRuns: 500 },
    )
  })

  test('is told from a harmless one by this suite', () => {
    for (const bad of [
      '<script>',
      '<p onclick="x">',
      '<a href="javascript:x">',
      '<a href="//evil.example">',
      '<img src=x>',
      '<p>a < b',
      '<input type="password">',
      '<p class="modal">',
    ]) {
      assert.throws(() => assertHarmless(bad), assert.AssertionError, bad)
    }
  })
})

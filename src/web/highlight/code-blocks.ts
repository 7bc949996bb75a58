import { highlightCode, idOf } from './highlight.ts'

/** What comes after so many, or after this time, stays plain: somebody waits for the page. */
const MAX_BLOCKS = 20
const MAX_MS = 500

/** As our own renderer writes it: there is no markup inside. */
const codeBlock = /<pre><code class="language-([\w#+.-]+)">([^<]+)<\/code><\/pre>/g

/** Colours the code in rendered Markdown whose language is named and known. */
export async function colourCodeBlocks(markup: string): Promise<string> {
  const end = performance.now() + MAX_MS
  let coloured = ''
  let rest = 0
  for (const found of markup.matchAll(codeBlock).take(MAX_BLOCKS)) {
    if (performance.now() > end) break
    const [whole, language = '', content = ''] = found
    const text = unescapeText(content)
    const lines = await highlightCode({ id: idOf(text), language, text })
    coloured += markup.slice(rest, found.index)
    coloured += lines ? `<pre><code>${lines.join('\n')}\n</code></pre>` : whole
    rest = found.index + whole.length
  }
  return coloured + markup.slice(rest)
}

const letters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
}

function unescapeText(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => letters[entity] ?? entity)
}

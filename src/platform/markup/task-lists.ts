import type { MarkdownIt, Token } from 'markdown-it'

const box = /^\[([ xX])\] /

/** Items of lists that begin with a box become items with a checkbox that cannot be clicked. */
export function addTaskLists(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'task_lists', ({ tokens, Token: NewToken }) => {
    for (const [index, token] of tokens.entries()) {
      const item = itemBegunBy(tokens, index)
      const mark = item && box.exec(token.content)?.[1]
      const first = token.children?.[0]
      if (!mark || first?.type !== 'text') continue
      item.attrSet('class', 'task-list-item')
      first.content = first.content.slice('[ ] '.length)
      token.children?.unshift(checkbox(new NewToken('checkbox', 'input', 0), mark !== ' '))
    }
  })
  parser.renderer.rules['checkbox'] = (tokens, index, options, _env, renderer) =>
    `${renderer.renderToken(tokens, index, options)} `
}

function itemBegunBy(tokens: readonly Token[], index: number): Token | undefined {
  const [item, paragraph] = [tokens[index - 2], tokens[index - 1]]
  const begins = item?.type === 'list_item_open' && paragraph?.type === 'paragraph_open'
  return begins && tokens[index]?.type === 'inline' ? item : undefined
}

function checkbox(token: Token, checked: boolean): Token {
  token.attrs = [
    ['type', 'checkbox'],
    ['disabled', ''],
    ...(checked ? [['checked', ''] as [string, string]] : []),
  ]
  return token
}

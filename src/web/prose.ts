import { colourCodeBlocks } from './highlight/code-blocks.ts'
import { trusted, type Html } from './html.ts'

/** Rendered Markdown, as pages show it: with coloured code, and boxes of which it can be told what they are. */
export async function toProse(markup: string): Promise<Html> {
  const coloured = await colourCodeBlocks(markup)
  return trusted(
    coloured.replaceAll('<input type="checkbox" ', '<input type="checkbox" aria-label="Task" '),
  )
}

import { giveWay } from '../platform/concurrency/give-way.ts'
import { colourCodeBlocks } from './highlight/code-blocks.ts'
import { trusted, type Html } from '../platform/html.ts'

/**
 * Rendered Markdown, as pages show it: with coloured code, headings below ours, and boxes of which
 * it can be told what they are.
 */
export async function toProse(markup: string): Promise<Html> {
  await giveWay()
  const coloured = lowerHeadings(await colourCodeBlocks(markup))
  return trusted(
    coloured.replaceAll('<input type="checkbox" ', '<input type="checkbox" aria-label="Task" '),
  )
}

/** A page has its own of the first level. */
function lowerHeadings(markup: string): string {
  return markup.replace(
    /<(\/?)h([1-5])(?=[ >])/g,
    (_tag, end: string, level: string) => `<${end}h${Number(level) + 1}`,
  )
}

import { expression, type Expression } from './expressions.ts'

let font: Expression | undefined

/** Fonts, and drawings by a program that says its name or its version. */
export function isGeneratedPostScript(text: string): boolean {
  font ??= expression(String.raw`(\n|\r\n|\r)\s*(?:currentfile eexec\s+|\/sfnts\s+\[)`)
  if (font.test(text)) return true
  const lines = text.split('\n', 10)
  const creator = lines.find((line) => line.startsWith('%%Creator: '))
  if (creator === undefined) return false
  if (creator.includes('EAGLE')) {
    if (lines.slice(0, 5).some((line) => line.startsWith('%%Title: EAGLE Drawing '))) return true
  }
  const programs = /[0-9]|draw|mpage|ImageMagick|inkscape|MATLAB/
  const others = /PCBNEW|pnmtops|\(Unknown\)|Serif Affinity|Filterimage -tops/
  return programs.test(creator) || others.test(creator)
}

import { parse } from 'yaml'
import type { Expression } from './expressions.ts'
import { linesExpression } from './expressions.ts'
import { readDataFile } from './files.ts'

type OneOrMore = string | readonly string[]

interface WrittenRule {
  readonly language?: OneOrMore
  readonly pattern?: OneOrMore
  readonly negative_pattern?: OneOrMore
  readonly named_pattern?: string
  readonly and?: readonly WrittenRule[]
}

type NamedPatterns = Readonly<Record<string, OneOrMore>>

interface Rule {
  readonly languages: readonly string[]
  readonly matches: (text: string) => boolean
}

type MakeRules = () => readonly Rule[]

let rulesOf: ReadonlyMap<string, MakeRules> | undefined

/** The languages that the first rule names whose expressions match, for an ambiguous ending. */
export function findByHeuristics(extension: string, text: string): readonly string[] {
  rulesOf ??= readRules()
  const rules = rulesOf.get(extension)?.() ?? []
  return rules.find(({ matches }) => matches(text))?.languages ?? []
}

export function endingsWithRules(): Iterable<string> {
  return readRules().keys()
}

/**
 * The file is parsed in parts, each when the first file of its endings is asked about: a parser of
 * YAML takes long for all of it.
 */
function readRules(): ReadonlyMap<string, MakeRules> {
  const [rules = '', named = ''] = readDataFile('heuristics.yml').split(/^(?=named_patterns:)/m)
  let patterns: NamedPatterns | undefined
  const patternsOf = () =>
    (patterns ??= (parse(named) as { named_patterns: NamedPatterns }).named_patterns)
  const parts = rules.split(/^(?=- extensions:)/m).slice(1)
  return new Map(
    parts.flatMap((part) => {
      let made: readonly Rule[] | undefined
      const make = () => (made ??= parsePart(part).map((rule) => toRule(patternsOf(), rule)))
      return endingsOf(part).map((ending) => [ending, make] as const)
    }),
  )
}

function endingsOf(part: string): readonly string[] {
  const [head = ''] = part.split('\n', 1)
  return Array.from(head.matchAll(/'([^']+)'|"([^"]+)"/g), ([, one, other]) =>
    (one ?? other ?? '').toLowerCase(),
  )
}

function parsePart(part: string): readonly WrittenRule[] {
  const [parsed] = parse(part) as readonly { readonly rules: readonly WrittenRule[] }[]
  return parsed?.rules ?? []
}

function toRule(named: NamedPatterns, rule: WrittenRule): Rule {
  return { languages: listOf(rule.language), matches: toMatch(named, rule) }
}

/**
 * An expression that the engine does not know never matches by itself, and is left out where
 * others are asked for beside it: as in go-enry.
 */
function toMatch(named: NamedPatterns, rule: WrittenRule): Rule['matches'] {
  if (rule.and) {
    const known = rule.and.filter((part) => isKnown(named, part))
    const parts = known.map((part) => toMatch(named, part))
    return (text) => parts.every((matches) => matches(text))
  }
  const positive = positiveOf(named, rule)
  if (positive) return toTest(positive) ?? (() => false)
  const negative = rule.negative_pattern && toTest(rule.negative_pattern)
  return negative ? (text) => !negative(text) : () => true
}

function isKnown(named: NamedPatterns, part: WrittenRule): boolean {
  const pattern = positiveOf(named, part) ?? part.negative_pattern
  return pattern === undefined || compile(pattern) !== undefined
}

function positiveOf(named: NamedPatterns, rule: WrittenRule): OneOrMore | undefined {
  return rule.pattern ?? (rule.named_pattern === undefined ? undefined : named[rule.named_pattern])
}

function toTest(pattern: OneOrMore): Rule['matches'] | undefined {
  return compile(pattern)?.test
}

function compile(pattern: OneOrMore): Expression | undefined {
  return linesExpression(listOf(pattern).join('|'))
}

function listOf(value: OneOrMore | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}

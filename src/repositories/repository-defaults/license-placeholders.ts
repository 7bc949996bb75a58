export interface LicenseValues {
  readonly owner: string
  readonly email: string
  readonly repository: string
  readonly year: number
}

type Value = keyof LicenseValues

const placeholders = new Map<string, Value>([
  ['<name of author>', 'owner'],
  ['<owner>', 'owner'],
  ['[NAME]', 'owner'],
  ['[name of copyright owner]', 'owner'],
  ['[name of copyright holder]', 'owner'],
  ['<COPYRIGHT HOLDERS>', 'owner'],
  ['<copyright holders>', 'owner'],
  ['<AUTHOR>', 'owner'],
  ["<author's name or designee>", 'owner'],
  ['[EMAIL]', 'email'],
  ['<program>', 'repository'],
  ['<year>', 'year'],
  ['[YEAR]', 'year'],
  ['{YEAR}', 'year'],
  ['[yyyy]', 'year'],
  ['[Year]', 'year'],
  ['[year]', 'year'],
])

/** Some texts put a whole sentence in brackets. */
const sentences: readonly (readonly [string, Value])[] = [
  ['<one or more legally recognised persons', 'owner'],
  ["<one line to give the program's name", 'repository'],
]

const bracketed = /<[^<>\n]+>|\[[^[\]\n]+\]|\{[^{}\n]+\}/g

/** One pass: what is put in is not looked at again. */
export function fillLicense(name: string, text: string, values: LicenseValues): string {
  if (name === '0BSD') return fillZeroClause(text, values)
  return text.replace(bracketed, (found) => {
    const value =
      placeholders.get(found) ?? sentences.find(([start]) => found.startsWith(start))?.[1]
    return value === undefined ? found : String(values[value])
  })
}

/** Its placeholders are plain words, which the rest of the text uses as such. */
function fillZeroClause(text: string, { owner, email, year }: LicenseValues): string {
  const words = new Map([
    ['YEAR', String(year)],
    ['AUTHOR', owner],
    ['EMAIL', email],
  ])
  return text.replace(/^Copyright .*$/m, (line) =>
    line.replace(/\b(?:YEAR|AUTHOR|EMAIL)\b/g, (word) => words.get(word) ?? word),
  )
}

import { giveWay } from '../../platform/concurrency/give-way.ts'
import { knownLicenses, type KnownLicense } from './known-licenses.ts'
import { countShared, pairsOf } from './word-pairs.ts'

/** So alike are a licence and a text that is it, whoever filled in its blanks. */
const ALIKE = 0.85
/** From here on it is that one, and no other that says nearly the same. */
const SAME = 0.995
/** So much less alike may one be that many take. */
const USUAL = 0.05
/** So much of a licence stands in a text that has more than that. */
const CONTAINED = 0.95
/** Shorter ones are only found where they stand alone: others say the same by chance. */
const MIN_CONTAINED = 60
/** More than one text is written under. */
const MAX_FOUND = 20

/** Files of the root folder that hold a licence, and the folder in which all of them do. */
export function isLicenseFile(name: string): boolean {
  return /^(?:[\w.]+-)?(?:licen[cs]es?|copying|unlicen[cs]e)(?:[._-][\w.+-]*)?$/i.test(name)
}

export function isLicenseFolder(name: string): boolean {
  return /^licen[cs]es$/i.test(name)
}

/** The names of the licences that a text is, or holds one after another. */
export async function findLicenses(text: string): Promise<readonly string[]> {
  const known = await knownLicenses()
  const pairs = pairsOf(text)
  const taken = new Set<number>()
  const found = new Set<string>()
  let license = await findWhole(known, pairs)
  license ??= await findPart(known, pairs, taken)
  while (license && found.size < MAX_FOUND) {
    found.add(license.name)
    for (const pair of license.pairs) taken.add(pair)
    license = await findPart(known, pairs, taken)
  }
  return [...found]
}

/** Dice's coefficient: 1 for the same, 0 for nothing in common. */
async function findWhole(
  known: readonly KnownLicense[],
  text: Uint32Array,
): Promise<KnownLicense | undefined> {
  return findBest(known, ALIKE, ({ pairs }) => {
    const sum = pairs.length + text.length
    // However much they share, lists of such different lengths are not alike.
    if (2 * Math.min(pairs.length, text.length) < ALIKE * sum) return 0
    return (2 * countShared(pairs, text)) / sum
  })
}

/** Of those that stand in it as a whole, and not within what was found before, the longest. */
async function findPart(
  known: readonly KnownLicense[],
  text: Uint32Array,
  taken: ReadonlySet<number>,
): Promise<KnownLicense | undefined> {
  const isNew = ({ pairs }: KnownLicense) =>
    pairs.filter((pair) => taken.has(pair)).length < pairs.length / 2
  const long = known
    .filter(({ pairs }) => pairs.length >= MIN_CONTAINED && pairs.length <= text.length * 1.1)
    .filter((license) => taken.size === 0 || isNew(license))
    .toSorted((a, b) => b.pairs.length - a.pairs.length)
  return findBest(long, CONTAINED, ({ pairs }) => countShared(pairs, text) / pairs.length)
}

/** The first of the best. */
async function findBest(
  known: readonly KnownLicense[],
  least: number,
  rate: (license: KnownLicense) => number,
): Promise<KnownLicense | undefined> {
  let best: KnownLicense | undefined
  let most = 0
  for (const license of known) {
    await giveWay()
    const rated = rate(license)
    const rank = rated >= SAME ? 2 : rated + (license.isUsual ? USUAL : 0)
    if (rated < least || rank <= most) continue
    best = license
    most = rank
  }
  return best
}

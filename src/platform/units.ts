interface UnitFacts {
  readonly label: string
  /** Where it stands among the units of a team. */
  readonly placeInTeams: number
  /** It leads to another server, and takes the place of one that is kept here. */
  readonly isExternal?: true
}

/**
 * The parts of a repository that can be switched on and off, in the contract's order. Everything
 * that lists units is made of this table.
 */
const table = {
  'repo.code': { label: 'Code', placeInTeams: 1 },
  'repo.issues': { label: 'Issues', placeInTeams: 2 },
  'repo.pulls': { label: 'Pull requests', placeInTeams: 6 },
  'repo.releases': { label: 'Releases', placeInTeams: 7 },
  'repo.wiki': { label: 'Wiki', placeInTeams: 4 },
  'repo.ext_wiki': { label: 'External wiki', placeInTeams: 5, isExternal: true },
  'repo.ext_issues': { label: 'External issues', placeInTeams: 3, isExternal: true },
  'repo.projects': { label: 'Projects', placeInTeams: 8 },
  'repo.packages': { label: 'Packages', placeInTeams: 9 },
  'repo.actions': { label: 'Actions', placeInTeams: 10 },
} as const satisfies Readonly<Record<string, UnitFacts>>

export type UnitKey = keyof typeof table

export const unitFacts: Readonly<Record<UnitKey, UnitFacts>> = table

export const unitKeys = Object.keys(table) as readonly UnitKey[]

/** What a team can be given of a repository, in the order in which it is shown. */
export const teamUnits = unitKeys.toSorted(
  (one, other) => unitFacts[one].placeInTeams - unitFacts[other].placeInTeams,
)

/** Those that an operator switches on and off for the whole server. */
export const ownUnits = unitKeys.filter((unit) => !unitFacts[unit].isExternal)

/** Something that is found by its address. */
export interface Addressed {
  readonly method: string
  /** Parameters as `:name`; a last `*` takes the rest of the path, slashes and all. */
  readonly path: string
}

/** No name that a path carries is longer. */
const MAX_PARAMETER = 4096

/** The name under which a route finds the rest of the path that it takes. */
export const REST = '*'

export interface Match<Route> {
  readonly route: Route
  readonly parameters: Readonly<Record<string, string>>
}

interface Target<Route> {
  readonly route: Route
  readonly names: readonly string[]
}

type Targets<Route> = Map<string, Target<Route>>

/** What may follow a part of a path. */
interface Place<Route> {
  readonly fixed: Map<string, Place<Route>>
  any: Place<Route> | undefined
  /** By method: what ends here, and what takes the rest of the path whatever it is. */
  readonly ends: Targets<Route>
  readonly rests: Targets<Route>
}

type Visit<Route> = (targets: Targets<Route>, values: readonly string[]) => Match<Route> | undefined

/**
 * Finds the route of a path. There are hundreds of them: this takes them in within a millisecond or
 * two, where the framework needs dozens to register each with its hooks.
 */
export class Router<Route extends Addressed> {
  readonly #root = newPlace<Route>()
  /** By their whole path: those without parameters. */
  readonly #fixed = new Map<string, Targets<Route>>()

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route)
  }

  find(method: string, path: string): Match<Route> | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method
    const fixed = this.#fixed.get(path)?.get(wanted)
    if (fixed) return matchOf(fixed, [])
    return this.#visit(path, (targets, values) => {
      const target = targets.get(wanted)
      return target && matchOf(target, values)
    })
  }

  /** The methods that a path has; none when it is no address of ours. */
  methodsAt(path: string): readonly string[] {
    const methods = new Set<string>()
    this.#visit(path, (targets) => {
      for (const method of targets.keys()) methods.add(method)
      return undefined
    })
    return methods.has('GET') ? [...methods, 'HEAD'] : [...methods]
  }

  #add(route: Route): void {
    const parts = partsOf(route.path)
    const target = { route, names: parts.flatMap(nameOf) }
    let place = this.#root
    for (const part of parts) {
      if (part.startsWith('*')) return put(place.rests, target)
      place = part.startsWith(':') ? (place.any ??= newPlace()) : follow(place.fixed, part)
    }
    put(place.ends, target)
    if (target.names.length === 0) this.#fixed.set(route.path, place.ends)
  }

  #visit(path: string, visit: Visit<Route>): Match<Route> | undefined {
    const parts = decodeParts(path)
    return parts && walk(this.#root, parts, [], visit)
  }
}

/** Visits all that a path may mean until one is taken, those with the most fixed parts first. */
function walk<Route>(
  place: Place<Route>,
  parts: readonly string[],
  values: readonly string[],
  visit: Visit<Route>,
  at = 0,
): Match<Route> | undefined {
  const part = parts[at]
  if (part === undefined) return visit(place.ends, values)
  const fixed = place.fixed.get(part)
  const isName = part !== '' && part.length <= MAX_PARAMETER
  return (
    (fixed && walk(fixed, parts, values, visit, at + 1)) ??
    (isName && place.any ? walk(place.any, parts, [...values, part], visit, at + 1) : undefined) ??
    (place.rests.size > 0 ? visit(place.rests, [...values, parts.slice(at).join('/')]) : undefined)
  )
}

function newPlace<Route>(): Place<Route> {
  return { fixed: new Map(), any: undefined, ends: new Map(), rests: new Map() }
}

function follow<Route>(places: Map<string, Place<Route>>, part: string): Place<Route> {
  const known = places.get(part)
  if (known) return known
  const place = newPlace<Route>()
  places.set(part, place)
  return place
}

function put<Route extends Addressed>(targets: Targets<Route>, target: Target<Route>): void {
  const { method, path } = target.route
  if (targets.has(method)) throw new Error(`${method} ${path} is registered twice`)
  targets.set(method, target)
}

function partsOf(path: string): string[] {
  return path.slice(1).split('/')
}

function nameOf(part: string): string[] {
  if (part.startsWith('*')) return [REST]
  return part.startsWith(':') ? [part.slice(1)] : []
}

/** Nothing where an escape is broken: no address of ours has one. */
function decodeParts(path: string): readonly string[] | undefined {
  const parts = partsOf(path)
  if (!path.includes('%')) return parts
  try {
    return parts.map((part) => decodeURIComponent(part))
  } catch {
    return undefined
  }
}

function matchOf<Route>({ route, names }: Target<Route>, values: readonly string[]): Match<Route> {
  const parameters: Record<string, string> = {}
  for (const [index, name] of names.entries()) parameters[name] = values[index] ?? ''
  return { route, parameters }
}

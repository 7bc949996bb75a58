import type { Method, Route } from './api.ts'

/** No name that a path carries is longer. */
const MAX_PARAMETER = 4096

/** The name under which a route finds the rest of the path that it takes. */
export const REST = '*'

export interface Match {
  readonly route: Route
  readonly parameters: Readonly<Record<string, string>>
}

interface Target {
  readonly route: Route
  readonly names: readonly string[]
}

type Targets = Map<string, Target>

/** What may follow a part of a path. */
interface Place {
  readonly fixed: Map<string, Place>
  any: Place | undefined
  /** By method: what ends here, and what takes the rest of the path whatever it is. */
  readonly ends: Targets
  readonly rests: Targets
}

type Visit = (targets: Targets, values: readonly string[]) => Match | undefined

/**
 * Finds the route of a path below /api/v1. There are hundreds of them: this takes them in within a millisecond or two,
 * where the framework needs dozens to register each with its hooks.
 */
export class Router {
  readonly #root = newPlace()
  /** By their whole path: those without parameters. */
  readonly #fixed = new Map<string, Targets>()

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route)
  }

  find(method: string, path: string): Match | undefined {
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
      if (part.startsWith('*')) return put(place.rests, route.method, target)
      place = part.startsWith(':') ? (place.any ??= newPlace()) : follow(place.fixed, part)
    }
    put(place.ends, route.method, target)
    if (target.names.length === 0) this.#fixed.set(route.path, place.ends)
  }

  #visit(path: string, visit: Visit): Match | undefined {
    const parts = decodeParts(path)
    return parts && walk(this.#root, parts, [], visit)
  }
}

/** Visits all that a path may mean until one is taken, those with the most fixed parts first. */
function walk(
  place: Place,
  parts: readonly string[],
  values: readonly string[],
  visit: Visit,
  at = 0,
): Match | undefined {
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

function newPlace(): Place {
  return { fixed: new Map(), any: undefined, ends: new Map(), rests: new Map() }
}

function follow(places: Map<string, Place>, part: string): Place {
  const known = places.get(part)
  if (known) return known
  const place = newPlace()
  places.set(part, place)
  return place
}

function put(targets: Targets, method: Method, target: Target): void {
  if (targets.has(method)) throw new Error(`${method} ${target.route.path} is registered twice`)
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

function matchOf({ route, names }: Target, values: readonly string[]): Match {
  const parameters: Record<string, string> = {}
  for (const [index, name] of names.entries()) parameters[name] = values[index] ?? ''
  return { route, parameters }
}

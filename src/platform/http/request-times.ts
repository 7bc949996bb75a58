const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const COUNT = 'codestead_http_requests_total'
const TIME = 'codestead_http_request_duration_seconds'

/** The requests of one kind to one route. */
export interface Series {
  readonly labels: string
  /**
   * Requests by the first bound that they stayed within; the last place is for those beyond all.
   */
  readonly counts: number[]
  seconds: number
}

/** How many requests there were and how long they took. */
export class RequestTimes {
  readonly #series = new Map<string, Series>()

  /**
   * By the pattern of the route, never by its address: names of repositories would make figures
   * without end.
   */
  note(method: string, route: string, status: number, seconds: number): void {
    const kind = `${Math.floor(status / 100)}xx`
    const key = `${method} ${kind} ${route}`
    let series = this.#series.get(key)
    if (!series) {
      const labels = `method="${escape(method)}",route="${escape(route)}",status="${kind}"`
      series = { labels, counts: Array.from({ length: bounds.length + 1 }, () => 0), seconds: 0 }
      this.#series.set(key, series)
    }
    let place = 0
    while (place < bounds.length && seconds > (bounds[place] ?? 0)) place++
    series.counts[place] = (series.counts[place] ?? 0) + 1
    series.seconds += seconds
  }

  get series(): readonly Series[] {
    return [...this.#series.values()]
  }
}

/** In the text form of Prometheus, those of several processes added up. */
export function writeRequestTimes(all: readonly Series[]): string {
  const series = addUp(all)
  return [
    `# HELP ${COUNT} Requests answered.`,
    `# TYPE ${COUNT} counter`,
    ...series.map(({ labels, counts }) => `${COUNT}{${labels}} ${sum(counts)}`),
    `# HELP ${TIME} Time from the head of a request to the end of its answer.`,
    `# TYPE ${TIME} histogram`,
    ...series.flatMap(writeHistogram),
    '',
  ].join('\n')
}

function addUp(all: readonly Series[]): readonly Series[] {
  return [...Map.groupBy(all, ({ labels }) => labels)].map(([labels, same]) => ({
    labels,
    counts: bounds
      .concat(Infinity)
      .map((_, place) => sum(same.map((one) => one.counts[place] ?? 0))),
    seconds: sum(same.map(({ seconds }) => seconds)),
  }))
}

function writeHistogram({ labels, counts, seconds }: Series): string[] {
  const within = bounds.map((bound, place) => [bound, sum(counts.slice(0, place + 1))] as const)
  return [
    ...within.map(([bound, count]) => `${TIME}_bucket{le="${bound}",${labels}} ${count}`),
    `${TIME}_bucket{le="+Inf",${labels}} ${sum(counts)}`,
    `${TIME}_sum{${labels}} ${seconds}`,
    `${TIME}_count{${labels}} ${sum(counts)}`,
  ]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function escape(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

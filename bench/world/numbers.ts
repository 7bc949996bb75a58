/** The beginning of a statement that reads them from `numbers`, as `n`. */
export function numbers(from: number, to: number): string {
  return `WITH RECURSIVE numbers (n) AS (SELECT CAST(${from} AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})`
}

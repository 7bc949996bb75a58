const form = /^(?:@[a-z]+|\S+(?: +\S+){4})$/i

/**
 * When an expression of five fields, or a word such as @daily, next says so after `now`; times are
 * UTC.
 */
export async function nextTime(expression: string, now: number): Promise<number | undefined> {
  // Loaded only where somebody has a schedule.
  const { Cron } = await import('croner')
  if (!form.test(expression)) return undefined
  try {
    const cron = new Cron(expression, { timezone: 'UTC', mode: '5-part', paused: true })
    const next = cron.nextRun(new Date(now * 1000))
    return next ? Math.floor(next.getTime() / 1000) : undefined
  } catch {
    return undefined
  }
}

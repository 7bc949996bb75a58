/** Something that an operator can set right: one line for each problem, which names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: string | readonly string[], options?: ErrorOptions) {
    const all = [problems].flat()
    super(all.join('\n'), options)
    this.problems = all
  }
}

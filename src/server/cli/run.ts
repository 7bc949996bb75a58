import { parseArgs } from 'node:util'
import { Invocation, UsageError, type Command, type Terminal } from './command.ts'
import { dataCommands } from './data-commands.ts'
import { explain } from './explain.ts'
import { mailCommands } from './mail-commands.ts'
import { serverCommands } from './server-commands.ts'
import { userCommands } from './user-commands.ts'

export const commands: readonly Command[] = [
  ...userCommands,
  ...serverCommands,
  ...dataCommands,
  ...mailCommands,
]

const DONE = 0
const REFUSED = 1
const MISUSED = 2

/** Runs what was typed after `npm run admin --`, and gives the exit status. */
export async function runAdmin(typed: readonly string[], terminal: Terminal): Promise<number> {
  const command = findCommand(typed)
  if (!command) return answerUnknown(typed, terminal)
  try {
    const rest = typed.slice(command.name.split(' ').length)
    const values = readOptions(command, rest)
    if (values['help'] === true) return help(terminal, [command])
    return (await command.run(new Invocation(terminal, values))) ?? DONE
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.note(`codestead: ${error.message}`)
      terminal.note(usageOf([command]))
      return MISUSED
    }
    terminal.note(`codestead: ${explain(error)}`)
    return REFUSED
  }
}

function findCommand(typed: readonly string[]): Command | undefined {
  return commands.find(({ name }) => {
    const words = name.split(' ')
    return words.every((word, index) => typed[index] === word)
  })
}

function answerUnknown(typed: readonly string[], terminal: Terminal): number {
  if (typed.includes('--help') || typed[0] === 'help') return help(terminal, commands)
  const words = typed.filter((word) => !word.startsWith('-')).slice(0, 2)
  const problem =
    words.length === 0 ? 'a command is missing' : `there is no command "${words.join(' ')}"`
  terminal.note(`codestead: ${problem}`)
  terminal.note(usageOf(commands))
  return MISUSED
}

function help(terminal: Terminal, described: readonly Command[]): number {
  terminal.out(usageOf(described))
  return DONE
}

function usageOf(described: readonly Command[]): string {
  const lines = described.flatMap(({ name, usage, about }) => [
    `  ${name} ${usage}`.trimEnd(),
    `      ${about}`,
  ])
  return [
    'Usage: npm run admin -- COMMAND [OPTIONS]',
    '',
    ...lines,
    '',
    'With every command: --config FILE reads the settings from FILE, --help shows its options.',
  ].join('\n')
}

function readOptions(
  command: Command,
  typed: readonly string[],
): Record<string, string | boolean | undefined> {
  try {
    const { values } = parseArgs({
      args: withUnsaid(typed, command.unsaid ?? {}),
      options: { ...command.options, config: { type: 'string' }, help: { type: 'boolean' } },
    })
    return values
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n')
    throw new UsageError(line, { cause: error })
  }
}

function withUnsaid(typed: readonly string[], unsaid: Readonly<Record<string, string>>): string[] {
  return typed.map((word, index) => {
    const name = word.replace(/^--/, '')
    const isAlone = typed[index + 1]?.startsWith('--') ?? true
    return word !== name && isAlone && Object.hasOwn(unsaid, name)
      ? `${word}=${unsaid[name]}`
      : word
  })
}

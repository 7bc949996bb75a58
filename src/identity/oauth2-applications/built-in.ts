/** Programs that ask for their users' consent on any server, by ids that they bring along. */
const clientIds: Readonly<Record<string, string>> = {
  'git-credential-oauth': 'a4792ccc-144e-407e-86c9-5e7d8d9c3269',
  'git-credential-manager': 'e90ee53c-94e2-48ac-9358-a874fb9e0662',
  tea: 'd57cb8c4-630c-4168-8324-ec79935e18d4',
}

/** They listen on the machine of who uses them. */
export const loopback = ['http://127.0.0.1', 'https://127.0.0.1']

/** The name of the program with this id, when it is one of them. */
export function builtInName(clientId: string): string | undefined {
  return Object.keys(clientIds).find((name) => clientIds[name] === clientId)
}

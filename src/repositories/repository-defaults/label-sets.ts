import { invalid } from '../../platform/errors.ts'

export interface LabelTemplate {
  readonly name: string
  /** Six hexadecimal digits. */
  readonly color: string
  readonly description: string
  /** Of the labels before the same slash, an issue has at most one. */
  readonly exclusive: boolean
  /** Where it stands among them; 0 when it is not exclusive. */
  readonly exclusiveOrder: number
}

const sets = new Map<string, readonly LabelTemplate[]>([
  [
    'Default',
    [
      plain('bug', 'ee0701', 'Does not work as it should'),
      plain('duplicate', 'cccccc', 'Has been reported before'),
      plain('enhancement', '84b6eb', 'Something new, or something made better'),
      plain('help wanted', '128a0c', 'Somebody who lends a hand is welcome'),
      plain('invalid', 'e6e6e6', 'Nothing that can be acted on'),
      plain('question', 'cc317c', 'Asks for an answer'),
      plain('wontfix', 'ffffff', 'Stays as it is'),
    ],
  ],
  [
    'Advanced',
    [
      plain('Kind/Bug', 'ee0701', 'Does not work as it should'),
      plain('Kind/Feature', '0288d1', 'Something that was not there before'),
      plain('Kind/Enhancement', '84b6eb', 'Makes better what is there'),
      plain('Kind/Security', '9c27b0', 'Concerns the safety of users or data'),
      plain('Kind/Testing', '795548', 'About tests'),
      plain('Kind/Documentation', '37474f', 'About documents'),
      plain('Compat/Breaking', 'c62828', 'Users must change something on their side'),
      exclusive('Reviewed/Confirmed', '795548', 1, 'Somebody else has seen it too'),
      exclusive('Reviewed/Duplicate', '616161', 2, 'Has been reported before'),
      exclusive('Reviewed/Invalid', '546e7a', 3, 'Nothing that can be acted on'),
      exclusive("Reviewed/Won't Fix", 'eeeeee', 3, 'Stays as it is'),
      exclusive('Status/Blocked', '880e4f', 1, 'Waits for something else'),
      exclusive('Status/Need More Info', '424242', 2, 'Waits for its author to tell more'),
      exclusive('Status/Abandoned', '222222', 3, 'Nobody works on it any more'),
      exclusive('Priority/Critical', 'b71c1c', 1, 'Everything else can wait'),
      exclusive('Priority/High', 'd32f2f', 2, 'Among the next things to do'),
      exclusive('Priority/Medium', 'e64a19', 3, 'Its turn will come'),
      exclusive('Priority/Low', '4caf50', 4, 'When there is time'),
    ],
  ],
])

export const labelSetNames: readonly string[] = [...sets.keys()].sort()

export function findLabelSet(name: string): readonly LabelTemplate[] | undefined {
  return sets.get(name)
}

export function labelSet(name: string): readonly LabelTemplate[] {
  const labels = sets.get(name)
  if (labels) return labels
  throw invalid(`failed to load label template file "${name}": label template "${name}" not found`)
}

function plain(name: string, color: string, description: string): LabelTemplate {
  return { name, color, description, exclusive: false, exclusiveOrder: 0 }
}

function exclusive(
  name: string,
  color: string,
  exclusiveOrder: number,
  description: string,
): LabelTemplate {
  return { name, color, description, exclusive: true, exclusiveOrder }
}

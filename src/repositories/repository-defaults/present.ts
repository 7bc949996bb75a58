import { apiUrl } from '../../platform/config/urls.ts'
import type { Config } from '../../platform/config/config.ts'
import type { LabelTemplate } from './label-sets.ts'

const implementation =
  'Put the text into a file called LICENSE at the top of the repository, ' +
  'and fill in the year and the name of the copyright holder where the text asks for them.'

export function presentLicenseEntry(config: Config, name: string) {
  return { key: name, name, url: `${apiUrl(config)}/licenses/${name}` }
}

export function presentLicense(config: Config, name: string, text: string) {
  return { ...presentLicenseEntry(config, name), implementation, body: text }
}

export function presentLabelTemplate({ name, exclusive, color, description }: LabelTemplate) {
  return { name, exclusive, color, description }
}

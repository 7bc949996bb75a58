/** The band on which git sends what it has to say to people. */
const MESSAGES = 2

/** Git's answer to a push, in which it does not tell where the repository lies. */
export async function* hideFolder(
  answer: AsyncIterable<Uint8Array>,
  folder: string,
): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of answer) {
    rest = Buffer.concat([rest, chunk])
    const end = endOfPackets(rest)
    if (end > 0) yield Buffer.concat([...hiddenIn(rest.subarray(0, end), folder)])
    rest = rest.subarray(end)
  }
  if (rest.length > 0) yield rest
}

/** Where the last packet ends that is there as a whole. */
function endOfPackets(bytes: Buffer): number {
  let end = 0
  while (end + 4 <= bytes.length && end + lengthAt(bytes, end) <= bytes.length) {
    end += lengthAt(bytes, end)
  }
  return end
}

function* hiddenIn(packets: Buffer, folder: string): Generator<Buffer> {
  for (let at = 0; at < packets.length; at += lengthAt(packets, at)) {
    const packet = packets.subarray(at, at + lengthAt(packets, at))
    if (packet[4] !== MESSAGES || !packet.includes(folder)) {
      yield packet
      continue
    }
    const text = Buffer.from(packet.toString('utf8', 5).replaceAll(folder, 'the repository'))
    yield Buffer.from(`${(text.length + 5).toString(16).padStart(4, '0')}\u0002`)
    yield text
  }
}

/** A flush, and what is no length, is its four digits alone. */
function lengthAt(bytes: Buffer, at: number): number {
  return Math.max(4, Number.parseInt(bytes.toString('latin1', at, at + 4), 16) || 0)
}

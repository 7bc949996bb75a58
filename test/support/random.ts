/** The same seed makes the same choices. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271 + 11) % 2_147_483_647) / 2_147_483_647
}

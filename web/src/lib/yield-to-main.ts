// Yields to the main thread, so that input and paint come first.
export function yieldToMain(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

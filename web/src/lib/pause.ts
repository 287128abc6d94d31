// Lets what waits happen first: a touch, a frame.
export function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

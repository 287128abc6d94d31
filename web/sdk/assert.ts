// Assertions for flows: vitest is not available in a browser.

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [show(actual), show(expected)];
  if (is !== should) throw new Error(`${what}: ${is} instead of ${should}`);
}

export function holds(fact: boolean, what: string): asserts fact {
  if (!fact) throw new Error(`not so: ${what}`);
}

/** The error of an attempt that has to fail with one of these codes. */
export async function refused(
  attempt: Promise<unknown>,
  ...codes: string[]
): Promise<Error & { code: string }> {
  try {
    await attempt;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== undefined && codes.includes(code)) return error as Error & { code: string };
    throw new Error(`refused with ${code ?? error} instead of ${codes.join(" or ")}`, {
      cause: error,
    });
  }
  throw new Error(`not refused, though ${codes.join(" or ")} was due`);
}

// The order of keys does not matter.
function show(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part === undefined
        ? "<undefined>"
        : part,
  );
}

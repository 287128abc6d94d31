// What an access token says, unverified: for the browser's own decisions, never for access.
type Claims = { sub?: string; exp?: number; iat?: number };

export function tokenClaims(token: string): Claims {
  try {
    const part = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const { sub, exp, iat } = JSON.parse(atob(part)) as Record<string, unknown>;
    return {
      ...(typeof sub === "string" && { sub }),
      ...(typeof exp === "number" && { exp }),
      ...(typeof iat === "number" && { iat }),
    };
  } catch {
    return {};
  }
}

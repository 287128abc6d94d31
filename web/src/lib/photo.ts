// The path of a picture that is ours: nobody else's server is asked for one.
export function ownPhoto(url: string | null): string | null {
  return /\/media\/[\da-f]{40}\/\d+\.(?:jpg|webp)$/.exec(url ?? "")?.[0] ?? null;
}

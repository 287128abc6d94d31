// The path of a picture on our own server; pictures elsewhere are never requested.
export function ownPhoto(url: string | null): string | null {
  return /\/media\/[\da-f]{40}\/\d+\.(?:jpg|webp)$/.exec(url ?? "")?.[0] ?? null;
}

// The limits of what the server decodes, and the longer side of a scaled picture.
const MOST_PIXELS = 16_000_000;
const LONGEST_SIDE = 8000;
const DRAWN = 2400;

// Scales down photos with more pixels than the server decodes. A file that the browser cannot read
// is sent as it is: the server refuses it with a reason.
export async function scaledToFit(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return file;
  const { width, height } = picture;
  const longer = Math.max(width, height);
  if (width * height <= MOST_PIXELS && longer <= LONGEST_SIDE) return file;
  const side = (length: number) => Math.max(1, Math.round((length * DRAWN) / longer));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: side(width),
    height: side(height),
  });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob((blob) => done(blob ?? file), "image/jpeg", 0.9));
}

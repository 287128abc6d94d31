// The path of a picture that is ours: nobody else's server is asked for one.
export function ownPhoto(url: string | null): string | null {
  return /\/media\/[\da-f]{40}\/\d+\.(?:jpg|webp)$/.exec(url ?? "")?.[0] ?? null;
}

// What the shop decodes of a customer's, and the longer side of what is drawn anew.
const MOST_PIXELS = 16_000_000;
const LONGEST_SIDE = 8000;
const DRAWN = 2400;

// Phones take photos of more pixels than the shop decodes; those are scaled down here. What the browser
// cannot read, the shop refuses and says why.
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

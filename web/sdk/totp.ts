// TOTP codes of an authenticator app (RFC 6238: SHA-1, six digits, thirty seconds).
import { createHmac } from "node:crypto";

const STEP = 30_000;

/**
 * The code `step` steps from now, of a secret in base32. A server takes a code once, and in the steps
 * before and after its own too. So who needs two takes the present one and then the next: neither
 * grows too old, wherever a step ends between its making and its check.
 */
export function totp(secret: string, step = 0): string {
  return hotp(decode(secret), Math.floor(Date.now() / STEP) + step);
}

export function hotp(key: Buffer, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac("sha1", key).update(message).digest();
  const at = (mac[19] ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function decode(base32: string): Buffer {
  const bits = [...base32.replace(/=+$/, "")]
    .map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
